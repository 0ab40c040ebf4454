"""Sources to paraphrases: a list of texts, or a file of any size, by any engine, resumable, scored and filtered."""

from __future__ import annotations

import json
import math
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, overload

from .._version import __version__
from ..compute.workspace import Progress, no_progress
from ..errors import Hint, InputError, ParagaugeError, check_count
from ..evaluate.api import evaluate_whole
from ..evaluate.choose import choose as choose_metrics
from ..evaluate.drive import drive
from ..evaluate.engines import Workers
from ..evaluate.engines import engine as make_engine
from ..evaluate.plan import Part, cut
from ..files.aligned import open_aligned
from ..files.input import Input
from ..files.layout import INPUT_FORMATS, Layout, check_format, format_by_suffix, unknown_suffix
from ..files.rows import Row, as_json, open_sources, write_lines, write_rows
from ..files.write import PathLike, check_output, kept_in
from ..metric import Comparison, Metric
from ..metrics import Given as GivenMetric
from ..paraphraser import Candidate, Candidates, Paraphraser
from ..paraphrasers import Given, default_method, paraphraser_of
from ..runs.outputs import is_own, noting
from ..runs.store import Parts, Store, folder_beside
from ..tables.samples import Samples, entries
from .choose import Rows, choose
from .condition import Condition, parse_condition

PART = ("counts.json", "jsonl")  # of each part, in the folder beside the output
OWN = "score"  # in a condition: the score that the method itself gives a candidate
_LINES = {".txt": "txt", ".txt.gz": "txt", ".en": "txt"}  # suffixes of texts with a source per line
_MISSING = "the source is missing"
_NONE_KEPT = "no candidate met the condition"
_TIMES = 4  # candidates of the budget for each that is wanted, where nothing else is said


class PartRows(NamedTuple):
    """What came of a part: its rows as lines of JSON, where nothing keeps them, and what was counted."""

    lines: bytes
    counts: Mapping[str, int]


class Paraphrased(NamedTuple):
    """What became of a file."""

    rows: list[Row] | None  # where they went to no file
    sources: int
    candidates: int
    empty: dict[str, int]  # sources without a candidate, by reason
    rejected: dict[str, int]  # candidates that did not meet the condition, by the part of it that failed
    signature: str


@dataclass
class Kept:
    """The candidates of one source that were kept, with the numbers of each; why there is none."""

    candidates: list[Candidate]
    numbers: list[Row]
    reason: str


@dataclass
class PartParaphraser:
    """Paraphrases a part, in whatever process it is called; all it needs can be pickled."""

    paraphraser: Paraphraser
    system: str
    n: int
    budget: int  # candidates of a source that are asked for at most, in all rounds, to find n that meet the condition
    condition: Condition | None
    metrics: Sequence[Metric]
    parts: Parts | None = None  # of these files: PART

    def __call__(self, part: Part) -> PartRows:
        kept = None if self.parts is None else self.parts.load(part.number)
        if kept is not None:
            return PartRows(b"", json.loads(kept[0]))
        rows, counts = self._rows(part.samples)
        lines = b"".join(map(as_json, rows))
        if self.parts is None:
            return PartRows(lines, counts)
        self.parts.save(part.number, as_json(counts), lines)
        return PartRows(b"", counts)

    def _rows(self, chunk: Samples) -> tuple[list[Row], Counter[str]]:
        """A row for each candidate, or for each source without one; what is counted of them."""
        asked = ["" if place in chunk.missing else source for place, source in enumerate(chunk.candidates)]
        found, rejected = self.kept(asked)
        counts = Counter({f"rejected: {what}": count for what, count in rejected.items()} | {"sources": len(chunk)})
        rows = []
        for place, own in enumerate(found):
            missing = place in chunk.missing
            common = {"id": chunk.ids[place], "source": None if missing else chunk.candidates[place]}
            counts["candidates"] += len(own.candidates)
            if not own.candidates:
                reason = _MISSING if missing else own.reason
                counts[f"empty: {reason}"] += 1
                rows.append(self._row(common, 1, Candidate(""), reason, {metric.spec: None for metric in self.metrics}))
            for rank, (candidate, numbers) in enumerate(zip(own.candidates, own.numbers, strict=True), 1):
                rows.append(self._row(common, rank, candidate, None, numbers))
        return rows, counts

    def _row(self, common: Row, rank: int, found: Candidate, reason: str | None, numbers: Row) -> Row:
        return {
            "id": f"{common['id']}.{rank}",  # as each row of a system has an id of its own
            "source": common["source"],
            "candidate": None if reason is not None else found.text,
            "system": self.system,
            "rank": rank,
            "score": found.score if math.isfinite(found.score) else None,
            "provenance": dict(found.provenance),
            "reason": reason,
        } | numbers  # fmt: skip

    def kept(self, sources: Sequence[str]) -> tuple[list[Kept], Counter[str]]:
        """Up to n candidates of each source that meet the condition, and how many others were rejected for what.

        Each round asks for more than the one before, as a method gives the same again when it is asked for as many.
        """
        found = [Kept([], [], "") for _ in sources]
        seen: list[set[str]] = [set() for _ in sources]
        rejected: Counter[str] = Counter()
        lacking = list(range(len(sources)))
        rounds = [self.n] if self.condition is None else _rounds(self.n, self.budget, self.paraphraser.max_candidates)
        for asked in rounds:
            if not lacking:
                break
            generated = self.paraphraser.generate([sources[place] for place in lacking], asked)
            fresh: list[tuple[int, Candidate]] = []
            for place, own in zip(lacking, generated, strict=True):
                found[place].reason = own.reason or _NONE_KEPT
                fresh += [(place, candidate) for candidate in own if candidate.text not in seen[place]]
                seen[place].update(candidate.text for candidate in own)
            texts = Samples.of([sources[place] for place, _ in fresh], [candidate.text for _, candidate in fresh])
            numbers: dict[str, list[float]] = {}
            if self.metrics and fresh:
                scores = evaluate_whole(texts, self.metrics)
                numbers = {metric.spec: scores[metric.spec].tolist() for metric in self.metrics}
            columns = numbers | {OWN: [candidate.score for _, candidate in fresh]}
            passed, failed = choose(Rows(texts.sources, texts.candidates, columns), self.condition)
            rejected += failed
            for row in passed:
                place, candidate = fresh[row]
                if len(found[place].candidates) < self.n:
                    found[place].candidates.append(candidate)
                    found[place].numbers.append({name: column[row] for name, column in numbers.items()})
            some = {place for place, _ in fresh}
            lacking = [place for place in lacking if len(found[place].candidates) < self.n and place in some]
        return found, rejected


@overload
def paraphrase(sources: PathLike, method: Given | None = ..., n: int = ..., **others: Any) -> Paraphrased: ...
@overload
def paraphrase(sources: Iterable[str], method: Given | None = ..., n: int = ..., **others: Any) -> list[Candidates]: ...
def paraphrase(
    sources: Iterable[str] | PathLike,
    method: Given | None = None,
    n: int = 5,
    *,
    where: str | None = None,
    budget: int | None = None,
    output: PathLike | None = None,
    overwrite: bool = False,
    metrics: Iterable[GivenMetric] = (),
    workers: int | str | None = None,
    progress: Progress = no_progress,
    **layout: Any,
) -> list[Candidates] | Paraphrased:
    """Up to n paraphrases of each source, best first; an empty set has a reason.

    Without a method it is `round-trip` where its models were downloaded before, else `wordnet-swap`.

    `where` is a condition on metrics, as in "cosine.free >= 0.8 and ned.free >= 0.3": candidates are generated until n
    meet it. `budget` (default: 4 n) is how many candidates of a source are asked of the method at most, all rounds
    together: a later round asks for more than the one before it, and what comes again counts again.

    The sources may be the path of a text file (.txt, or format="txt") or of a table with the column `source`, of any
    size: then the rows are given, or written to `output`, as by `paragauge paraphrase`. `metrics` adds columns of
    scores, and `workers` is as in `score`.

    >>> paraphrase([""], "wordnet-swap")[0].reason
    'the source is empty'
    """
    if isinstance(sources, (str, os.PathLike)) and _is_place(os.fspath(sources)):
        return paraphrase_file(
            sources, method, n, output=output, overwrite=overwrite, where=where, budget=budget, metrics=metrics,
            progress=progress, **Workers.read(workers)._asdict(), **layout,
        )  # fmt: skip
    if output is not None or workers is not None:
        raise InputError("output and workers are for the path of a text file or table")
    work = _worker(method, n, where, budget, metrics)
    listed: Any = sources
    found, _ = work.kept(entries("sources", listed, "a list of texts"))
    return [Candidates(own.candidates, own.reason) for own in found]


def _is_place(name: str) -> bool:
    """Is it the name of a file, and not a text?"""
    return name == "-" or os.path.exists(name) or format_by_suffix(name, INPUT_FORMATS | _LINES) is not None


def sources_in(table: PathLike, layout: Layout = Layout()) -> Input:
    """Texts to be paraphrased: lines (the format `txt`), or the column `source` of a table; `-` is standard input."""
    name, formats = os.fspath(table), INPUT_FORMATS | _LINES
    if layout.format == "txt" or (layout.format is None and format_by_suffix(name, _LINES)):
        return open_aligned(None, [table], encoding=layout.encoding)
    if layout.format is not None:
        check_format(layout.format, formats)
    elif layout.delimiter is None and not format_by_suffix(name, formats) and os.path.isfile(name):
        raise unknown_suffix(name, formats, Hint("or name it, as with {format}", format="txt"))
    return open_sources(table, layout)


def paraphrase_file(
    table: PathLike | Input,
    method: Given | None = None,
    n: int = 5,
    *,
    output: PathLike | None = None,
    overwrite: bool = False,
    spreadsheet: bool = False,
    where: str | None = None,
    budget: int | None = None,
    metrics: Iterable[GivenMetric] = (),
    engine: str | None = None,
    workers: int | None = None,
    address: str | None = None,
    progress: Progress = no_progress,
    **layout: Any,
) -> Paraphrased:
    """Paraphrase the lines of a text file (.txt, or format="txt"), or the column `source` of a table of any size.

    Without a method it is chosen as `paraphrase` does.

    The `output` (jsonl, csv, tsv, parquet) has a row per candidate, which `score` and `filter` read; a source without
    one has a row with a null candidate and the reason. Until the output is whole, finished parts lie in a folder
    beside it, and the same call resumes. `metrics` adds columns of scores; `where` and `budget` are as in `paraphrase`.
    """
    rows = table if isinstance(table, Input) else sources_in(table, Layout(**layout))
    work = _worker(method, n, where, budget, metrics)
    signature = work.paraphraser.signature
    counts: Counter[str] = Counter()
    with ExitStack() as stack:
        store = None
        if output is not None:
            overwrite = overwrite or is_own(folder_beside(output), output)  # written before this was interrupted
            check_output(output, inputs=rows.files, overwrite=overwrite)
            store = Store.beside(output, _identity(rows, work, signature))
            stack.enter_context(kept_in(store.folder))
            stack.callback(store.release)
            work.parts = store.kept(PART)
        finished = []
        chunks = rows.chunks(work.paraphraser.batch)
        for part in _parts(work, chunks, engine, workers, address):
            finished.append(part.lines)
            counts.update(part.counts)
            progress("paraphrasing sources", counts["sources"], rows.length or max(counts["sources"], 1))
        if store is not None and output is not None:
            _write(store, len(finished), output, overwrite, spreadsheet)
            store.remove()
    return Paraphrased(
        None if output is not None else [json.loads(line) for lines in finished for line in lines.splitlines()],
        counts["sources"],
        counts["candidates"],
        _under("empty: ", counts),
        _under("rejected: ", counts),
        signature,
    )


def paraphrase_sources(
    sources: Sequence[str],
    method: Given,
    n: int,
    *,
    parts: Parts | None = None,
    engine: str | None = None,
    workers: int | None = None,
    address: str | None = None,
    progress: Progress = no_progress,
) -> list[Row]:
    """Rows as `paraphrase_file` writes them, of texts at hand; what is finished in `parts` is not done again."""
    work = _worker(method, n, None, None, ())
    work.parts = parts
    starts = range(0, len(sources), work.paraphraser.batch)
    chunks = (Samples.of(None, sources[start : start + starts.step]) for start in starts)
    rows: list[Row] = []
    done = 0
    for number, part in enumerate(_parts(work, chunks, engine, workers, address)):
        kept = None if parts is None else parts.load(number)
        rows += map(json.loads, (part.lines if kept is None else kept[-1]).splitlines())
        done += part.counts["sources"]
        progress("paraphrasing sources", done, len(sources))
    return rows


def _parts(
    work: PartParaphraser, chunks: Iterable[Samples], engine: str | None, workers: int | None, address: str | None
) -> Iterator[PartRows]:
    # models run on all cores in one process already
    by = make_engine(engine or "local", 1 if workers is None and engine is None else workers, address)
    return drive(by, work, cut(chunks), name=_sources_of, kept=work.parts is not None)


def _sources_of(part: Part) -> str:
    return f"sources {part.first_row:,} to {part.last_row:,}"


def _worker(
    method: Given | None, n: int, where: str | None, budget: int | None, metrics: Iterable[GivenMetric]
) -> PartParaphraser:
    n = check_count("n", n)
    budget = None if budget is None else check_count("budget", budget)
    if budget is not None and where is None:
        raise InputError(
            "a budget is for a condition on the candidates", Hint("give {where} too", where="cosine.free >= 0.8")
        )
    if budget is not None and budget < n:
        raise InputError(f"a budget of {budget} is less than the {n} candidates that are wanted of each source")
    method = default_method().name if method is None else method
    found = paraphraser_of(method)
    condition = None if where is None else parse_condition(where)
    asked = [name for name in (condition.names if condition is not None else ()) if name != OWN]
    named = [*metrics, *asked]
    chosen = choose_metrics(named, False) if named else []
    specs = {metric.spec for metric in chosen}
    for metric in chosen:
        if "references" in metric.needs:
            raise InputError(
                f"{metric.spec} needs references, and a new paraphrase has none{_without_references(metric)}"
            )
        if metric.unit != "pair":
            raise InputError(f"{metric.spec} judges sets, not single candidates, so it cannot choose among them")
    for name in asked:
        if name not in specs:
            raise InputError(f"'{name}' is written '{choose_metrics([name], False)[0].spec}' here")
    system = method if isinstance(method, str) else found.spec
    return PartParaphraser(found, system, n, budget or _TIMES * n, condition, chosen)


def _rounds(n: int, budget: int, supply: int | None = None) -> Iterator[int]:
    """How many candidates each round asks for: twice as many as before, the last round all that are left.

    No round asks for more than the method can give, its `supply`.

    >>> list(_rounds(2, 8)), list(_rounds(2, 3)), list(_rounds(5, 100)), list(_rounds(3, 100, 10))
    ([2, 6], [3], [5, 10, 20, 65], [3, 6, 10])
    """
    asked, left, most = n, budget, budget if supply is None else max(n, supply)
    while left > 2 * asked and asked < most:  # so that a round that asks for more than this one can follow
        yield asked
        left -= asked
        asked *= 2
    yield min(left, most)


def _without_references(metric: Metric) -> str:
    """The name to type for the form of a metric that reads no references, where it has one."""
    return f"; expected {replace(metric, free=True).spec}" if isinstance(metric, Comparison) else ""


def _identity(rows: Input, work: PartParaphraser, signature: str) -> dict[str, Any]:
    return {
        "version": __version__,
        "input": rows.fingerprint(),
        "method": signature,
        "system": work.system,
        "n": work.n,
        "keep": "" if work.condition is None else work.condition.text,
        "metrics": {metric.spec: metric.signature() for metric in work.metrics},
        "budget": None if work.condition is None or work.budget == _TIMES * work.n else work.budget,
    }


def _write(store: Store, parts: int, output: PathLike, overwrite: bool, spreadsheet: bool) -> None:
    kept = store.kept(PART)

    def lines() -> Iterator[bytes]:
        for number in range(parts):
            found = kept.load(number)
            if found is None:
                raise ParagaugeError(f"{kept.paths(number)[-1]} was changed during the run; rerun to resume")
            yield from found[-1].splitlines(keepends=True)

    ready = noting(store.folder, output)
    if check_output(output, overwrite=overwrite) == "jsonl":
        write_lines(lines(), output, ready)
    else:
        write_rows(map(json.loads, lines()), output, overwrite=overwrite, spreadsheet=spreadsheet, ready=ready)


def _under(prefix: str, counts: Counter[str]) -> dict[str, int]:
    return {name.removeprefix(prefix): count for name, count in counts.items() if name.startswith(prefix)}
