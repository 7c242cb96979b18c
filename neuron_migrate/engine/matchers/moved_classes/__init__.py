"""Classes whose place a class of another package takes."""
