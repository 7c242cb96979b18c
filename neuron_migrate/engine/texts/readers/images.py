"""References to container images: their name and tag, and the commands that take one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from neuron_migrate.engine.texts.facts import Image

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from neuron_migrate.engine.texts.facts import Span, Word

_REFERENCE = re.compile(
    r"(?P<name>(?:[\w.$*{}-]+(?::\d+)?/)?[\w.${}-]+(?:/[\w.${}-]+)*?)(?::(?P<tag>[\w.${}:-]+))?"
    r"(?:@sha\w+:\w+)?"
)
RUNS_IMAGES = frozenset({"docker", "nvidia-docker", "podman", "singularity", "apptainer", "enroot"})
"""Programs that start containers."""
_TAKES_IMAGE = frozenset({"run", "create", "pull", "exec", "import"})
_WITH_FOLDER = re.compile(r"[^=:]+/[^=]*|[\w.-]+:[\w.-]+")


def image(text: str, span: Span) -> Image | None:
    """The image that a reference such as ``nvidia/cuda:12.4.0-base`` names."""
    match = _REFERENCE.fullmatch(text.removeprefix("docker://").replace("#", "/"))
    return None if match is None else Image(match["name"], match["tag"] or "", span)


def images_of(words: Sequence[Word], name: str | None) -> Iterator[Image]:
    """What may be an image in a ``docker run`` or ``docker pull``."""
    if name not in RUNS_IMAGES or len(words) < 3 or words[1].text not in _TAKES_IMAGE:
        return
    for word in words[2:]:
        text = word.text
        if text and not text.startswith(("-", ".", "/", "~")) and _WITH_FOLDER.fullmatch(text):
            found = image(text, word.span)
            if found is not None:
                yield found
