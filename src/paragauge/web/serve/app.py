"""The application: which address answers what."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...process.extras import require
from ..guard import App, RequestError
from ..messages import Endpoint, answer, application, chunks_of, json_of
from .jobs import Job, Jobs
from .openapi import description
from .queue import Counters, Requests
from .runs import Pages, RunsFolder
from .schema import BODY, CHARACTERS, METRICS, PARAPHRASE, SCORE, SUFFIXES, check, limits
from .scoring_process import ScoringProcess

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response


class Application:
    """Everything that a server answers; made before it is bound, started and ended with it."""

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
        self.metrics, self.file_limit = metrics, file_limit

    async def begin(self) -> None:
        """Start the process that scores, with its models loaded."""
        await self.process.begin()
        os.environ["PARAGAUGE_OFFLINE"] = "1"  # what is needed is here; no file shall make this machine download

    def asgi(self) -> App:
        """What a server calls."""
        pages = Pages()
        table: list[tuple[str, str, Endpoint]] = [
            ("GET", "/", pages.page("index.html")),
            ("GET", "/runs", pages.page("runs.html")),
            ("GET", "/api", pages.page("api.html")),
            ("GET", "/page/{name}", pages.page()),
            ("POST", "/api/score", self.score),
            ("GET", "/api/metrics", self.called("metrics")),
            ("GET", "/api/limits", self.all_limits),
            ("GET", "/api/openapi.json", self.description),
            ("GET", "/api/paraphrasers", self.called("paraphrasers")),
            ("POST", "/api/paraphrase", self.paraphrase),
            ("GET", "/api/runs", self.list_runs),
            ("GET", "/api/runs/{name}", self.run),
            ("GET", "/runs/{name}/report", self.report),
            ("POST", "/api/files", self.take_file),
            ("GET", "/api/jobs/{job}", self.job),
            ("POST", "/api/jobs/{job}/cancel", self.cancel),
            ("GET", "/api/jobs/{job}/events", self.events),
            ("GET", "/healthz", self.health),
            ("GET", "/metricsz", self.counted),
        ]

        @asynccontextmanager
        async def lifespan(_: Any) -> AsyncIterator[None]:
            yield
            await self.jobs.close()
            await self.process.close()

        nothing = "there is nothing at this address; /api describes what there is"
        return self.counters.counting(application(table, nothing, lifespan=lifespan))

    def stop(self) -> None:
        """The server is about to end."""
        self.jobs.stop()

    def called(self, name: str) -> Endpoint:
        """An endpoint that the process answers by itself."""

        async def endpoint(_: Request) -> Response:
            return answer(await self.process.call(name))

        return endpoint

    async def score(self, request: Request) -> Response:
        asked = await json_of(request, BODY)
        check(asked, SCORE)
        rows = asked["rows"]
        size = sum(
            len(text or "")
            for row in rows
            for text in (row.get("source"), row["candidate"], *row.get("references", ()))
        )
        if size > CHARACTERS:
            said = f"the texts have {size:,} characters together; at most {CHARACTERS:,} are taken in a request"
            raise RequestError(413, said)
        return answer(await self.requests.run("score", asked, request.receive, size))

    async def paraphrase(self, request: Request) -> Response:
        asked = await json_of(request, BODY)
        check(asked, PARAPHRASE)
        return answer(await self.paraphrases.run("paraphrase", asked, request.receive))

    async def all_limits(self, _: Request) -> Response:
        return answer(limits(self.file_limit))

    async def description(self, _: Request) -> Response:
        offered = json.loads(await self.process.call("paraphrasers"))["paraphrasers"]
        return answer(description([method["name"] for method in offered]))

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
        verdict = await asyncio.to_thread(self.runs.verdict, name, record)
        return answer({"name": name, "record": record, "verdict": verdict})

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

    async def take_file(self, request: Request) -> Response:
        """Keep the body as a file; the answer says where to ask how far it is."""
        name = _checked_name(request.query_params.get("name", ""))
        metrics = request.query_params.getlist("metric")
        if len(metrics) > METRICS:
            raise RequestError(422, f"{len(metrics)} metrics are named; at most {METRICS} are taken")
        specs = json.loads(await self.process.call("specs", metrics)) or self.metrics
        job = await self.jobs.take(name, specs, chunks_of(request, self.file_limit))
        return answer(job.state, 202)

    async def job(self, request: Request) -> Response:
        return answer(self._job(request).state)

    async def cancel(self, request: Request) -> Response:
        job = self._job(request)
        await self.jobs.cancel(job)
        return answer(job.state)

    async def events(self, request: Request) -> Response:
        from starlette.responses import StreamingResponse

        return StreamingResponse(_events(self._job(request)), media_type="text/event-stream")

    def _job(self, request: Request) -> Job:
        return self.jobs.find(request.path_params["job"])

    async def health(self, _: Request) -> Response:
        from starlette.responses import PlainTextResponse

        return PlainTextResponse("ok\n")

    async def counted(self, _: Request) -> Response:
        from starlette.responses import PlainTextResponse

        done = self.process.statistics
        both = (self.requests, self.paraphrases)
        underway, given_up = sum(one.underway for one in both), sum(one.given_up for one in both)
        found = {
            "requests_underway": ("Requests waiting or computed.", underway),
            "requests_given_up_total": ("Requests whose client went away.", given_up),
            "batches_total": ("Batches computed by models.", done["batches"]),
            "texts_total": ("Texts computed by models.", done["texts"]),
            "texts_remembered_total": ("Texts that were computed before.", done["remembered"]),
            "batch_requests_waiting": ("Requests waiting for a batch.", done["waiting"]),
            "files_unfinished": ("Files waiting or being scored.", len(self.jobs.unfinished)),
        }
        return PlainTextResponse(self.counters.text(found), media_type="text/plain; version=0.0.4")


async def _events(job: Job) -> AsyncIterator[bytes]:
    async for state in job.states():
        yield b": still there\n\n" if state is None else f"event: job\ndata: {json.dumps(state)}\n\n".encode()


def _checked_name(name: str) -> str:
    if not name or len(name) > 200 or any(letter in name for letter in "/\\\0") or name.startswith("."):
        raise RequestError(422, f"the name of the file is {name[:100]!r}; expected a name without a folder")
    if os.path.splitext(name)[1].lower().removeprefix(".") not in SUFFIXES:
        raise RequestError(422, f"the file is named {name[:100]!r}; expected a suffix such as {', '.join(SUFFIXES)}")
    return name
