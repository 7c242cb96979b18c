"""How Sphinx builds the documentation."""

import sys
from pathlib import Path

from neuron_migrate import __version__

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "neuron-migrate"
author = "the neuron-migrate authors"
version = release = __version__

extensions = ["myst_parser", "site_pages"]
exclude_patterns = ["_ext"]
nitpicky = True
smartquotes = False  # a quotation mark in code-like prose stays what it is

myst_enable_extensions = ["fieldlist"]
myst_heading_anchors = 3

html_theme = "furo"
html_title = "neuron-migrate"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
