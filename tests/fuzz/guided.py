"""Fuzzing guided by coverage, with atheris: `guided.py KIND RUNS FOLDER`.

The same kinds as `tables.py`, and `safetensors`, `gguf` and `tokenizer`: each input is read, or refused in a sentence;
anything else ends the program and leaves the input in the folder. Needs `pip install atheris`, and no other test does.
"""

import importlib
import importlib.util
import json
import random
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).parent


def module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    found = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = found
    spec.loader.exec_module(found)
    return found


def safetensors(file: Path) -> None:
    from paragauge.models.convert.weights import friendly_errors, open_tensors, shapes

    with friendly_errors(file):
        shapes([file])
        for tensor in open_tensors([file]).values():
            tensor()


def gguf(file: Path) -> None:
    from paragauge.models.convert.gguf import read_gguf
    from paragauge.models.convert.weights import friendly_errors

    with friendly_errors(file):
        for tensor in read_gguf(file).tensors.values():
            tensor()


def tokenizer(file: Path) -> None:
    from paragauge.models.encoders.tokenize import encoded, read_tokenizer

    encoded(read_tokenizer(file.parent), ["one two", "Ünï 🦄", ""])


def seeds(kind: str, folder: Path) -> tuple[list[bytes], str, Callable[[Path], None]]:
    """Sound contents, the name of the file, and what is done with it."""
    tables = module(HERE / "tables.py")
    if kind in tables.KINDS:
        make, name = tables.KINDS[kind]
        return [make()], name, lambda file: tables.use(kind, file)
    llama = module(HERE.parents[1] / "conftest.py").make_llama(folder / "llama")
    if kind == "safetensors":
        return [(llama / "model.safetensors").read_bytes()], "m.safetensors", safetensors
    if kind == "tokenizer":
        bert = folder / "bert"
        module(HERE.parent / "unit" / "models" / "conftest.py").make_model(bert, "bert")
        return [(place / "tokenizer.json").read_bytes() for place in (llama, bert)], "tokenizer.json", tokenizer
    malformed = module(HERE.parent / "malformed.py")
    malformed.gguf()[0](folder / "gguf")
    return [(folder / "gguf" / "m.gguf").read_bytes()], "m.gguf", gguf


def main(kind: str, runs: int, folder: Path) -> None:
    import atheris  # not installed where the tests are collected

    warnings.simplefilter("error")
    with atheris.instrument_imports(include=["paragauge", "paragauge_research"]):
        for name in ("files.table", "models.encoders.tokenize", "models.convert.gguf", "models.convert.weights"):
            importlib.import_module(f"paragauge.{name}")
        importlib.import_module("paragauge_research.trees.parsers")
        from paragauge.errors import ParagaugeError
    wholes, name, use = seeds(kind, folder)
    corpus = folder / "corpus"
    corpus.mkdir()
    for number, whole in enumerate(wholes):
        (corpus / f"whole-{number}").write_bytes(whole)
    place = folder / "now"
    place.mkdir()
    counts: Counter[str] = Counter()

    def one(data: bytes) -> None:
        (place / name).write_bytes(data)
        try:
            use(place / name)
            counts["read"] += 1
        except ParagaugeError as error:
            if not str(error).strip() or "\n" in str(error):
                raise RuntimeError(f"no sentence: {error}") from error
            counts["refused"] += 1
        if counts.total() % 100 == 0:
            (folder / "counts.json").write_text(json.dumps(counts))

    mutate = module(HERE / "tables.py").mutate

    def changed(data: bytes, longest: int, seed: int) -> bytes:
        """As libFuzzer does, or as `tables.py`, which knows what a parser stumbles over; and a sound file at times,
        as changes to what was changed before are mostly refused at once."""
        if seed % 3 == 0:
            return atheris.Mutate(data, longest)
        draw = random.Random(seed)
        return mutate(draw.choice(wholes) if seed % 3 == 1 else data, draw)[:longest]

    longest = max(map(len, wholes)) + 8192
    options = [f"-runs={runs}", "-seed=1", f"-max_len={longest}", "-len_control=0", "-timeout=60", "-rss_limit_mb=6000"]
    program = [sys.argv[0], *options, f"-artifact_prefix={folder}/", str(corpus)]
    atheris.Setup(program, one, custom_mutator=changed)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))
