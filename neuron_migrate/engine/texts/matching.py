"""What a matcher of texts is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from neuron_migrate.engine.texts.document import Document


class TextMatcher(Protocol):
    """Speaks about the facts of a document for all rules of one kind."""

    def match(self, document: Document) -> None:
        """Report what the rules have to say."""
