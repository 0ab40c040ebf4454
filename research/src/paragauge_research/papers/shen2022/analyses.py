"""The analyses of Shen et al. 2022: by distance (section 3), by pairs (section 4) and by parts (appendix E).

Their scripts are not published. All rows are taken, without the copies: so the numbers of Table 2 and the log come out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from paragauge.metric import Floats
from paragauge.stats.correlation import pearson

from ...analyses.attribution import Attribution, Thresholds, abilities, attribute
from ...analyses.distances import CASES, InCase, by_case, by_distance
from ..cells import Computed, Place
from .scores import Column, DataSet, Study, attempt

DISTANCES = {"references": "Dist(C,R)", "source": "Dist(C,X)"}
NEARER = {"I": CASES[1], "II": CASES[0]}  # case I: Dist(R,C) < Dist(X,C), nearer to the reference
METRICS = ("Rouge-L", "Rouge-1", "Rouge-2", "BERTScore")  # of Table 2
EXAMPLE = {"C1": 7, "C2": 18, "C3": 27}  # edits from X, of 33 characters, to each candidate of Table 6
TIES = "rows at equal distance, {share:.1%}, are in neither case"
AVERAGED = "the mean of four differences, one of them BERTScore's"
BINARY = "binary rounding: 0.35 − 0.30 is more than 0.05 in floats, so that pairs at the limit fall out by chance"
FULL_STOP = "printed over 34 characters, as with a full stop at the end; the texts shown have 33"
PAIRED = "which pairs there are depends on Sim"
ORDER = "a pair has no order: theirs is with the upper row first, ours with each pair both ways"
NEAR_ZERO = "the paper says close to zero"
Values = dict[Place, Computed]


def figures_1_and_2(data: DataSet) -> Values:
    """Pearson correlation in four equal groups of rising distance to the reference, and to the source."""
    rows, columns = data.part(extended=False).all, _columns(data)
    people, sources = data.ratings.human[rows], data.sources[rows]
    found: Values = {}
    for to, name in DISTANCES.items():
        far = data.distance(to)[rows]
        theirs, right = (by_distance(_scores(data, columns, way), people, sources, far, resamples=0) for way in (0, 1))
        for one, two in zip(theirs, right, strict=True):
            place = (two.metric, f"{data.title} {name}, group {two.group}")
            found[place] = _computed(columns[two.metric], one.correlation.value, two.correlation.value)
    return found


def table_2(data: DataSet) -> Values:
    """Pearson correlation on rows nearer to the reference (I) and on those nearer to the source (II)."""
    columns = _columns(data)
    columns |= {f"BERTScore{tail}": columns.pop(f"BERTScore(B){tail}") for tail in ("", ".Free")}
    theirs, right = (_cases(data, columns, way) for way in (0, 1))
    found: Values = {
        (row, f"{data.title} {case}"): _computed(columns[row], theirs.get((row, case)), right.get((row, case)))
        for case in NEARER
        for row in (f"{metric}{tail}" for metric in METRICS for tail in ("", ".Free"))
    }
    last = columns["BERTScore"]
    for case in NEARER:
        column = f"{data.title} {case}"
        pairs = [(found[f"{metric}.Free", column], found[metric, column]) for metric in METRICS]
        theirs_mean = _mean((free.authors, own.authors) for free, own in pairs)
        right_mean = _mean((free.corrected, own.corrected) for free, own in pairs)
        found["Δ(M.Free, M)", column] = Computed(theirs_mean, right_mean, f"{AVERAGED}; {last.why}", last.stand_in)
    return found


def table_3(data: DataSet) -> Values:
    """Δ as in Table 2, and the share of each case among the rows of both."""
    found = {place: own for place, own in table_2(data).items() if place[0] == "Δ(M.Free, M)"}
    human = {"people": Column(data.ratings.human, data.ratings.human)}
    every = [_shares(_by_case(data, human, way)) for way in (0, 1)]
    for case, name in NEARER.items():
        theirs, right = (own[name] / (1 - own[CASES[2]]) for own in every)
        why = TIES.format(share=every[0][CASES[2]])
        found["Proportion", f"{data.title} {case}"] = Computed(theirs, right, why, choice=True)
    return found


def table_4(data: DataSet) -> Values:
    """How many pairs are alike in Dist (Base), and those of them that differ in Sim; the correlation of ΔS with Δh."""
    return _numbers(data, {"S_sim": "sim", "Base": "base"}, "Sim")


def table_5(data: DataSet) -> Values:
    """Correlation of ΔM with Δh on the pairs that differ in Sim alone."""
    return _metrics(data, "sim", "Sim")


def table_6(data: DataSet) -> Values:
    """The example's distances; its human scores are invented."""
    if data.chinese:
        return {}
    found = {(row, "Dist"): Computed(edits / 34, edits / 33, FULL_STOP) for row, edits in EXAMPLE.items()}
    return found | {(row, "h"): Computed(None, None, "of an example, not of the data") for row in EXAMPLE}


def table_7(data: DataSet) -> Values:
    """How many pairs differ in Dist alone, and the correlation of ΔD with Δh, where little was changed and much."""
    return _numbers(data, {"S_div1": "div, little changed", "S_div2": "div, much changed"}, "NED")


def table_8(data: DataSet) -> Values:
    """Correlation of ΔM with Δh on the pairs that differ in Dist alone, and where little was changed."""
    return _metrics(data, "div, little changed", "NED")


def appendix_e(data: DataSet) -> Values:
    """BERT-iBLEU is Sim and Mix = (Sim·Div − Sim²) / (β·Div + Sim): the Pearson correlation of each with people."""
    rows = data.part(extended=False).all
    people, sim = data.ratings.human[rows], _columns(data)["BERTScore(B).Free"]
    found: Values = {}
    for row, column in ({"Sim": sim} | {f"Mix, β = {beta}": _mix(data, beta, sim) for beta in (4, 5, 10)}).items():
        theirs, right = (None if own is None else pearson(own[rows], people).value for own in column[:2])
        found[row, data.title] = _computed(column, theirs, right, "" if row == "Sim" else NEAR_ZERO)
    return found


def draw_figures(study: Study, folder: Path, *, overwrite: bool = False) -> list[Path]:
    """Figures 1 and 2 of the right scores for each data set, and what each metric sees; as SVG and PNG."""
    from paragauge.meta import charts as drawing

    from ...analyses import figures

    kinds = {data.title.lower(): ["figure-1", "figure-2", *["ability"] * bool(data.encoder)] for data in study.sets}
    names = [f"{title}-{kind}" for title, own in kinds.items() for kind in own]
    drawing.make_folder(folder, names, overwrite=overwrite)  # refuses before any work is done
    written: list[Path] = []
    for data in study.sets:
        rows = data.part(extended=False).all
        scores = _scores(data, _columns(data), 1)
        people, sources = data.ratings.human[rows], data.sources[rows]
        for number, (to, name) in enumerate(DISTANCES.items(), 1):
            groups = by_distance(scores, people, sources, data.distance(to)[rows])
            title = f"{data.title}: agreement with people by {name}"
            chart = figures.groups_chart(groups, title, "reference" if to == "references" else "source")
            written += drawing.draw(chart, folder / f"{data.title.lower()}-figure-{number}", overwrite=overwrite)
        if data.encoder is not None:
            found = abilities(scores, people, sources, data.meaning[rows], data.distance("source")[rows])
            chart = figures.ability_chart(found, f"{data.title}: what metrics see")
            written += drawing.draw(chart, folder / f"{data.title.lower()}-ability", overwrite=overwrite)
    return written


def _columns(data: DataSet) -> dict[str, Column]:
    """The metrics of Tables 2, 5 and 8; METEOR is English."""
    columns = dict(data.lexical)
    if not data.chinese:
        columns |= attempt(["METEOR", "METEOR.Free"], lambda: data.meteor)
    columns |= attempt(["BERTScore(B)", "BERTScore(B).Free"], lambda: data.bertscore("BERTScore(B)"))
    return columns | attempt(["BARTScore", "BARTScore.Free"], data.bartscore)


def _scores(data: DataSet, columns: Mapping[str, Column], way: int) -> dict[str, Floats]:
    """Scores of the rows without copies, the authors' (way 0) or corrected (1), where there are any."""
    rows = data.part(extended=False).all
    every = {row: (column.authors, column.corrected)[way] for row, column in columns.items()}
    return {row: own[rows] for row, own in every.items() if own is not None}


def _computed(column: Column, theirs: float | None, right: float | None, why: str = "") -> Computed:
    return Computed(theirs, right, "; ".join(filter(None, (column.why, why))), column.stand_in, column.choice)


def _by_case(data: DataSet, columns: Mapping[str, Column], way: int) -> list[InCase]:
    rows = data.part(extended=False).all
    far = [data.distance(to, theirs=not way)[rows] for to in ("source", "references")]
    people, sources = data.ratings.human[rows], data.sources[rows]
    return by_case(_scores(data, columns, way), people, sources, far[0], far[1], resamples=0)


def _cases(data: DataSet, columns: Mapping[str, Column], way: int) -> dict[tuple[str, str], float]:
    numbers = {name: case for case, name in NEARER.items()}
    found = _by_case(data, columns, way)
    return {(one.metric, numbers[one.case]): one.correlation.value for one in found if one.case in numbers}


def _shares(found: Iterable[InCase]) -> dict[str, float]:
    return {one.case: one.share for one in found}


def _mean(pairs: Iterable[tuple[float | None, float | None]]) -> float | None:
    """The mean difference; None where a number is missing."""
    differences = [None if None in pair else pair[0] - pair[1] for pair in pairs]  # type: ignore[operator]
    return None if None in differences else sum(differences) / len(differences)  # type: ignore[arg-type]


@lru_cache(maxsize=4)
def _pairs(data: DataSet, way: int) -> dict[tuple[str, str], Attribution]:
    """ΔM against Δh on every part of the pairs, by metric and part; Sim and Dist are among the metrics."""
    rows = data.part(extended=False).all
    free = {row: column for row, column in _columns(data).items() if row.endswith(".Free")}
    scores = _scores(data, free, way)
    near, far = data.meaning[rows], data.distance("source", theirs=not way)[rows]
    people, sources = data.ratings.human[rows], data.sources[rows]
    order, limits = ("both", Thresholds()) if way else ("given", Thresholds(rounding=0.0))
    found = attribute(
        scores | {"Sim": near, "NED": far}, people, sources, near, far, limits, order=order, resamples=0
    )  # fmt: skip
    return {(one.metric, one.part): one for one in found}


def _numbers(data: DataSet, parts: Mapping[str, str], metric: str) -> Values:
    if data.encoder is None and "simcse" not in data.models:
        lost = Computed(None, None, data.lacking("simcse"))
        return {(row, f"{data.title} {name}"): lost for name in parts for row in ("#num", "ρ")}
    note, found = data.standing("simcse"), {}
    for name, part in parts.items():
        theirs, right = (_pairs(data, way)[metric, part].correlation for way in (0, 1))
        why = "; ".join(filter(None, (note, ORDER)))
        of_sim = part != "base"  # Base is chosen by Dist alone
        found["#num", f"{data.title} {name}"] = Computed(
            float(theirs.rows),
            float(right.rows),
            f"{note}; {PAIRED}" if of_sim else BINARY,
            stand_in=of_sim and bool(note),
        )
        found["ρ", f"{data.title} {name}"] = Computed(theirs.value, right.value, why, stand_in=bool(note))
    return found


def _metrics(data: DataSet, part: str, last: str) -> Values:
    columns = {row: own for row, own in _columns(data).items() if row.endswith(".Free")}
    if data.encoder is None and "simcse" not in data.models:
        return {(row, data.title): Computed(None, None, data.lacking("simcse")) for row in (*columns, last)}
    note = data.standing("simcse")
    pairs = [_pairs(data, way) for way in (0, 1)]
    found: Values = {}
    for row, column in (columns | {last: Column(None, None)}).items():
        theirs, right = (own[row, part].correlation.value if (row, part) in own else None for own in pairs)
        why = "; ".join(filter(None, (note, column.why, ORDER))) if right is not None else column.why
        found[row, data.title] = Computed(theirs, right, why, stand_in=bool(note) or column.stand_in)
    return found


def _mix(data: DataSet, beta: float, sim: Column) -> Column:
    whole = data.bert_ibleu(beta)
    theirs, right = (
        None if score is None or part is None else score - part for score, part in zip(whole[:2], sim[:2], strict=True)
    )
    return Column(theirs, right, whole.why, whole.stand_in)
