"""All that the training of a paraphraser depends on, read from one TOML file."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from paragauge.errors import Hint, InputError, check_choice
from paragauge.models.hub.registry import ALIASES, ENTRIES

from ..settings import checked, digest_of, read_settings, typed
from .start import Start, find_start

FORMS = ("parallel", "table", "captions")
VOCABULARIES = ("bpe", "unigram", "encoder")
CODES = ("none", "random", "semantic", "syntactic")
SCHEDULES = ("linear", "inverse-root")
PRECISIONS = ("float32", "bfloat16")


@dataclass(frozen=True)
class DataSet:
    """Files of pairs, and the licence that allows their use; a name that ends in .gz is of a compressed file."""

    form: str  # parallel (two files, line by line), table (csv or tsv), captions (Flickr8k: image#number, tab, text)
    files: tuple[str, ...]  # below the data folder
    licence: str
    columns: tuple[str, ...] = ()  # of a table: both texts, by name, or by number from 0 where it has no header line
    reserved: tuple[str, ...] = ()  # files of the same form: no pair that shares a text with them is trained on
    rows: int = 0  # most pairs; 0 for all
    both: bool = True  # each pair is trained on in both directions


@dataclass(frozen=True)
class Selection:
    """Which pairs are trained on."""

    words: int = 100  # longest text
    cosine: float = -1.0  # least cosine of the sentence vectors of both texts
    encoder: str = "default"  # of these sentence vectors
    changed: tuple[float, float] = (0.0, 1.0)  # least and most normalised edit distance of characters
    numbers: bool = False  # both texts have the same numbers
    names: bool = False  # each capitalised word inside a sentence is in the other text too
    dev: int = 2000  # pairs of the dev part; no other pair shares a text with them


@dataclass(frozen=True)
class VocabularySettings:
    """Pieces of words."""

    kind: str = "bpe"  # trained here, as `unigram`; or `encoder`: those of the pretrained encoder that the data need
    size: int = 8000  # pieces, special ones and codes not counted


@dataclass(frozen=True)
class NetworkSettings:
    """A Transformer; with a pretrained encoder, its width, heads and inner width are those of that encoder."""

    encoder: str = ""  # a pretrained encoder (BERT's architecture) that the lowest layers are taken of
    encoder_layers: int = 3
    decoder_layers: int = 3
    decoder_from: tuple[int, ...] = ()  # layers of the pretrained encoder that the decoder's begin as, from 0
    frozen: bool = False  # is the pretrained encoder left as it is, its embeddings included?
    width: int = 256
    heads: int = 4
    inner: int = 1024
    dropout: float = 0.1
    positions: int = 256  # longest text, in pieces


@dataclass(frozen=True)
class CodeSettings:
    """Pseudo-tokens before each target."""

    kind: str = "none"
    number: int = 256
    encoder: str = "default"  # of semantic codes
    parser: str = "spacy"  # of syntactic codes
    parses: tuple[str, ...] = ()  # files of texts and constituency trees, tab-separated, used before the parser
    depth: int = 4  # that trees are pruned to
    children: int = 10  # most of a node
    width: int = 256  # of the vector of a tree
    trees: int = 100_000  # most that the tree autoencoder is trained on
    iterations: int = 20  # over these trees
    sample: int = 200_000  # most vectors that clusters are fitted to


@dataclass(frozen=True)
class Schedule:
    """Steps, rates, and what is computed how often."""

    steps: int = 10_000
    tokens: int = 1024  # pieces of the targets of a batch, about
    accumulate: int = 1  # batches whose gradients make one step
    longest: int = 64  # pieces of a text; a longer one is left out
    rate: float = 5e-4
    encoder_rate: float = 1e-4  # of what is pretrained
    warm_up: int = 400  # steps
    schedule: str = "linear"  # down to 0 at the last step; or inverse-root
    decay: float = 0.01
    smoothing: float = 0.1  # of labels
    evaluate: int = 500  # steps between two looks at the dev part
    patience: int = 5  # looks without a lower loss, after which it ends
    checkpoint: int = 250  # steps between two
    average: int = 1  # checkpoints, the best one first, whose mean is exported
    copying: int = 0  # first steps, in which each target is its own source, so that reading and writing meet early
    precision: str = "float32"  # or bfloat16: products of matrices alone, weights, loss and steps stay in float32
    threads: int = 0  # 0 for all cores


@dataclass(frozen=True)
class Configuration:
    """Settings of a training run; equal settings and data give equal weights on one machine."""

    data_folder: Path
    sets: dict[str, DataSet]
    seed: int = 1
    selection: Selection = field(default_factory=Selection)
    vocabulary: VocabularySettings = field(default_factory=VocabularySettings)
    network: NetworkSettings = field(default_factory=NetworkSettings)
    codes: CodeSettings = field(default_factory=CodeSettings)
    training: Schedule = field(default_factory=Schedule)
    start: Start | None = None  # the trained model that it begins from


def read_configuration(path: Path, start: Path | None = None) -> Configuration:
    """The configuration of a file. A relative data folder counts from the file; `PARAGAUGE_DATA` names another.

    `start`, or the setting of this name, is the folder of a finished training that this one begins from: each setting
    that the file does not have is then as there.
    """
    content = {"sets": {}} | read_settings(path)
    if start is None and "start" in content:
        named = checked(str, content["start"], f"{path}: start")
        start = Path(named) if named in (*ALIASES, *ENTRIES) else path.parent / named
    if start is not None:
        content = _begun(start, content, str(path))
    found: Configuration = typed(Configuration, content, str(path))
    check(found, str(path))
    return found


def _begun(folder: Path, content: dict[str, Any], where: str) -> dict[str, Any]:
    """The settings of the file over those of the training that this one begins from."""
    if "vocabulary" in content:
        raise InputError(f"{where} has [vocabulary]; expected none, as a training that begins from a model has its own")
    start, settings = find_start(folder)
    before: Configuration = typed(Configuration, settings | {"data_folder": content["data_folder"]}, str(start.folder))
    tables = {name: settings[name] | own for name, own in content.items() if isinstance(own, dict) and name in settings}
    tables["sets"] = content["sets"] or settings["sets"]
    begun = dataclasses.replace(start, data=data_digest(before), selection=selection_digest(before))
    return settings | content | tables | {"start": begun}


def check(found: Configuration, where: str = "configuration") -> None:
    """Refuse what could only fail later."""
    if not found.sets:
        raise InputError(
            f"{where} names no data; expected [sets.NAME] with form, files and licence, or a training to begin from",
            Hint("name its folder with {start}", start="FOLDER"),
        )
    for name, one in found.sets.items():
        check_choice(f"sets.{name}.form", one.form, FORMS)
        if one.form == "parallel" and (len(one.files) % 2 or len(one.reserved) % 2):
            raise InputError(f"{where}: sets.{name} has {len(one.files)} parallel files; expected pairs of files")
        if one.form == "table" and len(one.columns) != 2:
            raise InputError(f"{where}: sets.{name} is a table; expected two columns, found {list(one.columns)}")
    check_choice("vocabulary.kind", found.vocabulary.kind, VOCABULARIES)
    check_choice("codes.kind", found.codes.kind, CODES)
    check_choice("training.schedule", found.training.schedule, SCHEDULES)
    check_choice("training.precision", found.training.precision, PRECISIONS)
    if (found.vocabulary.kind == "encoder") != bool(found.network.encoder):
        raise InputError(f"{where}: a pretrained network.encoder and vocabulary.kind = 'encoder' go together")
    if found.network.decoder_from and len(found.network.decoder_from) != found.network.decoder_layers:
        raise InputError(
            f"{where}: network.decoder_from names {len(found.network.decoder_from)} layers; expected one for each of "
            f"the {found.network.decoder_layers} of the decoder"
        )


def data_digest(found: Configuration) -> str:
    """Of all settings that the prepared data depend on."""
    parts = (found.sets, found.seed, found.selection, found.vocabulary, found.network.encoder, found.codes)
    start = (found.start.sha256,) if found.start is not None else ()
    return digest_of((*parts, found.training.longest, *start))


def selection_digest(found: Configuration) -> str:
    """Of all settings that the choice of pairs depends on."""
    return digest_of((found.sets, found.seed, found.selection))


def digest(found: Configuration) -> str:
    """Of all settings that change the weights, so that a run is resumed only with those it began with."""
    training = dataclasses.replace(found.training, checkpoint=0, average=0, threads=0)
    return digest_of((data_digest(found), found.network, training))
