"""Make the golden values of `rouge` 1.0.1.

    python research/tests/papers/make_authors_golden.py > research/tests/papers/authors_golden.json

Run it with a Python that has rouge 1.0.1. The texts are our own.
"""

from __future__ import annotations

import json
from importlib.metadata import version

PAIRS = [
    ("the cat sat on the mat", "a cat sat on the mat"),
    ("The Cat sat", "the cat sat"),
    ("one . two three . four", "two four . three"),
    ("a b a b a", "b a b"),
    ("x y z . y x z", "z y x . x z y"),
    ("no word in common", "nothing shared here"),
    ("I saw a U.S. ship", "i saw a u s ship"),
    ("a. b. c", "c b a"),
    ("one", "two"),
    ("one two", "one"),
    ("say it again and again and again", "again and again , say it"),
    (" . spaced .  . out", "spaced out . . ."),
    ("怎 么 还 款", "如 何 还 款"),
    ("iodine is one element", "I have one element"),
]


def main() -> None:
    import rouge

    found = {"versions": {"rouge": version("rouge")}, "pairs": PAIRS}
    for kind in ("rouge-1", "rouge-2", "rouge-l"):
        scorer = rouge.Rouge(metrics=[kind])
        found[kind] = [scorer.get_scores(candidate, other)[0][kind]["f"] for other, candidate in PAIRS]
    print(json.dumps(found, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()
