"""The pages of the documentation that come from the catalog and from the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_migrate.catalog import loader
from site_pages import pages

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata


def setup(app: Sphinx) -> ExtensionMetadata:
    """Generate the pages before Sphinx looks for its sources."""
    app.connect("builder-inited", _generate)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _generate(app: Sphinx) -> None:
    folder = app.srcdir
    pages.write(folder, pages.of_catalog(loader.load()) | pages.of_program(folder / "schema"))
