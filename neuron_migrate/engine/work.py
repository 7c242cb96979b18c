"""One file through the engine: from its bytes to a result, whatever they hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_migrate.engine.analysis import AnalysisError
from neuron_migrate.engine.edits import apply
from neuron_migrate.engine.findings import unreadable
from neuron_migrate.engine.fixpoint import FixError, fix
from neuron_migrate.engine.kinds import AnyKind
from neuron_migrate.files.source import SourceError, decode, of_text
from neuron_migrate.finding import FileResult
from neuron_migrate.selection import Selection

if TYPE_CHECKING:
    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.engine.fixpoint import Deciding
    from neuron_migrate.finding import Finding
    from neuron_migrate.settings import Settings


class Worker:
    """The rules and choices of a run, applied to one file after another."""

    def __init__(self, catalog: Catalog, settings: Settings, *, fix: bool) -> None:
        self.catalog = catalog
        self.fix = fix
        self.unsafe = settings.unsafe
        self.analyzer = AnyKind(
            catalog,
            target=settings.target,
            selection=Selection.of(settings),
        )

    def result(
        self, content: bytes | str, path: str, deciding: Deciding | None = None
    ) -> FileResult:
        """What the file gave; a file that cannot be analysed gives an NM000 finding."""
        try:
            source = of_text(content) if isinstance(content, str) else decode(content)
            if not self.fix:
                return FileResult(
                    path=path, findings=tuple(self.analyzer.analyse(source.text, path))
                )
            fixed = fix(self.analyzer, source.text, path, unsafe=self.unsafe, deciding=deciding)
            changed = fixed.text != source.text
            if changed:
                source.encode(fixed.text)
            return FileResult(
                path=path,
                findings=fixed.first,
                fixed=fixed.text if changed else None,
                left=fixed.left,
                applied=fixed.applied,
            )
        except SourceError as error:
            return failed(self.catalog, path, error.reason, error.line)
        except AnalysisError as error:
            return failed(self.catalog, path, error.reason, error.line, error.column)
        except FixError as error:
            return failed(self.catalog, path, str(error))
        except (RecursionError, MemoryError):
            return failed(self.catalog, path, "the file is nested too deeply")
        except Exception as error:  # a bug of ours must not cost the other files
            reason = f"internal error ({type(error).__name__}: {error}); please report this"
            return failed(self.catalog, path, reason)

    def with_fix(self, text: str, path: str, finding: Finding) -> str | None:
        """The text with the edits of one finding; None where they do not give a valid one."""
        fixed = apply(text, finding.edits)
        try:
            self.analyzer.check(text, fixed, path)
        except AnalysisError:
            return None
        return fixed


def failed(catalog: Catalog, path: str, reason: str, line: int = 1, column: int = 1) -> FileResult:
    """The result of a file that was not analysed."""
    finding = unreadable(catalog, path, reason, line, column)
    return FileResult(path=path, findings=(finding,), left=(finding,), failed=True)
