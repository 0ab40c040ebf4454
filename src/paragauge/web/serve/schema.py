"""What a request may hold, as JSON Schema: the same description is published and checked against."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import nearest
from ..guard import RequestError

Schema = Mapping[str, Any]

BODY = 1 << 20  # bytes of a request in JSON
ROWS = 100
TEXT = 10_000  # characters
CHARACTERS = 50_000  # of all texts of a request: their vectors take some 25 MiB
REFERENCES = 20
METRICS = 30
CANDIDATES = 20  # of one request to a paraphraser

SUFFIXES = ("csv", "tsv", "jsonl", "json", "parquet", "xlsx")

_TEXT: dict[str, Any] = {"type": "string", "maxLength": TEXT}
SPECS: dict[str, Any] = {
    "type": "array",
    "maxItems": METRICS,
    "items": {"type": "string", "minLength": 1, "maxLength": 200},
    "description": "As the command line takes them: `bleu`, `rougeL.free`, `parascore:omega=0.2`. Without any, those "
    "that the server was started with. A parameter that would name a file or a model is refused.",
}

SCORE: dict[str, Any] = {
    "type": "object",
    "required": ["rows"],
    "additionalProperties": False,
    "properties": {
        "rows": {
            "type": "array",
            "minItems": 1,
            "maxItems": ROWS,
            "items": {
                "type": "object",
                "required": ["candidate"],
                "additionalProperties": False,
                "properties": {
                    "source": _TEXT,
                    "candidate": {**_TEXT, "type": ["string", "null"]},
                    "references": {"type": "array", "maxItems": REFERENCES, "items": _TEXT},
                    "system": {"type": "string", "maxLength": 200},
                },
            },
        },
        "metrics": SPECS,
        "explain": {
            "type": "boolean",
            "description": "Also say what a usable candidate would need, what the rules see in each row, where it "
            "stands on the curve of diversity, and which tokens BERTScore matched.",
        },
    },
    "examples": [{"rows": [{"source": "How old are you?", "candidate": "What is your age?"}], "metrics": ["ned.free"]}],
}

PARAPHRASE: dict[str, Any] = {
    "type": "object",
    "required": ["source", "method"],
    "additionalProperties": False,
    "properties": {
        "source": {**_TEXT, "minLength": 1},
        "method": {"type": "string", "minLength": 1, "maxLength": 200, "description": "One that /api/paraphrasers has"},
        "n": {"type": "integer", "minimum": 1, "maximum": CANDIDATES},
    },
    "examples": [{"source": "How old are you?", "method": "wordswap", "n": 1}],
}

_KINDS = {
    dict: "object", list: "array", str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null",
}  # fmt: skip


def limits(file: int) -> dict[str, int]:
    """How much a request may hold; `file` is the most bytes of a file."""
    return {
        "body": BODY, "rows": ROWS, "text": TEXT, "characters": CHARACTERS, "references": REFERENCES,
        "metrics": METRICS, "candidates": CANDIDATES, "file": file,
    }  # fmt: skip


def check(value: Any, schema: Schema, what: str = "the body") -> None:
    """Refuse a value that the schema does not allow, with the place of the first fault.

    Of JSON Schema it knows: type, properties, required, additionalProperties (false), items, minItems, maxItems,
    minLength, maxLength, minimum, maximum.
    """
    found, kinds = _KINDS[type(value)], _kinds(schema)
    whole = found == "integer" or (found == "number" and value.is_integer())
    if found not in kinds and not (whole and {"integer", "number"} & {*kinds}):
        raise RequestError(422, f"{what} is {found}; expected {' or '.join(kinds)}")
    if found == "object":
        _check_object(value, schema, what)
    elif found == "array":
        _check_size(len(value), schema, "Items", what, "entries")
        for place, item in enumerate(value):
            check(item, schema["items"], f"{what}[{place}]")
    elif found == "string":
        _check_size(len(value), schema, "Length", what, "characters")
    elif found in ("integer", "number") and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        raise RequestError(
            422, f"{what} is {value}; expected a number from {schema.get('minimum')} to {schema.get('maximum')}"
        )


def _check_object(value: dict[str, Any], schema: Schema, what: str) -> None:
    known: Mapping[str, Schema] = schema["properties"]
    for name in schema["required"]:
        if name not in value:
            expected = ", ".join(f"{one} ({' or '.join(_kinds(known[one]))})" for one in schema["required"])
            raise RequestError(422, f"{what} has no '{name}'; expected {expected}")
    for name, item in value.items():
        if name not in known:
            raise RequestError(422, f"{what} has '{name[:100]}', which is unknown{nearest(name[:100], known)}")
        check(item, known[name], f"{what}.{name}" if what != "the body" else name)


def _check_size(size: int, schema: Schema, kind: str, what: str, unit: str) -> None:
    fewest, most = schema.get(f"min{kind}", 0), schema.get(f"max{kind}", size)
    if size < fewest:
        raise RequestError(422, f"{what} has {size:,} {unit}; expected at least {fewest:,}")
    if size > most:
        raise RequestError(422, f"{what} has {size:,} {unit}; at most {most:,} are taken")


def _kinds(schema: Schema) -> list[str]:
    return [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
