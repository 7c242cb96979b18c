"""From the text of a file to findings with edits, and to the fixed text."""
