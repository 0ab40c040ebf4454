"""What is done once is done once: an input is read in two passes, and a number of the summary is computed once."""

from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from paragauge.cli.score import score
from paragauge.files.table import TableFiles
from paragauge.tables.summary import Summary

PAIRS = Path(__file__).parents[3] / "examples" / "pairs.csv"


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each was called."""
    found: Counter[str] = Counter()

    def count(kind: type, name: str) -> None:
        real = getattr(kind, name)

        def counting(*given, **named):
            found[f"{kind.__name__}.{name}"] += 1
            return real(*given, **named)

        monkeypatch.setattr(kind, name, counting)

    count(TableFiles, "_read")
    count(Summary, "_row")
    count(Summary, "verdict")
    return found


@pytest.mark.parametrize("more", [[], ["--sentence-level"], ["--run"], ["--baseline", "copy", "--report"]])
def test_score_reads_twice_and_computes_each_number_once(encoder, done, tmp_path, more):  # noqa: ARG001
    more = [*more, str(tmp_path / "kept.html")] if more and more[-1] in ("--run", "--report") else more
    result = CliRunner().invoke(score, [str(PAIRS), "-q", *more], catch_exceptions=False)
    assert result.exit_code == 0
    assert done["TableFiles._read"] <= 2
    assert done["Summary._row"] == 3 * 10  # systems and metrics
    assert done["Summary.verdict"] == 1


def test_one_system_is_not_read_for_what_systems_have_in_common(done, tmp_path):
    (tmp_path / "one.csv").write_text("source,candidate\na b,a c\nd e,d f\n")
    result = CliRunner().invoke(score, [str(tmp_path / "one.csv"), "-m", "ned.free"], catch_exceptions=False)
    assert result.exit_code == 0
    assert done["TableFiles._read"] == 2  # the first rows, and all of them
