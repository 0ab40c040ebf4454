"""The paraphraser that comes with the package: there, whole, small, and of use without a download or torch."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from paragauge.errors import InputError, ModelError
from paragauge.models.generate.generator import load_generator
from paragauge.models.hub.fetch import ensure
from paragauge.models.hub.registry import entry_named
from paragauge.models.hub.verify import cached_folder, damaged_files
from paragauge.paraphrasers import parse
from paragauge.testing.paraphrasers import CHECKS
from paragauge.text.normalize import alphanumeric
from paragauge.text.sentences import sentences

ENTRY = entry_named("default-paraphraser")
SOURCES = [
    "How can I learn to play the guitar at home?",
    "Tom bought a new car in Boston last week.",
    "A man in a red shirt is riding a bicycle down the street.",
]


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARAGAUGE_OFFLINE", "1")


def test_every_file_is_there_and_as_registered() -> None:
    folder = ensure(ENTRY)
    assert damaged_files(ENTRY, folder, recheck=True) == {}
    found = {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}
    assert found == {*ENTRY.files, "LICENSE"}
    assert sum((folder / name).stat().st_size for name in found) <= 25e6
    assert ENTRY.size == sum((folder / name).stat().st_size for name in ENTRY.files)


@pytest.mark.parametrize("damage", ["flip", "cut", "delete"])
def test_a_damaged_file_is_refused(damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ENTRY.files:
        file = tmp_path / ENTRY.source.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes((cached_folder(ENTRY) / name).read_bytes())
    monkeypatch.setattr("paragauge.models.hub.verify._PACKAGE", tmp_path)
    assert ensure(ENTRY) == tmp_path / ENTRY.source.folder
    file = ensure(ENTRY) / "ctranslate2" / "model.bin"
    data = file.read_bytes()
    if damage == "delete":
        file.unlink()
    else:
        file.write_bytes(bytes([data[0] ^ 1]) + data[1:] if damage == "flip" else data[:-1])
    said = "missing" if damage == "delete" else "damaged"
    with pytest.raises(ModelError, match=f"model.bin, which comes with paragauge, is {said}; reinstall paragauge"):
        ensure(ENTRY)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_contract(check) -> None:
    check(parse("beam:longest=24"))


def test_candidates_differ_and_keep_names_and_case() -> None:
    for source, found in zip(SOURCES, parse("beam").generate(SOURCES, 5), strict=True):
        assert len({one.text for one in found}) == 5
        assert any(alphanumeric(one.text) != alphanumeric(source) for one in found)
        assert all(one.text[:1].isupper() for one in found)
        assert all("cut off" not in one.provenance for one in found)
    (found,) = parse("beam").generate([SOURCES[1]], 5)
    assert any("Tom" in one.text and "Boston" in one.text for one in found)


def test_each_sentence_of_a_source_is_paraphrased() -> None:
    """The model was trained on sentences, and of two that it reads together it writes one."""
    source = "The train was late. We missed our connection."
    (together,) = parse("beam:split=no").generate([source], 5)
    assert all(len(sentences(one.text)) < 2 for one in together)
    for method in ("beam", "sampled"):
        (found,) = parse(method).generate([source], 5)
        assert found
        assert all(len(sentences(one.text)) == len(one.provenance["parts"]) == 2 for one in found)
        assert "split:yes" in parse(method).signature
    (found,) = parse("constrained:require=train").generate([source], 2)
    assert all("parts" not in one.provenance for one in found)
    assert "split:no" in parse("constrained:require=train").signature
    with pytest.raises(InputError, match="split"):
        parse("beam:split=maybe")


def test_texts_that_become_equal_are_replaced_by_those_of_a_wider_beam() -> None:
    """`an new car` and `a new car` are one text once the article agrees."""
    (found,) = parse("beam").generate([SOURCES[1]], 5)
    assert len({one.text for one in found}) == 5
    assert any(one.provenance.get("refill") == "beam" for one in found)


def test_the_default_is_the_registered_model() -> None:
    assert load_generator("default-paraphraser").name == ENTRY.name
    assert f"model:{ENTRY.name}" in parse("beam").signature
    training = json.loads((ensure(ENTRY) / "training.json").read_text("utf-8"))
    assert all(one["licence"] for one in training["settings"]["sets"].values())


def test_the_program_needs_neither_download_nor_torch(tmp_path: Path) -> None:
    """In an empty home, with no torch to import."""
    (tmp_path / "sources.txt").write_text("\n".join(SOURCES) + "\n", "utf-8")
    script = (
        "import sys; sys.modules['torch'] = None; sys.modules['transformers'] = None\n"
        "from paragauge.cli import main; main()"
    )
    arguments = ["paraphrase", "sources.txt", "--method", "beam", "-n", "5", "-o", "out.jsonl"]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PARAGAUGE_", "XDG_"))}
    finished = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        cwd=tmp_path,
        env=kept | {"HOME": str(tmp_path), "PARAGAUGE_OFFLINE": "1", "PARAGAUGE_CACHE": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
    )
    assert finished.returncode == 0, finished.stderr
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    assert len(rows) == 15
    assert {row["source"] for row in rows} == set(SOURCES)
