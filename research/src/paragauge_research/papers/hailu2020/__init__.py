"""Hailu, Yu and Fantaye 2020: Intrinsic and Extrinsic Automatic Evaluation Strategies for Paraphrase Generation."""

from .. import Paper
from .tables import TABLES, compute

PAPER = Paper(
    name="hailu2020",
    title="Intrinsic and Extrinsic Automatic Evaluation Strategies for Paraphrase Generation Systems",
    citation="Hailu, Yu and Fantaye 2020, Journal of Computer and Communications 8, 1–16",
    tables=TABLES,
    needs=("ppdb", "wikipedia-phrases"),
    compute=compute,
    runs=True,
)
