"""One number has one interval, wherever it is shown: in `score`, the verdict, `compare` and the report."""

import random
from pathlib import Path

import polars
import pytest

import paragauge as pg
from paragauge.comparison.compare import compare
from paragauge.evaluate.score_file import score_file
from paragauge.reports.runs import read_runs
from paragauge.reports.sections import answer, differences

EXAMPLES = Path(__file__).parents[2] / "examples"
METRICS = ["usable", "meaning", "changed", "bleu", "chrf", "ter", "ned.free", "copy-rate:count=whole"]


def same(found, expected) -> bool:
    """To what sums of rows in another order may differ by; no end is NaN in some places and None in others."""
    one, other = ([float("nan") if end is None else end for end in numbers] for numbers in (found, expected))
    return one == pytest.approx(other, rel=0, abs=1e-9, nan_ok=True)


def made(folder: Path) -> Path:
    """Sources with one to four candidates of each of three systems, in no order, so that parts share sources."""
    own = random.Random(5)
    words = "the a cat dog sat on mat is in house was not red blue 3 tall".split()  # noqa: SIM905
    rows = []
    for number in range(40):
        source = f"{number}: {' '.join(own.choices(words, k=9))}"
        for system, kept in (("a", 0.9), ("b", 0.6), ("c", 1.0)):
            for candidate in range(1 + number % 4):
                text = " ".join(word if own.random() < kept else own.choice(words) for word in source.split())
                rows.append((f"{number}.{candidate}", source, text, f"{source} too", system))
    own.shuffle(rows)
    path = folder / "made.csv"
    polars.DataFrame(rows, schema=["id", "source", "candidate", "reference", "system"], orient="row").write_csv(path)
    return path


@pytest.fixture(scope="module", params=["examples", "several candidates a source"])
def table(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return EXAMPLES / "pairs.csv" if request.param == "examples" else made(tmp_path_factory.mktemp("made"))


@pytest.fixture(scope="module")
def scored(table: Path, tmp_path_factory: pytest.TempPathFactory):
    run = tmp_path_factory.mktemp("runs") / "run"
    return run, score_file(table, metrics=METRICS, run=run)


def test_a_number_has_one_interval_wherever_it_is_shown(scored):
    run, found = scored
    expected = {
        (row.metric, row.system): (row.mean, row.low, row.high)
        if row.corpus is None
        else (row.corpus, row.corpus_low, row.corpus_high)
        for row in found.summary.rows()
    }
    compared = {(row.metric, row.system): (row.value, row.low, row.high) for row in compare(run).systems}
    assert compared.keys() == expected.keys()
    for key, numbers in expected.items():
        assert same(compared[key], numbers), key
    tables = {part.name: part.plain() for part in answer.section(read_runs([run])).parts if hasattr(part, "plain")}
    shown = {
        (name, row[0]): row[place : place + 3]
        for part, names in (("verdict", METRICS[1:3] + METRICS[:1]), ("systems", METRICS[3:]))
        for row in tables[part]["rows"]
        for place, name in zip(range(1, 99, 3), names, strict=False)
    }
    for (metric, system), numbers in shown.items():
        assert same(numbers, expected[metric, system]), metric
    assert shown.keys() == expected.keys()


def test_the_difference_of_the_verdict_is_that_of_compare_and_the_report(scored):
    run, found = scored
    gap = found.verdict.gap
    first, second = (one.system for one in found.verdict.systems[:2])
    compared = [
        one for one in compare(run).gaps if one.metric == "usable" and {one.first, one.second} == {first, second}
    ]
    sign = 1 if compared[0].first == first else -1
    ends = sorted(sign * end for end in compared[0][4:6])
    assert same((sign * compared[0].value, *ends), gap[:3])
    table = next(part.plain() for part in differences.section(read_runs([run])).parts)
    row = next(row for row in table["rows"] if row[0] == "usable" and {row[1], row[2]} == {first, second})
    assert same(row[3:6], compared[0][3:6])


@pytest.mark.filterwarnings("ignore:1 candidate is empty")  # ter has no worst score
def test_python_gives_the_same_and_so_do_runs_of_one_system_each(table, scored, tmp_path):
    _, found = scored
    expected = {(row.metric, row.system): (row.low, row.high) for row in found.summary.rows()}
    whole = pg.score(samples=table, metrics=METRICS).summary()
    again = {(row["metric"], row["system"]): (row["low"], row["high"]) for row in whole.to_dicts()}
    judged = {("usable", one.system): one.usable[1:3] for one in pg.judge(samples=table).verdicts}
    rows = polars.read_csv(table)
    folders = []
    for number, (name, part) in enumerate(rows.group_by(["system"], maintain_order=True)):
        part.write_csv(tmp_path / f"{number}.csv")
        folders.append(tmp_path / f"run {name[0]}")
        score_file(tmp_path / f"{number}.csv", metrics=["usable", "meaning", "changed"], run=folders[-1])
    compared = compare(*folders, metrics=["usable", "meaning"])
    runs = {(row.metric, row.system): (row.low, row.high) for row in compared.systems}
    for others in (again, judged, runs):
        assert others
        for key, ends in others.items():
            assert same(ends, expected[key]), key


def test_more_resamples_for_p_values_move_no_interval(scored):
    """Of few sources it takes many for a difference to be significant; intervals are those of the first thousand."""
    run, _ = scored
    few, many = (compare(run, metrics="bleu", resamples=number) for number in (1000, None))
    assert [row[:5] for row in few.systems] == [row[:5] for row in many.systems]
    assert [gap[:6] for gap in few.gaps] == [gap[:6] for gap in many.gaps]
    assert compare(run, metrics="bleu", resamples=5000).systems != few.systems


def test_rows_are_computed_once(scored):
    _, found = scored
    assert found.summary.rows() is found.summary.rows()


def test_five_sources_do_not_give_an_interval_without_width():
    """Half of each source's candidates are usable: every resample says 50%."""
    sources = [f"How old is number {number}?" for number in range(5)] * 2
    outputs = ["What age has it?"] * 5 + [""] * 5
    judged = pg.judge(sources, outputs, accept=0.0)
    value, low, high, _ = judged.verdicts[0].usable
    assert value == 0.5
    assert high - low > 0.3
    assert judged.conclusion.startswith("50% of the candidates are usable (95% interval 24% to 76%)")
    every = pg.judge(sources[:5], outputs[:5], accept=0.0).verdicts[0].usable
    assert every[0] == every[2] == 1
    assert 0.4 < every.low < 0.7
