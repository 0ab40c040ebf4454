"""DS-tree: syntactic diversity by a tree kernel."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from paragauge.compute.workspace import Workspace
from paragauge.errors import InputError, MissingExtraError
from paragauge.metric import Floats, Loads, SetMetric, parameter
from paragauge.tables.samples import Samples

from ..trees.kernels import WORDS, tree_diversity
from ..trees.parsers import Parser, load_parser, open_parses
from ..trees.trees import Tree

DEFAULT_PARSER = "spacy"  # dependency trees: the one parser that pip alone installs


@dataclass(frozen=True)
class Parse:
    """The parse tree of a text; None where the parser has none."""

    parser: Parser

    @property
    def signature(self) -> str:
        return f"parse:{self.parser.signature}"

    def compute(self, keys: Sequence[str]) -> Iterable[Tree | None]:
        return self.parser.parse(keys)


@dataclass(frozen=True, kw_only=True)
class DsTree(SetMetric):
    """How much the parse trees of a set of paraphrases differ: 0 for one structure, 1 for nothing in common.

    DS = 1/(|Y|(|Y|−1)) · Σ_y Σ_{y'≠y} (1 − Δ(y, y')), with Δ the subset-tree kernel of the two parses,
    K(a, b)/√(K(a, a)·K(b, b)), which counts shared fragments and weighs one of n productions by λⁿ. Words do not
    count: they are taken away (`words=removed`), or made all alike (`blank`); the paper does not say which, and its
    own tool is not public (differences.md). Pairs without both parses are left out, as in the paper's code; a set
    without any pair is NaN (there: 0).
    """

    name: ClassVar[str] = "ds-tree"
    title: ClassVar[str] = "DS-tree"
    question: ClassVar[str] = "diversity"
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    higher_is_better: ClassVar[bool] = True
    loads: ClassVar[Loads] = "parser"
    light: ClassVar[bool] = False
    citation: ClassVar[str] = (
        "Bawden et al. 2020, A Study in Improving BLEU Reference Coverage with Diverse Automatic Paraphrasing, "
        "Findings of EMNLP; Collins and Duffy 2002, ACL; Moschitti 2006, EACL"
    )
    limits: ClassVar[str] = (
        "As good as the parser: its errors count as diversity. Numbers from different parsers cannot be compared, "
        "dependency trees (spaCy) least of all with constituents. Longer sentences differ more."
    )

    parses: str | None = parameter(None, "file of bracketed parses: lines of text, tab, parse; or a .jsonl of both")
    texts: str | None = parameter(None, "file of the texts that the lines of `parses` belong to, where that has none")
    parser: str | None = parameter(None, "spacy (dependencies; the default without parses), link-grammar, or a plug-in")
    decay: float = parameter(0.5, "λ: weight of a fragment for each of its productions", low=0.01, high=1)
    words: str = parameter("removed", "what becomes of the words before trees are compared", choices=WORDS)

    def rate_sets(self, sets: Sequence[Samples], work: Workspace) -> Floats:
        parser = self.load()
        trees = iter(work.get(Parse(parser), [text for one in sets for text in one.candidates]))
        return tree_diversity([[next(trees) for _ in one.candidates] for one in sets], self.decay, self.words)

    def load(self) -> Parser:
        """Where the trees come from."""
        if not self._one_origin:
            given = [name for name in ("parses", "texts", "parser") if getattr(self, name) is not None]
            raise InputError(
                "ds-tree needs parses: give parses=FILE (lines of text, tab, bracketed parse; or only the parses, with "
                "texts=FILE), or else parser=spacy, parser=link-grammar or the parser of a plug-in; found "
                + " and ".join(given)
            )
        if self.parses is not None:
            return open_parses(self.parses, self.texts)
        try:
            return load_parser(self.parser or DEFAULT_PARSER)
        except MissingExtraError as error:
            raise MissingExtraError(f"{error}; or give ds-tree parses=FILE or another parser") from error

    @property
    def _one_origin(self) -> bool:
        return (self.parses is None or self.parser is None) and (self.texts is None or self.parses is not None)

    def details(self) -> dict[str, str]:
        if not self._one_origin:
            return {}
        chosen = self.parses is not None or self.parser is not None
        try:
            return {"parses": "", "texts": "", "parser": self.load().signature + ("" if chosen else " (default)")}
        except MissingExtraError:
            return {}

    def reason(self, samples: Samples, row: int) -> str:  # noqa: ARG002
        return "fewer than two candidates of this system for this source have a parse"
