"""A part, and the repository that it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable

    from neuron_migrate.finding import FileResult
    from neuron_migrate.parts.document import Part


class Named(msgspec.Struct, frozen=True, kw_only=True):
    """A part, where it comes from and the repository it is about."""

    source: str
    name: str = ""
    """The folder that its paths are shown in; empty for this one."""
    part: Part

    def placed(self) -> Named:
        """The same with its paths in that folder; absolute ones stay."""
        if not self.name:
            return self
        replace, part, known = msgspec.structs.replace, self.part, self.part.since.baseline
        files = tuple(replace(each, result=_moved(each.result, self._path)) for each in part.files)
        skipped = tuple(
            replace(each, skip=replace(each.skip, path=self._path(each.skip.path)))
            for each in part.skipped
        )
        baseline = replace(known, file=self._path(known.file)) if known else None
        since = replace(part.since, baseline=baseline)
        return replace(self, part=replace(part, files=files, skipped=skipped, since=since))

    def _path(self, given: str) -> str:
        return given if given.startswith("/") else f"{self.name}/{given}"


def _moved(result: FileResult, path: Callable[[str], str]) -> FileResult:
    replace = msgspec.structs.replace
    findings = tuple(replace(each, path=path(each.path)) for each in result.findings)
    return replace(result, path=path(result.path), findings=findings)
