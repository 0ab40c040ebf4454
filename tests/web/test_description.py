"""The description of the interface, held against the server by schemathesis."""

import os
import shutil
import subprocess

import pytest


@pytest.mark.thorough
def test_the_server_does_what_its_description_says(server, tmp_path):
    program = os.environ.get("PARAGAUGE_SCHEMATHESIS") or shutil.which("schemathesis")
    if program is None:
        pytest.skip("needs schemathesis, in an environment of its own: PARAGAUGE_SCHEMATHESIS names the program")
    address = server.url.partition("?")[0]
    # 503 is what the description says of too many files, of which there soon are
    statuses = '["2xx", "3xx", "4xx", "503"]'
    (tmp_path / "schemathesis.toml").write_text(f"[checks.not_a_server_error]\nexpected-statuses = {statuses}\n")
    command = [
        program, "run", f"{address}api/openapi.json", "-H", f"Authorization: Bearer {server.token}", "--seed", "1",
        "--max-examples", "20", "--request-timeout", "120",
        "--exclude-checks", "positive_data_acceptance",  # a metric's name may still be unknown
        "--exclude-path", "/api/paraphrase",  # a language model takes seconds for each request
    ]  # fmt: skip
    result = subprocess.run(command, capture_output=True, text=True, timeout=600, cwd=tmp_path, check=False)
    assert result.returncode == 0, result.stdout[-5000:]
