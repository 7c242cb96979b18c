"""Which rules speak about which files."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

    from neuron_migrate.settings import Settings


class Selection(msgspec.Struct, frozen=True):
    """The codes asked for and those that are not, each a code or a prefix of some."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """gitignore-style patterns, and the codes that the files they match ignore as well."""

    @classmethod
    def of(cls, settings: Settings) -> Selection:
        """What a run is to report; ``extend_select`` adds to all rules when none are named."""
        select = settings.select
        if settings.extend_select:
            select = (*(select or ("NM",)), *settings.extend_select)
        return cls(select, settings.ignore, tuple(settings.per_file_ignores.items()))

    def allows(self, code: str, path: str) -> bool:
        """True when the code is asked for; the longer of two prefixes decides.

        What is ignored for the file is ignored, whatever else is said.
        """
        chosen = max((len(p) for p in self.select if code.startswith(p)), default=-1)
        dropped = max((len(p) for p in self.ignore if code.startswith(p)), default=-1)
        if (self.select and chosen < 0) or 0 <= dropped >= chosen:
            return False
        return not code.startswith(self.ignored_in(path))

    def ignored_in(self, path: str) -> tuple[str, ...]:
        """The codes that one file ignores beside the others."""
        return tuple(
            code
            for pattern, codes in self.per_file
            if _compiled(pattern).match_file(path)
            for code in codes
        )


@cache
def _compiled(pattern: str) -> GitIgnoreSpec:
    # Imported late: it takes longer than everything else that reading one named file needs.
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines([pattern])
