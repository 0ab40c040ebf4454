"""BQ-Para with pure copies among the candidates."""

from dataclasses import replace

from .bq_para import BENCHMARK as PLAIN

BENCHMARK = replace(
    PLAIN,
    name="bq-para-extended",
    title="BQ-Para, extended",
    about="BQ-Para, and the source itself as a further candidate of every fifth source, scored 0",
    read=lambda folder: PLAIN.read(folder).extended(),
)
