"""Files scored one after the other in processes of their own, and the reports of runs."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import shutil
import sys
from collections.abc import AsyncIterable, AsyncIterator, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...errors import InputError
from ...files.folders import TemporaryFolder
from ...runs.listing import complete_record
from ...runs.record import file_sha256, sha256_of
from ..guard import RequestError
from .runs import RunsFolder

WAITING = 8  # files; others are asked to come again
KEPT = 100  # jobs that are remembered
HEARTBEAT = 15.0  # seconds after which a listener hears that nothing happened
_MOST_LINE = 1 << 20


class Job:
    """A file on its way to a report: waiting, running, done, failed or cancelled."""

    def __init__(self, name: str) -> None:
        self.id = secrets.token_hex(8)
        self.state: dict[str, Any] = {
            "id": self.id, "file": name, "status": "waiting", "stage": None, "done": None, "total": None,
            "run": None, "report": None, "warnings": [], "error": None,
        }  # fmt: skip
        self.task: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()

    def change(self, **state: Any) -> None:
        self.state |= state
        self._changed.set()
        self._changed = asyncio.Event()

    @property
    def ended(self) -> bool:
        return self.state["status"] in ("done", "failed", "cancelled")

    async def states(self) -> AsyncIterator[dict[str, Any] | None]:
        """Its state now and after each change, to its end; None where nothing happened for some seconds."""
        while True:
            changed = self._changed
            yield dict(self.state)
            while not changed.is_set():
                if self.ended:
                    return
                try:
                    await asyncio.wait_for(changed.wait(), HEARTBEAT)
                except TimeoutError:
                    yield None


class Jobs:
    """All jobs of a server; one runs at a time."""

    def __init__(self, runs: RunsFolder) -> None:
        self.runs = runs
        self._folder = TemporaryFolder()
        self._jobs: dict[str, Job] = {}
        self._one = asyncio.Lock()
        self._reporting = asyncio.Lock()
        self._sending = 0
        self._stopping = False

    @property
    def unfinished(self) -> list[Job]:
        return [job for job in self._jobs.values() if not job.ended]

    def find(self, name: str) -> Job:
        found = self._jobs.get(name)
        if found is None:
            raise RequestError(404, f"there is no job named {name[:100]!r}")
        return found

    async def take(self, name: str, metrics: Sequence[str], chunks: AsyncIterable[bytes]) -> Job:
        """Keep a file as it is sent, and score it in its turn; refused, before it is sent, where there is no room."""
        waiting = len(self.unfinished) + self._sending
        if self._stopping or waiting > WAITING:
            reason = "the server is stopping" if self._stopping else f"{waiting} files are waiting already"
            raise RequestError(503, f"{reason}; try again later", [("retry-after", "10")])
        self._sending += 1
        table = self._folder.path / f"{secrets.token_hex(8)}{os.path.splitext(name)[1].lower()}"
        try:
            with table.open("xb") as file:
                async for chunk in chunks:
                    file.write(chunk)
            if not table.stat().st_size:
                raise RequestError(422, f"the file '{name}' is empty")
        except BaseException:
            table.unlink(missing_ok=True)
            raise
        finally:
            self._sending -= 1
        job = Job(name)
        self._jobs[job.id] = job
        for old in list(self._jobs)[: max(0, len(self._jobs) - KEPT)]:
            if self._jobs[old].ended:
                del self._jobs[old]
        job.task = asyncio.create_task(self._run(job, table, name, metrics))
        job.task.add_done_callback(lambda _: _ended(job, table))
        return job

    async def _run(self, job: Job, table: Path, name: str, metrics: Sequence[str]) -> None:
        run: Path | None = None
        try:
            async with self._one:
                self.runs.folder.mkdir(parents=True, exist_ok=True)
                run = self.runs.new(name.split(".")[0])
                job.change(status="running", run=run.name)
                report = self._folder.path / f"{job.id}.html"
                asked = {
                    "table": str(table), "metrics": list(metrics), "run": str(run), "report": str(report),
                    "command": f"paragauge serve, file {name}",
                }  # fmt: skip
                await self._process(asked, job.change)
                reported = report.is_file()  # one of too many systems has none
                if reported:
                    report.replace(self._report(run))
                job.change(status="done", report=f"/runs/{run.name}/report" if reported else None)
        except asyncio.CancelledError:
            _end(job, run, status="cancelled")
        except OSError as error:
            job.change(status="failed", error=f"the run cannot be kept: {error.strerror or error}")
        except RequestError as error:
            said = error.detail.replace(table.name, name)
            if run is not None and _is_complete(run):  # it is not lost with its report
                job.change(status="done", warnings=[*job.state["warnings"], f"no report: {said}"])
            else:
                _end(job, run, status="failed", error=said)

    async def report(self, name: str) -> Path:
        """The report of a run, written when it is first asked for."""
        run = self.runs.path(name)
        if self.runs.record(name).get("status") != "complete":
            raise RequestError(409, f"the run {name!r} is not complete")
        path = self._report(run)
        async with self._reporting:
            if not path.is_file():
                unfinished = path.with_name(f"{secrets.token_hex(8)}.html")
                await self._process({"run": str(run), "report": str(unfinished)}, lambda **_: None)
                unfinished.replace(path)
        return path

    def _report(self, run: Path) -> Path:
        """By what the run holds, so that a run of the same name that was computed again has another."""
        try:
            digest = sha256_of((file_sha256(run / "manifest.json") + run.name).encode())
        except OSError:
            raise RequestError(409, f"the manifest of the run {run.name!r} cannot be read") from None
        return self._folder.path / f"report-{digest[:32]}.html"

    async def _process(self, asked: dict[str, Any], report: Callable[..., None]) -> None:
        """Have it done by a process; its end, if it is an error, is refused with its sentence."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "paragauge.web.serve.job_process", stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, limit=_MOST_LINE,
            start_new_session=True,  # Ctrl-C is meant for the server, which lets it finish
        )  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            process.stdin.write(json.dumps(asked).encode() + b"\n")
            said = asyncio.create_task(process.stderr.read())
            error: str | None = None
            async for raw in process.stdout:
                line = json.loads(raw)
                error = line.pop("error", error)
                report(**line)
            if await process.wait():
                last = (await said).decode(errors="replace").strip().splitlines()[-1:]
                raise RequestError(
                    422, self._without_places(error or f"it ended before it was finished ({' '.join(last)})")
                )
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()

    def _without_places(self, sentence: str) -> str:
        """Where this machine keeps its files is nothing that a client has to know."""
        for folder in (self.runs.folder, self._folder.path):
            for place in {os.path.realpath(folder), os.path.abspath(folder), str(folder)} - {".", os.sep}:
                sentence = sentence.replace(place + os.sep, "")
        return sentence

    async def cancel(self, job: Job) -> None:
        if job.task is not None and not job.ended:
            job.task.cancel()
            with suppress(asyncio.CancelledError):
                await job.task

    def stop(self) -> None:
        """Take no more; what waits is cancelled, what runs is finished."""
        self._stopping = True
        for job in self.unfinished:
            if job.state["status"] == "waiting" and job.task is not None:
                job.task.cancel()

    async def close(self) -> None:
        """Wait for what runs."""
        self.stop()
        await asyncio.gather(*(job.task for job in self._jobs.values() if job.task is not None), return_exceptions=True)
        self._folder.close()


def _is_complete(run: Path) -> bool:
    try:
        return bool(complete_record(run))
    except InputError:
        return False


def _end(job: Job, run: Path | None, **state: Any) -> None:
    """Without a run."""
    if run is not None:
        shutil.rmtree(run, ignore_errors=True)
    job.change(run=None, **state)


def _ended(job: Job, table: Path) -> None:
    """However it ended: cancelled before it began, it had no say in it."""
    table.unlink(missing_ok=True)
    if not job.ended:
        job.change(status="cancelled")
