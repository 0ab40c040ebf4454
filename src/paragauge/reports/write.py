"""Reports written to a file, and their data taken out of it again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import InputError, nearest
from ..evaluate.run import Run
from ..extrinsic.results import Evaluation, is_extrinsic, read_result
from ..files.write import PathLike, check_output, write_frame
from ..metrics import parse
from ..printable import listed
from .align import MOST, read_alignments, write_alignments
from .pack import pack_scores, read_packed, samples_frame, scores_frame
from .page import check_report, save
from .runs import Runs, read_runs
from .sections import OF_RUNS
from .sections.examples import chosen_rows

# where a copy of the source lies, by metrics that compare with the source
_COPY_HIGH = ("meaning", "bertscore.free", "cosine.free", "moverscore.free")
_COPY_LOW = ("changed", "ned.free", "lexical-deviation", "pinc", "novelty")


def write_report(
    *runs: PathLike | Run,
    output: PathLike,
    title: str | None = None,
    overwrite: bool = False,
    align: bool = False,
    metrics: Sequence[str] = (),
    baseline: str | None = None,
    resamples: int | None = None,
    seed: int = 0,
) -> None:
    """Write one HTML file from run folders: it opens from disk, asks no network for anything, and holds its data.

    With `align` the token matches of up to 1,000 pairs of a single run, those that the report shows among them, are
    first kept in its folder; that takes the encoder, which is otherwise not needed. `metrics`, `baseline`, `resamples`
    and `seed` are those of `compare`: the report answers by these metrics, and compares with this system.
    """
    folders = [Path(run.folder or "") if isinstance(run, Run) else Path(run) for run in runs]
    check_report(output, inputs=folders, overwrite=overwrite)
    if any(map(is_extrinsic, folders)):
        from .studies.extrinsic import write_extrinsic_report

        if len(runs) > 1:
            raise InputError("an extrinsic evaluation is reported by itself; expected one run folder")
        write_extrinsic_report(Evaluation.of_record(read_result(folders[0])), output=output, title=title)
        return
    found = read_runs(folders, metrics=metrics, baseline=baseline, resamples=resamples, seed=seed)
    if align and len(runs) == 1 and not found.alignments:
        folder = folders[0]
        write_alignments(folder, found.scores.samples, list(map(parse, found.scores.columns)), _rows_to_align(found))
        found = replace(found, alignments=read_alignments(folder))
    sections = [made for make in OF_RUNS if (made := make(found)) is not None]
    packed = pack_scores(found.scores, found.scales, found.alignments)
    packed.header["map"] = _map(found)
    if found.usable_rows is not None:
        packed.header["verdict"] = found.usable_rows.packed()
    save(output, title or f"Paraphrases: {listed(found.names)}", sections, packed)


def extract(
    page: PathLike, output: PathLike, table: str = "scores", *, overwrite: bool = False, spreadsheet: bool = False
) -> None:
    """Write `scores`, `samples` or a table that a report shows, by name, as csv, tsv, jsonl or parquet."""
    import polars

    check_output(output, inputs=[page], overwrite=overwrite)
    packed = read_packed(page)
    tables: dict[str, Any] = packed.header.get("tables", {})
    known = [*(["scores", "samples"] if packed.header["rows"] else []), *tables]
    if table not in known:
        raise InputError(f"no table of the report is named '{table}'{nearest(table, known)}")
    if table == "scores":
        frame = scores_frame(packed)
    elif table == "samples":
        frame = samples_frame(packed)
    else:
        header, rows = tables[table]["header"], tables[table]["rows"]
        distinct = [f"{name} ({header[:place].count(name) + 1})" if name in header[:place] else name
                    for place, name in enumerate(header)]  # fmt: skip
        frame = polars.DataFrame(rows, schema=distinct, orient="row", infer_schema_length=None)
    write_frame(frame, output, overwrite=overwrite, spreadsheet=spreadsheet)


def _rows_to_align(runs: Runs) -> list[int]:
    """Those that the report shows, then some at equal distances."""
    chosen = [row for rows in chosen_rows(runs, 20) for row in rows]
    if runs.comparison is not None:
        samples = runs.scores.samples
        examples = {(one.sample, one.source) for one in runs.comparison.examples}
        keys = zip(samples.ids, samples.sources, strict=True)
        chosen += [row for row, key in enumerate(keys) if key in examples]
    step = max(1, -(-len(runs.scores) // MOST))
    return [*chosen, *range(0, len(runs.scores), step)]


def _map(runs: Runs) -> dict[str, Any]:
    meaning, changed = runs.axes()
    across = meaning or next((name for name in runs.scores.columns if name != changed), changed)
    up = changed or next((name for name in runs.scores.columns if name != across), across)
    thresholds: dict[str, tuple[float, str]] = {}
    for name in runs.scores.columns:
        if name.partition(":")[0] in ("parascore", "parascore-free"):
            gamma = getattr(parse(name), "gamma", None)
            if gamma is not None and "ned.free" in runs.scores.columns:
                thresholds.setdefault("ned.free", (gamma, f"{name}: more change earns no more"))
    return {
        "across": across,
        "up": up,
        "titles": {name: what for name, what in ((meaning, "meaning kept"), (changed, "words changed")) if name},
        "thresholds": thresholds,
        "copy": _copies(runs),
    }


def _copies(runs: Runs) -> dict[str, float]:
    """Where copies lie: as measured where there are any, else where the metric puts them."""
    samples = runs.scores.samples
    copies = [row for row, text in enumerate(samples.candidates) if text and text == samples.sources[row]]
    found: dict[str, float] = {}
    for name in runs.scores.columns:
        base, scale = name.partition(":")[0], runs.scales.get(name, {})
        end = scale.get("high" if base in _COPY_HIGH else "low") if base in _COPY_HIGH + _COPY_LOW else None
        own = runs.scores[name][copies]
        own = own[own == own]
        if len(own):
            found[name] = float(own.mean())
        elif end is not None:
            found[name] = end
    return found
