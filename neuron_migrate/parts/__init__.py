"""Parts of a report: what one run found, kept in a file, and several of them as one."""
