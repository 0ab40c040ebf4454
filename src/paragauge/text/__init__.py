"""Pure functions on strings and tokens."""
