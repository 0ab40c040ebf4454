"""A language model behind an OpenAI-compatible endpoint, asked by a prompt: with retries, and what the server said."""

from __future__ import annotations

import functools
import http.client
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event
from typing import Any, ClassVar

from ..errors import Hint, InputError, ParagaugeError
from ..paraphraser import Candidate, Paraphraser, parameter
from ._prompt import answered, asked, prompt_sha256, read_prompt

_AGAIN = (408, 409, 425, 429, 500, 502, 503, 504)  # answers that may be another the next time
_ITSELF = (400, 413, 422)  # what is wrong is the request, such as the text in it: another may be answered
_LONGEST_WAIT = 60.0  # seconds


@dataclass(frozen=True, kw_only=True)
class Endpoint(Paraphraser):
    """The answers of a model behind an OpenAI-compatible endpoint to a prompt: the first line of each.

    The seed goes to the server; whether the same seed gives the same answer is the server's affair. There is no score.
    The key is read from the environment, and is part of nothing that is written. A source that the server refuses
    (status 400, 413 or 422) has no candidate, and what the server said is the reason; a wrong key, model or URL ends
    the run.
    """

    name: ClassVar[str] = "endpoint"
    title: ClassVar[str] = "Model behind an endpoint"
    citation: ClassVar[str] = "the model's own"
    limits: ClassVar[str] = "The model behind an endpoint may change from one day to the next, unseen by the signature."
    batch: ClassVar[int] = 32

    url: str | None = parameter(None, "URL of the endpoint, such as http://127.0.0.1:8000/v1")
    model: str = parameter("default", "name of the model, as the server knows it")
    prompt: str = parameter("default", "a text file with {source} in it, or default")
    temperature: float = parameter(0.8, "how far from the most probable answer", low=0, high=2)
    seed: int = parameter(0, "random seed that the server is given", low=0)
    longest: int = parameter(256, "most tokens of an answer", low=2, high=32768)
    key_variable: str = parameter("OPENAI_API_KEY", "environment variable with the key; it may be unset")
    requests: int = parameter(4, "requests under way at once", low=1, high=256)
    tries: int = parameter(5, "of a request, before it is given up", low=1, high=20)

    @functools.cached_property
    def _refused(self) -> dict[str, str]:
        """What the server said of each source that it refused."""
        return {}

    def server(self) -> ChatServer:
        if self.url is None:
            raise InputError("endpoint needs a URL", Hint("give {endpoint}", endpoint="http://127.0.0.1:8000/v1"))
        return ChatServer(self.url, self.model, self.key_variable, tries=self.tries)

    def details(self) -> dict[str, str]:
        self.server()
        return {"prompt": prompt_sha256(self.prompt)[:12], "key_variable": "", "requests": "", "tries": ""}

    def propose(self, sources: Sequence[str], n: int) -> Iterable[list[Candidate]]:
        prompt = read_prompt(self.prompt)
        server = self.server()
        over = Event()  # set by an error that ends the run, so that nothing else is asked meanwhile

        def answers(source: str) -> list[Candidate]:
            found: dict[str, Candidate] = {}
            message = asked(prompt, source)
            for attempt in range(n):  # a server may give one answer at a time, whatever n it is asked for
                if over.is_set():
                    break
                asked_for, seed = n - len(found), self.seed + attempt
                try:
                    completed = server.complete(message, asked_for, seed, self.temperature, self.longest)
                except RefusedError as error:
                    self._refused[source] = error.message
                    break
                except BaseException:
                    over.set()
                    raise
                self._refused.pop(source, None)
                for answer in completed:
                    text = answered(answer)
                    found.setdefault(text, Candidate(text, provenance={"answer": answer}))
                found.pop("", None)
                if len(found) >= n:
                    break
            return list(found.values())

        with ThreadPoolExecutor(self.requests) as pool:
            yield from pool.map(answers, sources)

    def why(self, source: str) -> str:
        return self._refused.get(source) or super().why(source)


class RefusedError(ParagaugeError):
    """The server answers, but not this request."""


@dataclass(frozen=True)
class ChatServer:
    """Where it is, which model is asked, and in which variable of the environment the key is."""

    url: str  # up to /v1
    model: str
    key_variable: str = "OPENAI_API_KEY"
    timeout: float = 120.0
    tries: int = 5
    sleep: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        parts = urllib.parse.urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InputError(f"the endpoint '{self.url}' is not a URL; expected one such as http://127.0.0.1:8000/v1")

    def complete(self, message: str, n: int, seed: int, temperature: float, longest: int) -> list[str]:
        """Answers to a message: n, or fewer where the server gives fewer at once."""
        asked = {
            "model": self.model, "messages": [{"role": "user", "content": message}], "n": n, "seed": seed,
            "temperature": temperature, "max_tokens": longest,
        }  # fmt: skip
        answer = self._post("chat/completions", asked)
        try:
            return [str(choice["message"]["content"] or "") for choice in answer["choices"]]
        except (KeyError, TypeError, IndexError):
            raise ParagaugeError(
                f"{self.url} answered without choices; does it speak OpenAI's chat protocol?"
            ) from None

    def _post(self, path: str, content: dict[str, Any]) -> Any:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if key := os.environ.get(self.key_variable):
            headers["Authorization"] = f"Bearer {key}"
        address = f"{self.url.rstrip('/')}/{path}"
        data = json.dumps(content).encode()
        for left in range(self.tries - 1, -1, -1):
            wait = min(_LONGEST_WAIT, 2.0 ** (self.tries - 1 - left))
            try:
                request = urllib.request.Request(address, data, headers)
                with urllib.request.urlopen(request, timeout=self.timeout) as answer:
                    return json.loads(answer.read())
            except urllib.error.HTTPError as error:
                said = _said(error)
                if error.code in _ITSELF:
                    raise RefusedError(f"the endpoint refused: {error.code} {said}") from None
                if error.code not in _AGAIN:
                    raise ParagaugeError(f"{self.url} refused: {error.code} {said}", self._hint(error.code)) from None
                wait = _asked_for(error.headers.get("Retry-After"), wait)
            except (OSError, http.client.HTTPException, ValueError) as error:  # no answer, or none that is JSON
                said = str(getattr(error, "reason", "") or error) or type(error).__name__
            if left:
                self.sleep(wait)
        raise ParagaugeError(f"{self.url} gave no answer in {self.tries} tries; the last time: {said}")

    def _hint(self, code: int) -> str:
        return f"the key is read from the environment variable {self.key_variable}" if code in (401, 403) else ""


def _said(error: urllib.error.HTTPError) -> str:
    """What the server says is wrong, in a line."""
    try:
        body = error.read(4096).decode(errors="replace")
        found = json.loads(body)
        inner = found.get("error", found) if isinstance(found, dict) else found
        text = inner.get("message", inner) if isinstance(inner, dict) else inner
    except (OSError, ValueError, http.client.HTTPException):
        text = error.reason
    return str(text).strip().replace("\n", " ")[:200] or str(error.reason)


def _asked_for(header: str | None, otherwise: float) -> float:
    """The seconds that a server asks to wait."""
    try:
        return min(_LONGEST_WAIT, max(0.0, float(header))) if header is not None else otherwise
    except ValueError:
        return otherwise
