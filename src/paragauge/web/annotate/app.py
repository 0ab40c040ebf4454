"""The requests of raters and of the owner of a study, answered from its store."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...process.extras import require
from ...runs.record import without_nan
from ..guard import App, RequestError
from ..messages import Endpoint, answer, application, json_of
from .database import StudyError
from .guide import check_quiz, explanations, without_answers
from .offline import progress_page, rater_page, task_content
from .progress import StudyProgress, progress
from .store import StudyStore, rater_name

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

_MOST = 100_000  # bytes of a request
_POLICY = {"content-security-policy": "frame-ancestors 'none'"}  # the rest stands in the page, with its hashes


def check_extra() -> None:
    """Refuse, before any work is done, to serve without the packages that it takes."""
    require("starlette", "serve", "annotation in the browser needs the extra 'serve'")


def annotate_app(store: StudyStore) -> App:
    """The application of one study."""
    check_extra()
    from starlette.responses import HTMLResponse, PlainTextResponse

    guide, title = store.facts["guide"], store.facts["title"]

    def join(found: dict[str, Any]) -> dict[str, Any]:
        rater = store.join(found.get("rater"))
        understood = rater.understood or not guide["quiz"]
        tasks = store.give(rater.rater) if understood else []
        first = max(0, len(tasks) - store.design.block)  # the last tasks are all that may be open
        shown = [task_content(store, task) for task in tasks[first:]]
        return {"rater": rater.rater, "understood": understood, "before": first, "tasks": shown}

    def understand(found: dict[str, Any]) -> dict[str, Any]:
        rater = store.join(found.get("rater")).rater
        wrong = check_quiz(guide, found.get("answers"))
        store.try_comprehension(rater, not wrong)
        return {"understood": not wrong, "wrong": explanations(guide, wrong), **({} if wrong else join(found))}

    def save(found: dict[str, Any]) -> dict[str, Any]:
        fields = [found.get(name) for name in ("task", "answer", "seconds", "key")]
        return {"saved": store.save(rater_name(found.get("rater")), *fields)}

    def posted(act: Callable[[dict[str, Any]], dict[str, Any]]) -> Endpoint:
        async def respond(request: Request) -> Response:
            found = await json_of(request, _MOST)
            if not isinstance(found, dict):
                raise RequestError(400, "the body is not a JSON object")
            return await computed(act, found)

        return respond

    async def computed(act: Callable[..., dict[str, Any]], *given: Any) -> Response:
        try:
            return answer(await asyncio.to_thread(act, *given))
        except StudyError as error:
            raise RequestError(503, str(error), [("retry-after", "5")]) from None

    async def rater(_: Request) -> Response:
        data = {"task": store.design.task, "guide": without_answers(guide)}
        return HTMLResponse(rater_page(title, data), headers=_POLICY)

    async def owner(_: Request) -> Response:
        return HTMLResponse(progress_page(title), headers=_POLICY)

    async def figures(request: Request) -> Response:
        given = request.headers.get("x-owner", "")
        if not secrets.compare_digest(given.encode(), store.facts["owner"].encode()):
            raise RequestError(403, "this is for the owner of the study; open the address that the program printed")
        return await computed(lambda: as_json(store, progress(store)))

    async def alive(_: Request) -> Response:
        return PlainTextResponse("ok\n")

    table = [
        ("GET", "/", rater),
        ("GET", "/progress", owner),
        ("GET", "/healthz", alive),
        ("POST", "/api/join", posted(join)),
        ("POST", "/api/tasks", posted(join)),
        ("POST", "/api/understand", posted(understand)),
        ("POST", "/api/judgments", posted(save)),
        ("GET", "/api/progress", figures),
    ]
    return application(table)


def as_json(store: StudyStore, found: StudyProgress) -> dict[str, Any]:
    """The progress of a study for a page or a program; null for what is not known."""
    design = store.design
    known: dict[str, Any] = {
        "title": store.facts["title"],
        "task": design.task,
        "redundancy": design.redundancy,
        "items": found.items,
        "complete": found.complete,
        "judgments": found.judgments,
        "alphas": {name: one._asdict() for name, one in found.alphas.items()},
        "raters": [one._asdict() | {"broken": one.broken._asdict()} for one in found.raters],
    }
    return {name: without_nan(value) for name, value in known.items()}
