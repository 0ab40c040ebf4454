"""Does the candidate keep the meaning?"""
