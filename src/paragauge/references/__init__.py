"""Paraphrased references: systems scored with additional references, and what these gain in agreement with people."""

from .gains import segment_gain as segment_gain
from .gains import system_gain as system_gain
from .human import read_assessments as read_assessments
from .scoring import score_task as score_task
from .wmt import extra_files as extra_files
from .wmt import rankings_of as rankings_of
from .wmt import read_pair as read_pair
