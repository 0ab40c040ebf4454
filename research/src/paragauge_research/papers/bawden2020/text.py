"""The tables of Bawden et al. 2020 that stand in the paper alone, and numbers of its text."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np

from paragauge.references import wmt
from paragauge.references.coverage import word_diversity
from paragauge.references.task import read_lines

from ...trees.kernels import syntax_diversity
from ..cells import Cell, Computed, Place, beside, read_printed
from .evidence import Evidence, Method
from .published import read_diversity
from .tables import NO_METHOD, NO_RANKINGS, PAIRS, Maker, gains_of_pairs, gains_of_subset

DECISIONS = {"improved": "8.30", "degraded": "6.46"}  # in percent, section 7
PARSES = "computed on the parse trees, cut into words as if they were texts"
KERNEL = "the authors' tree kernel is a tool of their own that is not public"
JUDGMENTS = "the adequacy judgments are not published"
TRAINING = "counts the parse trees of the training data, which are not published"
THEIR_FILE = "their own file of diversity: the paraphrases are not published"
SUBMISSIONS = "not computed: needs parses of the outputs for DS-tree; of DS-BOW no reading is given"
CONTRADICTED = "Table 6 prints 0.895 and 0.948, a gain of 0.053; our copy of the text may be garbled here"
AVERAGE = "over language pairs, of the mean over systems; over all systems it is not the printed number either"


@cache
def printed() -> dict[str, dict[Place, str]]:
    """Tables 1, 2, 3 and 5 as printed."""
    return read_printed(Path(__file__).parent)


def method_of(row: str) -> Method | None:
    """The paraphrases of a row such as `+5 BEAM`; None where their scores are not published."""
    name = row.removesuffix(", 500 segments")
    extras, _, kind = name.partition(" ")
    if name == "none":
        return Method("baseline", 0)
    if name.endswith("HUMAN"):
        return Method("human", 5)
    return Method(kind.lower(), int(extras)) if extras.startswith("+") and kind != "Constraints" else None


def table_1(_: Path, __: Evidence) -> Iterator[Cell]:
    """Adequacy, as people judged it."""
    yield from beside("Table 1", printed()["Table 1"], {}, JUDGMENTS)


def table_2(_: Path, evidence: Evidence) -> Iterator[Cell]:
    """Diversity of the paraphrases, and the mean BLEU of all outputs with them."""
    found: dict[Place, Computed] = {}
    for row in dict.fromkeys(row for row, _ in printed()["Table 2"]):
        method = method_of(row)
        if method is None:
            continue
        subset = row.endswith("500 segments")
        level, pairs = ("syslevel.500", ("de-en",)) if subset else ("syslevel", PAIRS)
        means = [np.mean(list(evidence.scores("bleu", method, level, pair).values())) for pair in pairs]
        found[row, "BLEU"] = Computed(float(np.mean(means)), float(np.mean(means)), "" if subset else AVERAGE)
        if method.name in ("baseline", "human"):
            continue
        for column, kind in (("DS-BOW", "bow"), ("DS-tree", "syntax")):
            file = f"{method.name}.{kind}.{method.extras}.wmt19{'.500subsample' * subset}"
            value = read_diversity(evidence.folder / "published" / "diversity-results" / file)["average"]
            found[row, column] = Computed(value, None, THEIR_FILE)
    human = "+5 HUMAN, 500 segments"
    place = evidence.folder / "human-paraphrases"
    texts = [read_lines(path) for path in wmt.extra_files(place, "de-en")]
    parses = [read_lines(path) for path in sorted(place.glob("deen-*.en.parse"))]
    found[human, "DS-BOW"] = Computed(word_diversity(parses).value, word_diversity(texts).value, PARSES)
    found[human, "DS-tree"] = Computed(None, syntax_diversity(parses).value, KERNEL)
    shown = printed()["Table 2"]
    found |= {place: Computed(None, None, SUBMISSIONS) for place in shown if place[0] == "MT submissions"}
    yield from beside("Table 2", shown, found, NO_METHOD["4-grams"])


def table_3a(_: Path, evidence: Evidence) -> Iterator[Cell]:
    """Absolute gains of BLEU over all language pairs: average, least, most."""
    found: dict[Place, Computed] = {}
    for row, column in printed()["Table 3a"]:
        method = method_of(row)
        if method is None:
            why = NO_METHOD["WMT-19 best" if row == "WMT-19 best" else "4-grams"]
            found[row, column] = Computed(None, None, why)
        elif column.startswith("Segment"):
            found[row, column] = Computed(None, None, NO_RANKINGS)
        else:
            gains = list(gains_of_pairs(evidence, "bleu", method, relative=False).values())
            value = {"Ave.": float(np.mean(gains)), "Min": min(gains), "Max": max(gains)}[column.split()[1]]
            found[row, column] = Computed(value, value)
    yield from beside("Table 3a", printed()["Table 3a"], found)


def table_3b(_: Path, evidence: Evidence) -> Iterator[Cell]:
    """Absolute gains of BLEU on the 500 segments."""
    found: dict[Place, Computed] = {}
    for row, column in printed()["Table 3b"]:
        method = method_of(row)
        if method is not None:
            gains = gains_of_subset(evidence, "bleu", method, column, relative=False)
            wrong = (row, column) == ("HUMAN", "System")
            found[row, column] = Computed(*gains.values, why=CONTRADICTED if wrong else gains.why)
    yield from beside("Table 3b", printed()["Table 3b"], found, NO_METHOD["4-grams"])


def table_5(_: Path, __: Evidence) -> Iterator[Cell]:
    """Numbers of different parse trees."""
    yield from beside("Table 5", printed()["Table 5"], {}, TRAINING)


def decisions(_: Path, evidence: Evidence) -> Iterator[Cell]:
    """Of the text: what the human paraphrases change of the 21,789 decisions."""
    changed = evidence.human_changes()
    shares = {"improved": 100 * changed.improved_share, "degraded": 100 * changed.degraded_share}
    shown = {("Human", column): text for column, text in DECISIONS.items()}
    found = {("Human", column): Computed(share, share) for column, share in shares.items()}
    yield from beside("Decisions, BLEU, 500 segments", shown, found)


TABLES: dict[str, Maker] = {
    "Table 1": table_1,
    "Table 2": table_2,
    "Table 3a": table_3a,
    "Table 3b": table_3b,
    "Table 5": table_5,
    "Decisions, BLEU, 500 segments": decisions,
}
