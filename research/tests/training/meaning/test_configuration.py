from pathlib import Path

import pytest

from paragauge.errors import InputError
from paragauge_research.training.meaning import CONFIGURATION
from paragauge_research.training.meaning.configuration import read_configuration


def test_the_settings_of_the_weights_that_ship_can_be_read() -> None:
    configuration = read_configuration(CONFIGURATION)
    assert configuration.precision == "float32"
    assert {*configuration.blend.perturbed} <= configuration.sets.keys()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('precision = "float16"', "precision is 'float16'; expected float32 or bfloat16"),
        ("stepps = 3", r"no setting named 'stepps'; known: .*steps"),
        ("blend = { ordr = 3 }", r"no setting named 'blend.ordr'; known: .*order"),
    ],
)
def test_what_is_not_known_is_refused(tmp_path: Path, line: str, said: str) -> None:
    (tmp_path / "settings.toml").write_text(f"{line}\n", "utf-8")
    with pytest.raises(InputError, match=said):
        read_configuration(tmp_path / "settings.toml")
