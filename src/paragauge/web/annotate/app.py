"""The requests of raters and of the owner of a study, answered from its store."""

from __future__ import annotations

import math
import secrets
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, cast

from ...errors import InputError
from ...process.extras import require
from ..guard import App, RequestError, answer
from ..messages import json_of
from .connection import StudyError
from .guide import check_quiz, explanations, without_answers
from .offline import task_content
from .page import progress_page, rater_page
from .progress import Progress, progress
from .store import Store, Task, rater_name

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

_MOST = 100_000  # bytes of a request
_POLICY = {"content-security-policy": "frame-ancestors 'none'"}  # the rest stands in the page, with its hashes


def check_extra() -> None:
    """Refuse, before any work is done, to serve without the packages that it takes."""
    require("starlette", "serve", "annotation in the browser needs the extra 'serve'")


def annotate_app(store: Store) -> App:
    """The application of one study."""
    check_extra()
    from starlette.applications import Starlette
    from starlette.concurrency import run_in_threadpool
    from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse
    from starlette.routing import Route

    guide, title = store.facts["guide"], store.facts["title"]

    def state(rater: str, tasks: list[Task], understood: bool) -> dict[str, Any]:
        """The last tasks are all that may be open; of the earlier ones their number."""
        first = max(0, len(tasks) - store.design.block)
        shown = [task_content(store, task) for task in tasks[first:]] if understood else []
        return {"rater": rater, "understood": understood, "before": first, "tasks": shown}

    def current(name: Any) -> dict[str, Any]:
        rater = store.join(name)
        understood = rater.understood or not guide["quiz"]
        return state(rater.rater, store.give(rater.rater) if understood else [], understood)

    def join(found: dict[str, Any]) -> dict[str, Any]:
        return current(found.get("rater"))

    def understand(found: dict[str, Any]) -> dict[str, Any]:
        rater = store.join(found.get("rater")).rater
        wrong = check_quiz(guide, found.get("answers"))
        store.try_comprehension(rater, not wrong)
        return {"understood": not wrong, "wrong": explanations(guide, wrong), **({} if wrong else current(rater))}

    def save(found: dict[str, Any]) -> dict[str, Any]:
        fields = [found.get(name) for name in ("task", "answer", "seconds", "key")]
        return {"saved": store.save(rater_name(found.get("rater")), *fields)}

    def posted(act: Callable[[dict[str, Any]], dict[str, Any]]) -> Callable[[Request], Awaitable[Response]]:
        async def respond(request: Request) -> Response:
            found = await json_of(request, _MOST)
            if not isinstance(found, dict):
                raise RequestError(400, "the body is no JSON object")
            try:
                return cast("Response", JSONResponse(await run_in_threadpool(act, found)))
            except InputError as error:
                raise RequestError(422, str(error)) from None

        return respond

    async def rater(_: Request) -> Response:
        data = {"task": store.design.task, "guide": without_answers(guide)}
        return cast("Response", HTMLResponse(rater_page(title, data), headers=_POLICY))

    async def owner(_: Request) -> Response:
        return cast("Response", HTMLResponse(progress_page(title), headers=_POLICY))

    async def figures(request: Request) -> Response:
        given = request.headers.get("x-owner", "")
        if not secrets.compare_digest(given.encode(), store.facts["owner"].encode()):
            raise RequestError(403, "this is for the owner of the study; open the address that the program printed")
        found = await run_in_threadpool(progress, store)
        return cast("Response", JSONResponse(as_json(store, found)))

    async def alive(_: Request) -> Response:
        return cast("Response", PlainTextResponse("ok\n"))

    async def refuse(_: Request, error: Exception) -> Any:
        refused = error if isinstance(error, RequestError) else RequestError(503, str(error), [("retry-after", "5")])

        async def respond(_: Any, __: Any, send: Any) -> None:
            await answer(refused, send)

        return respond

    routes = [
        Route("/", rater),
        Route("/progress", owner),
        Route("/healthz", alive),
        Route("/api/join", posted(join), methods=["POST"]),
        Route("/api/tasks", posted(join), methods=["POST"]),
        Route("/api/understand", posted(understand), methods=["POST"]),
        Route("/api/judgments", posted(save), methods=["POST"]),
        Route("/api/progress", figures),
    ]
    return cast("App", Starlette(routes=routes, exception_handlers={RequestError: refuse, StudyError: refuse}))


def as_json(store: Store, found: Progress) -> dict[str, Any]:
    """The progress of a study for a page or a program; null for what is not known."""
    design = store.design
    return {
        "title": store.facts["title"],
        "task": design.task,
        "redundancy": design.redundancy,
        "items": found.items,
        "complete": found.complete,
        "judgments": found.judgments,
        "alphas": {name: _plain(one._asdict()) for name, one in found.alphas.items()},
        "raters": [_plain(one._asdict() | {"broken": _plain(one.broken._asdict())}) for one in found.raters],
    }


def _plain(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: None if isinstance(value, float) and math.isnan(value) else value for name, value in fields.items()}
