"""Measure paraphrases: how much meaning they keep and how many words they change."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._version import __version__ as __version__

if TYPE_CHECKING:
    from .benchmarks import benchmark as benchmark
    from .compute.workspace import Workspace as Workspace
    from .errors import InputError as InputError
    from .errors import MissingExtraError as MissingExtraError
    from .errors import ModelError as ModelError
    from .errors import ParagaugeError as ParagaugeError
    from .evaluate import score as score
    from .files.ratings import read_ratings as read_ratings
    from .meta.leaderboard import leaderboard as leaderboard
    from .meta.scored import score_ratings as score_ratings
    from .meta.tuning import tune as tune
    from .metric import CountMetric as CountMetric
    from .metric import Metric as Metric
    from .metric import PairMetric as PairMetric
    from .metric import SetMetric as SetMetric
    from .metric import SumMetric as SumMetric
    from .metric import parameter as parameter
    from .metrics import parse as parse
    from .metrics.diversity.compression_ratio import CompressionRatio as CompressionRatio
    from .metrics.diversity.distinct import Distinct as Distinct
    from .metrics.diversity.ds_bow import DsBow as DsBow
    from .metrics.diversity.ds_tree import DsTree as DsTree
    from .metrics.diversity.selfbleu import SelfBleu as SelfBleu
    from .metrics.fluency.perplexity import Perplexity as Perplexity
    from .metrics.fluency.slor import Slor as Slor
    from .metrics.form.bleu import Bleu as Bleu
    from .metrics.form.chrf import Chrf as Chrf
    from .metrics.form.lexical_deviation import LexicalDeviation as LexicalDeviation
    from .metrics.form.ned import Ned as Ned
    from .metrics.form.novelty import Novelty as Novelty
    from .metrics.form.pinc import Pinc as Pinc
    from .metrics.form.rouge1 import Rouge1 as Rouge1
    from .metrics.form.rouge2 import Rouge2 as Rouge2
    from .metrics.form.rougeL import RougeL as RougeL
    from .metrics.form.ter import Ter as Ter
    from .metrics.form.word_position_deviation import WordPositionDeviation as WordPositionDeviation
    from .metrics.meaning.bartscore import BartScore as BartScore
    from .metrics.meaning.bertscore import BertScore as BertScore
    from .metrics.meaning.cosine import Cosine as Cosine
    from .metrics.meaning.embedding_average import EmbeddingAverage as EmbeddingAverage
    from .metrics.meaning.greedy_matching import GreedyMatching as GreedyMatching
    from .metrics.meaning.moverscore import MoverScore as MoverScore
    from .metrics.meaning.nli import Nli as Nli
    from .metrics.meaning.parapluie import ParaPluie as ParaPluie
    from .metrics.meaning.vector_extrema import VectorExtrema as VectorExtrema
    from .metrics.meaning.wmd import Wmd as Wmd
    from .metrics.overall.bert_ibleu import BertIBleu as BertIBleu
    from .metrics.overall.ibleu import IBleu as IBleu
    from .metrics.overall.parascore import ParaScore as ParaScore
    from .metrics.overall.weem4pg import Weem4pg as Weem4pg
    from .metrics.sentinel.candidate_only import CandidateOnly as CandidateOnly
    from .metrics.sentinel.copy_rate import CopyRate as CopyRate
    from .metrics.sentinel.length_ratio import LengthRatio as LengthRatio
    from .metrics.sentinel.source_only import SourceOnly as SourceOnly
    from .models.lexical.vectors import Vectors as Vectors
    from .models.lexical.vectors import load_vectors as load_vectors
    from .tables.ratings import Ratings as Ratings
    from .tables.samples import Samples as Samples
    from .tables.scores import Scores as Scores
    from .text.kernels import tree_diversity as tree_diversity
    from .text.trees import Tree as Tree
    from .text.trees import read_tree as read_tree

# name to module: nothing is imported before it is used, so that the command line starts at once
_HOMES = {
    "score": "evaluate",
    "parse": "metrics",
    "Samples": "tables.samples",
    "Scores": "tables.scores",
    "Workspace": "compute.workspace",
    "Ratings": "tables.ratings",
    "read_ratings": "files.ratings",
    "benchmark": "benchmarks",
    "leaderboard": "meta.leaderboard",
    "score_ratings": "meta.scored",
    "tune": "meta.tuning",
    **dict.fromkeys(("Metric", "PairMetric", "CountMetric", "SumMetric", "SetMetric", "parameter"), "metric"),
    **dict.fromkeys(("ParagaugeError", "InputError", "ModelError", "MissingExtraError"), "errors"),
    "DsTree": "metrics.diversity.ds_tree",
    "tree_diversity": "text.kernels",
    **dict.fromkeys(("Tree", "read_tree"), "text.trees"),
    "Perplexity": "metrics.fluency.perplexity",
    "Slor": "metrics.fluency.slor",
    "Bleu": "metrics.form.bleu",
    "Chrf": "metrics.form.chrf",
    "Ned": "metrics.form.ned",
    "Rouge1": "metrics.form.rouge1",
    "Rouge2": "metrics.form.rouge2",
    "RougeL": "metrics.form.rougeL",
    "Ter": "metrics.form.ter",
    "BartScore": "metrics.meaning.bartscore",
    "BertScore": "metrics.meaning.bertscore",
    "Cosine": "metrics.meaning.cosine",
    "EmbeddingAverage": "metrics.meaning.embedding_average",
    "GreedyMatching": "metrics.meaning.greedy_matching",
    "MoverScore": "metrics.meaning.moverscore",
    "VectorExtrema": "metrics.meaning.vector_extrema",
    "Wmd": "metrics.meaning.wmd",
    "Nli": "metrics.meaning.nli",
    "ParaPluie": "metrics.meaning.parapluie",
    "ParaScore": "metrics.overall.parascore",
    "Weem4pg": "metrics.overall.weem4pg",
    **dict.fromkeys(("Vectors", "load_vectors"), "models.lexical.vectors"),
    "CompressionRatio": "metrics.diversity.compression_ratio",
    "Distinct": "metrics.diversity.distinct",
    "DsBow": "metrics.diversity.ds_bow",
    "SelfBleu": "metrics.diversity.selfbleu",
    "LexicalDeviation": "metrics.form.lexical_deviation",
    "Novelty": "metrics.form.novelty",
    "Pinc": "metrics.form.pinc",
    "WordPositionDeviation": "metrics.form.word_position_deviation",
    "BertIBleu": "metrics.overall.bert_ibleu",
    "IBleu": "metrics.overall.ibleu",
    "CandidateOnly": "metrics.sentinel.candidate_only",
    "CopyRate": "metrics.sentinel.copy_rate",
    "LengthRatio": "metrics.sentinel.length_ratio",
    "SourceOnly": "metrics.sentinel.source_only",
}
__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
