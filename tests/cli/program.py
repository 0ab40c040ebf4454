"""The real program in a process of its own, as a user calls it."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import forking


def command(*arguments: object) -> list[str]:
    """What to run, for tests that handle the process themselves."""
    return [sys.executable, *([] if arguments[:1] == ("-c",) else ["-m", "paragauge"]), *map(str, arguments)]


def call(
    *arguments: object, environment: Mapping[str, str] | None = None, **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run it, or `-c` and code; `environment` is added to that of the tests, `options` are of `subprocess.run`."""
    if environment is not None:
        options["env"] = os.environ | environment
    if forking.suffices(options):
        return forking.run(*arguments, **options)
    return subprocess.run(command(*arguments), capture_output=True, encoding="utf-8", timeout=300, **options)


def run_file(program: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a program of the tests in a process that may crash."""
    code = "import runpy, sys; sys.argv.pop(0); runpy.run_path(sys.argv[0], run_name='__main__')"
    return call("-c", code, program, *arguments)


def call_bytes(*arguments: object, environment: Mapping[str, str]) -> subprocess.CompletedProcess[bytes]:
    """Run it, and have the bytes that it printed."""
    options = {"env": os.environ | environment}
    if forking.suffices(options):
        return forking.run_bytes(*arguments, **options)
    return subprocess.run(command(*arguments), capture_output=True, timeout=300, **options)


def read_terminal(terminal: int) -> bytes:
    """All that is written to the other end of a pseudo-terminal until it is closed."""
    text = b""
    while True:
        try:
            part = os.read(terminal, 4096)
        except OSError:  # Linux's way to say that the other end is closed
            return text
        if not part:
            return text
        text += part


def refused(*arguments: object, **options: Any) -> str:
    """The one sentence with which a call is refused."""
    result = call(*arguments, **options)
    assert result.returncode == 2, result
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1, result.stderr
    return result.stderr.strip()
