"""What becomes of one option of a command line."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from neuron_migrate.engine.texts.matchers.options import normal
from neuron_migrate.engine.texts.wording import sentence
from neuron_migrate.finding import Edit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.catalog.text_patterns import OptionChange
    from neuron_migrate.engine.texts.document import Document
    from neuron_migrate.engine.texts.facts import Span, Word
    from neuron_migrate.engine.texts.matchers.options import Option

SHARED = "it stands in a variable of the script that is read elsewhere too"
_APART = "its value is set elsewhere in the script"
_OTHER_TARGET = "CUDA needs it as it is, and the code is to run there too"


def react(
    rule: Rule,
    change: OptionChange,
    option: Option,
    given: Sequence[Option],
    document: Document,
    seen: set[tuple[str, Span]],
) -> bool:
    """Report an option that a change is about; True when it is."""
    if not _applies(change, option):
        return False
    place = option.word.span
    if (rule.code, place) in seen:
        return True
    seen.add((rule.code, place))
    edits, reason = _edits(change, option, given, document)
    safety = change.safety
    if edits and option.shared:
        safety, reason = "unsafe", SHARED
    text = f"`{document.source(place)}`"
    if option.value_word is not None and not change.flag:
        text = f"`{document.source(place)} {document.source(option.value_word.span)}`"
    text += f": {sentence(change.note)}" if change.note else "."
    document.report(
        rule, place, text, edits=edits, safety=safety, not_fixed=reason, risk=change.risk
    )
    return True


def _applies(change: OptionChange, option: Option) -> bool:
    if option.name != normal(change.name):
        return False
    if change.flag:
        return not option.is_off
    value = option.value
    return not change.values or (
        value is not None and any(fnmatchcase(value.lower(), each) for each in change.values)
    )


def _edits(
    change: OptionChange, option: Option, given: Sequence[Option], document: Document
) -> tuple[list[Edit], str | None]:
    if change.action == "report":
        return [], None
    if change.target not in (None, document.target):
        return [], _OTHER_TARGET
    if change.action == "drop":
        edits = drop(option, document, flag=change.flag)
        return edits, None if edits else _APART
    to = change.to
    if document.target == "accelerator" and change.accelerator is not None:
        to = change.accelerator
    if to is None:
        return [], None
    if change.action == "rename":
        if any(each.name == normal(to) for each in given):
            return [], f"`{to}` is given too"
        dashed = to.replace("_", "-") if "-" in document.source(option.name_span)[2:] else to
        return [Edit(option.name_span.start, option.name_span.end, dashed)], None
    if option.value_span is None:
        return [], "the value is not written out in one place"
    return [Edit(option.value_span.start, option.value_span.end, to)], None


def drop(option: Option, document: Document, *, flag: bool) -> list[Edit]:
    """The edits that take an option away, with its value and the blanks in front of it.

    None where the value stands in another place.
    """
    value = option.value_word
    if flag and not option.is_truth:
        value = None
    if value is None:
        return [_without(option.before, option.word, document)]
    if not _are_neighbours(option.word, value, document):
        return []
    before = _without(option.before, option.word, document)
    return [before, _without(option.word, value, document)]


def _without(before: Word, word: Word, document: Document) -> Edit:
    if word.removal is not None:
        return Edit(word.removal.start, word.removal.end, "")
    start = before.span.end if _are_neighbours(before, word, document) else word.span.start
    return Edit(start, word.span.end, "")


def _are_neighbours(first: Word, second: Word, document: Document) -> bool:
    """Whether nothing but blanks and continued lines stands between two words, or they are entries
    of a list."""
    if first.removal is not None and second.removal is not None:
        return True
    gap = document.text[first.span.end : second.span.start]
    return first.span.end <= second.span.start and not gap.replace("\\", "").strip()
