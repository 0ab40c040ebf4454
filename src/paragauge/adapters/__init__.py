"""Scorers for frameworks of evaluation: one framework = one file of the name of its package.

Each asks `Judge`, and gives the judgment as its framework wants it. Nothing here is imported by paragauge: a framework
finds it by its own entry points (pyproject.toml), or its user imports it.
"""
