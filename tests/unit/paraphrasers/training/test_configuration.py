"""The settings of a training run: what is refused, and what a resumed run must have in common."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from paragauge.errors import InputError
from paragauge.paraphrasers.training import CONFIGURATIONS, known_configurations, train_paraphraser
from paragauge.paraphrasers.training.configuration import data_digest, digest, read_configuration

SET = '[sets.one]\nform = "parallel"\nfiles = ["a", "b"]\nlicence = "none"\n'


def read(folder: Path, text: str):
    (folder / "c.toml").write_text(text)
    return read_configuration(folder / "c.toml")


@pytest.mark.parametrize("name", known_configurations())
def test_those_that_come_along_can_be_read(name):
    found = read_configuration(CONFIGURATIONS / f"{name}.toml")
    assert all(one.licence for one in found.sets.values())
    assert "default" in known_configurations()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seed = 1", "names no data"),
        (SET + "[training]\nstepz = 1", "no setting named 'stepz'; did you mean 'steps'"),
        (SET + "[training]\nsteps = 1.5", "steps is 1.5; expected int"),
        (SET + "[network]\nfrozen = 1", "frozen is 1; expected bool"),
        (SET.replace("parallel", "paralel"), "sets.one.form='paralel' is unknown"),
        (SET.replace(', "b"', ""), "expected pairs of files"),
        (SET.replace("parallel", "table"), "expected two columns"),
        (SET.replace('licence = "none"', ""), "one lacks the setting 'licence'"),
        (SET + '[network]\nencoder = "default"', "go together"),
        (SET + '[codes]\nkind = "sematic"', "did you mean 'semantic'"),
        (SET + "[network]\ndecoder_from = [1]", "one for each of the 3"),
        ("= 1", "cannot be read as a configuration"),
    ],
)
def test_what_is_wrong_is_said(tmp_path, text, message):
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        read(tmp_path, text)


def test_a_run_is_resumed_with_the_settings_that_change_its_weights(tmp_path):
    one = read(tmp_path, SET)
    longer = replace(one, training=replace(one.training, steps=5))
    elsewhere = replace(one, data_folder=Path("/other"), training=replace(one.training, checkpoint=7))
    assert digest(one) == digest(elsewhere) != digest(longer)
    assert data_digest(one) == data_digest(longer)


def test_an_unknown_configuration_names_the_known_ones(tmp_path):
    with pytest.raises(InputError, match=r"no configuration file nonesuch; known by name: .*default"):
        train_paraphraser("nonesuch", tmp_path)
