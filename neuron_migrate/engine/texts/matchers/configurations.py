"""Entries of configuration files, and what becomes of them."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from neuron_migrate.catalog.text_patterns import ConfigMatch
from neuron_migrate.engine.texts.facts import Setting
from neuron_migrate.engine.texts.matchers.config_changes import edits
from neuron_migrate.engine.texts.wording import sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.catalog.text_patterns import ConfigEntry
    from neuron_migrate.engine.texts.document import Document
    from neuron_migrate.engine.texts.facts import Span

_SHARED = "other keys refer to this value by its anchor"


class Configurations:
    """Matches rules of kind ``config``."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = [(rule, rule.match) for rule in rules if isinstance(rule.match, ConfigMatch)]
        self._by_key: dict[str, list[tuple[Rule, ConfigEntry, tuple[str, ...]]]] = {}
        for rule, pattern in self.rules:
            for entry in pattern.entries:
                path = tuple(_normal(key) for key in entry.path.split(".") if key)
                last = path[-1] if path else ""
                key = "*" if set(last) & set("*?[") else last
                self._by_key.setdefault(key, []).append((rule, entry, path))

    def match(self, document: Document) -> None:
        """Report every entry that a rule knows, one that is only advice where no other does."""
        settings = list(document.of(Setting))
        seen: set[tuple[str, Span]] = set()
        for advice in (False, True):
            taken = {place for _, place in seen}
            for setting in settings:
                if not (advice and setting.span in taken):
                    self._setting(setting, document, settings, seen, advice=advice)

    def _setting(
        self,
        setting: Setting,
        document: Document,
        settings: Sequence[Setting],
        seen: set[tuple[str, Span]],
        *,
        advice: bool,
    ) -> None:
        path = tuple(_normal(key) for key in setting.path)
        for rule, entry, pattern in self._candidates(path[-1] if path else ""):
            known = (rule.code, setting.span)
            if rule.advice != advice or known in seen:
                continue
            if _fits(entry, rule, setting, document) and _leads(pattern, path):
                seen.add(known)
                alone = not setting.shared or self._agree(rule, entry, setting, document, settings)
                _report(rule, entry, setting, document, settings, alone=alone)

    def _agree(
        self,
        rule: Rule,
        entry: ConfigEntry,
        setting: Setting,
        document: Document,
        settings: Sequence[Setting],
    ) -> bool:
        """Whether a rule says the same of all keys that refer to a value by its anchor."""
        _, *others = [each for each in settings if each.span == setting.span]
        return all(
            any(
                one is rule
                and other.to == entry.to
                and _fits(other, rule, each, document)
                and _leads(pattern, tuple(_normal(key) for key in each.path))
                for one, other, pattern in self._candidates(_normal(each.path[-1]))
            )
            for each in others
        )

    def _candidates(self, key: str) -> list[tuple[Rule, ConfigEntry, tuple[str, ...]]]:
        return self._by_key.get(key, []) + (self._by_key.get("*", []) if key else [])


def _fits(entry: ConfigEntry, rule: Rule, setting: Setting, document: Document) -> bool:
    assert isinstance(rule.match, ConfigMatch)
    if setting.document not in rule.match.documents and "*" not in rule.match.documents:
        return False
    if entry.concerns not in (None, document.target):
        return False
    if setting.value is None:
        return entry.filled or not setting.path
    return not entry.filled and (
        not entry.values or any(fnmatchcase(setting.value, each) for each in entry.values)
    )


def _report(
    rule: Rule,
    entry: ConfigEntry,
    setting: Setting,
    document: Document,
    settings: Sequence[Setting],
    *,
    alone: bool,
) -> None:
    changes, reason = edits(entry, setting, document, settings)
    safety = entry.safety
    if changes and not alone:
        safety, reason = "unsafe", _SHARED
    document.report(
        rule,
        setting.span,
        _said(entry, setting, document),
        edits=changes,
        safety=safety,
        not_fixed=reason,
        risk=entry.risk,
    )


def _said(entry: ConfigEntry, setting: Setting, document: Document) -> str:
    keys = [key for key in setting.path if key != "*"]
    text = keys[-1] if keys else ""
    if setting.value is not None:
        shown = document.source(setting.span).partition("\n")[0][:80]
        text = f"{text}: {shown}" if text else shown
    if not text:
        return sentence(entry.note)
    return f"`{text}`: {sentence(entry.note)}" if entry.note else f"`{text}`."


def _leads(pattern: tuple[str, ...], path: tuple[str, ...]) -> bool:
    """Whether keys are those of a pattern, from the last one on."""
    if not pattern:
        return not path
    if pattern[-1] == "**":
        return any(_leads(pattern[:-1], path[:end]) for end in range(len(path) + 1))
    return bool(path) and fnmatchcase(path[-1], pattern[-1]) and _leads(pattern[:-1], path[:-1])


def _normal(key: str) -> str:
    return key.lower().replace("-", "_")
