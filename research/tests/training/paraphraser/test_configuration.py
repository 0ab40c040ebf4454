"""The settings of a training run: what is refused, and what a resumed run must have in common."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path

import pytest

from paragauge.errors import InputError
from paragauge_research.training.output import write_json
from paragauge_research.training.paraphraser import CONFIGURATIONS, known_configurations, train_paraphraser
from paragauge_research.training.paraphraser.configuration import (
    data_digest,
    digest,
    read_configuration,
    selection_digest,
)

SET = '[sets.one]\nform = "parallel"\nfiles = ["a", "b"]\nlicence = "none"\n'


def read(folder: Path, text: str):
    (folder / "c.toml").write_text(text)
    return read_configuration(folder / "c.toml")


FINE_TUNED = ("random", "semantic", "syntactic")


@pytest.mark.parametrize("name", sorted(set(known_configurations()) - set(FINE_TUNED)))
def test_those_that_come_along_can_be_read(name):
    found = read_configuration(CONFIGURATIONS / f"{name}.toml")
    assert all(one.licence for one in found.sets.values())
    assert "default" in known_configurations()


def trained(folder: Path, name: str = "default") -> Path:
    """What a training by a configuration leaves, with weights and a vocabulary that nothing reads here."""
    settings = asdict(read_configuration(CONFIGURATIONS / f"{name}.toml"))
    del settings["data_folder"], settings["start"]
    (folder / "model").mkdir(parents=True)
    write_json(folder / "model" / "training.json", {"settings": settings})
    for file in ("tokenizer.json", "model.safetensors"):
        (folder / "model" / file).write_text(name)
    return folder


@pytest.mark.parametrize("name", FINE_TUNED)
def test_codes_are_taught_to_a_trained_model_with_its_settings(tmp_path, name):
    with pytest.raises(InputError, match="or a training to begin from"):
        read_configuration(CONFIGURATIONS / f"{name}.toml")
    found = read_configuration(CONFIGURATIONS / f"{name}.toml", trained(tmp_path / "trained"))
    before = read_configuration(CONFIGURATIONS / "default.toml")
    assert (found.codes.kind, before.codes.kind) == (name, "none")
    assert (list(found.sets.items()), found.network) == (list(before.sets.items()), before.network)
    assert found.training.steps < before.training.steps
    assert found.training.longest == before.training.longest
    assert found.start is not None
    assert found.start.data == data_digest(before)
    assert found.start.selection == selection_digest(found) == selection_digest(before)


def test_a_start_is_part_of_what_a_run_is_resumed_by(tmp_path):
    (tmp_path / "c.toml").write_text('start = "one"\n')
    trained(tmp_path / "one")
    one, again = (read_configuration(tmp_path / "c.toml"), read_configuration(tmp_path / "c.toml", tmp_path / "one"))
    assert one == again
    (tmp_path / "one" / "model" / "model.safetensors").write_text("other weights")
    other = read_configuration(tmp_path / "c.toml")
    assert data_digest(one) != data_digest(other)
    assert digest(one) != digest(other)


def test_a_folder_that_is_no_finished_training_is_refused(tmp_path):
    (tmp_path / "c.toml").write_text("")
    (tmp_path / "int8").mkdir()
    (tmp_path / "int8" / "training.json").write_text("{}")
    with pytest.raises(InputError, match=r"int8 has no tokenizer\.json, no model\.safetensors; expected the output"):
        read_configuration(tmp_path / "c.toml", tmp_path / "int8")
    (trained(tmp_path / "one") / "model" / "training.json").write_text('{"settings": 1}')
    with pytest.raises(InputError, match=r"training\.json has no settings"):
        read_configuration(tmp_path / "c.toml", tmp_path / "one")
    (tmp_path / "c.toml").write_text("[vocabulary]\nsize = 7")
    with pytest.raises(InputError, match=r"has \[vocabulary\]; expected none"):
        read_configuration(tmp_path / "c.toml", trained(tmp_path / "two"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seed = 1", "names no data"),
        (SET + "[training]\nstepz = 1", "no setting named 'stepz'; did you mean 'steps'"),
        (SET + "[training]\nsteps = 1.5", "steps is 1.5; expected a whole number"),
        (SET + "[network]\nfrozen = 1", "frozen is 1; expected true or false"),
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
