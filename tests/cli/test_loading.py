"""What a command loads: no package that it has no use for, few modules of our own, and little memory.

These are budgets in place of seconds, which depend on the machine: a module that is imported where it is not needed is
what makes a program slow to start. A budget that is too small for a good reason is raised here.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {
    "altair", "ctranslate2", "filelock", "huggingface_hub", "numpy", "openpyxl", "ot", "pandas", "polars", "pyarrow",
    "ray", "rich", "sacrebleu", "safetensors", "scipy", "sklearn", "spacy", "starlette", "tokenizers", "torch",
    "transformers", "uvicorn",
}  # fmt: skip
PAIRS = Path(__file__).parents[2] / "examples" / "pairs.csv"
PROBE = """
import json, sys
{}
status = open("/proc/self/status").read() if sys.platform == "linux" else "VmHWM: 0"
print()
print(json.dumps([sorted(sys.modules), int(status.partition("VmHWM:")[2].split()[0]) / 1024]))
"""
# what it may load of these; how many modules of our own, a tenth more than today; MB at its peak, twice as many as
# today, since other builds of Python and numpy take more
BUDGETS = [
    (None, set(), 3, 25),
    (["--help"], set(), 50, 45),
    (["score", "--help"], set(), 45, 40),
    (["score", PAIRS, "-m", "ned.free", "-q"], {"numpy"}, 160, 110),
    (["score", PAIRS, "-m", "bleu", "-m", "chrf", "-m", "ter", "-q"], {"numpy", "sacrebleu"}, 165, 120),
    (["score", PAIRS, "-m", "ned.free", "-q", "--run", "run"], {"numpy", "polars", "filelock"}, 160, 200),
    (["metrics"], {"numpy"}, 200, 90),
]


@pytest.mark.parametrize(("words", "packages", "modules", "megabytes"), BUDGETS, ids=range(len(BUDGETS)))
def test_what_is_loaded(words, packages, modules, megabytes, tmp_path):
    call = f"from paragauge.cli import app; app({list(map(str, words))}, standalone_mode=False)" if words else ""
    command = [sys.executable, "-c", PROBE.format(f"import paragauge; {call}")]
    result = subprocess.run(command, capture_output=True, encoding="utf-8", cwd=tmp_path, check=True, timeout=300)
    loaded, peak = json.loads(result.stdout.splitlines()[-1])
    assert {name.partition(".")[0] for name in loaded} & HEAVY <= packages
    assert len([name for name in loaded if name.partition(".")[0] == "paragauge"]) <= modules
    assert peak <= megabytes
