"""Is it a good paraphrase: meaning kept and words changed?"""
