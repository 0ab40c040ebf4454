"""Paraphrased references: systems scored with further references, and what these gain in agreement with people."""

from __future__ import annotations

from .coverage import (
    Coverage,
    Fold,
    Unrewarded,
    better_half,
    measure_coverage,
    split_systems,
    unrewarded,
    unrewarded_by_fold,
)
from .decisions import Agreement, Changes, agreement, changes
from .diversity import Diversity, word_diversity
from .gains import (
    ScoredSegmentsGain,
    SegmentGain,
    Spread,
    SystemGain,
    scored_segments_gain,
    segment_gain,
    spread,
    system_gain,
)
from .human import Rankings, read_assessments, read_rankings, read_rankings_with_text, read_score_file, segment_matrix
from .scoring import SystemScores, score_task
from .task import Task, read_outputs, read_task
from .wmt import extra_files, find_folder, pairs, rankings_of, read_pair

__all__ = [
    "Agreement", "Changes", "Coverage", "Diversity", "Fold", "Rankings", "ScoredSegmentsGain", "SegmentGain",
    "Spread", "SystemGain", "SystemScores", "Task", "Unrewarded", "agreement", "better_half", "changes",
    "extra_files", "find_folder", "measure_coverage", "pairs", "rankings_of",
    "read_assessments", "read_outputs", "read_pair", "read_rankings", "read_rankings_with_text", "read_score_file",
    "read_task", "score_task", "scored_segments_gain", "segment_gain", "segment_matrix", "split_systems", "spread",
    "system_gain", "unrewarded", "unrewarded_by_fold", "word_diversity",
]  # fmt: skip
