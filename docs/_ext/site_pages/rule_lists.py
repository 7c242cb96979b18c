"""The rules in tables: by family and by risk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_migrate.catalog.loader import FAMILIES
from neuron_migrate.finding import Risk
from neuron_migrate.report.layout import counted
from site_pages import markdown as md
from site_pages import words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from neuron_migrate.catalog.schema import Rule
    from site_pages.fixes import Fixes


_TITLES = {"huggingface": "Hugging Face"}


def index(rules: Sequence[Rule]) -> str:
    """The families, with what their codes begin with."""
    rows = []
    for digit, family in FAMILIES.items():
        number = sum(rule.family == family for rule in rules)
        link = f"[{family}]({family}.md)"
        rows.append((f"`NM{digit}`", link, md.prose(words.FAMILIES[family]), str(number)))
    return md.page(
        "Rules",
        f"{counted(len(rules), 'rule')} in {counted(len(rows), 'family', 'families')}. A prefix "
        "such as `NM1` stands for its family wherever a code is asked for.",
        md.table(("Codes", "Family", "About", "Rules"), rows),
        "The same rules [by risk](by-risk.md), [what changes per target](targets.md), "
        "[what changes per SDK release](releases.md), and how to "
        "[write your own](../guides/writing-rules.md).",
        _words(),
        _toctree(["by-risk", "targets", "releases", *FAMILIES.values()]),
    )


def family(name: str, rules: Iterable[Rule], fixes: Fixes) -> str:
    """The rules of one family."""
    chosen = [rule for rule in rules if rule.family == name]
    about = words.FAMILIES[name]
    return md.page(
        _TITLES.get(name, name.capitalize()),
        f"{md.sentence(about)} {counted(len(chosen), 'rule')}.",
        _table(chosen, fixes, "Risk", lambda rule: rule.risk.value),
    )


def by_risk(rules: Sequence[Rule], fixes: Fixes) -> str:
    """All rules, worst first, under the name of each risk."""
    parts = []
    for risk in Risk:
        chosen = [rule for rule in rules if rule.risk is risk]
        said = f"{md.sentence(words.RISKS[risk])} {counted(len(chosen), 'rule')}."
        parts += [
            f"## {risk.value}",
            said,
            _table(chosen, fixes, "Family", lambda rule: rule.family),
        ]
    intro = "What happens when a finding is left, worst first. `--fail-on` takes these words."
    return md.page("Rules by risk", intro, *parts)


def _table(rules: Iterable[Rule], fixes: Fixes, column: str, value: Callable[[Rule], str]) -> str:
    header = ("Code", "Name", "What it finds", column, "Fix", "Confidence")
    rows = (
        (
            f"[{rule.code}]({rule.code}.md)",
            md.prose(rule.name),
            md.prose(rule.summary),
            value(rule),
            words.fix(rule, fixes),
            rule.confidence,
        )
        for rule in rules
    )
    return md.table(header, rows)


def _words() -> str:
    fixes = {
        "safe": "the same meaning on Neuron as before on CUDA: `fix --apply` writes it",
        "unsafe": "it changes what a person should look at: `fix --apply --unsafe` writes it",
        "none": "reported only; the finding says why",
    }
    return "\n\n".join(
        (
            "## What the columns mean",
            "Risk, what happens if the code stays as it is:",
            md.bullets(f"**{risk.value}**: {said}" for risk, said in words.RISKS.items()),
            "Fix, as the rule has it for its examples:",
            md.bullets(f"**{word}**: {said}" for word, said in fixes.items()),
            "Confidence:",
            md.bullets(f"**{word}**: {said}" for word, said in words.CONFIDENCE.items()),
        )
    )


def _toctree(names: Iterable[str]) -> str:
    return "\n".join(("```{toctree}", ":hidden:", "", *names, "```"))
