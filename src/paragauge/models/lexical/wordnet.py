"""WordNet, read from its own files: the synsets of a word and the words that share them."""

from __future__ import annotations

import hashlib
import mmap
import os
import sys
from collections.abc import Iterator
from functools import cache, cached_property, lru_cache
from pathlib import Path

from ...errors import ModelError
from ..hub.registry import entry_named
from ..hub.verify import file_sha256

PARTS = ("noun", "verb", "adj", "adv")
FILES = tuple(name for part in PARTS for name in (f"data.{part}", f"index.{part}", f"{part}.exc"))
# What an inflected form may stand for, as in WordNet's morphy: each rule is applied once.
_ENDINGS: dict[str, tuple[tuple[str, str], ...]] = {
    "noun": (
        *(("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z")),
        *(("ches", "ch"), ("shes", "sh"), ("men", "man"), ("ies", "y")),
    ),
    "verb": (
        *(("s", ""), ("ies", "y"), ("es", "e"), ("es", "")),
        *(("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    ),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}
Synset = tuple[str, int]  # part of speech, and where its line begins in data.<part>


class WordNet:
    """The lexicon in a folder, or in a zip file as nltk downloads it; each part is read when first asked for."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self._indexes: dict[str, dict[bytes, bytes]] = {}
        self._exceptions: dict[str, dict[str, list[str]]] = {}
        self._inverted: dict[str, dict[str, list[str]]] = {}  # the exceptions, by base
        self._lines: dict[str, bytes | mmap.mmap] = {}
        self.synsets = lru_cache(maxsize=1 << 16)(self._synsets)
        self.synonyms = lru_cache(maxsize=1 << 16)(self._synonyms)

    @cached_property
    def sha256(self) -> str:
        """Of the sha256 of every file that is read."""
        single = [self._checksum(name) for name in FILES]
        return hashlib.sha256("\n".join(single).encode()).hexdigest()

    def _synsets(self, word: str) -> frozenset[Synset]:
        """Every synset of the word and of what it may be a form of."""
        found: set[Synset] = set()
        for part in PARTS:
            index = self._index(part)
            for form in self._forms(word, part):
                line = index.get(form.encode(errors="replace"))
                if line is not None:
                    # count of synsets, count of pointers, the pointers, and at the end the synsets themselves
                    fields = line.split()
                    found.update((part, int(offset)) for offset in fields[len(fields) - int(fields[1]) :])
        return frozenset(found)

    def _synonyms(self, word: str) -> frozenset[str]:
        """The single words, as WordNet writes them, that name a synset of the word."""
        names = (name for part, offset in self.synsets(word) for name in self._names(part, offset))
        return frozenset(name for name in names if "_" not in name)

    def bases(self, word: str, part: str) -> list[str]:
        """What a word may be a form of, and what is an entry of this part of speech."""
        index = self._index(part)
        return [form for form in dict.fromkeys(self._forms(word, part)) if form.encode(errors="replace") in index]

    def senses(self, base: str, part: str) -> list[tuple[str, ...]]:
        """The words of every synset of an entry, the most frequent sense first; an underscore stands for a space."""
        fields = self._index(part)[base.encode()].split()
        offsets = fields[len(fields) - int(fields[1]) :]
        return [tuple(self._names(part, int(offset))) for offset in offsets]

    def tagged(self, base: str, part: str) -> int:
        """How many senses of an entry occur in the texts that WordNet's authors annotated."""
        fields = self._index(part)[base.encode()].split()
        return int(fields[len(fields) - int(fields[1]) - 1])

    def irregular(self, base: str, part: str) -> tuple[str, ...]:
        """The irregular forms of an entry: those of `stop` are `stopped` and `stopping`."""
        if part not in self._inverted:
            found: dict[str, list[str]] = {}
            for form, bases in self._exceptional(part).items():
                for own in bases:
                    found.setdefault(own, []).append(form)
            self._inverted[part] = found
        return tuple(self._inverted[part].get(base, ()))

    def _forms(self, word: str, part: str) -> list[str]:
        exceptions = self._exceptional(part)
        if word in exceptions:
            return [word, *exceptions[word]]
        return [word, *(word.removesuffix(old) + new for old, new in _ENDINGS[part] if word.endswith(old))]

    def _names(self, part: str, offset: int) -> Iterator[str]:
        lines = self._data(part)
        fields = lines[offset : lines.find(b"|", offset)].split()
        if not fields or fields[0] != b"%08d" % offset:
            raise ModelError(f"{self.place}: data.{part} has no synset at {offset}, though index.{part} says so")
        for name in fields[4 : 4 + 2 * int(fields[3], 16) : 2]:
            yield name.partition(b"(")[0].decode()  # an adjective may carry its place: galore(ip)

    def _index(self, part: str) -> dict[bytes, bytes]:
        if part not in self._indexes:
            entries = {}
            for line in self._read(f"index.{part}").splitlines():
                if not line.startswith(b" "):
                    lemma, _, rest = line.partition(b" ")
                    entries[lemma] = rest
            self._indexes[part] = entries
        return self._indexes[part]

    def _exceptional(self, part: str) -> dict[str, list[str]]:
        if part not in self._exceptions:
            terms = [line.split() for line in self._read(f"{part}.exc").decode().splitlines()]
            self._exceptions[part] = {term[0]: term[1:] for term in terms if term}
        return self._exceptions[part]

    def _data(self, part: str) -> bytes | mmap.mmap:
        if part not in self._lines:
            if self.place.is_dir():
                with self._open(f"data.{part}").open("rb") as file:
                    self._lines[part] = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            else:
                self._lines[part] = self._read(f"data.{part}")
        return self._lines[part]

    def _open(self, name: str) -> Path:
        if not (self.place / name).is_file():
            raise ModelError(f"{self.place} is not WordNet: there is no {name}")
        return self.place / name

    def _read(self, name: str) -> bytes:
        if self.place.is_dir():
            return self._open(name).read_bytes()
        import zipfile  # seldom needed, and slow to import

        try:
            with zipfile.ZipFile(self.place) as archive:
                return archive.read(f"wordnet/{name}")
        except (zipfile.BadZipFile, KeyError, OSError) as error:
            raise ModelError(f"{self.place} is not WordNet: {error}") from None

    def _checksum(self, name: str) -> str:
        if self.place.is_dir():
            return file_sha256(self._open(name))
        return hashlib.sha256(self._read(name)).hexdigest()


def load_wordnet(place: str = "default") -> WordNet:
    """WordNet in the folder that is named, or wherever it is found; fetched if it is nowhere."""

    from ..hub.fetch import ensure  # imported late, so that listing metrics stays quick

    if place == "default":
        place = os.environ.get("PARAGAUGE_WORDNET") or str(_found() or ensure(entry_named("wordnet")))
    path = Path(place).expanduser().resolve()
    if not path.exists():
        raise ModelError(f"there is no WordNet folder {place}; `paragauge models get wordnet` downloads it")
    return _loaded(path)


@cache
def _loaded(place: Path) -> WordNet:
    lexicon = WordNet(place)
    lexicon.sha256  # noqa: B018  a file that is missing is said at once
    return lexicon


def _found() -> Path | None:
    """The registry's own if it is here, else an nltk_data folder's, else Debian's wordnet-base."""
    from ..hub.verify import present_folder

    own = present_folder(entry_named("wordnet"))
    if own is not None:
        return own
    places = [folder / "corpora" / name for folder in _nltk_folders() for name in ("wordnet", "wordnet.zip")]
    places.append(Path("/usr/share/wordnet"))
    return next((place for place in places if (place / FILES[0]).is_file() or place.is_file()), None)


def _nltk_folders() -> Iterator[Path]:
    """Where nltk looks for its data, in its order."""
    yield from map(Path, filter(None, os.environ.get("NLTK_DATA", "").split(os.pathsep)))
    yield Path("~/nltk_data").expanduser()
    prefix = Path(sys.prefix)
    yield from (prefix / "nltk_data", prefix / "share" / "nltk_data", prefix / "lib" / "nltk_data")
    if sys.platform == "win32":
        yield from (Path(f"{drive}:\\nltk_data") for drive in "CDE")
    else:
        yield from (
            Path(root) / "nltk_data" for root in ("/usr/share", "/usr/local/share", "/usr/lib", "/usr/local/lib")
        )
