"""What a study says while it goes on, and the ratings it gives."""

import random

import numpy as np
import polars
import pytest

from paragauge.errors import InputError
from paragauge.files.ratings import read_ratings
from paragauge.stats.raters import alpha
from paragauge.web.annotate.export import export_ratings, ratings_frame
from paragauge.web.annotate.progress import progress

from .made import answer_by, judge, made_samples, made_study

TASKS = ["direct", "pairwise", "best-worst"]


def rated(path, task="direct", noise=8.0, **design):
    """Two careful raters and one who answers at random."""
    store = made_study(
        path, made_samples(30 if task == "best-worst" else 14), task=task, redundancy=3, block=20, **design
    )
    chance = random.Random(2)
    worth = {cell: 40 + 50 * random.Random(cell).random() for cell in range(90)}

    def careful(cell, broken):
        return worth[cell] - 35 * broken + chance.gauss(0, noise)

    judge(store, "anna", answer_by(store, careful))
    judge(store, "ben", answer_by(store, lambda cell, broken: careful(cell, broken) - 10))
    judge(store, "carl", answer_by(store, lambda *_: chance.uniform(0, 100)))
    return store


@pytest.mark.parametrize("task", TASKS)
def test_the_careless_rater_is_found_by_a_paired_test(tmp_path, task):
    store = rated(tmp_path / "study.db", task, checks=0.4)
    found = progress(store)
    assert found.complete == found.items == len(store.items.units)
    anna, ben, carl = found.raters
    assert (anna.verdict, ben.verdict, carl.verdict) == ("careful", "careful", "not careful")
    assert anna.broken.p < 0.01 < 0.05 < carl.broken.p
    assert anna.agreement > carl.agreement + 0.1
    assert anna.apart < carl.apart
    assert anna.seconds == 2.0
    assert min(anna.repeats, anna.shared, anna.broken.pairs) > 5
    for one in found.alphas.values():
        assert one.low < one.value < one.high
        assert one.units == found.items


def test_alpha_is_that_of_the_judgments_of_items(tmp_path):
    store = rated(tmp_path / "study.db")
    rows = [row for row in store.judgments() if row.kind == "genuine"]
    sources = [store.samples.sources[row.shown[0][0]] for row in rows]
    expected = alpha([row.answer["meaning"] for row in rows], [row.unit for row in rows], sources)
    assert progress(store).alphas["meaning"] == expected
    anna, ben, _ = progress(store, resamples=0).raters
    assert anna.leaning > ben.leaning + 5  # ben is stricter by 10


def test_few_checks_say_nothing(tmp_path):
    store = made_study(tmp_path / "study.db", checks=0.0)
    assert progress(store).raters == []
    judge(store, "anna", answer_by(store, lambda *_: 50), most=10)
    (anna,) = progress(store).raters
    assert (anna.verdict, anna.broken.pairs, anna.judged) == ("unknown", 0, 10)
    assert np.isnan([anna.agreement, anna.leaning, anna.apart, anna.broken.p]).all()
    assert progress(store).alphas["meaning"].reason == "no unit has two judgments"


@pytest.mark.parametrize("task", TASKS)
def test_ratings_are_those_that_were_given(tmp_path, task):
    store = rated(tmp_path / "study.db", task)
    export_ratings(store, tmp_path / "ratings.csv")
    ratings = read_ratings(tmp_path / "ratings.csv")
    frame = polars.read_csv(tmp_path / "ratings.csv")
    assert len(ratings) == len(store.samples)  # every pair was judged
    assert {name for own in ratings.raters for name in own} == {"anna", "ben", "carl"}
    assert set(ratings.samples.systems) == {"A", "B", "C"}
    rows = [row for row in store.judgments() if row.kind == "genuine" and row.rater == "anna"]
    cell = next(cell for cell, _ in rows[0].shown)
    given = []
    for row in rows:
        for place, (shown, _) in enumerate(row.shown):
            if shown == cell:
                if task == "direct":
                    given.append(row.answer["meaning"])
                elif task == "pairwise":
                    given.append(1.0 if row.answer["better"] == place else 0.0)
                else:
                    given.append((row.answer["best"] == place) - (row.answer["worst"] == place))
    mine = frame.filter((polars.col("rater") == "anna") & (polars.col("candidate") == store.samples.candidates[cell]))
    assert mine["human"].to_list() == pytest.approx([np.mean(given)])
    assert mine["judgments"].to_list() == [len(given)]


def test_ratings_may_be_standardized_and_of_careful_raters_alone(tmp_path):
    store = rated(tmp_path / "study.db", checks=0.4)
    frame, notes = ratings_frame(store, standardize=True, careful=True)
    assert notes == ["left out, as they rate broken copies no lower: carl"]
    for rater in ("anna", "ben"):
        own = frame.filter(polars.col("rater") == rater)["human"]
        assert own.mean() == pytest.approx(0, abs=1e-12)
        assert own.std() == pytest.approx(1)


def test_rows_of_equal_texts_share_their_rating(tmp_path):
    samples = made_samples(4, "AB")
    doubled = samples + samples.rows(range(0, 8, 2))
    doubled.systems[8:] = ["again"] * 4
    store = made_study(tmp_path / "study.db", doubled, checks=0)
    judge(store, "anna", answer_by(store, lambda cell, _: cell))
    frame, _ = ratings_frame(store)
    one, two = (frame.filter(polars.col("system") == system)["human"].to_list() for system in ("A", "again"))
    assert one == two
    assert len(frame) == 12


def test_nothing_to_export_is_said(tmp_path):
    store = made_study(tmp_path / "study.db")
    with pytest.raises(InputError, match="has no judgments to export"):
        export_ratings(store, tmp_path / "ratings.csv")
    judge(store, "anna", answer_by(store, lambda *_: 1), most=1)
    (tmp_path / "link.csv").hardlink_to(store.path)
    with pytest.raises(InputError, match="it is the input"):
        export_ratings(store, tmp_path / "link.csv", overwrite=True)
