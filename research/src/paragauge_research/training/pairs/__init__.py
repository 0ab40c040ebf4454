"""Training of the model that reads both texts of a pair: follows each from the other, and which words are at fault?"""
