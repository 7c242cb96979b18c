"""The rule schema and its loader."""
