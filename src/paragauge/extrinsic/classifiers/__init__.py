"""Every classifier by name: one file each, found without importing any of them."""

from __future__ import annotations

from ...registry import Classes
from ..classifier import Classifier

DEFAULT = ("tfidf", "embeddings")
FAMILIES = {"linear": ("embeddings", "tfidf")}  # files that hold several
CLASSIFIERS = Classes[Classifier](
    Classifier, "classifier", "tfidf", __name__, group="paragauge.classifiers", families=FAMILIES
)
Given = str | Classifier | type[Classifier]  # ways to say which classifier is meant

names, load, parse, classifier_of = CLASSIFIERS.names, CLASSIFIERS.load, CLASSIFIERS.parse, CLASSIFIERS.of
