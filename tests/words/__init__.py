"""What the program and its documents say, and that they say it all."""
