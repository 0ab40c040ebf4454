"""What a request may hold, as JSON Schema: the same description is published and checked against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import nearest
from .guard import RequestError

Schema = Mapping[str, Any]
_TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}


def check(value: Any, schema: Schema, what: str = "the body") -> None:
    """Refuse a value that the schema does not allow, with the place of the first fault.

    Of JSON Schema it knows: type, properties, required, additionalProperties (false), items, minItems, maxItems,
    minLength, maxLength, minimum, maximum, enum.
    """
    kinds = schema.get("type", ())
    kinds = [kinds] if isinstance(kinds, str) else list(kinds)
    if kinds and not any(_is(value, kind) for kind in kinds):
        raise RequestError(422, f"{what} is {_kind(value)}; expected {' or '.join(kinds)}")
    if "enum" in schema and value not in schema["enum"]:
        raise RequestError(422, f"{what} is unknown{nearest(str(value)[:100], map(str, schema['enum']))}")
    if isinstance(value, dict):
        _check_object(value, schema, what)
    elif isinstance(value, list):
        _check_size(len(value), schema, "Items", what, "entries")
        for place, item in enumerate(value):
            check(item, schema.get("items", {}), f"{what}[{place}]")
    elif isinstance(value, str):
        _check_size(len(value), schema, "Length", what, "characters")
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        low, high = schema.get("minimum"), schema.get("maximum")
        if (low is not None and value < low) or (high is not None and value > high):
            raise RequestError(422, f"{what} is {value}; expected a number from {low} to {high}")


def _check_object(value: dict[str, Any], schema: Schema, what: str) -> None:
    known: Mapping[str, Schema] = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            raise RequestError(422, f"{what} has no '{name}'; expected {_named(known, schema['required'])}")
    for name, item in value.items():
        if name in known:
            check(item, known[name], f"{what}.{name}" if what != "the body" else name)
        elif schema.get("additionalProperties") is False:
            raise RequestError(422, f"{what} has '{name[:100]}', which is unknown{nearest(name[:100], known)}")


def _check_size(size: int, schema: Schema, kind: str, what: str, unit: str) -> None:
    fewest, most = schema.get(f"min{kind}", 0), schema.get(f"max{kind}")
    if size < fewest:
        raise RequestError(422, f"{what} has {size:,} {unit}; expected at least {fewest:,}")
    if most is not None and size > most:
        raise RequestError(422, f"{what} has {size:,} {unit}; at most {most:,} are taken")


def _is(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    if kind == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _TYPES[kind])


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    kinds = {dict: "object", list: "array", str: "string", int: "integer", float: "number", type(None): "null"}
    return kinds.get(type(value), type(value).__name__)


def _named(known: Mapping[str, Schema], required: Sequence[str]) -> str:
    return ", ".join(f"{name} ({_types(known.get(name, {}))})" for name in required)


def _types(schema: Schema) -> str:
    kinds = schema.get("type", "any")
    return kinds if isinstance(kinds, str) else " or ".join(kinds)
