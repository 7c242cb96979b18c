"""The programs that a command line starts, one inside the other: ``sudo torchrun train.py``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from neuron_migrate.engine.texts.facts import Command, Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from neuron_migrate.engine.texts.facts import Word

_PREFIXES: dict[str, set[str]] = {
    "sudo": {"-u", "-g", "-h", "-p", "--user", "--group"},
    "env": {"-u", "-C", "--unset", "--chdir"},
    "nice": {"-n"},
    "ionice": {"-c", "-n"},
    "stdbuf": {"-i", "-o", "-e"},
    "timeout": {"-s", "-k", "--signal", "--kill-after"},
    "neuron_parallel_compile": {"--num_parallel"},
    "time": set(),
    "nohup": set(),
    "exec": set(),
    "command": set(),
    "eval": set(),
    "setsid": set(),
    "unbuffer": set(),
}
"""Programs that run what follows, with those of their options that take a value."""
_INSTEAD = {"neuron_parallel_compile": {"--command"}, "command": {"-v", "-V"}}
"""Options with which they do something else."""
_RUNNERS = frozenset(
    {
        "srun",
        "mpirun",
        "mpiexec",
        "mpiexec.hydra",
        "horovodrun",
        "numactl",
        "taskset",
        "nsys",
        "ncu",
        "nvprof",
        "dlprof",
        "jsrun",
        "compute-sanitizer",
        "cuda-memcheck",
        "cuda-gdb",
        "xargs",
        "parallel",
        "ssh",
        "torch_xla.distributed.xla_dist",
        "xla_dist",
        "strace",
        "py-spy",
    }
)  # fmt: skip
"""Programs among whose options and arguments another one begins."""
_RUN = frozenset({"run"})
_RUN_OR_EXEC = frozenset({"run", "exec"})
_RUNNING: dict[str, frozenset[str]] = {
    **dict.fromkeys(("docker", "nvidia-docker", "podman", "kubectl"), _RUN_OR_EXEC),
    **dict.fromkeys(("singularity", "apptainer"), _RUN_OR_EXEC),
    **dict.fromkeys(("uv", "poetry", "pipenv", "conda", "mamba", "micromamba", "gantry"), _RUN),
}
"""Programs that do so with one of these subcommands only."""
_STARTED = re.compile(
    r"(?:.*/)?(?:python[\d.]*|pip3?|torchrun|accelerate|deepspeed|bash|sh|horovodrun|mpirun|vllm"
    r"|numactl|nsys|ncu|nvidia-smi|neuron_parallel_compile|[^/=]+\.(?:py|sh))"
)
_PYTHON = re.compile(r"(?:python|pypy)[\d.]*")
_TAKES_VALUE = frozenset({"-W", "-X", "--check-hash-based-pycs"})
_LAUNCHERS = frozenset(
    {
        "torchrun",
        "torch.distributed.run",
        "torch.distributed.launch",
        "deepspeed",
        "accelerate",
        "accelerate.commands.launch",
        "multiproc.py",
    }
)  # fmt: skip
"""Programs that run a Python script or module in several processes."""
_MODULE = frozenset({"-m", "--module"})
_WITHOUT_PYTHON = frozenset({"--no-python", "--no_python"})
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")


def programs(words: Sequence[Word]) -> Iterator[Command]:
    """A command for each program of a line, the outermost first."""
    script = bool(words) and (words[0].text or "").endswith(".py")
    while words:
        start = _next(words, script=script)
        head = tuple(words[:start])
        rest = words[start:] if start is not None else ()
        removal = Span(head[0].span.start, rest[0].span.start) if rest else None
        yield Command(head, Span(head[0].span.start, head[-1].span.end), removal, script)
        script = _runs_python(head, rest)
        words = rest


def base(word: Word) -> str | None:
    """The name of a program without its folder."""
    return None if word.text is None else word.text.replace("\\", "/").rpartition("/")[2]


def _runs_python(head: Sequence[Word], rest: Sequence[Word]) -> bool:
    if not rest:
        return False
    name = base(head[0])
    if head[-1].text in _MODULE:
        return True
    python = name is None or _PYTHON.fullmatch(name) is not None or name in _LAUNCHERS
    return python and not any(word.text in _WITHOUT_PYTHON for word in head)


def _next(words: Sequence[Word], *, script: bool) -> int | None:
    """Where the program begins that the first one starts."""
    name = base(words[0])
    if name is None or _PYTHON.fullmatch(name):
        return _of_python(words)
    if name in _LAUNCHERS:
        return _of_launcher(words, name)
    if script:
        return None
    if name in _PREFIXES:
        return _after_options(words, name)
    if name not in _RUNNERS and not _is_running(words, name):
        return None
    return next((at for at in range(1, len(words)) if _is_started(words[at])), None)


def _is_running(words: Sequence[Word], name: str) -> bool:
    return any(word.text in _RUNNING.get(name, ()) for word in words[1:3])


def _is_started(word: Word) -> bool:
    return word.text is not None and _STARTED.fullmatch(word.text) is not None


def _of_python(words: Sequence[Word]) -> int | None:
    at = 1
    while at < len(words):
        text = words[at].text
        if text == "-m":
            return at + 1 if at + 1 < len(words) else None
        if text is not None and (text == "-" or text.startswith("-c")):
            return None
        if text is None or not text.startswith("-"):
            return at if words[0].text is not None or _is_started(words[at]) else None
        at += 2 if text in _TAKES_VALUE else 1
    return None


def _of_launcher(words: Sequence[Word], name: str) -> int | None:
    if name == "accelerate" and (len(words) < 2 or words[1].text != "launch"):
        return None
    for at, word in enumerate(words[1:], 1):
        if word.text in _MODULE:
            return at + 1 if at + 1 < len(words) else None
        if _is_started(word) and words[at - 1].text not in {"--config_file", "--hostfile"}:
            return at
    return None


def _after_options(words: Sequence[Word], name: str) -> int | None:
    at = 1
    while at < len(words):
        text = words[at].text
        if text is not None and text.startswith("-"):
            if text in _INSTEAD.get(name, ()):
                return None
            at += 2 if text in _PREFIXES[name] else 1
        elif text is not None and _ASSIGNMENT.match(text):
            at += 1
        elif name == "timeout" and at + 1 < len(words) and not _is_started(words[at]):
            return at + 1
        else:
            return at
    return None
