"""Files that are sent to be scored, and the answers on how far each is."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING

from ..answers import answer
from ..guard import RequestError
from ..messages import chunks_of
from .jobs import Job, Jobs
from .openapi import METRICS, SUFFIXES
from .processes import ScoringProcess

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response


class Uploads:
    """Takes files, at most so many bytes each."""

    def __init__(self, jobs: Jobs, process: ScoringProcess, metrics: Sequence[str], most: int) -> None:
        self.jobs, self.process, self.metrics, self.most = jobs, process, metrics, most

    async def take(self, request: Request) -> Response:
        """Keep the body as a file; the answer says where to ask how far it is."""
        name = _checked_name(request.query_params.get("name", ""))
        metrics = request.query_params.getlist("metric")
        if len(metrics) > METRICS:
            raise RequestError(422, f"{len(metrics)} metrics are named; at most {METRICS} are taken")
        specs = json.loads(await self.process.call("specs", metrics)) or self.metrics
        with self.jobs.room():
            path = self.jobs.upload(os.path.splitext(name)[1].lower())
            try:
                with path.open("xb") as file:
                    async for chunk in chunks_of(request, self.most):
                        file.write(chunk)
                if not path.stat().st_size:
                    raise RequestError(422, f"the file '{name}' is empty")
            except BaseException:
                path.unlink(missing_ok=True)
                raise
            job = self.jobs.start(path, name, specs)
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


async def _events(job: Job) -> AsyncIterator[bytes]:
    async for state in job.states():
        yield b": still there\n\n" if state is None else f"event: job\ndata: {json.dumps(state)}\n\n".encode()


def _checked_name(name: str) -> str:
    if not name or len(name) > 200 or any(letter in name for letter in "/\\\0") or name.startswith("."):
        raise RequestError(422, f"the name of the file is {name[:100]!r}; expected a name without a folder")
    if os.path.splitext(name)[1].lower().removeprefix(".") not in SUFFIXES:
        raise RequestError(422, f"the file is named {name[:100]!r}; expected a suffix such as {', '.join(SUFFIXES)}")
    return name
