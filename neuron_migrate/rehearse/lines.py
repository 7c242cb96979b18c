"""Which line of the user's program is behind what the device is asked to do."""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

Place = tuple[str, int, str]
"""File, line number and function name."""

NOWHERE: Place = ("", 0, "")
PRINTING = "_tensor_str.py"


class Lines:
    """Finds the innermost frame of the program: not Python's, an installed one or our own."""

    def __init__(self) -> None:
        names = ("stdlib", "platstdlib", "purelib", "platlib")
        self._simulation = str(Path(__file__).parent)
        paths = {str(Path(sysconfig.get_path(name)).resolve()) for name in names}
        paths |= {sysconfig.get_path(name) for name in names}
        self._foreign = (
            *paths,
            self._simulation,
            "<frozen",
            "<string>",
            "<attrs",
            "<eval_with_key>",
        )
        self._known: dict[str, bool] = {}

    def is_own(self, path: str) -> bool:
        """Whether a source file belongs to the user's program."""
        own = self._known.get(path)
        if own is None:
            own = self._known[path] = not (
                path.startswith(self._foreign) or "site-packages" in path or "dist-packages" in path
            )
        return own

    def is_simulation(self, path: str) -> bool:
        """Whether a source file is one of the simulated device."""
        return path.startswith(self._simulation)

    def here(self) -> tuple[Place, bool]:
        """The place, and whether a backward pass of autograd stands between it and the operator."""
        frame: FrameType | None = sys._getframe(1)
        known = self._known
        in_backward = False
        while frame is not None:
            code = frame.f_code
            path = code.co_filename
            own = known.get(path)
            if own is None:
                own = self.is_own(path)
            if own:
                return (path, frame.f_lineno, code.co_name), in_backward
            if code.co_name == "_engine_run_backward":
                in_backward = True
            frame = frame.f_back
        return NOWHERE, in_backward

    def in_printing(self) -> bool:
        """Whether torch is making the text of a tensor."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and not self.is_own(frame.f_code.co_filename):
            if frame.f_code.co_filename.endswith(PRINTING):
                return True
            frame = frame.f_back
        return False
