from pathlib import Path

import pytest

from paragauge.errors import InputError
from paragauge_research.training.meaning import CONFIGURATION
from paragauge_research.training.meaning.configuration import read_configuration


def test_the_settings_of_the_weights_that_ship_can_be_read() -> None:
    configuration = read_configuration(CONFIGURATION)
    assert configuration.blend.spare.keys() == {"lost", "broken"}
    assert {*configuration.blend.perturbed} <= configuration.sets.keys()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("longest = 3.5", "longest is 3.5; expected a whole number"),
        ("longst = 3", r"no setting named 'longst'; did you mean 'longest'"),
        ("blend = { ordr = 3 }", r"blend: no setting named 'ordr'; did you mean 'order'"),
    ],
)
def test_what_is_not_known_is_refused(tmp_path: Path, line: str, said: str) -> None:
    (tmp_path / "settings.toml").write_text(f"{line}\n", "utf-8")
    with pytest.raises(InputError, match=said):
        read_configuration(tmp_path / "settings.toml")
