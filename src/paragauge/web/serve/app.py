"""The application: which address answers what."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import ParagaugeError
from ...process.extras import require
from ..answers import answer, problem
from ..guard import App, Receive, RequestError, Scope, Send
from ..messages import json_of
from ..schema import check
from . import openapi
from .admission import Requests
from .counters import Counters
from .files import Uploads
from .jobs import Jobs
from .pages import Pages
from .processes import ScoringProcess
from .runs import RunsFolder

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

Endpoint = Callable[["Request"], Awaitable["Response"]]


class Application:
    """Everything that a server answers; made before it is bound, begun and ended with it."""

    def __init__(
        self,
        *,
        runs: Path,
        metrics: Sequence[str] = (),
        paraphrasers: Sequence[str] = (),
        file_limit: int = 64 << 20,
    ) -> None:
        require("starlette", "serve", "a server needs the extra 'serve'")
        self.process = ScoringProcess(metrics=list(metrics), paraphrasers=list(paraphrasers))
        self.requests = Requests(self.process.call)
        self.paraphrases = Requests(self.process.call, 17)  # models of language take all cores for seconds
        self.counters = Counters()
        self.runs = RunsFolder(runs)
        self.jobs = Jobs(self.runs)
        self.uploads = Uploads(self.jobs, self.process, metrics, file_limit)
        self.limits = {
            "body": openapi.BODY, "rows": openapi.ROWS, "text": openapi.TEXT, "characters": openapi.CHARACTERS,
            "references": openapi.REFERENCES, "metrics": openapi.METRICS, "candidates": openapi.CANDIDATES,
            "file": file_limit,
        }  # fmt: skip

    async def begin(self) -> None:
        """Start the process that scores, with its models loaded."""
        await self.process.begin()
        os.environ["PARAGAUGE_OFFLINE"] = "1"  # what is needed is here; no file shall make this machine download

    def asgi(self) -> App:
        """What a server calls."""
        from starlette.applications import Starlette
        from starlette.exceptions import HTTPException
        from starlette.routing import Route

        pages = Pages()
        table: list[tuple[str, str, Endpoint]] = [
            ("GET", "/", pages.page("index.html")),
            ("GET", "/runs", pages.page("runs.html")),
            ("GET", "/api", pages.page("api.html")),
            ("GET", "/page/{name}", pages.file),
            ("POST", "/api/score", self.score),
            ("GET", "/api/metrics", self.metrics),
            ("GET", "/api/limits", self.all_limits),
            ("GET", "/api/openapi.json", self.description),
            ("GET", "/api/paraphrasers", self.paraphrasers),
            ("POST", "/api/paraphrase", self.paraphrase),
            ("GET", "/api/runs", self.list_runs),
            ("GET", "/api/runs/{name}", self.run),
            ("GET", "/runs/{name}/report", self.report),
            ("POST", "/api/files", self.uploads.take),
            ("GET", "/api/jobs/{job}", self.uploads.job),
            ("POST", "/api/jobs/{job}/cancel", self.uploads.cancel),
            ("GET", "/api/jobs/{job}/events", self.uploads.events),
            ("GET", "/healthz", self.health),
            ("GET", "/metricsz", self.counted),
        ]
        routes = []
        for path in dict.fromkeys(path for _, path, _ in table):
            own = {method: endpoint for method, where, endpoint in table if where == path}
            routes.append(Route(path, partial(_dispatch, own), methods=list(own)))

        @asynccontextmanager
        async def lifespan(_: Any) -> AsyncIterator[None]:
            yield
            await self.jobs.close()
            await self.process.close()

        inner = Starlette(
            routes=routes,
            lifespan=lifespan,
            exception_handlers={
                RequestError: _refuse,
                ParagaugeError: _explain,
                HTTPException: _http_error,
                Exception: _fail,
            },
        )
        inner.router.redirect_slashes = False  # `/api/` is not `/api`

        async def counting(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                await inner(scope, receive, send)
                return
            began, status = time.monotonic(), 500

            async def watched(message: Any) -> None:
                nonlocal status
                if message["type"] == "http.response.start":
                    status = message["status"]
                await send(message)

            try:
                await inner(scope, receive, watched)
            finally:
                # the first route that matches, as the router itself takes it
                found = next((route.path for route in routes if route.matches(scope)[0].value), "other")
                self.counters.add(scope["method"], found, status, time.monotonic() - began)

        return counting

    def stop(self) -> None:
        """The server is about to end."""
        self.jobs.stop()

    async def score(self, request: Request) -> Response:
        asked = await json_of(request, openapi.BODY)
        check(asked, openapi.SCORE)
        texts = [
            text for row in asked["rows"] for text in (row.get("source"), row["candidate"], *row.get("references", ()))
        ]
        size = _checked_characters(texts)
        return _json(await self.requests.run("score", asked, request.receive, size))

    async def paraphrase(self, request: Request) -> Response:
        asked = await json_of(request, openapi.BODY)
        check(asked, openapi.PARAPHRASE)
        return _json(await self.paraphrases.run("paraphrase", asked, request.receive))

    async def metrics(self, _: Request) -> Response:
        return _json(await self.process.call("metrics"))

    async def all_limits(self, _: Request) -> Response:
        return answer(self.limits)

    async def description(self, _: Request) -> Response:
        offered = json.loads(await self.process.call("paraphrasers"))["paraphrasers"]
        return answer(openapi.description([method["name"] for method in offered]))

    async def paraphrasers(self, _: Request) -> Response:
        return _json(await self.process.call("paraphrasers"))

    async def list_runs(self, _: Request) -> Response:
        found = await asyncio.to_thread(self.runs.listed)
        lines = [
            {"name": run.folder.name, "status": run.status, "rows": run.rows, "metrics": run.metrics,
             "changed": run.changed.isoformat(timespec="seconds")}
            for run in found
        ]  # fmt: skip
        return answer({"runs": lines})

    async def run(self, request: Request) -> Response:
        name = request.path_params["name"]
        record = await asyncio.to_thread(self.runs.record, name)
        return answer({"name": name, "record": record, "verdict": await asyncio.to_thread(self.runs.verdict, name)})

    async def report(self, request: Request) -> Response:
        from starlette.responses import FileResponse

        path = await self.jobs.report(request.path_params["name"])
        # it has a policy of its own, with the sums of its script and style; apart from that it may do nothing, and it
        # is not of our origin, so that what a file holds could not ask this server for anything
        policy = (
            "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; "
            "form-action 'none'; frame-ancestors 'none'; sandbox allow-scripts allow-downloads allow-modals"
        )
        return FileResponse(path, media_type="text/html", headers={"content-security-policy": policy})

    async def health(self, _: Request) -> Response:
        from starlette.responses import PlainTextResponse

        return PlainTextResponse("ok\n")

    async def counted(self, _: Request) -> Response:
        from starlette.responses import PlainTextResponse

        done = self.process.statistics
        both = (self.requests, self.paraphrases)
        underway, given_up = sum(one.underway for one in both), sum(one.given_up for one in both)
        gauges = {
            "requests_underway": ("gauge", "Requests waiting or computed.", underway),
            "requests_given_up_total": ("counter", "Requests whose client went away.", given_up),
            "batches_total": ("counter", "Batches computed by models.", done.batches),
            "texts_total": ("counter", "Texts computed by models.", done.texts),
            "texts_remembered_total": ("counter", "Texts that were computed before.", done.remembered),
            "batch_requests_waiting": ("gauge", "Requests waiting for a batch.", done.waiting),
            "files_unfinished": ("gauge", "Files waiting or being scored.", len(self.jobs.unfinished)),
        }
        text = self.counters.text({f"paragauge_{name}": value for name, value in gauges.items()})
        return PlainTextResponse(text, media_type="text/plain; version=0.0.4")


async def _dispatch(own: dict[str, Endpoint], request: Request) -> Response:
    return await own["GET" if request.method == "HEAD" else request.method](request)


def _json(content: bytes) -> Response:
    from starlette.responses import Response

    return Response(content, media_type="application/json")


def _checked_characters(texts: Sequence[str | None]) -> int:
    size = sum(len(text) for text in texts if text is not None)
    if size > openapi.CHARACTERS:
        raise RequestError(
            413, f"the texts have {size:,} characters together; at most {openapi.CHARACTERS:,} are taken in a request"
        )
    return size


async def _refuse(_: Request, error: Any) -> Response:
    return problem(error.status, error.detail, error.headers)


async def _explain(_: Request, error: Any) -> Response:
    return problem(422, str(error))


async def _http_error(_: Request, error: Any) -> Response:
    said = {404: "there is nothing at this address; /api describes what there is"}
    return problem(error.status_code, said.get(error.status_code, error.detail), error.headers or ())


async def _fail(_: Request, error: Exception) -> Response:
    return problem(500, f"this should not have happened: {type(error).__name__}")
