"""The process that scores and paraphrases for all requests, so that nothing it computes holds up the server.

A line of JSON on standard input is a call, or takes one back. An answer on standard output is a line of JSON and as
many bytes of content as it says. When the input ends the server is gone, and so is this process.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Any

from ...errors import ParagaugeError
from ...process.memory import limit_memory
from ..guard import RequestError
from .paraphrasing import Paraphrasing
from .queue import CancelledError, Ticket, Worker
from .scoring import Scoring

THREADS = 64  # requests whose texts may share a batch; most of them wait for it


class Calls:
    """What the server may ask for, by name."""

    def __init__(self, metrics: Sequence[str], paraphrasers: Sequence[str]) -> None:
        self.worker = Worker()
        self.scoring = Scoring(metrics, self.worker)
        self.paraphrasing = Paraphrasing(paraphrasers)
        self._known: dict[str, Callable[[Any, Ticket], Any]] = {
            "score": self.scoring.score,
            "paraphrase": self.paraphrasing.generate,
            "metrics": lambda *_: self.scoring.listed(),
            "paraphrasers": lambda *_: self.paraphrasing.listed(),
            "specs": lambda asked, _: [self.scoring.allowed(spec).spec for spec in asked],
        }

    def answer(self, name: str, asked: Any, ticket: Ticket) -> tuple[int, str]:
        """A status, and the answer as JSON or the sentence of an error."""
        try:
            ticket.check()
            return 200, json.dumps(self._known[name](asked, ticket), allow_nan=False)
        except CancelledError:
            return 499, "the client closed the connection before the answer was ready"
        except RequestError as error:
            return error.status, error.detail
        except ParagaugeError as error:
            return 422, str(error)
        except MemoryError:
            return 413, "this takes more memory than the server gives to a request"
        except Exception as error:
            return 500, f"this should not have happened: {type(error).__name__}"


class Answers:
    """Writes answers, whole and one at a time."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream, self._lock = stream, threading.Lock()

    def write(self, content: bytes = b"", **head: Any) -> None:
        with self._lock:
            self._stream.write(json.dumps(head | {"size": len(content)}).encode() + b"\n" + content)
            self._stream.flush()


def main() -> None:
    """Begin with what the first line says, and answer until the input ends."""
    answers = Answers(os.fdopen(os.dup(1), "wb"))
    os.dup2(2, 1)  # what a library prints is no answer
    try:
        calls = Calls(**json.loads(sys.stdin.readline()))
        calls.scoring.prepare()
        limit_memory()
    except ParagaugeError as error:
        answers.write(pickle.dumps(error), refused=True)
        return
    os.environ["PARAGAUGE_OFFLINE"] = "1"  # what is needed is here; no request shall make this machine download
    answers.write(refused=False)
    serve(calls, answers)
    os._exit(0)  # nobody waits for what is under way


def serve(calls: Calls, answers: Answers) -> None:
    """Take calls, each with a ticket, and answer each when it is done; paraphrasers, which take all cores, by turns."""
    pools = {True: ThreadPoolExecutor(1), False: ThreadPoolExecutor(THREADS)}
    tickets: dict[int, Ticket] = {}

    def work(number: int, name: str, asked: Any) -> None:
        status, text = calls.answer(name, asked, tickets[number])
        del tickets[number]
        content = text.encode(errors="backslashreplace")
        answers.write(content, id=number, status=status, statistics=calls.worker.statistics)

    for line in sys.stdin:
        given = json.loads(line)
        number = given["id"]
        if "call" in given:
            tickets[number] = Ticket()
            pools[given["call"] == "paraphrase"].submit(work, number, given["call"], given["asked"])
        elif number in tickets:
            tickets[number].cancel()


if __name__ == "__main__":
    main()
