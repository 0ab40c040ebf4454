"""Model files damaged at random, with a seed, each loaded and used: `malformed.py KIND COUNT SEED FOLDER`.

A program of its own, because what it looks for are crashes. It prints how many were refused in words and how many
still worked; anything else ends it with the number of the mutation.
"""

import importlib.util
import json
import math
import os
import random
import shutil
import struct
import sys
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

HERE = Path(__file__).parent
ODD = [
    0, -1, 1, 2, 3, 7, 31, 2**31, 10**9, 10**30, 0.5, 1e308, math.nan, math.inf, "", "x", None, [], {}, True, [0],
]  # fmt: skip
NUMBERS = [0, 1, 2**31, 2**32 - 1, 2**40, 2**62, 2**63, 2**64 - 1]
TEXTS = ["one two three.", "the cat", "a", "", "Ünï 🦄 \x00 code", "word " * 60]


def module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def encoder(kind: str) -> tuple[Callable[[Path], object], Callable[[Path], object]]:
    from paragauge.models.encoders import run
    from paragauge.models.encoders.encoder import load_encoder

    def use(folder: Path) -> object:
        run._encoder.cache_clear()
        run._model.cache_clear()
        long = "window" if len(folder.name) % 2 else "truncate"
        return [found.vectors for found in load_encoder(str(folder), long=long).encode(TEXTS)]

    return lambda folder: module(HERE / "unit" / "models" / "conftest.py").make_model(folder, kind), use


def pairs(kind: str) -> tuple[Callable[[Path], object], Callable[[Path], object]]:
    from paragauge.models.pairs import classifier, likelihood

    small = module(HERE / "small_models.py")

    def use(folder: Path) -> object:
        classifier._load.cache_clear()
        likelihood._load.cache_clear()
        model = classifier.load_classifier(str(folder)) if kind == "bert" else likelihood.load_seq2seq(str(folder))
        return [np.array(judged.values) for judged in model.judge([("one two", text or "b") for text in TEXTS])]

    return lambda folder: (small.make_classifier if kind == "bert" else small.make_seq2seq)(folder, kind), use


def language_model() -> tuple[Callable[[Path], object], Callable[[Path], object]]:
    from paragauge.models.causal.language_model import load_language_model
    from paragauge.models.causal.run import open_language_model

    def use(folder: Path) -> object:
        open_language_model.cache_clear()
        return [found.log_probabilities for found in load_language_model(str(folder)).read(TEXTS)]

    return lambda folder: module(HERE.parent / "conftest.py").make_llama(folder), use


def gguf() -> tuple[Callable[[Path], object], Callable[[Path], object]]:
    def make(folder: Path) -> None:
        plain = module(HERE.parent / "conftest.py").make_llama(folder.parent / "plain")
        folder.mkdir()
        written = module(HERE / "unit" / "models" / "convert" / "test_gguf.py")
        written.write_llama_gguf(plain, folder / "m.gguf")

    return make, language_model()[1]


def vectors() -> tuple[Callable[[Path], object], Callable[[Path], object]]:
    from paragauge.models.lexical.vector_files import read_blocks

    def make(folder: Path) -> None:
        import gzip

        folder.mkdir()
        table = np.random.default_rng(0).normal(size=(40, 5)).astype("<f4")
        lines = "".join(f"word{row} {' '.join(f'{value:.4f}' for value in table[row])}\n" for row in range(40))
        (folder / "glove.txt").write_text(lines)
        (folder / "word2vec.txt").write_text(f"40 5\n{lines}")
        (folder / "word2vec.txt.gz").write_bytes(gzip.compress(lines.encode()))
        packed = b"".join(f"word{row} ".encode() + table[row].tobytes() + b"\n" for row in range(40))
        (folder / "word2vec.bin").write_bytes(b"40 5\n" + packed)

    def use(folder: Path) -> object:
        from paragauge.errors import ParagaugeError

        refused = None
        for file in sorted(folder.iterdir()):
            try:
                for block in read_blocks(file):
                    assert len(block.words) == len(block.vectors)
            except ParagaugeError as error:
                refused = error
        if refused is not None:
            raise refused
        return []

    return make, use


KINDS: dict[str, Callable[[], tuple[Callable[[Path], object], Callable[[Path], object]]]] = {
    "bert": lambda: encoder("bert"),
    "mpnet": lambda: encoder("mpnet"),
    "roberta": lambda: encoder("roberta"),
    "distilbert": lambda: encoder("distilbert"),
    "bart": lambda: pairs("bart"),
    "marian": lambda: pairs("marian"),
    "t5": lambda: pairs("t5"),
    "classifier": lambda: pairs("bert"),
    "llama": language_model,
    "gguf": gguf,
    "vectors": vectors,
}


def nodes(value: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The places of all values in a JSON document; of long lists and tables only the first few."""
    found = [place] if place else []
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for number, (key, child) in enumerate(inner):
        if number < 40:
            found += nodes(child, (*place, key))
    return found


def change_json(content: Any, draw: random.Random) -> None:
    *way, last = draw.choice(nodes(content))
    for key in way:
        content = content[key]
    if draw.random() < 0.2:
        del content[last]
    elif isinstance(content[last], int) and draw.random() < 0.3:
        content[last] += draw.choice([-1, 1, 2, 1000])
    else:
        content[last] = draw.choice(ODD)


def change_bytes(data: bytes, draw: random.Random, within: int) -> bytes:
    changed = bytearray(data)
    match draw.randrange(5):
        case 0:
            return bytes(changed[: draw.randrange(len(changed))])
        case 1:
            place = draw.randrange(within)
            changed[place : place + 8] = struct.pack("<Q", draw.choice(NUMBERS))
        case 2:
            place = draw.randrange(within)
            changed[place : place + 4] = struct.pack("<I", draw.choice(NUMBERS) & 0xFFFFFFFF)
        case 3:
            place = draw.randrange(within)
            del changed[place : place + draw.randrange(1, 20)]
        case _:
            for _ in range(draw.randrange(1, 6)):
                changed[draw.randrange(within)] = draw.randrange(256)
    return bytes(changed)


def mutate(folder: Path, draw: random.Random) -> str:
    """Damage one file; says which, and how."""
    file = draw.choice(sorted(path for path in folder.rglob("*") if path.is_file()))
    data = file.read_bytes()
    if file.suffix == ".json" and draw.random() < 0.8:
        content = json.loads(data)
        change_json(content, draw)
        file.write_text(json.dumps(content))
    elif file.suffix == ".safetensors" and draw.random() < 0.6:
        length = int.from_bytes(data[:8], "little")
        header = json.loads(data[8 : 8 + length])
        change_json(header, draw)
        written = json.dumps(header).encode()
        file.write_bytes(struct.pack("<Q", len(written)) + written + data[8 + length :])
    else:
        within = len(data) if draw.random() < 0.5 else min(len(data), 2000)
        file.write_bytes(change_bytes(data, draw, within))
    return file.name


def main(kind: str, count: int, seed: int, folder: Path) -> None:
    os.environ["PARAGAUGE_CACHE"] = str(folder / "cache")
    os.environ["PARAGAUGE_OFFLINE"] = "1"
    warnings.simplefilter("ignore")
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))  # so that what asks for all memory is found out
    except (ImportError, ValueError, OSError):
        pass
    from paragauge.errors import ParagaugeError

    make, use = KINDS[kind]()
    make(folder / "whole")
    use(folder / "whole")
    refused = worked = 0
    for number in range(seed, seed + count):
        damaged = folder / f"damaged-{number}"
        shutil.copytree(folder / "whole", damaged)
        name = mutate(damaged, random.Random(f"{kind} {number}"))
        (folder / "now").write_text(f"{number} {name}")
        try:
            for values in use(damaged):
                assert np.isfinite(values).all(), "a number that is not finite"
            worked += 1
        except ParagaugeError as error:
            if not str(error).strip() or "\n" in str(error):
                sys.exit(f"mutation {number} of {kind}: {name}: no sentence: {error}")
            refused += 1
        except BaseException:
            traceback.print_exc()
            sys.exit(f"mutation {number} of {kind}: {name}")
        shutil.rmtree(damaged)
        shutil.rmtree(folder / "cache", ignore_errors=True)
    print(refused, worked)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))
