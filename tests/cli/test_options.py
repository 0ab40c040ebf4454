"""Options that are read by more than click: where parts are computed, and parameters of all metrics."""

import pytest

from paragauge.errors import InputError
from paragauge.evaluate.engines import Workers

from .program import refused


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, (None, None, None)),
        ("8", ("local", 8, None)),
        ("ray", ("ray", None, None)),
        ("8@ray", ("ray", 8, None)),
        ("ray:auto", ("ray", None, "auto")),
        ("2@ray:10.0.0.1:6379", ("ray", 2, "10.0.0.1:6379")),
        ("ray://head:10001", ("ray", None, "ray://head:10001")),
    ],
)
def test_workers_are_processes_or_actors_of_a_cluster(text, expected):
    assert Workers.read(text) == expected


@pytest.mark.parametrize("text", ["0", "many", "0@ray", "spark", "-1", "8@", ""])
def test_other_workers_are_refused(text):
    with pytest.raises(InputError, match="expected a number, ray"):
        Workers.read(text)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("encoder", "--set encoder: expected NAME=VALUE; known names: encoder, lang, layer, precision, normalize"),
        ("omega=1", "--set omega=1: expected NAME=VALUE; known names: encoder,"),
        ("layer=last", "--set layer=last: expected a whole number"),
        ("normalize=perhaps", "--set normalize=perhaps: expected yes or no"),
    ],
)
def test_a_parameter_of_all_metrics_has_a_name_and_a_value(tmp_path, value, message):
    (tmp_path / "pairs.csv").write_text("source,candidate\na b,a c\n")
    assert message in refused("score", tmp_path / "pairs.csv", "-m", "ned.free", "--set", value)
