"""Names of public APIs, also through import aliases and variables."""
