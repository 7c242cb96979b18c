"""Loops that train or evaluate."""
