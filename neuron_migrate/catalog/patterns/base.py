"""What all kinds of pattern have in common."""

from __future__ import annotations

import msgspec

from neuron_migrate.finding import Target


class Pattern(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind"
):
    """A kind of pattern; its tag is what ``kind`` says in a rule file."""


class Hold(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What elsewhere in the file speaks against a rewrite."""

    text: str
    """A regular expression that is looked for in the whole file."""
    reason: str
    """What a match means, for the message."""
    unsafe: bool = False
    """True when the rewrite is still possible, but a person should look at it."""
    target: Target | None = None
    """The only target it concerns."""
