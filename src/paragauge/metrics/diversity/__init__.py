"""How much do the paraphrases of a set differ?"""
