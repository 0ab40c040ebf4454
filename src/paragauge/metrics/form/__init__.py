"""How alike is the wording?"""
