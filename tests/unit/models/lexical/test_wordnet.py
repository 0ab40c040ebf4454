"""WordNet's files: a small one made by hand, the real one against nltk, and where it is looked for."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from paragauge.errors import ModelError
from paragauge.models.lexical.wordnet import FILES, PARTS, load_wordnet

NOUNS = [
    "04 n 02 dog 0 domestic_dog 0 001 @ 00000000 n 0000 | a friend",
    '04 n 03 Hound 0 cad 0 dog 1 000 | a "cad"',
]
VERBS = ["30 v 02 chase 0 dog 0 000 01 + 08 00 | go after"]
ADJECTIVES = ["00 s 02 galore(ip) 0 abounding 0 000 | in plenty"]


def make_wordnet(folder: Path) -> Path:
    """A WordNet of four synsets."""
    folder.mkdir(parents=True)
    offsets: dict[str, list[int]] = {}
    for part, synsets in zip(PARTS, (NOUNS, VERBS, ADJECTIVES, []), strict=True):
        text = "  1 This software and database is being provided to you\n"
        offsets[part] = []
        for synset in synsets:
            offsets[part].append(len(text))
            text += f"{len(text):08d} {synset}\n"
        (folder / f"data.{part}").write_text(text)
        (folder / f"{part}.exc").write_text("dogz dog\n" if part == "noun" else "")
        (folder / f"index.{part}").write_text("")
    noun, verb, adjective = (" ".join(f"{offset:08d}" for offset in offsets[part]) for part in PARTS[:3])
    (folder / "index.noun").write_text(f"  1 licence\ndog n 2 1 @ 2 1 {noun}\ncad n 1 0 1 0 {noun.split()[1]}\n")
    (folder / "index.verb").write_text(f"dog v 1 1 @ 1 1 {verb}\n")
    (folder / "index.adj").write_text(f"galore a 1 0 1 0 {adjective}\n")
    return folder


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine on which nothing is installed and nothing may be fetched."""
    if any(Path(f"/usr/{place}").exists() for place in ("share/wordnet", "share/nltk_data", "lib/nltk_data")):
        pytest.skip("WordNet is installed for the whole machine")
    for name in ("NLTK_DATA", "PARAGAUGE_WORDNET"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PARAGAUGE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PARAGAUGE_OFFLINE", "1")
    return tmp_path


def test_synonyms(tmp_path: Path) -> None:
    lexicon = load_wordnet(str(make_wordnet(tmp_path / "wordnet")))
    assert lexicon.synonyms("dog") == {"dog", "Hound", "cad", "chase"}  # no domestic_dog: it is two words
    assert lexicon.synonyms("dogs") == lexicon.synonyms("dog")  # by the rule s to nothing, of nouns and of verbs
    assert lexicon.synonyms("dogz") == {"dog", "Hound", "cad"}  # by noun.exc
    assert lexicon.synonyms("dogging") == set()  # no rule undoes the doubled g
    assert lexicon.synonyms("cad") == {"Hound", "cad", "dog"}
    assert lexicon.synonyms("galore") == {"galore", "abounding"}
    assert lexicon.synonyms("") == lexicon.synonyms("犬") == lexicon.synonyms("\ud800") == set()
    assert lexicon.synsets("dog") & lexicon.synsets("cad")
    assert not lexicon.synsets("dog") & lexicon.synsets("galore")


def test_a_zip_file_as_nltk_leaves_it(tmp_path: Path) -> None:
    folder = make_wordnet(tmp_path / "wordnet")
    with zipfile.ZipFile(tmp_path / "wordnet.zip", "w") as archive:
        for name in FILES:
            archive.write(folder / name, f"wordnet/{name}")
    packed, plain = load_wordnet(str(tmp_path / "wordnet.zip")), load_wordnet(str(folder))
    assert packed.synonyms("dogs") == plain.synonyms("dogs")
    assert packed.sha256 == plain.sha256


def test_where_it_is_looked_for(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = make_wordnet(nowhere / "home" / "nltk_data" / "corpora" / "wordnet")
    assert load_wordnet().place == home
    data = make_wordnet(nowhere / "data" / "corpora" / "wordnet")
    monkeypatch.setenv("NLTK_DATA", f"{nowhere / 'none'}{os.pathsep}{nowhere / 'data'}")
    assert load_wordnet().place == data
    named = make_wordnet(nowhere / "named")
    monkeypatch.setenv("PARAGAUGE_WORDNET", str(named))
    assert load_wordnet().place == named
    assert load_wordnet(str(home)).place == home


@pytest.mark.usefixtures("nowhere")
def test_where_it_is_not_the_command_is_named() -> None:
    with pytest.raises(ModelError, match="`paragauge models get wordnet`"):
        load_wordnet()


def test_what_is_no_wordnet_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="there is no WordNet folder"):
        load_wordnet(str(tmp_path / "nothing"))
    with pytest.raises(ModelError, match=r"is not WordNet: there is no data\.noun"):
        load_wordnet(str(tmp_path))
    (tmp_path / "file").write_text("no zip")
    with pytest.raises(ModelError, match="is not WordNet"):
        load_wordnet(str(tmp_path / "file"))
    folder = make_wordnet(tmp_path / "shifted")
    (folder / "data.verb").write_text(" " * 20 + (folder / "data.verb").read_text())
    with pytest.raises(ModelError, match=r"data\.verb has no synset at"):
        load_wordnet(str(folder)).synonyms("dog")


def test_the_command_lists_and_verifies_it(lexicon: Any) -> None:
    program = [sys.executable, "-W", "error", "-c", "from paragauge.cli import main; main()", "models"]
    listed, verified, path = (
        subprocess.run([*program, *words], capture_output=True, text=True, env=os.environ | {"PARAGAUGE_OFFLINE": "1"})
        for words in (("list", "-f", "json"), ("verify", "wordnet"), ("path", "wordnet"))
    )
    assert '"lexicon"' in listed.stdout
    assert '"jar"' in listed.stdout
    assert verified.returncode == 0
    assert verified.stdout.count(" ok") == len(FILES)
    assert Path(path.stdout.strip()).samefile(lexicon.place)
