"""Human judgments of paraphrases: asked for in a browser, kept in one SQLite file, measured and exported."""
