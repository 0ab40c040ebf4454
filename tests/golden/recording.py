"""A recorded output: what is masked in it, how two of them are compared, and how it is recorded again.

Text must be equal byte for byte. Numbers must be equal too; only those with more digits than are printed for people may
differ in the last ones, as processors and libraries sum in another order. Numbers that come from a neural network may
differ as far as the arithmetic of its kernels does (`NETWORK`), and a rounded one by its last digit.
"""

import io
import math
import os
import re
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path

import polars

from paragauge import __version__

EXPECTED = Path(__file__).parent / "expected"
RECORD = bool(os.environ.get("PARAGAUGE_RECORD"))
NETWORK = 2e-4  # of a score: kernels of another instruction set sum float32 and int8 in another order
LAST_DIGITS = 1e-9
ROUNDED = 6  # decimals: so many at most are printed for people
LONG, EVERY = 800, 25  # of a longer file this many lines are recorded, and every so many of those that follow
NUMBER = re.compile(r"(?<!\w)[-−+]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?")
MASKS = {
    rf"(?<![\d.]){re.escape(__version__)}(?![\d.])": "<version>",
    r"\b[0-9a-f]{64}\b": "<sha256>",
    r"\b[0-9a-f]{32}\b": "<identity>",
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?": "<time>",
    r'("seconds": (?:\{\s*"\w+": )?)[\d.]+': r"\1<seconds>",
    r"[\d.]+ s (?=to train)": "<seconds> s ",
}


def check(name: str, text: str, folders: Mapping[Path, str], network: bool) -> None:
    """Fail unless the text is the one recorded under this name; or record it, if that is what was asked for."""
    found = masked(text, folders)
    file = EXPECTED / f"{name}.txt"
    recorded = file.read_text(encoding="utf-8") if file.exists() else ""
    differences = list(differing(recorded, found, network))
    if RECORD and differences:
        file.write_text(found, encoding="utf-8")
    else:
        assert not differences, f"{name}, recorded and now (make golden records it):\n" + "\n".join(differences)


def masked(text: str, folders: Mapping[Path, str]) -> str:
    """Without what is different on every machine, at every time and in every version."""
    for folder, word in folders.items():
        text = text.replace(str(folder), word)
    for pattern, word in MASKS.items():
        text = re.sub(pattern, word, text)
    return text


def differing(recorded: str, found: str, network: bool) -> Iterator[str]:
    """The lines that differ, at most forty of them."""
    old, new = recorded.splitlines(), found.splitlines()
    if len(old) != len(new):
        yield f"  {len(old)} lines were recorded, now there are {len(new)}"
    shown = 0
    for number, (one, other) in enumerate(zip(old, new, strict=False), 1):
        if one != other and not alike(one, other, network):
            yield f"  line {number}\n  - {one}\n  + {other}"
            shown += 1
            if shown == 40:
                return


def alike(one: str, other: str, network: bool) -> bool:
    """Whether two lines have the same text around numbers that are as good as equal."""
    if NUMBER.split(one) != NUMBER.split(other):
        return False
    return all(
        _close(first, second, network) for first, second in zip(NUMBER.findall(one), NUMBER.findall(other), strict=True)
    )


def _close(one: str, other: str, network: bool) -> bool:
    if one == other:
        return True
    decimals = [_decimals(number) for number in (one, other)]
    if min(decimals) == 0 and max(decimals) <= ROUNDED:
        return False  # a count, or 1 in place of 1.0
    first, second = (float(number.replace("−", "-")) for number in (one, other))
    if not network:
        return max(decimals) > ROUNDED and math.isclose(first, second, rel_tol=LAST_DIGITS, abs_tol=1e-12)
    if max(decimals) <= ROUNDED:
        return decimals[0] == decimals[1] and abs(first - second) < 1.5 * 10 ** -decimals[0]
    return abs(first - second) <= NETWORK * max(1, abs(first))


def _decimals(number: str) -> int:
    digits = number.partition("e")[0].partition(".")[2]
    return ROUNDED + 1 if "e" in number else len(digits)


def shown(file: Path) -> str:
    """A file as text: parquet as lines of JSON under its types, HTML as its texts."""
    if file.suffix == ".parquet":
        frame = polars.read_parquet(file)
        lines = io.BytesIO()
        frame.write_ndjson(lines)
        text = f"{', '.join(f'{name}: {kind}' for name, kind in frame.schema.items())}\n{lines.getvalue().decode()}"
    elif file.suffix == ".html":
        reader = Reader()
        reader.feed(file.read_text(encoding="utf-8"))
        text = "\n".join(reader.texts)
    else:
        text = file.read_bytes().decode("utf-8").replace("\r\n", "␍\n")
    text = re.sub(r"\[[-\d.,\s]+\]", lambda found: re.sub(r"\s+", " ", found.group()), text)  # a grid in a few lines
    return shortened(text)


def shortened(text: str) -> str:
    """Of a long text some lines, always the same."""
    lines = text.splitlines()
    if len(lines) <= LONG:
        return text
    return "\n".join([*lines[:LONG], *lines[LONG::EVERY], f"({len(lines)} lines)"])


class Reader(HTMLParser):
    """The texts of a page, but for scripts, styles and charts, whose labels are of the package that draws them."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self._hidden += tag in ("script", "style", "svg")

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in ("script", "style", "svg")

    def handle_data(self, data: str) -> None:
        if not self._hidden and data.strip():
            self.texts.append(" ".join(data.split()))
