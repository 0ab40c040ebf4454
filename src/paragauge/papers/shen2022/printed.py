"""Numbers of Shen et al. 2022 that could be read: in the paper, and in the log that its authors published.

The log is log.txt of github.com/shadowkiller33/ParaScore at commit ac50028. Runs were added to it while the code
changed: its first 20 runs name the data set 0 (Twitter-Para) or 1 (BQ-Para) and do not say whether copies were added.
No number stands here that was not read in one of the two; most of the paper's tables could not be.
"""

from __future__ import annotations

from typing import NamedTuple

PAPER: dict[tuple[str, str], tuple[str, str]] = {  # (data set, row): Pearson, Spearman
    ("Twitter-Para", "BLEU-4"): ("-0.119", "-0.104"),
    ("BQ-Para", "BLEU-4"): ("0.127", "0.144"),
    ("Twitter-Para", "ParaScore, bert-base-uncased"): ("0.522", "0.523"),
}
UNREAD = "the paper's number could not be read"


class Run(NamedTuple):
    """One run in the log that ended with a result."""

    row: str
    data: str
    extended: bool | None  # None: it does not say
    pearson: float
    spearman: float


_BERT, _CHINESE = "bert-base-uncased", "bert-base-chinese"
LOG = (
    Run("ROUGE-L", "BQ-Para", None, 0.3520032793824836, 0.3298512892217628),
    Run("ROUGE-L.Free", "BQ-Para", None, 0.3194209454437715, 0.27527798602037823),
    Run("ROUGE-1", "BQ-Para", None, 0.36250864781602593, 0.32607756400554655),
    Run("ROUGE-1.Free", "BQ-Para", None, 0.3081622817805859, 0.24358461753258567),
    Run("ROUGE-2", "BQ-Para", None, 0.36664389339075565, 0.35473724277435364),
    Run("ROUGE-2.Free", "BQ-Para", None, 0.2832191977807674, 0.25488993135581844),
    Run(f"BERTScore, {_CHINESE}", "BQ-Para", None, 0.4043940192299709, 0.3823331169265),
    Run(f"BERTScore.Free, {_CHINESE}", "BQ-Para", None, 0.4002316166929993, 0.37018940919365195),
    Run(f"ParaScore.Free, {_BERT}", "Twitter-Para", None, 0.5215573721133683, 0.5225631247026786),
    Run(f"ParaScore.Free, {_BERT}", "Twitter-Para", None, 0.4925370203175061, 0.49025935452649366),
    Run(f"ParaScore.Free, {_BERT}", "Twitter-Para", None, 0.49259804231551935, 0.4904224358543494),
    Run(f"ParaScore.Free, {_BERT}", "Twitter-Para", None, 0.5217936678577818, 0.522801026372589),
    Run(f"ParaScore.Free, {_CHINESE}", "BQ-Para", None, 0.4220183773015431, 0.4110971124309943),
    Run(f"ParaScore.Free, {_CHINESE}", "BQ-Para", None, 0.33147699644633527, 0.3695645896836961),
    Run(f"ParaScore.Free, {_BERT}", "Twitter-Para", None, 0.42607615878043187, 0.48665229709123553),
    Run(f"BERTScore, {_BERT}", "Twitter-Para", None, 0.45046283949461174, 0.4534064444605476),
    Run(f"ParaScore.Free, {_BERT}", "Twitter-Para", None, 0.5217238899495399, 0.5227074886048652),
    Run(f"ParaScore.Free, {_BERT}", "Twitter-Para", None, 0.42567849397662666, 0.4865612511139258),
    Run("BARTScore.Free", "Twitter-Para", None, 0.25336307928318264, 0.2643574675125254),
    Run("BARTScore.Free", "Twitter-Para", None, 0.21674528206124213, 0.24054987149670232),
    Run("BLEU-4", "BQ-Para", True, 0.15623427406254584, 0.1726651945987426),
    Run("BLEU-4", "BQ-Para", True, 0.15623427406254584, 0.1726651945987426),
    Run("BLEU-4", "BQ-Para", True, 0.15623427406254584, 0.1726651945987426),
    Run("BLEU-4", "BQ-Para", False, 0.24478160256634549, 0.22595781679879479),
    Run("BLEU-4", "Twitter-Para", False, -0.11897535760158835, -0.10448345909348869),
    Run("BLEU-4", "BQ-Para", False, 0.1267915153609518, 0.14437280990918938),
    Run(f"ParaScore, {_BERT}", "Twitter-Para", False, 0.5201597901716775, 0.5205965869890502),
    Run(f"ParaScore, {_BERT}", "Twitter-Para", False, 0.520101402298515, 0.5205966875170293),
    Run(f"ParaScore, {_BERT}", "Twitter-Para", False, 0.5199641595320574, 0.5205964228895377),
    Run(f"ParaScore, {_BERT}", "Twitter-Para", False, 0.49430636557031493, 0.5153960834656417),
    Run(f"ParaScore, {_BERT}", "Twitter-Para", False, 0.5200834202917802, 0.5203320603042475),
    Run(f"ParaScore, {_BERT}", "Twitter-Para", False, 0.5200834194887721, 0.5203322422363352),
)  # fmt: skip


def printed(row: str, data: str, statistic: str, *, extended: bool = False) -> str | None:
    """The number in the paper, else the one (or the range of those) in the log; None where neither could be read.

    >>> printed("BLEU-4", "Twitter-Para", "Pearson")
    '-0.119'
    >>> printed("ROUGE-1", "BQ-Para", "Spearman")
    'log.txt: 0.326'
    """
    values = readings(row, data, statistic, extended=extended)
    if not values or (not extended and (data, row) in PAPER):
        return values[0] if values else None
    ends = sorted(set(values), key=float)
    return f"log.txt: {ends[0]}" if len(ends) == 1 else f"log.txt: {ends[0]} to {ends[-1]}, {len(values)} runs"


def readings(row: str, data: str, statistic: str, *, extended: bool = False) -> list[str]:
    """The number in the paper, else all that the log has, each to three digits."""
    place = ("Pearson", "Spearman").index(statistic)
    if not extended and (data, row) in PAPER:
        return [PAPER[data, row][place]]
    runs = [run for run in LOG if (run.row, run.data) == (row, data) and bool(run.extended) == extended]
    return [f"{(run.pearson, run.spearman)[place]:.3f}" for run in runs]


def encoders(data: str) -> list[str]:
    """The encoders that the log names for a data set."""
    named = (run.row.partition(", ")[2] for run in LOG if run.data == data)
    return list(dict.fromkeys(filter(None, named)))
