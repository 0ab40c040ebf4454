"""The verdict on candidates: what rules find in them, what follows, and how it is said."""
