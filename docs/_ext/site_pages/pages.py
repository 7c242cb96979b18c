"""All generated pages, and writing them where Sphinx finds them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_migrate.catalog.loader import FAMILIES
from site_pages import commands, configuration, differences, rule_lists, rule_page, schemas
from site_pages.fixes import Fixes

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from neuron_migrate.catalog.loader import Catalog

GENERATED = ("rules", "reference")
"""The folders that hold nothing else."""


def of_catalog(catalog: Catalog) -> dict[str, str]:
    """The pages about rules, by path."""
    rules, fixes = catalog.rules, Fixes(catalog)
    return {
        "rules/index.md": rule_lists.index(rules),
        "rules/by-risk.md": rule_lists.by_risk(rules, fixes),
        "rules/targets.md": differences.by_target(rules, fixes),
        "rules/releases.md": differences.by_release(catalog),
        **{f"rules/{name}.md": rule_lists.family(name, rules, fixes) for name in FAMILIES.values()},
        **{f"rules/{rule.code}.md": rule_page.render(rule, fixes) for rule in rules},
    }


def of_program(schema: Path) -> dict[str, str]:
    """The pages about the program, by path."""
    return {
        "reference/commands.md": commands.render(),
        "reference/configuration.md": configuration.render(),
        "reference/schemas.md": schemas.render(schema),
    }


def write(folder: Path, pages: Mapping[str, str]) -> None:
    """Make the generated folders hold these pages; one that is the same keeps its time."""
    kept = {folder / path for path in pages}
    for name in GENERATED:
        for stale in set((folder / name).glob("*.md")) - kept:
            stale.unlink()
    for path, text in pages.items():
        file = folder / path
        file.parent.mkdir(exist_ok=True)
        if not file.exists() or file.read_text("utf-8") != text:
            file.write_text(text, "utf-8")
