"""The contract can fail: each deliberately broken metric is caught by the one check that is about its defect."""

from __future__ import annotations

import importlib
import itertools
import math
import struct
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pkgutil import iter_modules

import numpy as np
import pytest

from paragauge import testing
from paragauge.compute.workspace import Workspace
from paragauge.metric import CountMetric, Floats, PairMetric, SetMetric, parameter
from paragauge.metrics.shared.wording import Wording
from paragauge.tables.samples import Samples
from paragauge.testing import CHECKS, check_metric, failed_checks


@dataclass(frozen=True, kw_only=True)
class Sound(PairMetric):
    """Share of the letters of both texts that are in both."""

    name = "sound"
    title = "Sound"
    range = (0.0, 1.0)
    higher_is_better = True
    symmetric = True
    citation = "Jaccard 1901"
    limits = "Knows letters only."
    related = ("ned",)
    question = "form"

    lowercase: bool = parameter(False, "ignore case")
    power: int = parameter(1, "how sharply it falls", low=1)

    def compare(self, pairs: Sequence[tuple[str, str]], work: Workspace) -> Floats:  # noqa: ARG002
        return np.array([self.alike(*map(self.letters, pair)) for pair in pairs], dtype=np.float64) ** self.power

    def letters(self, text: str) -> set[str]:
        return set((text.lower() if self.lowercase else text).split()) | set("".join(text.split()))

    def alike(self, one: set[str], two: set[str]) -> float:
        return len(one & two) / len(one | two) if one and two else math.nan


class Half(Sound):
    """Scores in half the precision."""

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        return super().rate(samples, work).astype(np.float32)


class Padded(Sound):
    """A score too many where there are no rows."""

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        return super().rate(samples, work) if len(samples) else np.zeros(1)


class Beneath(Sound):
    """A little below its lowest score where little is shared."""

    def alike(self, one: set[str], two: set[str]) -> float:
        found = super().alike(one, two)
        return -0.01 if found < 0.3 else found


class BeneathNothing(Sound):
    """A little below its lowest score where nothing is shared, as only odd texts do."""

    def alike(self, one: set[str], two: set[str]) -> float:
        return super().alike(one, two) or -0.01


class OneSided(Sound):
    """Counts the letters of the candidate only."""

    def alike(self, one: set[str], two: set[str]) -> float:
        return len(one & two) / len(one) if one and two else math.nan


class Forgetful(Sound):
    """Takes a candidate that was in the batch before for a mistake."""

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        scores = super().rate(samples, work)
        first = {text: row for row, text in reversed(list(enumerate(samples.candidates)))}
        repeated = [first[text] != row for row, text in enumerate(samples.candidates)]
        return np.where(repeated, 0.0, scores)


class Sorting(Sound):
    """Sorts the references where they lie."""

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        scores = super().rate(samples, work)
        samples.references.sort(key=len)
        return scores


class Crashing(Sound):
    """Divides by the length of an empty candidate."""

    def alike(self, one: set[str], two: set[str]) -> float:
        return len(one & two) ** 2 / (len(one) * len(two))


class Infinite(Sound):
    """Infinitely good where the candidate is empty."""

    scores_empty = True

    def alike(self, one: set[str], two: set[str]) -> float:
        return super().alike(one, two) if one else math.inf


class Silent(Sound):
    """Takes silence for the best answer."""

    scores_empty = True

    def alike(self, one: set[str], two: set[str]) -> float:
        return super().alike(one, two) if one else 1.0


class Filling(Sound):
    """Takes a candidate that is not there for a bad one."""

    def alike(self, one: set[str], two: set[str]) -> float:
        return super().alike(one, two) if one else 0.0

    def of_candidates(self, samples: Samples, scores: Floats) -> Floats:  # noqa: ARG002
        return scores


class Warning_(Sound):  # noqa: N801
    """Warns of an empty text."""

    def alike(self, one: set[str], two: set[str]) -> float:
        if not one:
            warnings.warn("empty", stacklevel=1)
        return super().alike(one, two)


class Speechless(Sound):
    """Gives no reason."""

    def reason(self, samples: Samples, row: int) -> str:  # noqa: ARG002
        return ""


class Vague(Sound):
    """Undefined for texts of one letter, and does not say so."""

    def alike(self, one: set[str], two: set[str]) -> float:
        return super().alike(one, two) if min(len(one), len(two)) > 1 else math.nan


class Latin(Sound):
    """Knows no letters but Latin ones, and gives 0 to all others."""

    def alike(self, one: set[str], two: set[str]) -> float:
        return super().alike(one, two) if all(map(str.isascii, one | two)) else 0.0


class Mute(Latin):
    """Knows no letters but Latin ones, and gives NaN to all others."""

    def reason(self, samples: Samples, row: int) -> str:
        return "no Latin letters" if samples.references[row] else super().reason(samples, row)

    def alike(self, one: set[str], two: set[str]) -> float:
        return super().alike(one, two) or math.nan


class Blind(Sound):
    """All Thai texts are one to it."""

    def letters(self, text: str) -> set[str]:
        return {"ไทย"} if "\u0e01" <= text[:1] <= "\u0e3a" else super().letters(text)


class Rough:
    """A stored feature that loses digits on disk."""

    signature = "rough"
    progress_label = "roughening"

    def compute(self, keys: Sequence[str]) -> list[float]:
        return [len(set(key)) / 3 for key in keys]

    def size(self, value: float) -> int:  # noqa: ARG002
        return 8

    def pack(self, value: float) -> bytes:
        return struct.pack("<f", value)

    def unpack(self, data: bytes) -> float:
        return struct.unpack("<f", data)[0]


class Lossy(Sound):
    """Not the same when it comes back from disk."""

    def compare(self, pairs: Sequence[tuple[str, str]], work: Workspace) -> Floats:
        sizes = work.get(Rough(), [text for pair in pairs for text in pair])
        shares = [
            math.nan if not one * two else min(one, two) / max(one, two)
            for one, two in zip(sizes[::2], sizes[1::2], strict=True)
        ]
        return super().compare(pairs, work) * shares


class Amnesiac(Rough):
    """A stored feature under a signature that is never the same again."""

    numbers = itertools.count()

    def __init__(self) -> None:
        self.signature = f"amnesiac {next(self.numbers)}"


class Again(Sound):
    """Computes what the store has."""

    def compare(self, pairs: Sequence[tuple[str, str]], work: Workspace) -> Floats:
        work.get(Amnesiac(), [text for pair in pairs for text in pair])
        return super().compare(pairs, work)


class Secretive(Sound):
    """Leaves a parameter out of its signature."""

    def details(self) -> dict[str, str]:
        return {"power": ""}


class Misspelt(Sound):
    """Leaves its parameters out of what is typed after -m."""

    @property
    def spec(self) -> str:
        return self.name


class Nameless(Sound):
    """Has no title."""

    title = " "


class Reversed(Sound):
    """Has the ends of its range in the wrong order."""

    range = (1.0, 0.0)


class Friendless(Sound):
    """Is related to a metric that does not exist."""

    related = ("nde",)


class Undocumented(Sound):
    __doc__ = "Undocumented(free: bool = False)"


class Squared(Sound):
    """Squares its corpus score."""

    def corpus(self, samples: Samples, work: Workspace | None = None) -> float:
        return super().corpus(samples, work) ** 2


class Worst(Sound):
    """Takes the worst of the references."""

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        return np.array([
            min((self.compare([(text, other)], work)[0] for other in group), default=math.nan)
            for text, group in zip(samples.candidates, self.against(samples), strict=True)
        ])  # fmt: skip


class Bound(Sound):
    """Compares with the references when asked to compare with the source."""

    def against(self, samples: Samples) -> list[tuple[str, ...]]:
        return samples.references


class Counting(Sound, CountMetric):
    """The same from counts."""

    def counts(self, samples: Samples, work: Workspace) -> Floats:
        scores = PairMetric.rate(self, samples, work)
        return np.stack([scores, np.where(np.isnan(scores), np.nan, 1.0)], axis=1)

    def from_counts(self, counts: Floats, *, corpus: bool) -> Floats:  # noqa: ARG002
        return counts[:, 0] / counts[:, 1]


class Growing(Counting):
    """A corpus score that grows with the number of rows."""

    def from_counts(self, counts: Floats, *, corpus: bool) -> Floats:
        share = super().from_counts(counts, corpus=corpus)
        return share * (1 - 0.1 / (1 + counts[:, 1])) if corpus else share


@dataclass(frozen=True, kw_only=True)
class SoundSet(SetMetric):
    """Share of the letters of a set's candidates that not all of them have."""

    name = "sound-set"
    title = "Sound set"
    range = (0.0, 1.0)
    higher_is_better = True
    citation = "Jaccard 1901"
    limits = "Knows letters only."
    related = ("ned",)
    question = "diversity"

    lowercase: bool = parameter(False, "ignore case")
    power: int = parameter(1, "how sharply it falls", low=1)

    def rate_sets(self, sets: Sequence[Samples], work: Workspace) -> Floats:  # noqa: ARG002
        return np.array([self.unlike([set(text) for text in rows.candidates]) for rows in sets], dtype=np.float64)

    def unlike(self, letters: list[set[str]]) -> float:
        together = set().union(*letters)
        if len(letters) < 2 or not together:
            return math.nan
        return 1 - (len(set.intersection(*letters)) / len(together)) ** self.power

    def reason(self, samples: Samples, row: int) -> str:  # noqa: ARG002
        return "the set has fewer than two candidates, or none with a letter"


class Peeking(SoundSet):
    """Measures each set by the most diverse set of the table."""

    def rate_sets(self, sets: Sequence[Samples], work: Workspace) -> Floats:
        scores = super().rate_sets(sets, work)
        return scores / max(np.nanmax(scores), 0.1) if (scores >= 0).any() else scores


class FirstCounts(SoundSet):
    """Holds the candidates against the first of them, so that their order counts."""

    def unlike(self, letters: list[set[str]]) -> float:
        found = super().unlike(letters)
        return found if math.isnan(found) else 1 - len(set.intersection(*letters)) / max(len(letters[0]), 1)


class PerRow(SoundSet):
    """A corpus score in which a set counts as often as it has rows."""

    def corpus(self, samples: Samples, work: Workspace | None = None) -> float:
        scores = self.score(samples, work)
        return float(np.nanmean(scores)) if (scores >= 0).any() else math.nan


@dataclass(frozen=True, kw_only=True)
class Gamed(Wording, Sound):
    """Promises to normalize texts, and compares them as they are."""


BROKEN = {
    Half: "check_one_score_per_row",
    Padded: "check_one_score_per_row",
    Beneath: "check_range",
    BeneathNothing: "check_odd_texts",
    OneSided: "check_declared_symmetry",
    Forgetful: "check_rows_are_independent",
    Sorting: "check_samples_stay_as_they_are",
    Crashing: "check_odd_texts",
    Infinite: "check_odd_texts",
    Silent: "check_an_empty_candidate_is_no_gain",
    Filling: "check_a_missing_candidate_has_no_score",
    Warning_: "check_odd_texts",
    Speechless: "check_odd_texts",
    Vague: "check_odd_texts",
    Latin: "check_identical_texts_are_best",
    Mute: "check_plain_texts_have_a_score",
    Blind: "check_other_texts_are_worse",
    Lossy: "check_cold_and_warm",
    Again: "check_cold_and_warm",
    Secretive: "check_signature",
    Misspelt: "check_spec",
    Nameless: "check_metadata",
    Reversed: "check_metadata",
    Friendless: "check_metadata",
    Undocumented: "check_metadata",
    Squared: "check_corpus",
    Growing: "check_corpus",
    Worst: "check_more_references",
    Bound: "check_free",
    Peeking: "check_rows_are_independent",
    FirstCounts: "check_rows_are_independent",
    PerRow: "check_corpus",
    Gamed: "check_trivial_edits_earn_nothing",
}
# Defects that show elsewhere too.
OF_NOTHING = ("check_an_empty_candidate_is_no_gain", "check_a_missing_candidate_has_no_score")
IMPLIED = {
    Padded: {"check_corpus"},  # a score of nothing makes a corpus score of nothing
    Crashing: {*OF_NOTHING},
    Warning_: {*OF_NOTHING},
    Beneath: {"check_odd_texts"},  # which the range is checked on too
    Reversed: {
        "check_range",
        "check_odd_texts",
        "check_corpus",
        "check_identical_texts_are_best",
    },  # which are held against the range
    Infinite: {"check_an_empty_candidate_is_no_gain"},
    Mute: {  # what has no score cannot be compared
        "check_identical_texts_are_best",
        "check_other_texts_are_worse",
        "check_more_references",
        "check_corpus",
    },
}


@pytest.mark.parametrize("sound", [Sound, Counting, SoundSet])
def test_a_sound_metric_passes(sound):
    check_metric(sound())


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.__name__)
def test_a_broken_metric_is_caught(broken):
    assert set(failed_checks(broken())) == {BROKEN[broken]} | IMPLIED.get(broken, set())


def test_every_check_catches_something():
    assert set(BROKEN.values()) == {check.__name__ for check in CHECKS}


def test_no_check_of_metrics_is_left_out():
    files = [found.name for found in iter_modules(testing.__path__) if found.name not in ("paraphrasers", "functions")]
    modules = [importlib.import_module(f"paragauge.testing.{name}") for name in files]
    found = {name for module in modules for name in vars(module) if name.startswith("check_")}
    assert found == {check.__name__ for check in CHECKS}


def test_what_failed_is_named_with_what_was_found():
    with pytest.raises(AssertionError) as caught:
        check_metric(Beneath())
    assert str(caught.value).splitlines() == [
        "sound fails 2 of 19 checks:",
        "  check_range: the score -0.01 is below the range, from 0.0 to 1.0",
        "  check_odd_texts: the score -0.01 is below the range, from 0.0 to 1.0",
    ]
