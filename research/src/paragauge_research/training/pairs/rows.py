"""Pairs to train on: what is known of each, and which words of both texts are marked."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ..meaning.data import part_of, read_rows, text_key
from .broken import broken
from .described import described
from .errors import KINDS, Made, Place, harmless, make_error
from .lexicon import Lexicon

UNKNOWN = -1.0
ERRORS = KINDS[1:-1]  # all that `make_error` makes
# kinds of the written pairs, and the mark of their words
MARKS = {
    "number": "number", "unit": "unit", "percent-or-currency": "unit", "name": "name", "place": "name",
    "negation": "negation",
    "quantifier": "quantifier", "scope": "quantifier", "comparison": "quantifier", "modal-or-certainty": "modal",
    "tense-or-aspect": "tense", "person-or-gender": "person", "date-or-time": "time", "antonym": "opposite",
    "roles-exchanged": "roles", "cause-or-order": "cause", "condition": "cause", "hypernym": "other",
    "co-hyponym": "other",
    "part-whole": "other", "attribution": "other",
    "question-word": "other", "question-to-statement": "other",
    "sentence-flipped": "other", "added-detail": "added", "sentence-added": "added",
    "chatter": "added",
    "dropped-detail": "dropped", "sentence-dropped": "dropped", "broken": "broken",
}  # fmt: skip
_FOLLOWS = {"added-detail": (0, 1), "sentence-added": (0, 1), "dropped-detail": (1, 0), "sentence-dropped": (1, 0)}
_EITHER = frozenset((
    "scope", "quantifier", "modal-or-certainty", "hypernym", "comparison", "part-whole", "condition", "tense-or-aspect",
))  # fmt: skip
_LEFT_OUT = frozenset({"decorated-copy"})  # it says the same; that it is a copy is for others to see


class Row(NamedTuple):
    """A source, a candidate and what is known: 1, 0, or −1 for unknown."""

    source: str
    candidate: str
    same: float = UNKNOWN  # do both follow from each other?
    forward: float = UNKNOWN  # does the candidate follow from the source?
    backward: float = UNKNOWN  # does the source follow from the candidate?
    fluent: float = UNKNOWN  # is the candidate language that a person would write?
    marks: tuple[tuple[int, int, int, str], ...] | None = None  # side, from, to, kind; None where words are not known
    known: tuple[bool, bool] = (True, True)  # whether the words of the source, of the candidate are
    origin: str = ""


def alike(source: str, candidate: str, origin: str) -> Row:
    """A pair in which nothing is at fault."""
    return Row(source, candidate, 1.0, 1.0, 1.0, 1.0, (), origin=origin)


@dataclass(frozen=True)
class SetOf:
    """A file of pairs, how its labels are read, and its share of what is drawn."""

    file: str
    kind: str  # nli, same, paraphrases, triples, described
    weight: float
    licence: str
    groups: tuple[str, ...] = ()


def read_set(folder: Path, name: str, one: SetOf, reserved: Set[str], longest: int) -> list[Row]:
    """Rows of the training part of a set, without reserved sentences and repetitions."""
    found: dict[tuple[str, str], Row] = {}
    for row in (OTHER_FORMS.get(one.kind) or _read)(folder / one.file, name, one):
        texts = (row.source, row.candidate)
        if part_of(row.source) != "train" or any(not text.strip() or len(text.split()) > longest for text in texts):
            continue
        if not any(text_key(text) in reserved for text in texts):
            found[texts] = row
    return list(found.values())


def _read(path: Path, name: str, one: SetOf) -> Iterator[Row]:
    for row in read_rows(path):
        if "target" in row:
            yield alike(row["source"], row["target"], name)
            continue
        if one.groups and row["group"] not in one.groups:
            continue
        a, b = row["a"], row["b"]
        if one.kind == "nli":
            yield _entailed(a, b, str(row["label"]), name)
        elif one.kind == "triples":
            yield alike(a, b, name)
            if row["group"].startswith(("id33", "id20")) or row["label"] not in ("critical", "major"):
                continue
            yield Row(a, row["worse"], same=0.0, origin=name)
        else:
            same = float(row["label"])
            if same == 1:
                yield alike(a, b, name)
            elif same == 0:
                yield Row(a, b, same=0.0, fluent=1.0, origin=name)


def _described(path: Path, name: str, _: SetOf) -> Iterator[Row]:
    for source, candidate, forward, backward in described(path):
        same = min(forward, backward)
        yield Row(source, candidate, same, forward, backward, 1.0, () if same else None, origin=name)


OTHER_FORMS = {"described": _described}  # of files; the rest are tables of pairs with labels


def _entailed(a: str, b: str, label: str, name: str) -> Row:
    if label.startswith("entail"):
        return Row(a, b, forward=1.0, fluent=1.0, origin=name)
    if label.startswith("contra"):
        return Row(a, b, same=0.0, forward=0.0, backward=0.0, fluent=1.0, origin=name)
    return Row(a, b, same=0.0, forward=0.0, fluent=1.0, origin=name)


def written_rows(paths: Iterable[Path]) -> list[Row]:
    """Pairs of the training part that were written by hand, with the words at fault."""
    rows = []
    for path in paths:
        for line in path.read_text("utf-8").splitlines():
            cells = json.loads(line)
            if cells["kind"] in _LEFT_OUT or part_of(cells["source"]) != "train":
                continue
            source, candidate, kind = cells["source"], cells["candidate"], cells["kind"]
            if cells["good"]:
                rows.append(alike(source, candidate, "written"))
                continue
            mark = MARKS[kind]
            marks = tuple(
                (side, place, place + len(words), mark)
                for side, text, key in ((0, source, "source_words"), (1, candidate, "candidate_words"))
                for words in cells[key]
                for place in [text.find(words)]
                if place >= 0
            )
            if kind == "broken":
                rows.append(Row(source, candidate, 0.0, fluent=0.0, marks=marks, origin="written"))
            else:
                forward, backward = _FOLLOWS.get(kind, (UNKNOWN, UNKNOWN) if kind in _EITHER else (0, 0))
                rows.append(Row(source, candidate, 0.0, float(forward), float(backward), 1.0, marks, origin="written"))
    return rows


def paraphrase_rows(paths: Iterable[Path]) -> list[Row]:
    """Sentences of the training part and their paraphrases, in both directions; the last two of a sentence too."""
    rows = []
    for path in paths:
        for line in path.read_text("utf-8").splitlines():
            cells = json.loads(line)
            if part_of(cells["source"]) == "train":
                texts = [cells["source"], *cells["paraphrases"]]
                pairs = [(texts[0], other) for other in texts[1:]] + [(texts[-1], texts[0]), (texts[2], texts[-1])]
                rows += [alike(*pair, "paraphrases") for pair in pairs]
    return rows


def made_row(row: Row, lexicon: Lexicon, choose: random.Random, near: float, harm: float) -> Row | None:
    """A pair of paraphrases with an error in the candidate, or with a change that does no harm.

    `near`: how often the candidate is the source itself, changed; `harm`: how often the change is an error.
    """
    source = row.source
    base = source if choose.random() < near else row.candidate
    if choose.random() > harm:
        made = harmless(base, lexicon, choose)
        return alike(source, made, "harmless") if made else None
    if choose.random() < 0.2:
        error = broken(base, lexicon, choose)
        known = (False, True)
    else:
        error = make_error(base, lexicon, choose, ERRORS)
        known = (True, True)
    if error is None or text_key(error.text) == text_key(source):
        return None
    if error.kind == "broken":
        marks = tuple((1, start, end, "broken") for start, end in error.after)
        return Row(source, error.text, 0.0, fluent=0.0, marks=marks, known=known, origin="made")
    marks = tuple((1, start, end, error.kind) for start, end in error.after)
    places = error.before if base is source else _elsewhere(base, error, source)
    if places is None:
        known = (False, True)
    else:
        marks += tuple((0, start, end, error.kind) for start, end in places)
    follows = {"added": (0.0, 1.0), "dropped": (1.0, 0.0)}.get(
        error.kind,
        (UNKNOWN, UNKNOWN) if error.kind in ("quantifier", "modal", "other", "tense", "unit", "time") else (0.0, 0.0),
    )
    if error.kind == "dropped" and base is not source and places is None:
        follows = (1.0, UNKNOWN)
    return Row(source, error.text, 0.0, *follows, 1.0, marks, known, "made")


def _elsewhere(base: str, error: Made, source: str) -> tuple[Place, ...] | None:
    """Where the words at fault stand in the source, if each stands there once; None where that is not known."""
    places = []
    for start, end in error.before:
        found = [
            match.span()
            for match in re.finditer(rf"(?<!\w){re.escape(base[start:end].strip())}(?!\w)", source, re.IGNORECASE)
        ]
        if len(found) != 1:
            return None
        places.append(found[0])
    return tuple(places)


def joined(rows: Sequence[Row], choose: random.Random) -> Row:
    """Several pairs as texts of several sentences: good only if all are; at times a sentence is left out or added."""
    sources: list[str] = []
    candidates: list[str] = []
    marks: list[tuple[int, int, int, str]] = []
    known = [all(row.marks is not None and row.known[side] for row in rows) for side in (0, 1)]
    spare = choose.randrange(len(rows)) if len(rows) > 2 and choose.random() < 0.25 else None
    missing = choose.choice([0, 1])
    lengths = [0, 0]
    for number, row in enumerate(rows):
        for side, text, whole in ((0, row.source, sources), (1, row.candidate, candidates)):
            if number == spare and side == missing:
                continue
            text = text if text.rstrip()[-1:] in ".!?" else text + "."
            kind = "dropped" if missing else "added"
            if number == spare:
                marks.append((side, lengths[side], lengths[side] + len(text), kind))
            else:
                marks += [
                    (side, lengths[side] + start, lengths[side] + end, mark)
                    for at, start, end, mark in row.marks or ()
                    if at == side
                ]
            whole.append(text)
            lengths[side] += len(text) + 1
    rest = [row for number, row in enumerate(rows) if number != spare]

    def both(values: Sequence[float]) -> float:
        return 0.0 if 0.0 in values else UNKNOWN if UNKNOWN in values else 1.0

    same, forward, backward, fluent = (
        both([getattr(row, name) for row in rest]) for name in ("same", "forward", "backward", "fluent")
    )
    if spare is not None:
        same, forward, backward = 0.0, (forward if missing else 0.0), (0.0 if missing else backward)
    texts = (" ".join(sources), " ".join(candidates))
    return Row(*texts, same, forward, backward, fluent, tuple(marks), (known[0], known[1]), "joined")


def lowered(row: Row) -> Row:
    """Both texts in lower case; places stay, as no letter of these texts changes its length."""
    source, candidate = row.source.lower(), row.candidate.lower()
    if len(source) != len(row.source) or len(candidate) != len(row.candidate):
        return row
    return row._replace(source=source, candidate=candidate)
