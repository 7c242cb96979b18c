"""The way a file goes, by its kind: each has an analyzer that is made when it is needed."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from neuron_migrate.engine.analysis import Analyzer
from neuron_migrate.engine.declined import declines_nothing
from neuron_migrate.files.kinds import HEAD, Kind, kind_of
from neuron_migrate.selection import Selection

if TYPE_CHECKING:
    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.engine.declined import Declined
    from neuron_migrate.engine.fixpoint import Analysing
    from neuron_migrate.engine.markup.analysis import MarkupAnalyzer
    from neuron_migrate.engine.notebooks.analysis import NotebookAnalyzer
    from neuron_migrate.engine.texts.analysis import TextAnalyzer
    from neuron_migrate.finding import Finding, Target


class AnyKind:
    """The rules of a run, ready to look at one file of any kind after another."""

    def __init__(
        self,
        catalog: Catalog,
        *,
        target: Target,
        selection: Selection | None = None,
    ) -> None:
        self._catalog = catalog
        self._target: Target = target
        self._selection = selection or Selection()

    def analyse(self, text: str, path: str, declined: Declined = declines_nothing) -> list[Finding]:
        """The findings of a text; raises AnalysisError when it cannot be read."""
        return self._for(text, path).analyse(text, path, declined)

    def check(self, before: str, after: str, path: str) -> None:
        """Raises AnalysisError when a fixed text is worse than the one before."""
        self._for(before, path).check(before, after, path)

    def _for(self, text: str, path: str) -> Analysing:
        kind = kind_of(path, text[:HEAD]) or Kind.PYTHON
        if kind is Kind.NOTEBOOK:
            return self._notebooks
        if kind is Kind.MARKUP:
            return self._markup
        return self._python if kind is Kind.PYTHON else self._texts

    @cached_property
    def _python(self) -> Analyzer:
        return Analyzer(self._catalog, target=self._target, selection=self._selection)

    @cached_property
    def _texts(self) -> TextAnalyzer:
        from neuron_migrate.engine.texts.analysis import TextAnalyzer

        return TextAnalyzer(self._catalog, target=self._target, selection=self._selection)

    @cached_property
    def _notebooks(self) -> NotebookAnalyzer:
        from neuron_migrate.engine.notebooks.analysis import NotebookAnalyzer

        return NotebookAnalyzer(self._catalog, self._python, self._texts)

    @cached_property
    def _markup(self) -> MarkupAnalyzer:
        from neuron_migrate.engine.markup.analysis import MarkupAnalyzer

        return MarkupAnalyzer(self._catalog, self._python, self._texts)
