"""``doctor``: a machine and a project against what a release of the SDK goes with."""
