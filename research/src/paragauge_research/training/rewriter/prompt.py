"""What the model reads before it writes, and in which degrees it was taught to change the wording."""

from __future__ import annotations

DEGREES = ("low", "medium", "high")
START, END = "<|im_start|>", "<|im_end|>"  # of the texts that the model was taught with


def prompt(source: str, degree: str) -> str:
    """What the model reads before it writes."""
    return f"{START}Rewrite {degree}: {source}\nAnswer:"
