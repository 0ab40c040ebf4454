"""The contract, on every paraphraser of the package, and on broken ones that must fail it."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from paragauge import paraphrasers
from paragauge.paraphraser import Candidate, Candidates, Paraphraser, parameter
from paragauge.testing.paraphrasers import CHECKS, check_paraphraser, failed_checks

SMALL = {"longest": 6}


def ready(name: str, request: pytest.FixtureRequest) -> Paraphraser:
    """The paraphraser with small models in place of what a user names."""
    fixture = request.getfixturevalue
    found = paraphrasers.load(name)
    if name == "wordswap":
        fixture("glove")
        return found()
    if name == "wordnet-swap":
        fixture("lexicon")
        return found()
    if name == "instruct":
        return found(model=str(fixture("small_llama")()), width=2, longest=6)
    if name == "endpoint":
        return found(url=fixture("chat_server")().url)
    folder = fixture("tmp_path_factory").mktemp("models")
    marian = str(fixture("small_models").make_seq2seq(folder / "marian", "marian", seed=1, max_position_embeddings=120))
    if name == "round-trip":
        back = fixture("small_models").make_seq2seq(folder / "back", "marian", seed=2, max_position_embeddings=120)
        return found(there=marian, back=str(back), **SMALL)
    extra: dict[str, Any] = {}
    if name == "reranked":
        extra = {"encoder": str(fixture("small_models").make_encoder(folder / "encoder")), "width": 3}
    if name == "constrained":
        extra = {"require": "a;no", "avoid": "q", "width": 3}
    return found(model=marian, **SMALL, **extra)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", paraphrasers.PARAPHRASERS.files)
def test_contract(name, check, request, monkeypatch):
    monkeypatch.setenv("PARAGAUGE_OFFLINE", "1")
    check(ready(name, request))


@dataclass(frozen=True, kw_only=True)
class Sound(Paraphraser):
    """The words of the source, turned by one to n places."""

    name: ClassVar[str] = "sound"
    title: ClassVar[str] = "Sound"
    citation: ClassVar[str] = "none"
    shift: int = parameter(1, "how far", low=0)

    @property
    def limit(self) -> int:
        return 60

    def propose(self, sources, n):
        return [[self.turned(source, place) for place in range(n)] for source in sources]

    def turned(self, source, place):
        words = source.split()
        cut = (self.shift + place) % max(len(words), 1)
        return Candidate(" ".join([*words[cut:], *words[:cut]]), -float(place), {"cut": cut})


class Surplus(Sound):
    """More than n, and the base class does not get to see it."""

    def generate(self, sources, n=1):
        return super().generate(sources, n + 1)


class Doubling(Sound):
    """Each candidate twice."""

    def generate(self, sources, n=1):
        for own in super().generate(sources, n):
            yield Candidates([*own[:1], *own][:n], own.reason)


class Turning(Sound):
    """Gives the sets in the wrong order."""

    def generate(self, sources, n=1):
        return iter(list(super().generate(sources, n))[::-1])


class Moody(Sound):
    """Other candidates at every call."""

    calls: ClassVar[Any] = itertools.count()

    def propose(self, sources, n):
        offset = next(self.calls) % 3
        return [[self.turned(source, place + offset) for place in range(n)] for source in sources]


class Sociable(Sound):
    """Looks at how many sources there are."""

    def propose(self, sources, n):
        return [[self.turned(source, place + (len(sources) > 1)) for place in range(n)] for source in sources]


class Silent(Sound):
    """Gives no reason for an empty set."""

    def generate(self, sources, n=1):
        for own in super().generate(sources, n):
            own.reason = ""
            yield own


class Inventive(Sound):
    """Says something of nothing."""

    def generate(self, sources, n=1):
        for own in super().generate(sources, n):
            yield own or Candidates([Candidate("Well.")])


class Curt(Sound):
    """Leaves out empty sources."""

    def generate(self, sources, n=1):
        return (own for own in super().generate(sources, n) if own)


class Unlimited(Sound):
    """Says that it has a limit, and reads on beyond it."""

    def _split(self, texts):
        return [[text] if text.strip() and text != "\u200b" else "the source is empty" for text in texts]


class Infinite(Sound):
    """Scores that no table can hold."""

    def turned(self, source, place):
        return super().turned(source, place)._replace(score=float("-inf"))


class Opaque(Sound):
    """Provenance that JSON cannot hold."""

    def turned(self, source, place):
        return super().turned(source, place)._replace(provenance={"source": {source}})


class Anonymous(Sound):
    """A signature that says nothing."""

    signature = "paraphraser"


class Secretive(Sound):
    """A parameter that changes the candidates, and not the signature."""

    def details(self):
        return {"shift": ""}


@dataclass(frozen=True, kw_only=True)
class Thrifty(Sound):
    """A parameter that changes neither."""

    threads: int = parameter(4, "at once", low=1)

    def details(self):
        return {"threads": ""}


BROKEN = {
    Surplus: "check_at_most_n",
    Doubling: "check_no_doubles",
    Turning: "check_sources_are_independent",
    Moody: "check_deterministic",
    Sociable: "check_sources_are_independent",
    Silent: "check_empty_source",
    Inventive: "check_empty_source",
    Curt: "check_empty_source",
    Unlimited: "check_long_source",
    Infinite: "check_provenance",
    Opaque: "check_provenance",
    Anonymous: "check_declared",
    Secretive: "check_declared",
}


def test_a_sound_paraphraser_passes():
    check_paraphraser(Sound())
    assert failed_checks(Sound(shift=2)) == {}
    check_paraphraser(Thrifty())


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.__name__)
def test_a_broken_paraphraser_fails_the_check_of_its_defect(broken: Callable[[], Paraphraser]):
    failed = failed_checks(broken())
    assert BROKEN[broken] in failed, failed
    with pytest.raises(AssertionError, match=BROKEN[broken]):
        check_paraphraser(broken())


def test_every_check_can_fail():
    caught = {name for broken in BROKEN for name in failed_checks(broken())}
    assert caught | {"check_one_set_per_source"} >= {check.__name__ for check in CHECKS}
