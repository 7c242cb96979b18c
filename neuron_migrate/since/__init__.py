"""What is new in a run: since a baseline was written, or since a revision of git."""
