"""``neuron-migrate explain CODE``: one rule with its reasons and examples."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from neuron_migrate.cli import completion
from neuron_migrate.cli import options as o

if TYPE_CHECKING:
    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.catalog.schema import Rule


def explain(
    code: Annotated[
        str,
        typer.Argument(
            metavar="CODE",
            autocompletion=completion.rules,
            help="A code (NM101) or a rule's name.",
        ),
    ],
    sdk: o.SdkOption = None,
    config: o.ConfigOption = None,
) -> None:
    """Explain one rule: why, from which sources, before and after."""
    from neuron_migrate.catalog import loader
    from neuron_migrate.cli.output import show
    from neuron_migrate.config import load
    from neuron_migrate.report.explain import render

    settings, _ = load(config, Path.cwd())
    show(
        render(_find(loader.load(settings.rules, sdk or settings.sdk, cached=settings.cache), code))
    )


def _find(catalog: Catalog, word: str) -> Rule:
    from difflib import get_close_matches

    from neuron_migrate.errors import UsageError

    by_word = {name: rule for rule in catalog.rules for name in (rule.code, rule.name)}
    rule = by_word.get(word.upper()) or by_word.get(word.lower())
    if rule is not None:
        return rule
    close = get_close_matches(word.upper(), by_word) or get_close_matches(word.lower(), by_word)
    hint = f"did you mean {', '.join(close)}?" if close else "neuron-migrate rules lists them"
    raise UsageError(f"no rule has the code or name {word!r}; {hint}")
