"""Facts about a machine and a project against the catalog; one module per section."""
