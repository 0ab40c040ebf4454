"""What holds for every metric."""
