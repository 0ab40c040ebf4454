"""What this process has: cores, forks of it, its garbage collector, optional packages."""
