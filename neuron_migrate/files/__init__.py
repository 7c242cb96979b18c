"""Finding files and reading them."""
