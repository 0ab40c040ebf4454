"""RatedScores: human-rated samples with the scores of metrics, all of them turned so that higher is better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..compute.workspace import Progress, Workspace
from ..errors import Hint, InputError, nearest
from ..evaluate.api import evaluate_whole
from ..evaluate.choose import WITH_REFERENCES, WITHOUT_REFERENCES, choose
from ..metric import Floats, Metric
from ..metrics import Given, metric_of
from ..printable import listed as named
from ..tables.display import ROWS, counted, table_html
from ..tables.notices import sentences
from ..tables.ratings import Codes, Ratings


@dataclass(frozen=True, repr=False)
class RatedScores:
    """Ratings, and next to them one score per row from each metric, higher is better; NaN where it is undefined."""

    ratings: Ratings
    scores: Mapping[str, Floats]  # by the name that was typed
    signatures: Mapping[str, str]
    flipped: frozenset[str] = frozenset()  # metrics of which less is better: their scores stand here negated
    notes: tuple[str, ...] = ()  # what the reader of any number made from these scores should know

    def __post_init__(self) -> None:
        for name, column in self.scores.items():
            if column.shape != (len(self.ratings),):
                raise InputError(f"{len(column):,} scores of {name} for {len(self.ratings):,} rows; expected one a row")

    def __len__(self) -> int:
        return len(self.ratings)

    def __getitem__(self, name: str) -> Floats:
        """The scores of one metric."""
        if name not in self.scores:
            raise InputError(f"'{name}' was not scored{nearest(name, self.scores)}")
        return self.scores[name]

    def __repr__(self) -> str:
        metrics = f"{counted(len(self.scores), 'metric')}: {named(list(self.scores))}"
        return f"RatedScores({counted(len(self), 'row')}, {metrics})"

    def _repr_html_(self) -> str:
        texts = self.ratings.samples.candidates[:ROWS]
        numbers = {"human": self.ratings.human, **self.scores}
        first = {name: column[:ROWS].tolist() for name, column in numbers.items()}
        return table_html(repr(self), {"candidate": texts, **first}, len(self))

    def measured(self, name: str) -> Floats:
        """The scores of one metric in its own direction, as the metric gave them."""
        return -self[name] if name in self.flipped else self[name]

    def rows(self, chosen: Sequence[int] | Codes) -> RatedScores:
        """The chosen rows, in that order."""
        places = np.asarray(chosen, dtype=np.intp)
        scores = {name: column[places] for name, column in self.scores.items()}
        return RatedScores(self.ratings.rows(places), scores, self.signatures, self.flipped, self.notes)

    def complete(self) -> RatedScores:
        """The rows that have a human score and a score of every metric, so that all metrics are judged by the same."""
        known = ~np.isnan(self.ratings.human)
        for column in self.scores.values():
            known &= ~np.isnan(column)
        return self if known.all() else self.rows(np.flatnonzero(known))

    def undefined(self) -> dict[str, int]:
        """Metrics that some rows have no score of, and how many."""
        counts = {name: int(np.isnan(column).sum()) for name, column in self.scores.items()}
        return {name: count for name, count in counts.items() if count}

    def widely_defined(self, most: float = 0.05, keep: Sequence[str] = ()) -> RatedScores:
        """Without metrics that are undefined for more than this share of the rows, and would cost the others these."""
        dropped = {
            name: count for name, count in self.undefined().items() if count > most * len(self) and name not in keep
        }
        if not dropped:
            return self
        found = self.only([name for name in self.scores if name not in dropped])
        left_out = Hint(
            "left out because undefined for many rows ({metrics} includes them): {0}",
            listed(dropped),
            metrics=None,
        )
        return replace(found, notes=(*self.notes, left_out))

    def flipped_metrics(self) -> list[str]:
        """A note on metrics that are judged by the negated score."""
        names = [name for name in self.scores if name in self.flipped]
        return [f"less is better for {', '.join(names)}: judged by the negated score"] if names else []

    def only(self, names: Sequence[str]) -> RatedScores:
        """With these metrics alone, in this order."""
        scores = {name: self[name] for name in names}
        signatures = {name: self.signatures[name] for name in names if name in self.signatures}
        return RatedScores(self.ratings, scores, signatures, self.flipped & set(names), self.notes)


def score_ratings(
    ratings: Ratings,
    metrics: Sequence[Given] | None = None,
    encoder: str | None = None,
    lang: str = "auto",
    work: Workspace | None = None,
    progress: Progress | None = None,
) -> RatedScores:
    """Score human-rated samples by some metrics, each under the name that was typed.

    `encoder` goes to every metric that has one and was not given its own; lang="zh" tokenizes Chinese into characters
    where a metric counts words. Scores that came with the ratings are used as they are: higher must be better.
    """
    samples = ratings.samples
    known = any(samples.references)
    typed = list(metrics) if metrics is not None else list(WITH_REFERENCES if known else WITHOUT_REFERENCES)
    chosen = _labelled(typed, known, encoder, lang)
    twice = [name for name in chosen if name in ratings.scores]
    if twice:
        raise InputError(
            f"{twice[0]} is requested and also a column of the ratings; rename the column or leave one out"
        )
    distinct = list({metric.spec: metric for metric in chosen.values()}.values())
    found = evaluate_whole(samples, distinct, work, progress=progress)
    flipped = frozenset(name for name, metric in chosen.items() if not metric.higher_is_better)
    scores = {name: -found[metric.spec] if name in flipped else found[metric.spec] for name, metric in chosen.items()}
    signatures = {name: found.signatures[metric.spec] for name, metric in chosen.items()}
    scores |= ratings.scores
    return RatedScores(ratings, scores, signatures, flipped, tuple(sentences(found.notices)))


def _labelled(typed: Sequence[Given], references: bool, encoder: str | None, lang: str) -> dict[str, Metric]:
    """Each metric under its name as typed, with the settings of the whole run."""
    if typed:
        choose(typed, references, lang=lang, encoder=encoder)  # refuses an encoder that no metric would use
    result = {}
    for name in typed:
        plain = metric_of(name)
        suited = encoder if plain.loads == "encoder" else None
        label = name if isinstance(name, str) else plain.spec
        result[label] = choose([plain], references, lang=lang, encoder=suited)[0]
    return result


def listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} ({count:,})" for name, count in counts.items())
