"""A cheap map of a file, from ``ast``: its statements, scopes and bindings.

It decides what libcst has to look at and what a name means; it never decides what is found.
Expressions are not walked (that is where the time goes), save for assignment expressions.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from neuron_migrate.engine.names import Resolved
    from neuron_migrate.files.lines import Lines

Block = Literal["body", "orelse", "finalbody", "handlers", "cases"]
BindingKind = Literal["import", "assign", "parameter", "function", "class", "other"]
Node = ast.stmt | ast.ExceptHandler | ast.match_case


@dataclass(slots=True, eq=False)
class Statement:
    """A statement, an ``except`` clause or a ``case``; a compound one stands for its header."""

    node: Node
    scope: Scope
    parent: Statement | None
    block: Block
    """The list of the parent that holds it."""
    start: tuple[int, int]
    """1-based line and 0-based UTF-8 column, of the first decorator if there is one."""
    siblings: Sequence[Statement] = ()
    is_fallback: bool = False
    """True inside an ``except`` clause that handles a failed import."""

    def ancestors(self) -> Iterator[Statement]:
        """The enclosing statements, innermost first."""
        outer = self.parent
        while outer is not None:
            yield outer
            outer = outer.parent


@dataclass(slots=True, eq=False)
class Binding:
    """One place that gives a name a meaning."""

    name: str
    kind: BindingKind
    statement: Statement
    scope: Scope
    target: str | None = None
    """The dotted path an import brings in; it starts with dots when relative."""
    value: ast.expr | None = None
    annotation: ast.expr | None = None


@dataclass(slots=True, eq=False)
class Scope:
    """A module, class or function and the names bound in it."""

    kind: Literal["module", "class", "function"]
    name: str
    parent: Scope | None
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    elsewhere: dict[str, Literal["global", "nonlocal"]] = field(default_factory=dict)
    resolved: dict[str, Resolved | None] = field(default_factory=dict)
    """What its names stand for, as far as it was asked once the file is indexed."""
    node: ast.AST | None = None


@dataclass(slots=True, eq=False)
class Index:
    """The statements of a file in source order, and its module scope."""

    lines: Lines
    statements: list[Statement]
    module: Scope
    star_imports: list[str]
    attributes: dict[str, list[tuple[ast.expr | None, Statement]]]
    """Attribute names that the file assigns or defines, with what it gives them."""
    _starts: list[tuple[int, int]] = field(default_factory=list)

    def at(self, line: int, column: int) -> Statement | None:
        """The statement whose own text may hold a place (1-based line, 0-based UTF-8 column)."""
        found = bisect_right(self._starts, (line, column))
        return self.statements[found - 1] if found else None


def build(tree: ast.Module, lines: Lines, text: str) -> Index:
    """Map a parsed file."""
    module = Scope("module", "", None)
    index = Index(lines, [], module, [], {})
    _Walker(index, walrus=":=" in text).block(tree.body, None, "body", module)
    # Decorators put a function's start before its own line: order by place, not by visit.
    index.statements.sort(key=lambda statement: statement.start)
    index._starts = [statement.start for statement in index.statements]
    return index


class _Walker:
    def __init__(self, index: Index, *, walrus: bool) -> None:
        self.index = index
        self.walrus = walrus

    def block(
        self,
        nodes: Sequence[Node],
        parent: Statement | None,
        block: Block,
        scope: Scope,
    ) -> None:
        siblings: list[Statement] = []
        for node in nodes:
            inherited = parent is not None and (parent.is_fallback or _handles_error(parent.node))
            statement = Statement(node, scope, parent, block, _start(node), siblings, inherited)
            siblings.append(statement)
            self.index.statements.append(statement)
            self.statement(statement, node, scope)

    def statement(self, statement: Statement, node: Node, scope: Scope) -> None:
        bind = _BINDERS.get(type(node))
        if bind is not None:
            bind(self, statement, node, scope)
        if self.walrus:
            self.assignment_expressions(statement, node, scope)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self.function(statement, node, scope)
        elif isinstance(node, ast.ClassDef):
            inner = Scope("class", node.name, scope, node=node)
            self.block(node.body, statement, "body", inner)
        else:
            self.nested(statement, node, scope)

    def nested(self, statement: Statement, node: Node, scope: Scope) -> None:
        for name in ("body", "handlers", "orelse", "finalbody", "cases"):
            nodes = getattr(node, name, None)
            if nodes:
                self.block(nodes, statement, name, scope)

    def function(
        self, statement: Statement, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope
    ) -> None:
        inner = Scope("function", node.name, scope, node=node)
        arguments = node.args
        positional = [*arguments.posonlyargs, *arguments.args]
        defaults: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
        pairs = [
            *zip(positional, [*defaults, *arguments.defaults], strict=True),
            *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
            *((extra, None) for extra in (arguments.vararg, arguments.kwarg) if extra),
        ]
        for argument, default in pairs:
            binding = Binding(
                argument.arg, "parameter", statement, inner, None, default, argument.annotation
            )
            inner.bindings.setdefault(argument.arg, []).append(binding)
        self.block(node.body, statement, "body", inner)

    def assignment_expressions(self, statement: Statement, node: Node, scope: Scope) -> None:
        for name, child in ast.iter_fields(node):
            if name in {"body", "orelse", "finalbody", "handlers", "cases"}:
                continue
            for item in child if isinstance(child, list) else [child]:
                if isinstance(item, ast.AST):
                    for inner in ast.walk(item):
                        if isinstance(inner, ast.NamedExpr):
                            self.assign(statement, inner.target, inner.value, scope)

    def bind(
        self,
        statement: Statement,
        scope: Scope,
        name: str,
        kind: BindingKind,
        *,
        target: str | None = None,
        value: ast.expr | None = None,
        annotation: ast.expr | None = None,
    ) -> None:
        owner = self.owner(scope, name)
        binding = Binding(name, kind, statement, owner, target, value, annotation)
        owner.bindings.setdefault(name, []).append(binding)

    def owner(self, scope: Scope, name: str) -> Scope:
        where = scope.elsewhere.get(name)
        if where == "global":
            return self.index.module
        if where == "nonlocal" and scope.parent is not None:
            return self.owner(_enclosing(scope.parent, name), name)
        return scope

    def assign(
        self,
        statement: Statement,
        target: ast.expr,
        value: ast.expr | None,
        scope: Scope,
        annotation: ast.expr | None = None,
    ) -> None:
        if isinstance(target, ast.Name):
            self.bind(statement, scope, target.id, "assign", value=value, annotation=annotation)
        elif isinstance(target, ast.Attribute):
            self.index.attributes.setdefault(target.attr, []).append((value, statement))
        elif isinstance(target, ast.Starred):
            self.assign(statement, target.value, None, scope)
        elif isinstance(target, (ast.Tuple, ast.List)):
            values: Sequence[ast.expr | None] = [None] * len(target.elts)
            if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts):
                values = value.elts
            for element, part in zip(target.elts, values, strict=True):
                self.assign(statement, element, part, scope)

    def on_import(self, statement: Statement, node: ast.Import, scope: Scope) -> None:
        for alias in node.names:
            if alias.asname:
                self.bind(statement, scope, alias.asname, "import", target=alias.name)
            else:
                root = alias.name.partition(".")[0]
                self.bind(statement, scope, root, "import", target=root)

    def on_import_from(self, statement: Statement, node: ast.ImportFrom, scope: Scope) -> None:
        module = "." * node.level + (node.module or "")
        joint = "" if module.endswith(".") else "."
        for alias in node.names:
            if alias.name == "*":
                self.index.star_imports.append(module)
                continue
            target = f"{module}{joint}{alias.name}"
            self.bind(statement, scope, alias.asname or alias.name, "import", target=target)

    def on_assign(self, statement: Statement, node: ast.Assign, scope: Scope) -> None:
        for target in node.targets:
            self.assign(statement, target, node.value, scope)

    def on_annotated(self, statement: Statement, node: ast.AnnAssign, scope: Scope) -> None:
        self.assign(statement, node.target, node.value, scope, node.annotation)

    def on_augmented(self, statement: Statement, node: ast.AugAssign, scope: Scope) -> None:
        self.assign(statement, node.target, None, scope)

    def on_for(self, statement: Statement, node: ast.For | ast.AsyncFor, scope: Scope) -> None:
        self.assign(statement, node.target, None, scope)

    def on_with(self, statement: Statement, node: ast.With | ast.AsyncWith, scope: Scope) -> None:
        for item in node.items:
            if item.optional_vars is not None:
                self.assign(statement, item.optional_vars, None, scope)

    def on_function(
        self, statement: Statement, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope
    ) -> None:
        self.bind(statement, scope, node.name, "function")
        if scope.kind == "class":
            self.index.attributes.setdefault(node.name, []).append((None, statement))

    def on_class(self, statement: Statement, node: ast.ClassDef, scope: Scope) -> None:
        self.bind(statement, scope, node.name, "class")

    def on_handler(self, statement: Statement, node: ast.ExceptHandler, scope: Scope) -> None:
        if node.name:
            self.bind(statement, scope, node.name, "other")

    def on_case(self, statement: Statement, node: ast.match_case, scope: Scope) -> None:
        for pattern in ast.walk(node.pattern):
            name = getattr(pattern, "name", None) or getattr(pattern, "rest", None)
            if isinstance(name, str):
                self.bind(statement, scope, name, "other")

    def on_global(self, statement: Statement, node: ast.Global, scope: Scope) -> None:
        scope.elsewhere.update(dict.fromkeys(node.names, "global"))

    def on_type_alias(self, statement: Statement, node: Any, scope: Scope) -> None:
        self.assign(statement, node.name, node.value, scope)

    def on_nonlocal(self, statement: Statement, node: ast.Nonlocal, scope: Scope) -> None:
        scope.elsewhere.update(dict.fromkeys(node.names, "nonlocal"))


_BINDERS: dict[type[ast.AST], Callable[[_Walker, Statement, Any, Scope], None]] = {
    ast.Import: _Walker.on_import,
    ast.ImportFrom: _Walker.on_import_from,
    ast.Assign: _Walker.on_assign,
    ast.AnnAssign: _Walker.on_annotated,
    ast.AugAssign: _Walker.on_augmented,
    ast.For: _Walker.on_for,
    ast.AsyncFor: _Walker.on_for,
    ast.With: _Walker.on_with,
    ast.AsyncWith: _Walker.on_with,
    ast.FunctionDef: _Walker.on_function,
    ast.AsyncFunctionDef: _Walker.on_function,
    ast.ClassDef: _Walker.on_class,
    ast.ExceptHandler: _Walker.on_handler,
    ast.match_case: _Walker.on_case,
    ast.Global: _Walker.on_global,
    ast.Nonlocal: _Walker.on_nonlocal,
}
if hasattr(ast, "TypeAlias"):
    _BINDERS[ast.TypeAlias] = _Walker.on_type_alias


def _enclosing(scope: Scope, name: str) -> Scope:
    """The nearest function that binds a name; the innermost one when none has done so yet."""
    current: Scope | None = scope
    while current is not None and current.kind != "module":
        if current.kind == "function" and (name in current.bindings or name in current.elsewhere):
            return current
        current = current.parent
    return scope


def _handles_error(node: Node) -> bool:
    if not isinstance(node, ast.ExceptHandler):
        return False
    return node.type is None or "Error" in ast.dump(node.type)


def _start(node: Node) -> tuple[int, int]:
    decorators = getattr(node, "decorator_list", None)
    if decorators:
        return decorators[0].lineno, 0
    if isinstance(node, ast.match_case):
        return node.pattern.lineno, node.pattern.col_offset
    return node.lineno, node.col_offset
