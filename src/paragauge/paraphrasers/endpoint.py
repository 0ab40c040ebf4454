"""A language model behind an OpenAI-compatible endpoint, asked by a prompt."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event
from typing import ClassVar

from ..errors import Hint, InputError
from ..paraphraser import Candidate, Paraphraser, parameter
from ._openai import ChatServer, RefusedError
from ._prompt import answered, asked, prompt_sha256, read_prompt


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
