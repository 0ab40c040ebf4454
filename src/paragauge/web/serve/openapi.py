"""The description of the interface (OpenAPI 3.1): its schemas are those that requests are checked against."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ..._version import __version__
from ...verdict.findings import Outcome
from .schema import PARAPHRASE, SCORE, SPECS, SUFFIXES, limits


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": list(properties), "properties": properties}


def _list(items: Any) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _named(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


_STRING, _NUMBER, _INTEGER = {"type": "string"}, {"type": "number"}, {"type": "integer"}
_BOOLEAN = {"type": "boolean"}
_NULLABLE, _NULLABLE_NUMBER = {"type": ["string", "null"]}, {"type": ["number", "null"]}
_COUNT, _ANYTHING = {"type": ["integer", "null"]}, {"type": "object"}
_METRIC = _object(
    name=_STRING, title=_STRING, question=_STRING, needs=_STRING, low=_NULLABLE_NUMBER, high=_NULLABLE_NUMBER,
    higher_is_better=_BOOLEAN,
)  # fmt: skip
_TOKENS = {
    "type": "array",
    "description": "From and to which character, which token of the other list it matched (−1: none), cosine.",
    "items": {"type": "array", "items": _NUMBER, "minItems": 4, "maxItems": 4},
}
_SPAN = {
    "type": ["array", "null"],
    "description": "From which character of the text to before which.",
    "items": _INTEGER,
    "minItems": 2,
    "maxItems": 2,
}
_FINDINGS = {
    **_list(_object(rule=_STRING, kind=_STRING, source=_SPAN, candidate=_SPAN)),
    "description": "What was found in source and candidate, where there is a verdict, and at which characters of each.",
}
_SCHEMAS: dict[str, Any] = {
    "ScoreRequest": SCORE,
    "Problem": _object(type=_STRING, title=_STRING, status=_INTEGER, detail=_STRING),
    "Metric": _METRIC,
    "Verdict": {
        "description": "Of rows for which `usable` was computed, as it is by default.",
        **_object(
            usable={"type": ["boolean", "null"], "description": "null where it cannot be judged"},
            meaning=_NULLABLE_NUMBER,
            changed=_NULLABLE_NUMBER,
            outcome={"enum": [*Outcome]},
            findings=_FINDINGS,
            why={
                **_NULLABLE,
                "description": "Why it is not usable: empty, not the language, garbled, copy, meaning lost, too close; "
                "of a usable one what to check. With the words that a rule saw: meaning lost (number): “2500” → “3500”",
            },
        ),
    },
    "Explanation": _object(
        diversity={
            **_object(
                metric=_STRING, gamma=_NUMBER, omega=_NUMBER, threshold=_BOOLEAN, distance=_NUMBER, value=_NUMBER,
                adds=_NUMBER,
            ),
            "type": ["object", "null"],
        },
        alignment={
            **_object(metric=_STRING, source_tokens=_TOKENS, candidate_tokens=_TOKENS),
            "type": ["object", "null"],
        },
        needed={
            **_list(
                _object(
                    metric=_STRING, value=_NULLABLE_NUMBER, least=_NULLABLE_NUMBER, met=_BOOLEAN,
                    lacks=_NULLABLE_NUMBER, advice=_NULLABLE,
                )
            ),
            "description": "The conditions of a usable candidate, or without a verdict that of ParaScore's "
            "diversity: what it has, the least it needs, and by how much it falls short. Of `rules`, which stands "
            "there where a loss of meaning is found, there are no numbers.",
        },
        lost=_FINDINGS,
    ),
    "Scores": _object(
        metrics=_list(_named("Metric")),
        rows=_list(
            {
                "type": "object",
                "required": ["scores"],
                "properties": {
                    "scores": {
                        **_ANYTHING,
                        "additionalProperties": _object(score=_NULLABLE_NUMBER, reason=_NULLABLE, note=_NULLABLE),
                    },
                    "verdict": _named("Verdict"),
                    "explanation": _named("Explanation"),
                },
            }
        ),
        warnings=_list(_STRING),
    ),
    "Metrics": _object(metrics=_list({"allOf": [_named("Metric"), _object(about=_STRING, default=_BOOLEAN)]})),
    "Paraphrasers": _object(paraphrasers=_list(_object(name=_STRING, title=_STRING, about=_STRING, limits=_STRING))),
    "Candidates": _object(
        candidates=_list(_object(text=_STRING, score=_NULLABLE_NUMBER, provenance=_ANYTHING)),
        reason=_NULLABLE,
        signature=_STRING,
    ),
    "Runs": _object(
        runs=_list(_object(name=_STRING, status=_STRING, rows=_COUNT, metrics=_list(_STRING), changed=_STRING))
    ),
    "Run": _object(name=_STRING, record=_ANYTHING, verdict={"type": ["object", "null"]}),
    "Job": _object(
        id=_STRING, file=_STRING, status={"enum": ["waiting", "running", "done", "failed", "cancelled"]},
        stage=_NULLABLE, done=_COUNT, total=_COUNT, run=_NULLABLE, report=_NULLABLE, warnings=_list(_STRING),
        error=_NULLABLE,
    ),
    "Limits": _object(**dict.fromkeys(limits(0), _INTEGER)),
}  # fmt: skip

_REFUSALS = {
    400: "The request cannot be read",
    401: "No token, or another one",
    403: "Asked under another host, or by another page",
    404: "Not found",
    405: "Another method is expected",
    408: "The body did not come",
    409: "The run is not complete",
    413: "More than is taken",
    415: "Another type of body is expected",
    422: "Not what is expected",
    503: "Too many are waiting; Retry-After says when to try again",
}


def _content(kind: str, schema: Any) -> dict[str, Any]:
    return {"content": {kind: {"schema": schema}}}


def _json(name: str) -> dict[str, Any]:
    return _content("application/json", _named(name))


_PLAIN = _content("text/plain", _STRING)
_EVENT = _object(
    event={"const": "job"},
    data={"type": "string", "contentMediaType": "application/json", "contentSchema": _named("Job")},
)
_FILE = [
    {
        "name": "name", "in": "query", "required": True,
        "schema": {"type": "string", "maxLength": 200, "pattern": rf"^[\w-][\w .-]*\.({'|'.join(SUFFIXES)})$"},
        "description": f"Name of the file; its suffix says what it is: {', '.join(SUFFIXES)}",
    },
    {"name": "metric", "in": "query", "required": False, "schema": SPECS},
]  # fmt: skip
_SENT = (408, 413, 422, 503)
_OPERATIONS: list[tuple[str, str, str, dict[str, Any], tuple[int, ...], dict[str, Any]]] = [
    ("post", "/api/score", "Scores of some rows, undefined ones null with a reason, and verdicts", _json("Scores"),
     (*_SENT, 415), _json("ScoreRequest")),
    ("get", "/api/metrics", "All metrics, and which of them are the default", _json("Metrics"), (), {}),
    ("get", "/api/limits", "How much a request may hold; `file` and `body` are bytes", _json("Limits"), (), {}),
    ("get", "/api/paraphrasers", "The methods that can be asked for candidates", _json("Paraphrasers"), (), {}),
    ("post", "/api/paraphrase", "Candidates of a source, best first", _json("Candidates"), (*_SENT, 415),
     _json("ParaphraseRequest")),
    ("get", "/api/runs", "The run folders of the server, newest first", _json("Runs"), (), {}),
    ("get", "/api/runs/{name}", "What a run holds", _json("Run"), (404, 409), {}),
    ("get", "/runs/{name}/report", "The report of a run, as HTML", _content("text/html", _STRING), (404, 409, 422), {}),
    ("post", "/api/files", "A table is taken, to be scored into a run folder", _json("Job"), _SENT,
     _content("application/octet-stream", {"type": "string", "format": "binary"})),
    ("get", "/api/jobs/{job}", "How far a file is", _json("Job"), (404,), {}),
    ("post", "/api/jobs/{job}/cancel", "Cancel the job, if it is not finished", _json("Job"), (404,), {}),
    ("get", "/api/jobs/{job}/events", "How far a file is, whenever that changes, as server-sent events named `job`",
     _content("text/event-stream", _EVENT), (404,), {}),
    ("get", "/metricsz", "Counters in the text format of Prometheus", _PLAIN, (), {}),
]  # fmt: skip


def _operation(
    path: str, summary: str, answer: dict[str, Any], refusals: Sequence[int], sent: dict[str, Any]
) -> dict[str, Any]:
    file = path == "/api/files"
    problem = _content("application/problem+json", _named("Problem"))
    responses = {"202" if file else "200": {"description": summary, **answer}}
    responses |= {str(code): {"description": _REFUSALS[code], **problem} for code in (400, 401, 403, *refusals)}
    found: dict[str, Any] = {"summary": summary, "responses": responses}
    parameters = _FILE if file else [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
        for name in re.findall(r"{(\w+)}", path)
    ]  # fmt: skip
    more = {"parameters": parameters, "requestBody": {"required": True, **sent} if sent else None}
    return found | {name: value for name, value in more.items() if value}


def description(methods: Sequence[str]) -> dict[str, Any]:
    """The whole description; `methods` are the paraphrasers that can be asked."""
    method = PARAPHRASE["properties"]["method"] | {"enum": list(methods)}
    paraphrase = PARAPHRASE | {"properties": PARAPHRASE["properties"] | {"method": method}}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "paragauge",
            "version": __version__,
            "description": "How much meaning paraphrases keep and how many words they change. Every request carries "
            "the token that the program printed: Authorization: Bearer TOKEN.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "security": [{"token": []}],
        "components": {
            "schemas": _SCHEMAS | {"ParaphraseRequest": paraphrase},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "paths": {
            **{
                path: {method: _operation(path, summary, answer, refusals, sent)}
                for method, path, summary, answer, refusals, sent in _OPERATIONS
            },
            "/healthz": {
                "get": {
                    "summary": "ok: the server runs",
                    "security": [],
                    "responses": {"200": {"description": "ok", **_PLAIN}},
                }
            },
        },
    }
