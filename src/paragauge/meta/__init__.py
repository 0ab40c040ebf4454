"""Which metric to trust: agreement with people, its intervals, tests of differences, and the ceiling people set."""
