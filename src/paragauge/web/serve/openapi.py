"""The description of the interface (OpenAPI 3.1): its schemas are those that requests are checked against."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..._version import __version__
from ...verdict.findings import Outcome

BODY = 1 << 20  # bytes of a request in JSON
ROWS = 100
TEXT = 10_000  # characters
CHARACTERS = 50_000  # of all texts of a request: their vectors take some 25 MiB
REFERENCES = 20
METRICS = 30
CANDIDATES = 20  # of one request to a paraphraser

SUFFIXES = ("csv", "tsv", "jsonl", "json", "parquet", "xlsx")

_TEXT: dict[str, Any] = {"type": "string", "maxLength": TEXT}
_SPECS: dict[str, Any] = {
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
        "metrics": _SPECS,
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


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": list(properties), "properties": properties}


def _list(items: Any) -> dict[str, Any]:
    return {"type": "array", "items": items}


_STRING, _NUMBER, _INTEGER = {"type": "string"}, {"type": "number"}, {"type": "integer"}
_NULLABLE = {"type": ["string", "null"]}
_NULLABLE_NUMBER = {"type": ["number", "null"]}
_COUNT = {"type": ["integer", "null"]}
_METRIC = _object(
    name=_STRING, title=_STRING, question=_STRING, needs=_STRING, low={"type": ["number", "null"]},
    high={"type": ["number", "null"]}, higher_is_better={"type": "boolean"},
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
            meaning={"type": ["number", "null"]},
            changed={"type": ["number", "null"]},
            outcome={"enum": [*Outcome]},
            findings=_FINDINGS,
            why={
                **_NULLABLE,
                "description": "Why it is not usable: empty, not the language, garbled, copy, meaning lost, too close; "
                "of a usable one what to check. With the words that a rule saw: meaning lost (number): “2500” → “3500”",
            },
        ),
    },
    "Explanation": {
        "type": "object",
        "required": ["diversity", "alignment", "needed", "lost"],
        "properties": {
            "diversity": {
                **_object(
                    metric=_STRING, gamma=_NUMBER, omega=_NUMBER, threshold={"type": "boolean"}, distance=_NUMBER,
                    value=_NUMBER, adds=_NUMBER,
                ),
                "type": ["object", "null"],
            },
            "alignment": {
                **_object(metric=_STRING, source_tokens=_TOKENS, candidate_tokens=_TOKENS),
                "type": ["object", "null"],
            },
            "needed": {
                **_list(
                    _object(
                        metric=_STRING, value=_NULLABLE_NUMBER, least=_NULLABLE_NUMBER, met={"type": "boolean"},
                        lacks=_NULLABLE_NUMBER, advice=_NULLABLE,
                    )
                ),
                "description": "The conditions of a usable candidate, or without a verdict that of ParaScore's "
                "diversity: what it has, the least it needs, and by how much it falls short. Of `rules`, which stands "
                "there where a loss of meaning is found, there are no numbers.",
            },
            "lost": _FINDINGS,
        },
    },
    "Scores": _object(
        metrics=_list({"$ref": "#/components/schemas/Metric"}),
        rows=_list(
            {
                "type": "object",
                "required": ["scores"],
                "properties": {
                    "scores": {
                        "type": "object",
                        "additionalProperties": _object(
                            score={"type": ["number", "null"]}, reason=_NULLABLE, note=_NULLABLE
                        ),
                    },
                    "verdict": {"$ref": "#/components/schemas/Verdict"},
                    "explanation": {"$ref": "#/components/schemas/Explanation"},
                },
            }
        ),
        warnings=_list(_STRING),
    ),
    "Metrics": _object(
        metrics=_list(
            {"allOf": [{"$ref": "#/components/schemas/Metric"}, _object(about=_STRING, default={"type": "boolean"})]}
        )
    ),
    "Paraphrasers": _object(paraphrasers=_list(_object(name=_STRING, title=_STRING, about=_STRING, limits=_STRING))),
    "Candidates": _object(
        candidates=_list(_object(text=_STRING, score={"type": ["number", "null"]}, provenance={"type": "object"})),
        reason=_NULLABLE,
        signature=_STRING,
    ),
    "Runs": _object(
        runs=_list(
            _object(name=_STRING, status=_STRING, rows=_COUNT, metrics=_list(_STRING), changed=_STRING)
        )
    ),
    "Run": _object(name=_STRING, record={"type": "object"}, verdict={"type": ["object", "null"]}),
    "Job": _object(
        id=_STRING, file=_STRING, status={"enum": ["waiting", "running", "done", "failed", "cancelled"]},
        stage=_NULLABLE, done=_COUNT, total=_COUNT, run=_NULLABLE, report=_NULLABLE, warnings=_list(_STRING),
        error=_NULLABLE,
    ),
    "Limits": _object(
        body=_INTEGER, rows=_INTEGER, text=_INTEGER, characters=_INTEGER, references=_INTEGER, metrics=_INTEGER,
        candidates=_INTEGER, file=_INTEGER,
    ),
}  # fmt: skip

_REFUSALS = {
    400: "The request cannot be read",
    401: "No token, or another one",
    403: "Asked under another host, or by another page",
    404: "There is no such thing",
    405: "Another method is expected",
    408: "The body did not come",
    409: "The run is not complete",
    413: "More than is taken",
    415: "Another type of body is expected",
    422: "Not what is expected",
    503: "Too many are waiting; Retry-After says when to try again",
}


def _content(name: str) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}


def _operation(
    summary: str, answer: str | dict[str, Any], *refusals: int, status: int = 200, **more: Any
) -> dict[str, Any]:
    content = _content(answer) if isinstance(answer, str) else answer
    problem = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    responses = {str(status): {"description": summary, "content": content}}
    for code in (400, 401, 403, *refusals):
        responses[str(code)] = {"description": _REFUSALS[code], "content": problem}
    return {"summary": summary, "responses": responses, **more}


def _sent(name: str) -> dict[str, Any]:
    return {"required": True, "content": _content(name)}


def _path(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}


_HTML = {"text/html": {"schema": {"type": "string"}}}
_TEXT_PLAIN = {"text/plain": {"schema": {"type": "string"}}}
_EVENT = _object(
    event={"const": "job"},
    data={
        "type": "string",
        "contentMediaType": "application/json",
        "contentSchema": {"$ref": "#/components/schemas/Job"},
    },
)
_NAME = {
    "name": "name", "in": "query", "required": True,
    "schema": {"type": "string", "maxLength": 200, "pattern": rf"^[\w-][\w .-]*\.({'|'.join(SUFFIXES)})$"},
    "description": f"Name of the file; its suffix says what it is: {', '.join(SUFFIXES)}",
}  # fmt: skip
_FILE_METRICS = {"name": "metric", "in": "query", "required": False, "schema": _SPECS}


def description(methods: Sequence[str]) -> dict[str, Any]:
    """The whole description; `methods` are the paraphrasers that can be asked."""
    job = _path("job")
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
            "/api/score": {
                "post": _operation(
                    "Scores of some rows, undefined ones null with a reason, and verdicts", "Scores",
                    408, 413, 415, 422, 503, requestBody=_sent("ScoreRequest"),
                )
            },
            "/api/metrics": {"get": _operation("All metrics, and which of them are the default", "Metrics")},
            "/api/limits": {"get": _operation("How much a request may hold; `file` and `body` are bytes", "Limits")},
            "/api/paraphrasers": {"get": _operation("The methods that can be asked for candidates", "Paraphrasers")},
            "/api/paraphrase": {
                "post": _operation(
                    "Candidates of a source, best first", "Candidates", 408, 413, 415, 422, 503,
                    requestBody=_sent("ParaphraseRequest"),
                )
            },
            "/api/runs": {"get": _operation("The run folders of the server, newest first", "Runs")},
            "/api/runs/{name}": {
                "get": _operation("What a run holds", "Run", 404, 409, parameters=[_path("name")]),
            },
            "/runs/{name}/report": {
                "get": _operation("The report of a run, as HTML", _HTML, 404, 409, 422, parameters=[_path("name")])
            },
            "/api/files": {
                "post": _operation(
                    "A table is taken, to be scored into a run folder", "Job", 408, 413, 422, 503, status=202,
                    parameters=[_NAME, _FILE_METRICS],
                    requestBody={
                        "required": True,
                        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
                    },
                )
            },
            "/api/jobs/{job}": {
                "get": _operation("How far a file is", "Job", 404, parameters=[job]),
            },
            "/api/jobs/{job}/cancel": {
                "post": _operation("Cancel the job, if it is not finished", "Job", 404, parameters=[job]),
            },
            "/api/jobs/{job}/events": {
                "get": _operation(
                    "How far a file is, whenever that changes, as server-sent events named `job`",
                    {"text/event-stream": {"schema": _EVENT}}, 404, parameters=[job],
                )
            },
            "/healthz": {
                "get": {
                    "summary": "ok: the server runs",
                    "security": [],
                    "responses": {"200": {"description": "ok", "content": _TEXT_PLAIN}},
                }
            },
            "/metricsz": {"get": _operation("Counters in the text format of Prometheus", _TEXT_PLAIN)},
        },
    }  # fmt: skip
