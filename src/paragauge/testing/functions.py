"""The contracts of rules, correlations and classifiers, checked: for ours, and for the authors of plug-ins."""

from __future__ import annotations

import numpy as np

from ..extrinsic.classifier import Classifier
from ..stats.correlations import Statistic
from ..verdict.findings import Outcome, Span
from ..verdict.rules import Rule
from .texts import ODD, SCRIPTS

ROWS = 30
TEXTS = ("good and fine", "fine and good indeed", "bad and poor", "poor and bad indeed")
CLASSES = np.array([0, 0, 1, 1], dtype=np.int64)


def check_rule(rule: Rule, source: str, candidate: str) -> None:
    """It finds something in these two texts and nothing in a copy, always the same, with places in the texts."""
    assert isinstance(rule, Rule), (
        f"{rule!r:.60} is not a rule; put @rule(Outcome.MEANING) or the like before the function"
    )
    assert rule.kind.strip(), f"{rule.name} has no kind"
    assert isinstance(rule.outcome, Outcome), f"the outcome of {rule.name} is {rule.outcome!r}; expected an Outcome"
    assert rule.find(source, candidate), f"{rule.name} finds nothing where it is said to find something"
    texts = [source, candidate, *ODD.values(), *(own for own, *_ in SCRIPTS.values())]
    for one in texts:
        assert not rule.find(one, one), f"{rule.name} finds something in {one!r:.60}, copied"
        for other in texts:
            found = rule.find(one, other)
            assert found == rule.find(one, other), f"{rule.name} finds something else the second time"
            for text, span in [pair for own in found for pair in ((one, own.source), (other, own.candidate))]:
                inside = span is None or (isinstance(span, Span) and 0 <= span.start <= span.end <= len(text))
                assert inside, f"{rule.name} finds the place {span} in {text!r:.60}, of {len(text)} characters"


def check_correlation(statistic: Statistic) -> None:
    """One number per row, whatever the other rows, the order of the columns and the shape of the ratings."""
    draw = np.random.default_rng(0)
    ratings = draw.integers(0, 6, (1, ROWS)) / 5
    scores = np.vstack([ratings, ratings + draw.normal(size=(3, ROWS)), np.round(draw.normal(size=(1, ROWS)))])
    shape = np.shape(statistic.function(scores, ratings))
    assert shape == (len(scores),), f"{len(scores)} rows of scores gave the shape {shape}"
    found = statistic.rowwise(scores, ratings)
    assert found[0] == np.nanmax(found) > 0, f"the ratings themselves get {found[0]}, other scores up to {found.max()}"
    assert np.isnan(statistic.rowwise(scores, np.ones_like(ratings))).all(), (
        "ratings that are all the same give a number"
    )
    order = draw.permutation(ROWS)
    for what, other in {
        "one row at a time": np.array([statistic.rowwise(row[None], ratings)[0] for row in scores]),
        "ratings repeated for each row": statistic.rowwise(scores, np.repeat(ratings, len(scores), axis=0)),
        "columns in another order": statistic.rowwise(scores[:, order], ratings[:, order]),
    }.items():
        # 1e-12: sums in another order are rounded otherwise
        assert np.allclose(found, other, rtol=0, atol=1e-12, equal_nan=True), f"{what} gives {other}, not {found}"


def check_classifier(classifier: Classifier) -> None:
    """A class for each text, whatever the other texts; the same again, and for every seed unless it is `random`."""
    assert classifier.title, f"{classifier.name} has no title"
    assert classifier.signature.startswith(f"{classifier.name}|"), (
        f"{classifier.signature} does not begin with the name"
    )
    fitted = classifier.fit(TEXTS, CLASSES, 2, 0)
    found = fitted.predict(TEXTS)
    assert found.shape == CLASSES.shape, f"{len(TEXTS)} texts got classes of the shape {found.shape}"
    assert set(found.tolist()) <= {0, 1}, f"of two classes, 0 and 1, it predicts {sorted(set(found.tolist()))}"
    single = [int(fitted.predict([text])[0]) for text in TEXTS]
    assert single == found.tolist(), f"one text at a time gets {single}, all together {found.tolist()}"
    for seed in (0,) if classifier.random else (0, 1):
        again = classifier.fit(TEXTS, CLASSES, 2, seed).predict(TEXTS).tolist()
        assert again == found.tolist(), f"the second training, with seed {seed}, gives {again}, not {found.tolist()}"
