"""Numbers, names and units of a text with their places: one detector for rules, paraphrasers and slices of sources."""
