"""Modules whose doctests are not looked for: they cannot be imported without an extra that is not installed."""

import importlib.util

_TORCH = ("losses", "loop", "network")
collect_ignore = [] if importlib.util.find_spec("torch") else [f"src/paragauge/training/{name}.py" for name in _TORCH]
