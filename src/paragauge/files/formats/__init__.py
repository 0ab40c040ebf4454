"""One file format = one file: bytes to numbered records."""
