"""WMT19: outputs of translation systems into English, and what people said of them."""

from __future__ import annotations

from pathlib import Path

from ..errors import InputError
from ..tables.ratings import Ratings
from . import Benchmark


def _files() -> dict[str, str]:
    lines = Path(__file__).with_suffix(".sha256").read_text("utf-8").splitlines()
    return {name: digest for digest, name in (line.split("  ", 1) for line in lines)}


def _read(folder: Path) -> Ratings:
    raise InputError(
        f"wmt19 (in {folder}) has human scores of systems and rankings of segments, and none of single rows; "
        "use `paragauge references evaluate wmt19`"
    )


BENCHMARK = Benchmark(
    name="wmt19",
    title="WMT19 into English",
    about=(
        "newstest2019: 91 outputs of 7 language pairs, references, direct assessment of systems, rankings of segments "
        "(de-en first 500, gu-en, kk-en) and five human paraphrases of 500 references; for `paragauge references`"
    ),
    languages="en",
    licence="WMT data: research; collections: Apache-2.0",
    citation=(
        "Barrault et al. 2019, Findings of WMT19; Ma et al. 2019, Results of the WMT19 Metrics Shared Task; Bawden et "
        "al. 2020, A Study in Improving BLEU Reference Coverage with Diverse Automatic Paraphrasing, Findings of EMNLP"
    ),
    homepage=(
        "github.com/AIPHES/ACL20-Reference-Free-MT-Evaluation, github.com/rbawden/paraphrasing-bleu, "
        "github.com/neulab/BARTScore"
    ),
    files=_files(),
    read=_read,
)
