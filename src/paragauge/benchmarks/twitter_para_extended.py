"""Twitter-Para with pure copies among the candidates."""

from dataclasses import replace

from .twitter_para import BENCHMARK as PLAIN

BENCHMARK = replace(
    PLAIN,
    name="twitter-para-extended",
    title="Twitter-Para, extended",
    about="Twitter-Para, and the source itself as a further candidate of every fifth source, scored 0",
    read=lambda folder: PLAIN.read(folder).extended(),
)
