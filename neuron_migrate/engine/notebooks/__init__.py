"""Jupyter notebooks: their code cells as one module, and its edits back in the JSON."""
