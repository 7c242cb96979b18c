"""Markdown and reStructuredText: the code in them, and its edits back in the document."""
