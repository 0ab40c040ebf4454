"""Make the golden values of `rouge` 1.0.1 and of METEOR in nltk 3.6.4, the last that takes texts for tokens.

    python tests/unit/meta/make_authors_golden.py WORDNET > tests/unit/meta/authors_golden.json

WORDNET is the folder of the registry's WordNet (`paragauge models path wordnet`). Run it with a Python that has
rouge 1.0.1 and nltk 3.6.4. The texts are our own.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

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


def main(wordnet: Path) -> None:
    import nltk.data
    import rouge
    from nltk.corpus.reader.wordnet import WordNetCorpusReader
    from nltk.translate.meteor_score import meteor_score

    folder = Path(tempfile.mkdtemp()) / "corpora" / "wordnet"
    shutil.copytree(wordnet, folder)
    (folder / "lexnames").write_text("".join(f"{number:02d}\tname{number}\t1\n" for number in range(45)))
    nltk.data.path.insert(0, str(folder.parents[1]))
    reader = WordNetCorpusReader(str(folder), None)
    found = {"versions": {name: version(name) for name in ("rouge", "nltk")}, "pairs": PAIRS}
    for kind in ("rouge-1", "rouge-2", "rouge-l"):
        scorer = rouge.Rouge(metrics=[kind])
        found[kind] = [scorer.get_scores(candidate, other)[0][kind]["f"] for other, candidate in PAIRS]
    found["meteor"] = [meteor_score(other, candidate, wordnet=reader) for other, candidate in PAIRS]
    print(json.dumps(found, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
