"""Container images that are built for another device, or for an older Neuron SDK."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from neuron_migrate.catalog.text_patterns import ImageMatch
from neuron_migrate.engine.texts.facts import Image

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.texts.document import Document


class Images:
    """Matches rules of kind ``image``; the first that fits an image speaks about it."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = [(rule, rule.match) for rule in rules if isinstance(rule.match, ImageMatch)]

    def match(self, document: Document) -> None:
        """Report every image that a rule knows."""
        for image in document.of(Image):
            for rule, pattern in self.rules:
                if _fits(pattern, image):
                    shown = f"{image.name}:{image.tag}" if image.tag else image.name
                    document.report(rule, image.span, f"`{shown}`: {pattern.instead}")
                    break


def _fits(pattern: ImageMatch, image: Image) -> bool:
    name = image.name.lower()
    whole = f"{name}:{image.tag.lower()}"
    return any(fnmatchcase(name, each) or fnmatchcase(whole, each) for each in pattern.images) and (
        not pattern.tags or any(fnmatchcase(image.tag.lower(), each) for each in pattern.tags)
    )
