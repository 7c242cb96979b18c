"""The language server, as an editor talks to it."""
