"""The real program in a process of its own, forked from one that has imported it and done nothing else.

To start Python and import everything costs half a second of processor time, to fork a tenth of that. What a new
interpreter would make different (signals, terminals, pipes, variables that it reads itself) is tested with
`subprocess`; and so is everything where forking is not safe, which is everywhere but on Linux. Folders that PYTHONPATH
has more than that of the tests are put on the path of the fork: what an interpreter does with them, too.
"""

import atexit
import contextlib
import functools
import gc
import importlib
import json
import os
import pkgutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

SECONDS = 300
OWN = ("PYTHON", "LC_", "LANG", "TZ", "POLARS_", "OMP_", "OPENBLAS_")  # read when an interpreter or a library starts


def suffices(options: Mapping[str, Any]) -> bool:
    """Whether a call with these options of `subprocess.run` would not be different in a new interpreter."""
    env = options.get("env") or os.environ
    alike = _own(env) == _own(os.environ) and _searched(env).endswith(_searched(os.environ))
    return sys.platform == "linux" and options.keys() <= {"env", "input"} and alike


def run(
    *arguments: object, env: Mapping[str, str] | None = None, input: str | None = None
) -> subprocess.CompletedProcess[str]:
    """`paragauge` with these arguments, or `-c` and code: what it printed, and its exit code."""
    result = run_bytes(*arguments, env=env, input=input)
    texts = (text.decode().replace("\r\n", "\n").replace("\r", "\n") for text in (result.stdout, result.stderr))
    return subprocess.CompletedProcess(result.args, result.returncode, *texts)  # as `subprocess` does


def run_bytes(
    *arguments: object, env: Mapping[str, str] | None = None, input: str | None = None
) -> subprocess.CompletedProcess[bytes]:
    """The same, with the bytes that were printed."""
    words = list(map(str, arguments))
    environment = dict(os.environ if env is None else env)
    request = json.dumps([words, environment, str(Path.cwd())])
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write((input or "").encode())
        given.seek(0)
        code = _server().ask(request, [given.fileno(), out.fileno(), err.fileno()])
        printed = []
        for file in (out, err):
            file.seek(0)
            printed.append(file.read())
    return subprocess.CompletedProcess(words, code, *printed)


def _own(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if name.startswith(OWN) and name != "PYTHONPATH"}


def _searched(environment: Mapping[str, str]) -> str:
    return environment.get("PYTHONPATH", "")


class Server:
    """The process that forks; one per process that asks."""

    def __init__(self) -> None:
        self._end, other = socket.socketpair()
        command = [sys.executable, __file__, str(other.fileno())]
        self._process = subprocess.Popen(command, pass_fds=[other.fileno()], stdin=subprocess.DEVNULL)
        other.close()
        self._end.settimeout(SECONDS)
        atexit.register(self.close)

    def ask(self, request: str, files: list[int]) -> int:
        """Have a request answered, into these files; the exit code, negative if a signal ended it."""
        content = request.encode()
        socket.send_fds(self._end, [f"{len(content):<10}".encode()], files)
        self._end.sendall(content)
        answer = self._end.recv(16)
        assert answer, "the process that forks has ended"
        return int(answer)

    def close(self) -> None:
        self._end.close()  # it reads the end of its requests, and ends
        self._process.wait()


@functools.cache
def _server() -> Server:
    return Server()


def _serve(end: socket.socket) -> None:
    import paragauge

    modules = [found.name for found in pkgutil.walk_packages(paragauge.__path__, "paragauge.")]
    for name in (
        *modules,
        "polars",
        "scipy.stats",
        "sacrebleu",
        "rapidfuzz",
        "rich.table",
        "altair",
        "sklearn.linear_model",
    ):
        if not name.endswith("__main__"):
            with contextlib.suppress(
                ModuleNotFoundError, paragauge.ParagaugeError
            ):  # of an extra that is not installed
                importlib.import_module(name)
    gc.freeze()  # else each child looks through all of it when it ends, which copies it: 0.3 s
    while True:
        header, files, _, _ = socket.recv_fds(end, 10, 3)
        if not header:
            return
        content = b""
        while len(content) < int(header):
            content += end.recv(int(header) - len(content))
        child = os.fork()
        if child == 0:
            end.close()
            _become(*json.loads(content), files)
        for file in files:
            os.close(file)
        end.sendall(str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])).encode())


def _become(words: list[str], environment: dict[str, str], folder: str, files: list[int]) -> None:
    """Be the program, and end."""
    from paragauge.cli import main

    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.path[:1] = [folder, *filter(None, set(_searched(environment).split(os.pathsep)) - set(sys.path))]
    sys.argv[1:] = words
    code = 1
    try:
        if words[:1] == ["-c"]:
            sys.argv[:3] = ["-c"]
            exec(compile(words[1], "<string>", "exec"), {"__name__": "__main__"})
        else:
            main()
        code = 0
    except SystemExit as error:
        code = int(error.code or 0)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    _end(code)


def _end(code: int) -> NoReturn:
    """End as an interpreter does, but leave the memory to the system: to take it apart copies it, in 0.1 s."""
    threading._shutdown()
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
    except OSError:
        code = 120
    os._exit(code)


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])))
