"""What a rehearsal showed: the recordings of its processes, made into a summary without torch."""
