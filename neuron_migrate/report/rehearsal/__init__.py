"""What a rehearsal showed, in the formats of the command."""
