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
    unless: str | None = None
    """A regular expression: where the file matches it, nothing is said."""
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
    """Python literals (as source) or dotted paths it applies to, with ``*`` wildcards; empty means
    any value."""
    unless: tuple[str, ...] = ()
    """Values it does not apply to."""
    visibly: Literal["text", "integer-tensor", "cuda-source", "device-count"] | None = None
    """Only where the file shows that the argument is of this kind."""
    absent: bool = False
    """Also where the argument is not given (stop, report)."""
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
    """Dotted paths with ``*`` wildcards (``builtins.dict``), ``.method`` of anything, or
    ``<tokenizer>`` for an object that is called, of that name or one that ends in it."""
    requires: tuple[str, ...] = ()
    """Top-level packages one of which the file must import."""
    beside: str | None = None
    """A regular expression that the file must match."""
    each: bool = False
    """True when every argument gets a finding of its own, at the argument."""
    wins: bool = False
    """Where it speaks about a call, no other rule does about literals in it."""
    arguments: tuple[ArgumentChange, ...] = ()
    unless: tuple[str, ...] = ()
    """Conditions one of which means that there is nothing to say.

    A condition is ``name`` for an argument that is given, ``!name`` for one that is not, or
    ``name=value``; ``name:0`` is one that may also stand at that position. A value is a Python
    literal, a dotted path or text with ``*`` wildcards, ``literal``, ``computed`` for the rest, or
    ``written`` for a literal that may also stand under a name, ``number`` for a whole one.
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
    unless_beside: str | None = None
    """A regular expression: where the file matches it, there is nothing to say."""
    moved: bool = False
    """Only calls whose value is moved to a device or given to a model, at once or by its name."""
    not_passed_on: bool = False
    """Not calls with the function's own ``**kwargs``: its caller gives what matters."""
    on: tuple[str, ...] = ()
    """Ends of the name of an object whose method is meant, unless the file shows what makes it:
    then only a class of a package that the file must import counts."""
    not_on: tuple[str, ...] = ()
    """Words in the name of an object whose method of this name is another one."""
    not_given_to: tuple[str, ...] = ()
    """Variables that what is read of the call's value is for looking at only."""
    used: bool = False
    """Only calls whose value is used: one alone is made for what it leaves behind."""
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
    caught: bool = False
    """A condition, or a ``try`` that catches OSError, around the call leaves only information."""
    cuda_only: bool = False
    neutral: bool = False
    """True when the code runs on Neuron all the same, so that no guard is kept for its sake."""
    on_device: bool = False
    """Not in code that prepares data on the CPU: datasets, collators, transforms."""
    subclasses: bool = False
    """Also classes of the file that inherit from such a class and have no ``__init__``."""


class Library(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A package that has no Neuron build, and what a program does instead."""

    package: str
    """What is imported: a top-level package, or a module of one such as ``numba.cuda``."""
    also: tuple[str, ...] = ()
    """Other names that the same library, or an extension module of it, is imported by."""
    submodules: tuple[str, ...] = ()
    """All that the package holds, where projects use the same name for a folder of their own."""
    instead: str | None = None
    """The way out, if it is not that of the rule."""
    risk: Risk | None = None
    confidence: Confidence | None = None


class ImportMatch(_Pattern, frozen=True, kw_only=True, tag="import"):
    """Imports of libraries, also by a function, knowing whether a fallback stands beside them."""

    libraries: tuple[Library, ...]
    instead: str = ""
    """The way out, for the message; a library may have one of its own."""
    cuda_only: bool = True


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One entry of a dict of parameters."""

    key: str
    values: tuple[str, ...] = ()
    """Python literals (as source) it concerns; empty means any value."""
    beside: tuple[str, ...] = ()
    """Other keys one of which shows whose parameters these are."""
    requires: tuple[str, ...] = ()
    """Top-level packages one of which the file must import."""
    note: str = ""
    risk: Risk | None = None


class EntryMatch(_Pattern, frozen=True, kw_only=True, tag="entry"):
    """Dict literals that hold the parameters of a library; no other rule speaks about them."""

    entries: tuple[Entry, ...]


class GoneForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One way in which a name of such a package is used, and what stands in its place.

    A form that gives a reason and nothing to write ends the search: the use is reported.
    """

    given: tuple[str, ...] = ()
    """Conditions on the arguments, by the names of the parameters, all of which must hold."""
    processes: Literal["any", "one", "group", "torchrun"] = "any"
    """``one``: only in a program of one process; ``group``: only where a process group is set up
    before; ``torchrun``: only in a program that sets one up, before or after."""
    place: Literal["any", "statement", "update"] = "any"
    """``statement``: only a call that is a statement of its own; ``update``: only one whose value
    goes to the variable that is given for ``in_place``."""
    in_place: str | None = None
    """The parameter that an update is of; the assignment goes with it."""
    neuron: str | None = None
    accelerator: str | None = None
    """Templates for the reference, or for the call where they hold parentheses."""
    drop: bool = False
    """A statement that is only a call of it is removed."""
    unwrap: bool = False
    """A ``with`` statement of it alone gives way to its body."""
    under: str | None = None
    """A test: what takes the place of a statement stands under it."""
    lone: str | None = None
    """A parameter that is given a list display of one element: the element is what is meant."""
    spread: str | None = None
    """A parameter that is given a tuple display: its elements become arguments of ``{args}``."""
    values: dict[str, dict[str, str]] = msgspec.field(default_factory=dict)
    """What becomes of an argument, by its value; with another value there is no place for it."""
    supplies: dict[str, str] = msgspec.field(default_factory=dict)
    """Keywords that ``{args}`` gets where the call does not give them, with their values."""
    safety: Safety = "safe"
    reason: str | None = None
    """Why there is no rewrite, or why it is unsafe."""
    unless_beside: tuple[str, ...] = ()
    """Words in the file that make the rewrite wrong: the use is reported."""
    only_beside: tuple[str, ...] = ()
    """Words one of which the file must hold for the rewrite to be right."""


class GoneName(GoneForm, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A name of a package that is gone, and what stands in its place.

    Templates take arguments by parameter (``{device}``) and all that are left as ``{args}``.
    """

    name: str
    parameters: tuple[str, ...] = ()
    """The parameters, in order; those after ``*`` are given by keyword."""
    ignored: tuple[str, ...] = ()
    """Conditions on arguments (``wait``, ``scale=1.0``) that mean nothing on Neuron and go."""
    renamed: dict[str, str] = msgspec.field(default_factory=dict)
    """What parameters are called by what takes the place."""
    forms: tuple[GoneForm, ...] = ()
    """Ways to be used that are looked at first."""
    note: str = ""


class GoneMatch(_Pattern, frozen=True, kw_only=True, tag="gone"):
    """Imports of packages that the native stack does not have, and the uses of what they hold."""

    packages: tuple[str, ...] = ()
    instead: str = ""
    """The way out, for the message at the import."""
    registers: bool = False
    """True when an import does its work by itself, so that it stays although nothing uses it."""
    names: tuple[GoneName, ...] = ()


class MovedName(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A name of a package that is gone, and the one that takes its place."""

    name: str
    """The old name, without the module it comes from."""
    to: str
    """Dotted path of the new one."""
    homes: tuple[str, ...] = ()
    """The modules it came from, where they are not those of the rule."""
    safety: Safety = "safe"
    note: str = ""
    """What is not the same; with ``safety`` "unsafe" the reason for it."""


class MovedArgument(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Arguments that have another name, or no place, in the calls of the new name."""

    names: tuple[str, ...]
    position: int | None = None
    """0-based position at which it may also stand."""
    of: tuple[str, ...] = ()
    """The old names whose calls it concerns; empty means all of the rule."""
    values: tuple[str, ...] = ()
    """Python literals (as source) it concerns; empty means any value."""
    to: str | None = None
    """The new keyword; without one the argument goes."""
    unless: tuple[str, ...] = ()
    """Arguments beside which it goes instead."""
    becomes: dict[str, str] = {}
    """The new value by the literal that was given; with any other value the argument goes."""
    stops: bool = False
    """True when the call cannot be rewritten with it."""
    to_calls: bool = False
    """The calls of what is made take it now; unsafe where not all of them are seen."""
    safety: Safety = "safe"
    note: str = ""
    """Completes a sentence that begins with the argument and its value."""


class AddedArgument(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An argument that the calls of the new name need."""

    name: str
    neuron: str
    accelerator: str
    unless: tuple[str, ...] = ()
    """Arguments beside which it is not needed."""


class MovedMatch(_Pattern, frozen=True, kw_only=True, tag="moved"):
    """Names of a package that is gone, whose place those of another package take."""

    homes: tuple[str, ...]
    """The modules that the names came from."""
    names: tuple[MovedName, ...]
    group: str = ""
    """The names of all rules of a group move together in a file, or none of them does."""
    called: bool = False
    """True when what is said about arguments holds for calls of the name itself."""
    methods: tuple[str, ...] = ()
    """Its methods that take these arguments, such as ``from_pretrained``."""
    constructs: bool = False
    """A call of such a method becomes a call of the new name."""
    alike: bool = False
    """Its other attributes are those of the new name."""
    attributes: dict[str, str] = {}
    """What to say about those that are not."""
    members: dict[str, str] = {}
    """Attributes of its objects that the new ones do not have, and what to do about them."""
    positional: int = 1
    """How many arguments stand at the same positions."""
    arguments: tuple[MovedArgument, ...] = ()
    """The first that fits an argument and its value decides."""
    adds: tuple[AddedArgument, ...] = ()
    needs: tuple[str, ...] = ()
    """Arguments without which what is loaded may be compiled: the fix is unsafe then."""
    loads: str | None = None
    """The argument that says what is loaded, where it may be an object (``name:position``)."""
    neuron: str | None = None
    accelerator: str | None = None
    """Templates for what is made of the new call, which is ``{self}``."""
    handed: str = ""
    """Why it is unsafe to hand the new name on to a use that is not seen."""
    same: bool = False
    """True when only the name is another one, so that every use stays what it is."""


class RemovedMatch(_Pattern, frozen=True, kw_only=True, tag="removed-name"):
    """Names that a library no longer has: an import of one fails."""

    names: dict[str, str] = {}
    """Dotted path of each, with ``*`` wildcards, and what to do; empty stands for ``instead``."""
    instead: str
    """What to do about a name that says nothing of its own."""


class LostAttribute(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An attribute that objects no longer have."""

    name: str
    to: str | None = None
    """What it is called now; without a new name the read is reported."""
    note: str = ""


class LostOwner(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Objects of one kind, and what they lost."""

    names: str
    """A regular expression for the name of such an object."""
    beside: tuple[str, ...]
    """Dotted paths of classes one of which the file must import, as it then has such objects."""
    inherits: tuple[str, ...] = ()
    """Dotted paths of classes: ``self`` is such an object in the classes that inherit from one."""
    attributes: tuple[LostAttribute, ...]


class LostMatch(_Pattern, frozen=True, kw_only=True, tag="lost-attribute"):
    """Reads of attributes that the objects of a library no longer have.

    Nothing is said where the file gives something an attribute of this name itself.
    """

    owners: tuple[LostOwner, ...]


class Overridden(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A method that its class calls with an argument more than it once did."""

    method: str
    parameter: str
    position: int | None = None
    """Where it is given, ``self`` standing at 0; without one it is given by keyword."""


class OverrideMatch(_Pattern, frozen=True, kw_only=True, tag="override"):
    """Methods of subclasses that cannot take what the base class calls them with."""

    classes: tuple[str, ...]
    """Dotted paths of the base classes, with ``*`` wildcards."""
    methods: tuple[Overridden, ...]


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
    text: str | None = None
    """A regular expression for what else the statement must hold, such as a subcommand."""
    raising: tuple[str, ...] = ()
    """Those of them that raise where the program does not exist."""
    raised: Risk | None = None
    """What is at stake there, outside a ``try`` that catches it."""


class TextMatch(_Pattern, frozen=True, kw_only=True, tag="text"):
    """Strings in which a text stands: options in the command line of a program."""

    text: str
    """A regular expression; a word of a list of words is read after the one before it."""


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


class GrowthMatch(_Pattern, frozen=True, kw_only=True, tag="growth"):
    """Tensors that get longer with every round of a loop, or with every call of a method."""

    functions: tuple[str, ...]
    """Dotted paths of what joins tensors."""
    earlier: tuple[str, ...] = ()
    """Words in the name of what was kept from the rounds before, such as ``past``."""
    elsewhere: tuple[str, ...] = ()
    """Methods in the statement that show the tensor to be on the host."""


class DataSizeMatch(_Pattern, frozen=True, kw_only=True, tag="data-size"):
    """Sizes that are read from a tensor's values: bounds of slices and sizes of new tensors."""

    reads: tuple[str, ...]
    """Methods that bring a value to Python, such as ``item``."""
    functions: tuple[str, ...]
    """Dotted paths of what takes a size."""
    once: tuple[str, ...] = ()
    """Functions in which it means nothing: they run once, or on the host."""
    not_given_to: tuple[str, ...] = ()
    """Variables for a number that the settings decide, not the data."""


class DtypeMatch(_Pattern, frozen=True, kw_only=True, tag="dtype"):
    """Dtypes where they decide what is computed: ``dtype=``, ``.to(…)``, ``.double()``."""

    dtypes: tuple[str, ...]
    """Dotted paths."""
    methods: tuple[str, ...] = ()
    """Methods that convert to such a dtype."""
    guarded: bool = False
    """Only in code that runs after a test that the device is there."""
    cuda_only: bool = False


class OperatorMatch(_Pattern, frozen=True, kw_only=True, tag="operator"):
    """Operators on tensors: functions, methods and symbols, told apart by what they work on.

    An operand that is visibly on the CPU is no matter, nor is code that prepares data.
    """

    functions: tuple[str, ...] = ()
    """Dotted paths with ``*`` wildcards, or ``.method`` of a tensor."""
    symbols: tuple[Literal["@", ">>", "**", "*", "+", "-", "[]"], ...] = ()
    """Operators of Python; ``[]`` is an index."""
    assigned: bool | None = None
    """True: only an index that is assigned to; False: only one that is read."""
    operands: tuple[str, ...] = ("input:0",)
    """Names and positions of the operands one of which must be as the rule says.

    The object of a method, and the left side of a symbol, stand at position 0.
    """
    dtypes: tuple[str, ...] = ()
    """Dtypes, without ``torch.``, that such an operand visibly has; numbers have ``complex``."""
    beside: tuple[str, ...] = ()
    """The dtypes that the other operands of a symbol visibly have; ``tensor`` is any tensor."""
    made_by: tuple[str, ...] = ()
    """Methods one of which has visibly made such an operand."""
    ambiguous: tuple[str, ...] = ()
    """Methods that other objects have too: only those of visible tensors count."""
    telling: tuple[str, ...] = ()
    """Conditions one of which shows that an ambiguous method is a tensor's."""
    given: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    """Conditions on the arguments of a call, as for kind ``call``."""


class LoopMatch(_Pattern, frozen=True, kw_only=True, tag="in-loop"):
    """Reads of a tensor's value in a loop that trains or evaluates a model."""

    trains: tuple[str, ...]
    """Methods a call of which makes the loop around it such a loop."""
    evaluates: tuple[str, ...]
    """Dotted paths: in a block or function under one of them, a loop that calls a model is one."""
    models: str
    """A regular expression for the name of what is called there."""
    methods: tuple[str, ...]
    """Methods that wait for the device."""
    functions: tuple[str, ...]
    """Builtins that do so when they are given a tensor."""
    tests: tuple[str, ...]
    """Functions and methods whose result waits where it decides what is run next."""
    values: str
    """A regular expression for the names of such tensors."""
    seldom: str
    """A regular expression for conditions under which code of a loop does not run each time."""


class TimingMatch(_Pattern, frozen=True, kw_only=True, tag="timing"):
    """Two readings of a clock around work on the device that nobody waits for."""

    clocks: tuple[str, ...]
    """Dotted paths."""
    work: str
    """A regular expression for the work."""
    waits: str
    """A regular expression for what waits for it."""


class ToolMatch(_Pattern, frozen=True, kw_only=True, tag="tool"):
    """What the tool says about its own work; no pattern in the code."""


Match = (
    ToolMatch
    | NamesMatch
    | ValueMatch
    | MethodMatch
    | PropertyMatch
    | CallMatch
    | EntryMatch
    | ImportMatch
    | GoneMatch
    | MovedMatch
    | RemovedMatch
    | LostMatch
    | OverrideMatch
    | VariableMatch
    | CommandMatch
    | TextMatch
    | CallOrderMatch
    | LadderMatch
    | PatchMatch
    | MemberMatch
    | SliceMatch
    | PlacementMatch
    | EnvironmentMatch
    | LegacyTensorMatch
    | SettingMatch
    | GrowthMatch
    | DataSizeMatch
    | DtypeMatch
    | OperatorMatch
    | LoopMatch
    | TimingMatch
)
