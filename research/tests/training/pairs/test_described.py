"""Texts about the same facts, and about facts that differ in one."""

import gzip
from pathlib import Path

from paragauge_research.training.pairs.described import described

ROWS = """mr,ref
"name[Alimentum], area[riverside], food[Thai]","Alimentum is a Thai place at the riverside."
"name[Alimentum], area[riverside], food[Thai]","At the riverside, Alimentum serves Thai food."
"name[Alimentum], area[riverside], food[Thai]","Thai food is what they serve."
"name[Alimentum], area[riverside], food[French]","Alimentum is a French place at the riverside."
"name[Alimentum], area[riverside]","Alimentum is a place at the riverside."
"name[Zizzi], area[city centre], food[Thai]","Zizzi serves Thai food in the city centre."
"""


def test_what_follows_is_known_by_the_facts(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "set.csv.gz", "wt", encoding="utf-8") as stream:
        stream.write(ROWS)
    found = {
        frozenset((a, b)): ((forward, backward) if len(a) <= len(b) else (backward, forward))
        for a, b, forward, backward in described(tmp_path / "set.csv.gz")
    }
    thai, also, french, less = (
        "Alimentum is a Thai place at the riverside.",
        "At the riverside, Alimentum serves Thai food.",
        "Alimentum is a French place at the riverside.",
        "Alimentum is a place at the riverside.",
    )
    assert found[frozenset((thai, also))] == (1, 1)
    assert found[frozenset((thai, french))] == (0, 0)
    assert found[frozenset((less, thai))] == (0, 1)  # the longer does not follow from the shorter
    texts = {text for pair in found for text in pair}
    assert "Thai food is what they serve." not in texts  # names neither Alimentum nor the riverside
    assert not any("Zizzi" in text for text in texts)
    assert list(described(tmp_path / "set.csv.gz")) == list(described(tmp_path / "set.csv.gz"))
