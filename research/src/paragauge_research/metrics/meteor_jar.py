"""METEOR 1.5 as its authors published it: the jar in a Java process that stays, asked line by line."""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from paragauge.errors import ModelError
from paragauge.models.hub.fetch import ensure
from paragauge.models.hub.registry import entry_named
from paragauge.process.forks import PerProcess

_HEAP = "-Xmx2G"  # what METEOR's own instructions say; the paraphrase table takes half of it
MODULES = ("exact", "stem", "synonym", "paraphrase")
# "words" are all words, "function" those of METEOR's list of function words; the others are content words
STATISTICS = (
    *("candidate words", "reference words", "candidate function", "reference function"),
    *(
        f"{module}: {text} {kind}"
        for module in MODULES
        for kind in ("content", "function")
        for text in ("candidate", "reference")
    ),
    *("chunks", "candidate matched", "reference matched"),
)


class MeteorJar:
    """The program with one set of options; it starts, and reads its paraphrase table, when first asked."""

    def __init__(self, jar: Path, *options: str) -> None:
        command = [find_java(), _HEAP, "-Dfile.encoding=UTF-8", "-jar", str(jar), "-", "-", "-stdio", "-l", "en"]
        self._program = PerProcess(lambda: _Program([*command, *options]))

    def statistics(self, pairs: Sequence[tuple[str, str]]) -> Iterator[list[float]]:
        """The 23 numbers that the score of a (candidate, reference) is made of; see `STATISTICS`."""
        for text, other in pairs:
            said = self._ask(f"SCORE ||| {_line(other)} ||| {_line(text)}")
            yield [float(number) for number in said.split()]

    def _ask(self, line: str) -> str:
        program = self._program.get()
        try:
            return program.ask(line)
        except BaseException:  # such as an interrupt: a late answer must not be taken for that to the next question
            self._program.forget()
            program.close()
            raise

    def close(self) -> None:
        """End the process; it is started again when next asked."""
        if self._program.made:
            program = self._program.get()
            self._program.forget()
            program.close()


class _Program:
    """The Java process of one process of ours."""

    def __init__(self, command: Sequence[str]) -> None:
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115  closed with the process
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            encoding="utf-8",
            errors="replace",
        )
        atexit.register(self.close)

    def ask(self, line: str) -> str:
        """The answer to a line."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        with self._lock:
            with contextlib.suppress(BrokenPipeError):  # the reason is told where the answer is missed
                process.stdin.write(f"{line}\n")
                process.stdin.flush()
            said = process.stdout.readline()
        if not said:
            process.wait()
            self._errors.seek(0)
            lines = [line for line in self._errors.read().splitlines() if line.strip()] or ["nothing"]
            raise ModelError(f"METEOR 1.5 ended with code {process.returncode}; Java says: {lines[0]}")
        return said

    def close(self) -> None:
        """End the process, unless it is that of a parent that this process was forked from."""
        atexit.unregister(self.close)
        if os.getpid() != self._owner:
            return
        for stream in (self._process.stdin, self._process.stdout, self._errors):
            with contextlib.suppress(OSError):
                if stream is not None:
                    stream.close()
        self._process.kill()
        self._process.wait()


def _line(text: str) -> str:
    """On one line, and without the program's separator."""
    return " ".join(text.split()).replace("|||", "| | |")


def find_java() -> str:
    """The Java that JAVA_HOME names, else the one on the path."""
    home = os.environ.get("JAVA_HOME")
    found = (shutil.which("java", path=str(Path(home) / "bin")) if home else None) or shutil.which("java")
    if found is None:
        raise ModelError("METEOR 1.5 needs Java 8 or later, and there is no `java` on the path nor in JAVA_HOME")
    return found


@cache
def load_meteor(normalize: bool) -> MeteorJar:
    """The program, once per process for each set of options; its jar is fetched if need be."""
    find_java()  # before a hundred megabytes are fetched in vain
    jar = ensure(entry_named("meteor-1.5")) / "meteor-1.5.jar"
    return MeteorJar(jar, "-norm") if normalize else MeteorJar(jar)
