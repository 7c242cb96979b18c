"""What a rehearsal showed: recordings of the simulated device, made into a summary without torch."""
