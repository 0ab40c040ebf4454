"""Models by name: the registry, where their files are, how they are fetched and checked."""
