"""A server on this machine that speaks OpenAI's chat protocol, as far as a paraphraser asks.

The fixture `chat_server` hands out this class.
"""

import http.server
import json
import threading
from typing import Any


class ChatServer:
    """Answers by rule: the words of the last line of the message, turned, and the number of the choice."""

    def __init__(
        self,
        *,
        one_at_a_time: bool = False,
        key: str | None = None,
        failures: int = 0,
        code: int = 503,
        refused: dict[str, int] | None = None,
        words: str = "the prompt was filtered",
    ):
        self.asked: list[dict[str, Any]] = []
        self.refused, self.words = refused or {}, words  # words of a message, each with the status it is refused with
        self.failures, self.code, self.key, self.one_at_a_time = failures, code, key, one_at_a_time
        self.body: bytes | None = None  # instead of an answer
        self.lock = threading.Lock()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                content = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                status, answer = outer.answer(self.path, self.headers.get("Authorization"), content)
                data = outer.body if outer.body is not None and status == 200 else json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                if status == 429:
                    self.send_header("Retry-After", "0")
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/v1"
        threading.Thread(target=self.server.serve_forever, args=[0.01], daemon=True).start()  # seconds until it ends

    def answer(self, path: str, authorization: str | None, content: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        with self.lock:
            self.asked.append(content)
            if self.failures:
                self.failures -= 1
                return self.code, {"error": {"message": "the server is busy"}}
        if path != "/v1/chat/completions":
            return 404, {"error": {"message": f"no such path {path}"}}
        if self.key is not None and authorization != f"Bearer {self.key}":
            return 401, {"error": {"message": "wrong key"}}
        for word, code in self.refused.items():
            if word in content["messages"][-1]["content"].split():
                return code, {"error": {"message": self.words}}
        words = content["messages"][-1]["content"].splitlines()[-1].split()
        choices = 1 if self.one_at_a_time else content["n"]
        texts = [" ".join([*words[::-1], str(number + content["seed"])]) for number in range(choices)]
        return 200, {"choices": [{"message": {"role": "assistant", "content": f'1. "{text}"'}} for text in texts]}

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
