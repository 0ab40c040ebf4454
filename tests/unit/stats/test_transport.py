"""Without the solver, the metrics that need it say how to get it."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize("metric", ["wmd", "moverscore"])
def test_the_missing_extra_is_named(metric):
    program = (
        "import sys; sys.modules['ot'] = None\n"  # Python's own way to say that a module is not there
        "import paragauge as pg\n"
        f"try: pg.metrics.parse('{metric}').score(sources=['a'], candidates=['b'], references=[['c']])\n"
        "except pg.ParagaugeError as error: print(error)\n"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert 'pip install "paragauge[transport]"' in said
