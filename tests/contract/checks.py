"""The contract of a metric, one function per property; each fails with an AssertionError that says what is broken."""

from __future__ import annotations

import dataclasses
import inspect
import math
import random
import typing
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from paragauge import metrics
from paragauge.compute.store import Store
from paragauge.compute.workspace import Workspace
from paragauge.metric import Comparison, Floats, Loads, Metric, Need, SumMetric
from paragauge.metrics.form._wording import Wording
from paragauge.tables.samples import Samples

from .texts import SCRIPTS, TRIVIAL_EDITS, odd_rows, plain_rows, plain_sets

# In double precision a score is a handful of operations on exact counts: 1e-9 allows for their rounding, at a scale
# of up to 100, and for nothing else.
ROUNDING = 1e-9
# float32 kernels round differently in batches of another size, and so does a product of matrices read the other way.
FLOAT32 = 1e-5
# Not the best of the references, so that one more may worsen them: BLEU clips against all together and takes the
# length of the nearest in length, TER divides by their average length.
NOT_THE_BEST = ("bleu", "ter")


def is_neural(metric: Metric) -> bool:
    """Does it read texts through an encoder or another model?"""
    return is_judged(metric) or any(field.name in ("encoder", "language_model") for field in dataclasses.fields(metric))


def is_judged(metric: Metric) -> bool:
    """Is it the judgment of a model that the user has to name? Such a model need not find a copy best."""
    return any(field.name == "model" and field.default is None for field in dataclasses.fields(metric))


def has_vectors(metric: Metric) -> bool:
    """Does it look words up in a table of vectors?"""
    return any(field.name == "vectors" for field in dataclasses.fields(metric))


def rounding(metric: Metric) -> float:
    return FLOAT32 if is_neural(metric) else ROUNDING


def exactness(metric: Metric) -> float:
    """How far apart two ways to the same score may end: not at all, unless it is made of products of matrices."""
    return FLOAT32 if is_neural(metric) else ROUNDING if has_vectors(metric) else 0


def equal(found: Floats, expected: Floats, within: float) -> bool:
    """Equal to within a tolerance (beyond 1 a relative one), exactly so if it is 0; NaN equals NaN."""
    if found.shape != expected.shape or not np.array_equal(np.isnan(found), np.isnan(expected)):
        return False
    defined = ~np.isnan(found)
    allowed = within * np.maximum(1, np.abs(expected[defined]))
    return bool((np.abs(found[defined] - expected[defined]) <= allowed).all())


def plain(metric: Metric) -> Samples:
    """Plain rows, or plain sets of them for a metric of sets."""
    return plain_sets() if metric.unit == "source" else plain_rows()


def of_a_copy(metric: Metric) -> float:
    """What the same text twice gets: the best score, but the worst of a metric that rewards distance to the source."""
    low, high = metric.range
    declared = metric.compares_with if isinstance(metric, Comparison) else metric.needs
    rewards_distance = declared == "source"
    return high if metric.higher_is_better != rewards_distance else low


def check_one_score_per_row(metric: Metric) -> None:
    for size in (0, 1, 2, len(plain(metric))):
        scores = metric.score(plain(metric).rows(range(size)))
        assert scores.shape == (size,), f"{size} rows gave scores of shape {scores.shape}"
        assert scores.dtype == np.float64, f"scores are {scores.dtype}"


def check_range(metric: Metric) -> None:
    low, high = metric.range
    for samples in (plain(metric), odd_rows()):
        scores = metric.score(samples)
        defined = scores[~np.isnan(scores)]
        assert len(defined), "no row has a score"
        assert defined.min() >= low - rounding(metric), f"{defined.min()} is below {low}"
        assert defined.max() <= high + rounding(metric), f"{defined.max()} is above {high}"


def check_declared_symmetry(metric: Metric) -> None:
    if not metric.symmetric:
        return
    one = [texts[0] for texts in SCRIPTS.values()]
    two = [f"{texts[1]} {texts[2]}" for texts in SCRIPTS.values()]
    there = metric.score(sources=one, candidates=two, references=[[text] for text in one])
    back = metric.score(sources=two, candidates=one, references=[[text] for text in two])
    assert equal(there, back, within=exactness(metric)), "the two texts cannot change places"


def check_rows_are_independent(metric: Metric) -> None:
    within = exactness(metric)
    table = plain(metric)
    table = table.rows([*range(len(table)), *range(0, len(table), 2)])  # some rows twice
    expected = metric.score(table.rows(range(len(table))))
    order = list(range(len(table)))
    random.Random(0).shuffle(order)
    assert equal(metric.score(table.rows(order)), expected[order], within), "a score depends on the order of the rows"
    if metric.unit == "pair":
        pieces = [
            range(start, min(start + size, len(table))) for size in (1, 2, 5) for start in range(0, len(table), size)
        ]
    else:
        pieces = table.sets()
    shared = Workspace()
    for piece in pieces:
        rows = list(piece)
        assert equal(metric.score(table.rows(rows)), expected[rows], within), "a score depends on the rows beside it"
        assert equal(metric.score(table.rows(rows), shared), expected[rows], within), "… in a shared workspace"


def check_samples_stay_as_they_are(metric: Metric) -> None:
    table = plain(metric)
    metric.score(table)
    assert table == plain(metric), "the metric changed the samples"


def check_odd_texts(metric: Metric) -> None:
    """Empty, odd and huge texts: no crash, no warning, nothing infinite, NaN only with a reason."""
    table = odd_rows()
    generic = Metric.reason(metric, plain(metric), 0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            scores = metric.score(odd_rows())
        except Exception as error:
            raise AssertionError(f"{type(error).__name__}: {error}") from error
    assert not np.isinf(scores).any(), "a score is infinite"
    undefined = np.flatnonzero(np.isnan(scores))
    for row in undefined:
        reason = metric.reason(table, int(row))
        texts = table.sources[row], table.candidates[row], table.references[row]
        assert reason.strip(), f"{texts!r:.200} is undefined without a reason"
        assert reason != generic, f"{texts!r:.200} is undefined for no particular reason"


def check_an_empty_candidate_is_no_gain(metric: Metric) -> None:
    """Nothing is never better than something: no score, or one no better than any plain candidate's."""
    table = plain(metric)
    nothing = ["", " ", "\u200b"]
    for text in nothing:
        empty = dataclasses.replace(table, candidates=[text] * len(table))
        scores = metric.score(empty)
        for row, (score, real) in enumerate(zip(scores, metric.score(table), strict=True)):
            if math.isnan(score):
                assert metric.why(empty, row) == "the candidate is empty"
            elif metric.name != "ter" and not math.isnan(real):  # TER: 100, and a text much too long is worse
                gain = score - real if metric.higher_is_better else real - score
                assert gain <= rounding(metric), f"{text!r} gets {score}, better than {table.candidates[row]}: {real}"


def check_a_missing_candidate_has_no_score(metric: Metric) -> None:
    table = plain(metric)
    found = Samples.of(table.sources, [None] * len(table), table.references)
    assert np.isnan(metric.score(found)).all(), "a candidate that is not there has a score"
    assert metric.why(found, 0) == "the candidate is missing"


def check_plain_texts_have_a_score(metric: Metric) -> None:
    """For a metric of sets: in every set of two rows or more, for one text is no set."""
    table = plain(metric)
    rows = [row for rows in table.sets() if metric.unit == "pair" or len(rows) > 1 for row in rows]
    assert rows
    undefined = np.isnan(metric.score(table)[rows])
    assert not undefined.any(), (
        f"no score for row {[rows[place] for place in np.flatnonzero(undefined)]} of plain texts"
    )


def check_identical_texts_are_best(metric: Metric) -> None:
    """In every script: a tokenizer that drops letters it does not know would give 0 or NaN."""
    best = of_a_copy(metric)
    if math.isinf(best):  # log-odds, say: there is no best
        return
    texts = [text for group in SCRIPTS.values() for text in group]
    scores = metric.score(sources=texts, candidates=texts, references=[[text] for text in texts])
    for text, score in zip(texts, scores, strict=True):
        if metric.copy_is_best:
            assert abs(score - best) <= rounding(metric), f"{text} compared with itself gets {score}, not {best}"
        else:
            assert abs(score - best) < 0.5, f"{text} compared with itself gets {score}, nowhere near {best}"
    if metric.copy_is_best:
        return
    pairs = [(text, other) for group in SCRIPTS.values() for text in group for other in group]
    against = metric.score(
        sources=[text for text, _ in pairs],
        candidates=[other for _, other in pairs],
        references=[[text] for text, _ in pairs],
    )
    own = dict(zip(texts, scores, strict=True))
    for (text, other), score in zip(pairs, against, strict=True):
        gain = score - own[text] if metric.higher_is_better else own[text] - score
        assert gain <= rounding(metric), f"{other} gets {score} against {text}, better than the text itself"


def check_other_texts_are_worse(metric: Metric) -> None:
    """In every script a text with other words is worse than a copy (lexical metrics: an encoder may know none)."""
    best = of_a_copy(metric)
    if is_neural(metric):
        return
    for script, (one, two, *_) in SCRIPTS.items():
        score = metric.score(sources=[one], candidates=[two], references=[[one]])[0]
        assert abs(score - best) > 0.01, f"{script}: {two} counts as {one}"


def check_cold_and_warm(metric: Metric, folder: Path) -> None:
    """The same to the last bit whether computed, remembered, or read back from disk."""
    path = folder / "features.sqlite"
    cold = Workspace(Store(path))
    expected = metric.score(plain(metric), cold)
    assert equal(metric.score(plain(metric), cold), expected, 0), "a warm workspace gives another score"
    cold.tidy()
    assert equal(metric.score(plain(metric), cold), expected, 0), "a tidied workspace gives another score"
    cold.close()
    computed: list[str] = []
    warm = Workspace(Store(path), progress=lambda what, _done, _of: computed.append(what))
    found = metric.score(plain(metric), warm)
    warm.close()
    assert not computed, f"{computed[0]} again, though the store has it"
    assert equal(found, expected, 0), "what comes back from disk gives another score"


def check_signature(metric: Metric, changed: Iterable[Metric]) -> None:
    """Every parameter is in the signature: `changed` are copies that differ in one parameter each."""
    own = metric.signature("1")
    assert own == dataclasses.replace(metric).signature("1"), "the signature of an equal metric is another"
    assert own.split("|")[0] == metric.name
    assert "|version:" in own
    assert "\n" not in own
    for other in changed:
        assert other != metric
        assert other.signature("1") != own, f"{_difference(metric, other)} does not show in {own}"


def check_spec(metric: Metric, changed: Iterable[Metric], parse: Callable[[str], Metric] = metrics.parse) -> None:
    """What to type after -m gives the metric back."""
    for other in (metric, *changed):
        assert parse(other.spec) == other, f"'{other.spec}' does not give back {other}"
        assert hash(parse(other.spec)) == hash(other)


def check_metadata(metric: Metric) -> None:
    for name in ("name", "title", "citation", "limits"):
        text = getattr(metric, name)
        assert isinstance(text, str), f"{name} is {text!r}"
        assert text.strip(), f"{name} is empty"
    assert any(character.isdigit() for character in metric.citation), "the citation has no year"
    assert metric.needs in typing.get_args(Need)
    assert metric.loads in typing.get_args(Loads)
    assert metric.unit in ("pair", "source", "system")
    low, high = metric.range
    assert low < high, f"the range {low}, {high} is not in order"
    assert isinstance(metric.higher_is_better, bool)
    assert isinstance(metric.symmetric, bool)
    assert "__doc__" in vars(type(metric)), "no docstring"
    assert not inspect.cleandoc(type(metric).__doc__).startswith(f"{type(metric).__name__}("), "no docstring of its own"
    unknown = set(metric.related) - set(metrics.names())
    assert not unknown, f"related to {', '.join(unknown)}, which do not exist"
    assert metric.name not in metric.related
    for field in dataclasses.fields(metric):
        assert field.metadata.get("help"), f"the parameter {field.name} is not explained"


def check_corpus(metric: Metric) -> None:
    """In range, without the undefined rows: the score of the summed counts, or else the mean of the rows."""
    nothing = Samples.of([""], ["a candidate without anything to compare it with"])
    assert math.isnan(metric.corpus(plain(metric).rows([]))), "there are no rows, yet a corpus score"
    found = metric.corpus(plain(metric))
    low, high = metric.range
    assert low - rounding(metric) <= found <= high + rounding(metric), f"the corpus score {found} is out of range"
    if math.isnan(metric.score(nothing)[0]):
        assert math.isnan(metric.corpus(nothing)), "no row is defined, yet a corpus score"
        assert abs(metric.corpus(plain(metric) + nothing) - found) <= rounding(metric), "a row that is undefined counts"
    if isinstance(metric, SumMetric):
        copies = [["A man is playing a guitar."] * size for size in (1, 3)]
        one, three = (metric.corpus(Samples.of(texts, texts, [[text] for text in texts])) for texts in copies)
        assert abs(one - three) <= ROUNDING, "three copies get another score than one"
        summed = metric.counts(plain(metric), Workspace()).sum(axis=0, keepdims=True)
        assert abs(metric.from_counts(summed, corpus=True)[0] - found) <= ROUNDING, "not the score of the summed counts"
    else:
        scores, weights = metric.score(plain(metric)), metric.weights(plain(metric))
        defined = ~np.isnan(scores) | (metric.unit == "pair")  # one text is no set
        mean = np.average(scores[defined], weights=None if weights is None else weights[defined])
        assert abs(mean - found) <= rounding(metric), "the corpus score is not the mean"


def check_more_references(metric: Metric) -> None:
    """Of several references the best counts, so one more never worsens a score."""
    if not isinstance(metric, Comparison) or metric.free or metric.name in NOT_THE_BEST:
        return
    groups = [("How old are you, then?", "What is your age?", "", "你几岁？", "Age?")[:size] for size in range(1, 6)]
    few = [texts[2:3] for texts in SCRIPTS.values()]
    sources, candidates = ([texts[place] for texts in SCRIPTS.values()] for place in (0, 1))
    before = metric.score(sources=sources, candidates=candidates, references=few)
    for group in groups:
        for more in ([(*own, *group) for own in few], [(*group, *own) for own in few]):
            after = metric.score(sources=sources, candidates=candidates, references=more)
            gain = after - before if metric.higher_is_better else before - after
            assert (gain >= -rounding(metric)).all(), "a further reference worsened a score"


def check_free(metric: Metric) -> None:
    """`.free` is the same comparison, with the source in the place of the reference."""
    if not isinstance(metric, Comparison) or metric.compares_with != "references":
        return
    table = plain(metric)
    swapped = dataclasses.replace(table, references=[(source,) for source in table.sources])
    free = dataclasses.replace(metric, free=True).score(table)
    bound = dataclasses.replace(metric, free=False).score(swapped)
    assert equal(free, bound, within=exactness(metric)), "'.free' is not the comparison with the source"


def check_trivial_edits_earn_nothing(metric: Metric) -> None:
    """With `normalize=yes` an edit of a copy that no reader would call a change gets what the copy gets.

    Through an encoder, which reads the text as it is, it may get less, but never more.
    """
    if not isinstance(metric, Wording):
        overall = metric.name in metrics.names() and metrics.question(metric.name) == "overall"
        assert not overall, "an overall metric without the parameter `normalize`"
        return
    metric = dataclasses.replace(metric, normalize=True)
    texts = [*(group[0] for group in SCRIPTS.values()), "The café's (new) waiter, Zoë, said: it is open!"]
    references = [*(group[1:] for group in SCRIPTS.values()), ["The new waiter of the café said that it is open."]]
    names = [name for name in TRIVIAL_EDITS for _ in texts]
    copies = texts * len(TRIVIAL_EDITS)
    edited = [edit(text) for edit in TRIVIAL_EDITS.values() for text in texts]
    sources, groups = copies, references * len(TRIVIAL_EDITS)
    if metric.unit == "source":  # the same candidate twice, or once and once edited
        sources = [f"{name} of {text}" for name, text in zip(names, copies, strict=True)] * 2
        names, groups, copies, edited = names * 2, groups * 2, copies * 2, [*copies, *edited]
    one, other = (metric.score(sources=sources, candidates=column, references=groups) for column in (copies, edited))
    gains = (other - one) * (1 if metric.higher_is_better else -1) if is_neural(metric) else np.abs(other - one)
    assert np.array_equal(np.isnan(one), np.isnan(other)), "an edit makes the score undefined"
    for name, text, gain in zip(names, edited, gains, strict=True):
        assert not gain > rounding(metric), f"{name} changes the score of a copy by {gain}: {text!r}"


def _difference(one: Metric, other: Metric) -> str:
    return next(
        f"{field.name}={getattr(other, field.name)!r}"
        for field in dataclasses.fields(one)
        if getattr(one, field.name) != getattr(other, field.name)
    )
