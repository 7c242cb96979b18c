"""What a rule can match: one struct per kind of pattern, in the words a rule file uses."""

from __future__ import annotations

from typing import Literal

import msgspec

from neuron_migrate.finding import Confidence, Risk, Safety, Target


class _Pattern(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind"
):
    pass


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


class NameEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One public name and what it becomes.

    A replacement without parentheses replaces the reference; one with ``{args}`` or parentheses
    replaces a whole call. Without a replacement for a target the name is reported.
    """

    name: str
    neuron: str | None = None
    accelerator: str | None = None
    safety: Safety = "safe"
    needs_accelerator: bool = False
    """The accelerator form raises where there is no accelerator: unsafe outside a guard."""
    risk: Risk | None = None
    confidence: Confidence | None = None
    note: str = ""
    """What to know or do about this name; added to the message."""
    moved: str | None = None
    """Where an import that must stay (``__all__``, annotations) gets the name from instead."""
    module: bool = False
    """True when it is a module whose uses decide: it is renamed only if all of them move alike."""
    test: bool = False
    """True when it asks whether the device is there, so that a condition may rest on it."""
    accelerator_safety: Safety | None = None
    """``safety`` for the accelerator target, where it differs."""
    uncalled: str | None = None
    """What stands for the name where it is not called: annotations, ``isinstance``, ``except``."""
    takes: tuple[str, ...] | None = None
    """The keywords that the replacement takes; a call with another one is reported."""
    positional: bool = False
    """The replacement takes its one argument by position only."""
    index: bool = False
    """The replacement takes the number of a device, nothing else."""
    lacks: tuple[str, ...] = ()
    """Attributes the result of the replacement does not have; a call read for one is reported."""
    repeats: bool = False
    """A statement that only repeats a call of the replacement beside it is removed."""
    dropped: Target | None = None
    """The target for which a statement that only calls it is removed."""
    parameters: tuple[str, ...] = ()
    """What the name calls its parameters, in order: for the replacement they become keywords."""
    supplies: dict[str, str] = {}
    """Keywords that the replacement gets where the call does not give them, with their values."""
    discards: bool = False
    """The arguments of the call mean nothing to the replacement and go."""
    decorates: bool = False
    """As a bare decorator it becomes a call of the replacement."""
    accelerator_value: str | None = None
    """``accelerator`` where the program may run on a CPU: it must not raise there."""
    holds: tuple[Hold, ...] = ()


class NamesMatch(_Pattern, frozen=True, kw_only=True, tag="names"):
    """References to public names, through every alias and import form."""

    names: tuple[NameEntry, ...]
    modules: tuple[str, ...] = ()
    """Modules all of whose other names are reported too."""
    prefixes: tuple[str, ...] = ()
    """Beginnings of names that are reported too, such as ``torch._C._cuda``."""
    elsewhere: tuple[str, ...] = ()
    """Names in ``modules`` that a rule of another kind speaks about."""
    cuda_only: bool = False
    """True when an availability guard around a use must stay a CUDA guard."""


class ValueMatch(_Pattern, frozen=True, kw_only=True, tag="value"):
    """Literal values in a place that gives them a meaning, such as a device string."""

    of: str | None = None
    """The code of another rule of this kind whose values and places these are."""
    values: tuple[str, ...] = ()
    """Python literals as source: ``"'cuda'"``, ``"0"``; compared by value."""
    indexed: bool = False
    """Also ``'cuda:1'`` and the ways such a string is built."""
    parts: bool = False
    """Also inside ``'cpu:gloo,cuda:nccl'`` lists of device and backend."""
    functions: tuple[str, ...] = ()
    """Calls whose arguments are such values: dotted paths, ``.method``; ``path:0`` for one
    position, ``path:name`` for one keyword."""
    calls: tuple[str, ...] = ()
    """Functions a call of which, without arguments, gives such a value: dotted paths."""
    wrapped: bool = False
    """Also as the only value of a dict under an empty key: ``{"": 0}``."""
    keywords: tuple[str, ...] = ()
    """Keywords, dict keys and command-line options that take such a value in any call."""
    words: tuple[str, ...] = ()
    """Words in the name of a variable, attribute or function that holds such a value."""
    other_words: tuple[str, ...] = ()
    """Words that make such a name mean something else."""
    under_test: bool = False
    """What is kept under a test that a device is there, against something else, is such a value."""
    unless_beside: tuple[str, ...] = ()
    """Text in the same function showing that the value is looked up, the literal a last resort."""
    requires: tuple[str, ...] = ()
    """Top-level packages one of which the file must import."""
    certain: bool = False
    """Only imports count that the program does not survive without."""
    neuron: str | None = None
    accelerator: str | None = None
    """The replacement, as Python source."""
    accelerator_value: str | None = None
    """The same where nothing says that an accelerator is there; it must not raise on a CPU."""
    lenient: tuple[str, ...] = ()
    """Those of the functions that take the original value on a machine without an accelerator."""
    accelerator_compared: str | None = None
    """The same where the value is compared."""
    placed_by: Literal["any", "functions"] = "any"
    """``functions``: only those use it at once; in other calls it may not be used at all."""
    safety: Safety = "safe"
    when: Literal["meant", "elsewhere", "multi-process"] = "meant"
    """``elsewhere``: the same values in places of no clear meaning (the ambiguous rest);
    ``multi-process``: indexed values in code that runs one process per device."""
    roles: tuple[Literal["placed", "held", "compared", "choice"], ...] = (
        "placed",
        "held",
        "compared",
        "choice",
    )
    """The uses of a value that it speaks about."""
    wins: bool = False
    """Where it speaks about a value, no other rule does."""
    whole: bool = False
    """The replacement takes the place of an index too."""
    doubt: str | None = None
    """A regular expression: where the file matches it, the fix is unsafe."""
    reach: Literal[0, 1] | None = None
    """How many names may stand between a value and its use. For values that are no triggers: then
    a name is followed from its use back to what it was given."""
    note: str = ""


class MethodMatch(_Pattern, frozen=True, kw_only=True, tag="cuda-method"):
    """``x.cuda(...)`` on tensors and modules."""

    method: str
    neuron: str
    accelerator: str
    indexed_neuron: str
    """For a device that is not a literal: a template with ``{self}`` and ``{args}``."""
    indexed_accelerator: str
    indexed_accelerator_safety: Safety = "unsafe"


class PropertyMatch(_Pattern, frozen=True, kw_only=True, tag="property"):
    """An attribute of a tensor, such as ``x.is_cuda``."""

    attribute: str
    neuron: str
    accelerator: str


class ArgumentChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What happens to one argument of a matched call."""

    name: str
    position: int | None = None
    """0-based position it may also be given at."""
    values: tuple[str, ...] = ()
    """Python literals (as source) or dotted paths it applies to; empty means any value."""
    unless: tuple[str, ...] = ()
    """Values it does not apply to."""
    visibly: Literal["text", "integer-tensor", "cuda-source", "device-count"] | None = None
    """Only where the file shows that the argument is of this kind."""
    absent: bool = False
    """Also where the argument is not given (stop)."""
    action: Literal["remove", "set", "rename", "add", "report", "stop"]
    """``stop``: nothing of the call can be rewritten, and ``note`` says why."""
    to: str | None = None
    """The new value (set, add; Python source) or the new name (rename)."""
    value: str | None = None
    """The value under the new name (rename), as Python source; without one it keeps its own."""
    computed: bool | None = None
    """True: only what is no literal; False: only literals."""
    target: Target | None = None
    """The only target it is for."""
    accelerator: str | None = None
    """``to`` for the accelerator target, where it differs; ``""`` means leave it alone there."""
    safety: Safety = "safe"
    accelerator_safety: Safety | None = None
    note: str = ""
    risk: Risk | None = None
    """What is at stake where this is all there is to change, if not the rule's risk."""


class CallMatch(_Pattern, frozen=True, kw_only=True, tag="call"):
    """Calls of given functions, and what becomes of their arguments.

    Without ``arguments`` every such call is reported.
    """

    functions: tuple[str, ...]
    """Dotted paths with ``*`` wildcards (``builtins.dict``), or ``.method`` of anything."""
    requires: tuple[str, ...] = ()
    """Top-level packages one of which the file must import."""
    each: bool = False
    """True when every argument gets a finding of its own, at the argument."""
    wins: bool = False
    """Where it speaks about a call, no other rule does about literals in it."""
    arguments: tuple[ArgumentChange, ...] = ()
    unless: tuple[str, ...] = ()
    """Conditions one of which means that there is nothing to say.

    A condition is ``name`` for an argument that is given, ``!name`` for one that is not, or
    ``name=value``; ``name:0`` is one that may also stand at that position. A value is a Python
    literal, a dotted path or text with ``*`` wildcards, ``literal``, or ``computed`` for the rest.
    """
    given: tuple[str, ...] = ()
    """Conditions one of which must hold."""
    ambiguous: tuple[str, ...] = ()
    """Methods among the functions that other objects have too: only those of a torch module count,
    and calls that ``telling`` holds for."""
    telling: tuple[str, ...] = ()
    """Conditions one of which shows that an ambiguous method is meant."""
    unclear: bool = False
    """Only calls without arguments, on objects that nothing shows to be a torch module."""
    given_to: tuple[str, ...] = ()
    """Only calls whose value is given to one of these names: assigned, or as a keyword."""
    drop: bool = False
    """The call, when it is a statement of its own, is removed."""
    neuron: str | None = None
    accelerator: str | None = None
    """What replaces the call, as a template."""
    safety: Safety = "safe"
    accelerator_safety: Safety | None = None
    doubt: str | None = None
    """A regular expression: where the file matches it, the fix is unsafe."""
    splat: Literal["report", "ignore"] = "report"
    """What to do when ``**kwargs`` may hold the arguments."""
    unknown_risk: Risk | None = None
    """What is at stake where the arguments cannot be read, if not the rule's risk."""
    holds: tuple[Hold, ...] = ()
    cuda_only: bool = False
    neutral: bool = False
    """True when the code runs on Neuron all the same, so that no guard is kept for its sake."""


class ImportMatch(_Pattern, frozen=True, kw_only=True, tag="import"):
    """Imports of a package, knowing whether a fallback stands beside them."""

    packages: tuple[str, ...]
    submodules: tuple[str, ...] = ()
    """All that the packages hold, where projects use the same name for a folder of their own."""
    instead: str
    """The way out, for the message."""
    cuda_only: bool = True


class GoneName(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A name of a package that is gone, and what stands in its place."""

    name: str
    neuron: str | None = None
    accelerator: str | None = None
    """Templates for the reference, or for the call where they hold parentheses."""
    drop: bool = False
    """A statement that is only a call of it, without arguments, is removed."""
    unless_beside: tuple[str, ...] = ()
    """Words in the file that make the rewrite wrong: the use is reported."""
    only_beside: tuple[str, ...] = ()
    """Words one of which the file must hold for the rewrite to be right."""
    note: str = ""


class GoneMatch(_Pattern, frozen=True, kw_only=True, tag="gone"):
    """Imports of packages that the native stack does not have, and the uses of what they hold."""

    packages: tuple[str, ...] = ()
    instead: str = ""
    """The way out, for the message at the import."""
    names: tuple[GoneName, ...] = ()


class MovedClassMatch(_Pattern, frozen=True, kw_only=True, tag="moved-class"):
    """Model classes of a package that is gone, loaded with ``from_pretrained``."""

    classes: dict[str, str]
    """The class of another package that takes the place, by the full name of the old one."""
    compile_time: dict[str, str]
    """Arguments that only meant something to the compiler, with what to do about them now."""
    types: dict[str, str]
    """The type to load the weights in, by what was written for ``auto_cast_type``."""
    needs: tuple[str, ...] = ()
    """Arguments without which the checkpoint may be a compiled one: the fix is unsafe then."""
    neuron: str
    accelerator: str
    """What ``device_map`` is set to."""


class VariableMatch(_Pattern, frozen=True, kw_only=True, tag="variable"):
    """Environment variables that the program sets or asks for."""

    names: tuple[str, ...]
    to: str | None = None
    """The variable that takes the place; without one the use is reported."""
    reads: bool = False
    """True when asking for the variable matters too."""
    hides: tuple[str, ...] = ()
    """Values that mean "no device at all", for which ``to`` has none."""
    values: tuple[str, ...] = ()
    """The only values that matter; empty means any."""
    unless_imported: str | None = None
    """A package whose import makes the setting harmless."""


class CommandMatch(_Pattern, frozen=True, kw_only=True, tag="command"):
    """Programs that the code starts."""

    programs: tuple[str, ...]
    functions: tuple[str, ...]
    """What starts them, as dotted paths with ``*`` wildcards."""


class CallOrderMatch(_Pattern, frozen=True, kw_only=True, tag="call-order"):
    """A call that comes before another one of the same function, and must come after it."""

    functions: tuple[str, ...]
    """Dotted paths of what comes too early."""
    after: tuple[str, ...]
    """Dotted paths of what must have been called by then."""


class LadderMatch(_Pattern, frozen=True, kw_only=True, tag="ladder"):
    """If/elif chains that name several vendors beside cuda."""

    vendors: tuple[str, ...]
    needed: int = 2
    """How many other vendors make a ladder."""


class PatchMatch(_Pattern, frozen=True, kw_only=True, tag="patch"):
    """A program that replaces a module's functions by its own: assignments and ``mock.patch``."""

    module: str


class MemberMatch(_Pattern, frozen=True, kw_only=True, tag="member"):
    """Classes that define a member under a name that tensors have."""

    members: tuple[str, ...]


class SliceMatch(_Pattern, frozen=True, kw_only=True, tag="slice"):
    """Slices that rest on the length of a value: ``device[5:]``."""

    words: tuple[str, ...]
    starts: tuple[int, ...]


class PlacementMatch(_Pattern, frozen=True, kw_only=True, tag="placement"):
    """Dicts that spread a model over devices, or put it on a device given by its number."""

    keywords: tuple[str, ...]
    """What such a dict is given as."""
    numbers: tuple[str, ...]
    """Words in an expression that is the number of a device, such as ``rank``."""
    elsewhere: tuple[str, ...]
    """Places that are not a core; a dict of these alone is left."""
    spread: str
    """The way out for a model on several devices."""
    numbered: str
    """The way out for a device given by its number."""


class EnvironmentMatch(_Pattern, frozen=True, kw_only=True, tag="environment-first"):
    """Calls before which the program must set an environment variable."""

    variable: str
    value: str
    functions: tuple[str, ...]
    """Dotted paths with ``*`` wildcards."""
    unless: tuple[str, ...] = ()
    """Those among them that do not need it."""


class LegacyTensorMatch(_Pattern, frozen=True, kw_only=True, tag="legacy-tensor"):
    """Tensor types that name a device and a dtype, such as ``torch.cuda.FloatTensor``."""

    types: dict[str, str]
    """Dotted path of the type: dotted path of its dtype."""
    default: str
    """The dtype a program starts with: setting such a type as default says nothing about it."""
    neuron: str
    accelerator: str
    """The device, as Python source."""
    neuron_type: str
    accelerator_type: str
    """What a tensor's ``device.type`` is compared with, as Python source."""


class Setting(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A configuration variable of a library, and what setting it means on Neuron."""

    name: str
    """Dotted path, with ``*`` wildcards."""
    values: tuple[str, ...] = ()
    """Python literals as source that it concerns; empty means any value."""
    note: str
    risk: Risk | None = None
    confidence: Confidence | None = None


class SettingMatch(_Pattern, frozen=True, kw_only=True, tag="setting"):
    """Assignments to configuration variables, and ``config.patch(name=value)``."""

    settings: tuple[Setting, ...]
    """The first one that fits a name and its value decides."""


class DtypeMatch(_Pattern, frozen=True, kw_only=True, tag="dtype"):
    """Dtypes where they decide what is computed: ``dtype=``, ``.to(…)``, ``.double()``."""

    dtypes: tuple[str, ...]
    """Dotted paths."""
    methods: tuple[str, ...] = ()
    """Methods that convert to such a dtype."""
    guarded: bool = False
    """Only in code that runs after a test that the device is there."""
    cuda_only: bool = False


class ToolMatch(_Pattern, frozen=True, kw_only=True, tag="tool"):
    """What the tool says about its own work; no pattern in the code."""


Match = (
    ToolMatch
    | NamesMatch
    | ValueMatch
    | MethodMatch
    | PropertyMatch
    | CallMatch
    | ImportMatch
    | GoneMatch
    | MovedClassMatch
    | VariableMatch
    | CommandMatch
    | CallOrderMatch
    | LadderMatch
    | PatchMatch
    | MemberMatch
    | SliceMatch
    | PlacementMatch
    | EnvironmentMatch
    | LegacyTensorMatch
    | SettingMatch
    | DtypeMatch
)
