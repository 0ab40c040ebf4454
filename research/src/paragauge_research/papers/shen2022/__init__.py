"""Shen et al. 2022: On the Evaluation Metrics for Paraphrase Generation."""

from .. import Paper
from .scores import MODELS
from .tables import TABLES, compute

PAPER = Paper(
    name="shen2022",
    title="On the Evaluation Metrics for Paraphrase Generation",
    citation="Shen, Liu, Jiang and Shi 2022, EMNLP, 3178–3190",
    tables=tuple(TABLES),
    needs=("twitter-para", "bq-para"),
    compute=compute,
    models=MODELS,
    draws=True,
)
