"""Literal values whose place gives them a meaning."""
