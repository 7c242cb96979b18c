"""Atomic writes, the journal, and undo."""
