"""Findings in, text out: the risk summary and one pure formatter per output."""
