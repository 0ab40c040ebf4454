"""A client of servers that speak OpenAI's chat protocol: retries, and errors that say what the server said."""

from __future__ import annotations

import http.client
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..errors import InputError, ParagaugeError

_AGAIN = (408, 409, 425, 429, 500, 502, 503, 504)  # answers that may be another the next time
_ITSELF = (400, 413, 422)  # what is wrong is the request, such as the text in it: another may be answered
_LONGEST_WAIT = 60.0  # seconds


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
            raise InputError(f"the endpoint '{self.url}' is no URL; expected one such as http://127.0.0.1:8000/v1")

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
