"""Which formats there are, and how a table is read where its name and its header do not tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..errors import Hint, InputError, nearest

if TYPE_CHECKING:
    from .content import Content

# of outputs, by suffix
FORMATS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".csv.gz": "csv",
    ".tsv.gz": "tsv",
    ".jsonl.gz": "jsonl",
    ".ndjson.gz": "jsonl",
}
INPUT_FORMATS = FORMATS | {".json": "json", ".json.gz": "json", ".xlsx": "xlsx"}
FLAT = ("csv", "tsv", "xlsx")  # rows of texts, below a header
OBJECTS = ("jsonl", "json")  # each row names its own cells


class Layout(NamedTuple):
    """How a table is read, where its name and its header do not tell."""

    format: str | None = None  # by default that of the suffix
    columns: Mapping[str, str] | None = None  # those not named as their role: {"source": "question"}
    encoding: str = "utf-8"
    delimiter: str | None = None  # of the cells of csv; a comma unless given
    header: Sequence[str] | None = None  # the columns, in order, of a csv, tsv or xlsx file that has no header line

    def resolved(self, content: Content) -> Layout:
        """The same with its format and delimiter, if they go with this file."""
        format, delimiter, header = self.format, ",", self.header
        if format is None:
            format = format_by_suffix(content.given, INPUT_FORMATS)
            if format is None and self.delimiter is not None:
                format = "csv"
            elif format is None and content.spooled:
                format = content.sniff()
            elif format is None:
                raise unknown_suffix(content.given, INPUT_FORMATS, Hint("or name it with {format}", format=None))
        check_format(format, INPUT_FORMATS)
        if self.delimiter is not None:
            delimiter = check_delimiter(self.delimiter)
            if format != "csv":
                raise InputError(
                    f"{content.name} is read as {format}, and a delimiter is for csv",
                    Hint("{format} reads it as csv", format="csv"),
                )
        if isinstance(header, str):
            raise InputError(f"header is the string {header!r:.40}; expected a list of column names")
        if header is not None and format not in FLAT:
            raise InputError(
                f"{content.name} is read as {format}, which names its columns itself",
                Hint("leave out {header}", header=None),
            )
        names = None if header is None else tuple(header)
        return Layout(format, dict(self.columns or {}), self.encoding, delimiter, names)


def check_delimiter(delimiter: str) -> str:
    """One character; a tab may be written as `tab` or `\\t`."""
    found = "\t" if delimiter in ("tab", r"\t") else delimiter
    if len(found) != 1 or found in '"\r\n\0':
        raise InputError(f"the delimiter is {delimiter!r:.20}; expected one character, such as ; or | or tab")
    return found


def check_format(format: str, formats: Mapping[str, str] = FORMATS) -> None:
    """Refuse a format that is not one of these."""
    if format not in formats.values():
        raise InputError(f"no format named '{format}'{nearest(format, set(formats.values()))}")


def format_by_suffix(name: str, formats: Mapping[str, str] = FORMATS) -> str | None:
    """The format that the name of a file, or its URI, ends with."""
    from .remote import path_of

    path = path_of(name).lower()
    return next((format for suffix, format in formats.items() if path.endswith(suffix)), None)


def unknown_suffix(name: str, formats: Mapping[str, str], hint: str = "") -> InputError:
    """What is wrong with a name that ends with none of these suffixes."""
    from .remote import path_of, shown

    suffix = Path(path_of(name)).suffix
    found = f"the suffix '{suffix}' is of no known format" if suffix else "no suffix tells its format"
    return InputError(f"{shown(name)}: {found}; known: {', '.join(formats)}", hint)
