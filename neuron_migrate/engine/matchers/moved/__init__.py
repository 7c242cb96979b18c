"""Names of a package that is gone, whose place those of another package take."""
