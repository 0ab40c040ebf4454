"""Metric cards: what a metric means, where it fails and what it costs, in Markdown, made from its metadata."""

from __future__ import annotations

import dataclasses
import inspect
import json
import math
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..files.write import atomic_write, check_path
from ..metric import ComparisonMetric, Metric, SumMetric
from ..metrics import QUESTIONS, question, variants
from ..metrics.overall.usable import Usable
from ..parameters import written
from ..verdict.rules import LEAST_PRECISION, accuracy, rules

ELSEWHERE = "Where our numbers differ from other code, and why: docs/differences.md."


@cache
def texts(section: str) -> dict[str, str]:
    """What is said of each question (`uses`, `tasks`), and of each of the `probes` and `edits`."""
    found: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_name("texts.toml").read_text(encoding="utf-8"))
    return found[section]


@cache
def measured() -> dict[str, dict[str, Any]]:
    """Scores of the probes and cost, by metric, as `research/bench/cards.py` measured them."""
    found: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("cards.json").read_text(encoding="utf-8"))
    return found


def card(metric: Metric) -> str:
    """The card of a metric with its parameters as they are."""
    description, _, definition = inspect.cleandoc(type(metric).__doc__ or "").partition("\n")
    topic = question(metric.name)
    lines = [
        f"# {metric.title}: `{metric.spec}`",
        "",
        description,
        "",
        "| | |",
        "|---|---|",
        f"| Question | {QUESTIONS[topic]} |",
        f"| Type | {_kind(metric)} |",
        f"| Range | {_range(metric)} |",
        f"| Direction | {'higher' if metric.higher_is_better else 'lower'} is better |",
        f"| Reference-based | {'yes' if 'references' in metric.needs else 'no'} |",
        f"| Source required | {'yes' if 'source' in metric.needs else 'no'} |",
        f"| Inputs | {_inputs(metric)} |",
        f"| Outputs | {_outputs(metric)} |",
        f"| Symmetric | {'yes' if metric.symmetric else 'no'} |",
        "",
        *_section("Formal definition", definition.strip()),
        *_section("Parameters", "\n".join(_parameters(metric))),
        *_section("Intended use", f"{texts('uses')[topic]}\n\nDomains and tasks: {texts('tasks')[topic]}"),
        *_section("Limits and failure cases", "\n".join([metric.limits, "", *_measured(metric)])),
        *_section("Biases", _biases(metric)),
        *_section("Computational cost", _cost(metric)),
        *_section("Implementations and other cards", f"{metric.elsewhere} {ELSEWHERE}".strip()),
        *_section("Related metrics", ", ".join(f"`{name}`" for name in metric.related) or "none"),
        *_section("Citation", metric.citation),
    ]
    return "\n".join(lines).rstrip()


def _section(title: str, text: str) -> list[str]:
    return [f"## {title}", "", text, ""]


def _kind(metric: Metric) -> str:
    units = {"pair": "a pair of texts", "source": "a set of candidates for one source", "system": "a system"}
    through = _reader(metric)
    return f"of {units[metric.unit]}, {f'read through {through}' if through else 'from the words alone'}"


def _reader(metric: Metric) -> str | None:
    names = {field.name for field in dataclasses.fields(metric)}
    readers = {
        "encoder": "an encoder",
        "language_model": "a language model",
        "vectors": "word vectors",
        "model": "a model that the user names",
    }
    return next((reader for name, reader in readers.items() if name in names), None)


def _biases(metric: Metric) -> str:
    through = _reader(metric)
    if through is None:
        return "None of a trained model's. Texts that are tokenized or spelled differently score lower."
    return (
        f"It reads texts through {through}, and so has the biases of what that was trained on: social ones, and those "
        "of domain, dialect and language. Informal or unusual wording is read less well."
    )


def _range(metric: Metric) -> str:
    low, high = (f"{end:g}" if math.isfinite(end) else "unbounded" for end in metric.range)
    return f"from {low} to {high}"


def _inputs(metric: Metric) -> str:
    needed = "the candidate" + ("" if metric.needs == "nothing" else f", {metric.needs}")
    several = "; any number of references per row" if "references" in metric.needs else ""
    free = "; `.free` compares with the source" if isinstance(metric, ComparisonMetric) and not metric.free else ""
    return needed + several + free


def _outputs(metric: Metric) -> str:
    corpus = "of the summed counts, not the mean" if isinstance(metric, SumMetric) else "the mean"
    return f"one number per row, null with a reason where it is undefined; the corpus score is {corpus}"


def _parameters(metric: Metric) -> list[str]:
    lines = ["| parameter | default | meaning |", "|---|---|---|"]
    for field in dataclasses.fields(metric):
        meta = field.metadata
        limits = [f"from {meta['low']:g}"] if meta["low"] is not None else []
        limits += [f"up to {meta['high']:g}"] if meta["high"] is not None else []
        limits += [", ".join(meta["choices"])] if meta["choices"] else []
        extra = f" ({'; '.join(limits)})" if limits else ""
        lines.append(f"| `{field.name}` | {written(field.default)} | {meta['help']}{extra} |")
    return lines if len(lines) > 2 else ["none"]


def _probes(metric: Metric) -> list[str]:
    known = measured().get(metric.spec)
    if known is None:
        return ["It has no default model, so no example is shown."]
    found, example = known["scores"], known["example"]
    file = "sets" if metric.unit == "source" else "probes"
    lines = [f"`paragauge score examples/{file}.csv -m {example} --sentence-level -w 3` prints:", ""]
    lines += ["| candidate | score |", "|---|---:|"]
    return lines + [
        f"| {texts('probes')[name]} | {'–' if score is None else f'{score:.3f}'} |" for name, score in found.items()
    ]


def _edits(metric: Metric) -> list[str]:
    """What edits of a copy that no reader would call a change get, as published and with `normalize=yes`."""
    found = measured().get(metric.spec, {}).get("edits")
    if found is None:
        return []
    specs = list(found)
    asked = " ".join(f"-m {spec}" for spec in specs)
    lines = [
        "",
        "A copy with edits that no reader would call a change of its wording "
        f"(`paragauge score examples/edits.csv {asked} --sentence-level -w 3`):",
        "",
        f"| candidate | {' | '.join(f'`{spec}`' for spec in specs)} |",
        f"|---|{'---:|' * len(specs)}",
    ]
    return lines + [
        f"| {said} | {' | '.join(f'{found[spec][name]:.3f}' for spec in specs)} |"
        for name, said in texts("edits").items()
    ]


def _measured(metric: Metric) -> list[str]:
    return [*_probes(metric), *_edits(metric), *_rules(metric)]


def _rules(metric: Metric) -> list[str]:
    """How often each rule is right that says what was lost."""
    if not isinstance(metric, Usable):
        return []
    lines = [
        "",
        "How often each rule is right that says why (`python research/bench/rules.py`), on the half of the labelled "
        "pairs that was not used to write it: precision for as many pairs of its kind as true paraphrases, recall "
        "where nothing else differs and where the wording does too. "
        f"A rule with a precision below {LEAST_PRECISION:.0%} is not shown.",
        "",
        "| rule | precision | recall | reworded | false alarms | pairs | from |",
        "|---|---:|---:|---:|---:|---:|---|",
    ]
    for name, own in accuracy().items():
        far = "–" if own.recall_reworded is None else f"{own.recall_reworded:.1%}"
        shares = f"{own.precision:.1%} | {own.recall:.1%} | {far} | {own.false_alarms:.1%}"
        shown = "" if own.precision >= LEAST_PRECISION else " (not shown)"
        kind = rules()[name].kind
        part = f" ({name})" if kind in rules() and kind != name else ""  # two rules of one kind
        lines.append(f"| {kind}{part}{shown} | {shares} | {own.pairs:,} | {own.data} |")
    return lines


def _cost(metric: Metric) -> str:
    found = measured().get(metric.spec, {}).get("microseconds")
    if found is None:
        return "Depends on the model or parser; not measured."
    return (
        f"About {found:,.0f} µs per row of Twitter-Para (processor time, nothing cached, models loaded before; "
        "`python research/bench/cards.py`). It grows in proportion to the rows."
    )


def write_all(folder: Path, *, overwrite: bool = False) -> list[Path]:
    """Write the card of every metric and preset into a folder, one file each."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write the cards into {folder}: {error.strerror or error}") from error
    files = {folder / f"{metric.spec}.md": metric for metric in variants()}
    for file in files:
        check_path(file, overwrite=overwrite)
    for file, metric in files.items():
        atomic_write(file, f"{card(metric)}\n".encode())
    return list(files)
