"""Bawden et al. 2020: A Study in Improving BLEU Reference Coverage with Diverse Automatic Paraphrasing."""
