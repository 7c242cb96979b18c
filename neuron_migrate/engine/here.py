"""What a matcher may ask and say about one piece of a file."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import edits, names, optional, pieces, quotes, shapes, templates
from neuron_migrate.engine.draft import Draft
from neuron_migrate.engine.imports import insertion, local_root

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.index import Scope
    from neuron_migrate.engine.names import Resolved
    from neuron_migrate.engine.pieces import Piece
    from neuron_migrate.finding import Confidence, Edit, Risk, Safety, Target


class Here:
    """What a matcher sees: one piece of a file, and the means to report on it."""

    def __init__(self, file: File, piece: Piece) -> None:
        self.file = file
        self.piece = piece

    @property
    def scope(self) -> Scope:
        """The scope the statement stands in."""
        return self.piece.statement.scope

    @property
    def target(self) -> Target:
        """The target of the run."""
        return self.file.target

    @cached_property
    def quote(self) -> str:
        """The quotes of the piece, or else of the file."""
        for node in self.piece.nodes:
            if isinstance(node, cst.SimpleString) and len(node.quote) == 1:
                return node.quote
        return self.file.quote

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """The node around a node."""
        return self.piece.parents.get(node)

    def ancestors(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The nodes around a node, innermost first."""
        return self.piece.ancestors(node)

    def is_claimed(self, node: cst.CSTNode) -> bool:
        """True when another rule already speaks about the node or something around it."""
        claimed = self.file.claimed
        return bool(claimed) and (
            node in claimed or any(outer in claimed for outer in self.ancestors(node))
        )

    def source(self, node: cst.CSTNode) -> str:
        """The text of a node."""
        return self.piece.module.code_for_node(node)

    def resolve(self, node: cst.CSTNode) -> Resolved | None:
        """What a name or attribute chain stands for, if it comes from an import."""
        known = self.piece.resolved
        if node not in known:
            known[node] = self._resolve(node)
        return known[node]

    def _resolve(self, node: cst.CSTNode) -> Resolved | None:
        trail: list[str] = []
        while isinstance(node, cst.Attribute):
            trail.append(node.attr.value)
            node = node.value
        if not isinstance(node, cst.Name) or self._shadowed(node):
            return None
        found = names.resolve(node.value, self.scope)
        if found is None and node.value == "torch" and self.file.index.star_imports:
            found = names.Resolved("torch") if not names.lookup("torch", self.scope) else None
        if found is None or not trail:
            return found
        path = ".".join([found.path, *reversed(trail)])
        return names.Resolved(path, found.guarded, found.binding)

    def path(self, node: cst.CSTNode) -> str:
        """The resolved dotted path, or an empty string."""
        found = self.resolve(node)
        return found.path if found else ""

    def build(
        self,
        template: str,
        *,
        nodes: Mapping[str, cst.BaseExpression] | None = None,
        args: Sequence[cst.Arg] = (),
        quote: str | None = None,
    ) -> tuple[cst.BaseExpression, list[Edit]]:
        """A template filled in for this place, and the import edits it needs."""
        needed: list[Edit] = []

        def root(name: str) -> str:
            if name not in _IMPORTABLE:
                return name
            local = local_root(name, self.scope)
            if local is None:
                needed.append(insertion(self.file.index, self.file.text, f"import {name}"))
            return local or name

        filled = templates.build(
            template, quote=quote or self.quote, root=root, nodes=nodes, args=list(args)
        )
        return filled, needed

    def report(
        self,
        rule: Rule,
        node: cst.CSTNode,
        message: str = "",
        *,
        changes: Sequence[tuple[cst.CSTNode, cst.CSTNode]] = (),
        extra: Sequence[Edit] = (),
        safety: Safety = "safe",
        not_fixed: str | None = None,
        risk: Risk | None = None,
        confidence: Confidence | None = None,
    ) -> Draft:
        """Say something about ``node``; ``changes`` pairs nodes with what replaces them."""
        if not self.piece.faithful:
            return self._unreadable(rule)
        try:
            changes = [
                (old, quotes.fit(edits.in_parentheses_of(old, new), old, self.ancestors(old)))
                for old, new in changes
            ]
        except quotes.QuoteError:
            changes, not_fixed = (), "the f-string around it leaves no kind of quotes"
        made = [edit for old, new in changes for edit in edits.node_edits(self.piece, old, new)]
        if made and any(edits.loses_comment(old, new) for old, new in changes):
            safety, not_fixed = "unsafe", not_fixed or "the rewrite would lose a comment"
        if made and self._is_entry_for_cuda(node):
            safety, not_fixed = "unsafe", "it is the entry for CUDA in a table of devices"
        start, end = self.piece.span(node)
        draft = Draft(
            rule,
            self.piece.statement,
            start,
            end,
            " ".join(part for part in (rule.summary, message) if part),
            risk or rule.risk,
            confidence or rule.confidence,
            edits=[*made, *extra] if made else [],
            fix=safety if made else None,
            not_fixed=not_fixed,
            advice=rule.advice,
            blocked=rule.blocked,
            shapes=shapes.count(rule.shapes, node, self) if rule.shapes else None,
        )
        if rule.blocked:
            optional.weigh(draft, node, self)
        self.file.add(draft)
        return draft

    def report_removal(
        self,
        rule: Rule,
        node: cst.CSTNode,
        message: str = "",
        *,
        safety: Safety = "safe",
    ) -> Draft:
        """Report ``node``, with a fix that removes the statement it makes up."""
        draft = self.report(rule, node, message)
        if draft.hidden:
            draft.withheld = safety
        else:
            draft.removes = self.piece.statement
            draft.fix = safety
        return draft

    def _is_entry_for_cuda(self, node: cst.CSTNode) -> bool:
        """True inside the value of ``"cuda"`` in a dict that has other vendors' keys too."""
        child = node
        for parent in self.ancestors(node):
            if isinstance(parent, cst.DictElement) and child is parent.value:
                key, owner = parent.key, self.parent(parent)
                if isinstance(key, cst.SimpleString) and key.raw_value.startswith("cuda"):
                    return isinstance(owner, cst.Dict) and _names_vendors(owner)
            child = parent
        return False

    def _unreadable(self, rule: Rule) -> Draft:
        """Note, once, that the statement cannot be edited; the finding itself stays hidden."""
        statement, piece = self.piece.statement, self.piece
        problem = (statement, "libcst does not reproduce the statement's spacing")
        if problem not in self.file.problems:
            self.file.problems.append(problem)
        draft = Draft(rule, statement, piece.start, piece.end, "", rule.risk, rule.confidence)
        draft.hidden = True
        self.file.drafts.append(draft)
        return draft

    def inner_names(self, node: cst.CSTNode) -> frozenset[str]:
        """The names that lambdas and comprehensions around a node bind."""
        found: set[str] = set()
        for outer in self.ancestors(node):
            if isinstance(outer, cst.Lambda):
                found |= _parameter_names(outer.params)
            elif isinstance(outer, cst.BaseComp):
                inner: cst.CompFor | None = outer.for_in
                while inner is not None:
                    found |= _target_names(inner.target)
                    inner = inner.inner_for_in
        return frozenset(found)

    def _shadowed(self, name: cst.Name) -> bool:
        """True when a lambda or comprehension around the name binds it."""
        for outer in self.ancestors(name):
            if isinstance(outer, cst.Lambda):
                if name.value in _parameter_names(outer.params):
                    return True
            elif isinstance(outer, cst.BaseComp):
                inner: cst.CompFor | None = outer.for_in
                while inner is not None:
                    if name.value in _target_names(inner.target):
                        return True
                    inner = inner.inner_for_in
        return False


_OTHER_KEYS = frozenset({"npu", "xpu", "hpu", "mlu", "musa", "tpu", "xla", "mtia", "mps"})
_IMPORTABLE = frozenset(
    {
        "torch",
        "os",
        "transformers",
        "huggingface_hub",
        "diffusers",
        "trl",
        "accelerate",
        "peft",
        "sentence_transformers",
    }
)


def _parameter_names(parameters: cst.Parameters) -> set[str]:
    stars = (parameters.star_arg, parameters.star_kwarg)
    named = [*parameters.posonly_params, *parameters.params, *parameters.kwonly_params, *stars]
    return {param.name.value for param in named if isinstance(param, cst.Param)}


@lru_cache(maxsize=8)
def _names_vendors(table: cst.Dict) -> bool:
    keys = (element.key for element in table.elements if isinstance(element, cst.DictElement))
    return any(isinstance(key, cst.SimpleString) and key.raw_value in _OTHER_KEYS for key in keys)


def _target_names(target: cst.CSTNode) -> set[str]:
    found = {target.value} if isinstance(target, cst.Name) else set()
    for child in pieces.children(target):
        found |= _target_names(child)
    return found
