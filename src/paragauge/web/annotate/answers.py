"""Answers: what a rater may say to a task, and what it says of the candidates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ...errors import InputError
from .design import Design

SKIPPED = {"skip": True}
LONGEST_SECONDS = 86_400.0


class RaterAnswer(NamedTuple):
    """A rater's latest answer to a task."""

    task: int
    rater: str
    position: int
    unit: int
    kind: str
    shown: tuple[tuple[int, str | None], ...]
    answer: Mapping[str, Any]
    seconds: float

    @property
    def skipped(self) -> bool:
        return "skip" in self.answer


def check_answer(design: Design, shown: int, answer: Any) -> dict[str, Any]:
    """The answer to a task that shows so many candidates, refused where it is none."""
    if not isinstance(answer, dict):
        raise InputError(f"an answer is {answer!r:.60}; expected an object with {', '.join(design.asked)}")
    if set(answer) == {"skip"} and answer["skip"] is True:  # 1 == True, and is none
        return dict(SKIPPED)
    if set(answer) != set(design.asked):
        found = ", ".join(map(str, answer)) or "nothing"
        raise InputError(f"an answer has {found:.100}; expected {', '.join(design.asked)}")
    for name in design.asked:
        value, whole = answer[name], type(answer[name]) is int
        if design.task == "direct":
            sound, expected = _is_number(value) and 0 <= value <= 100, "a number from 0 to 100"
        elif design.task == "pairwise":
            sound = value is None or (whole and value in (0, 1))
            expected = "0 (the first), 1 (the second) or null (neither)"
        else:
            sound, expected = whole and 0 <= value < shown, f"a place from 0 to {shown - 1}"
        if not sound:
            raise InputError(f"{name} is {value!r:.60}; expected {expected}")
    if design.task == "best-worst" and answer["best"] == answer["worst"]:
        raise InputError(f"best and worst are both {answer['best']}; expected two different candidates")
    return {name: answer[name] for name in design.asked}


def check_seconds(seconds: Any) -> float:
    """How long a rater took, within a day."""
    if not _is_number(seconds) or not 0 <= seconds <= LONGEST_SECONDS:
        raise InputError(f"seconds is {seconds!r:.60}; expected a number from 0 to {LONGEST_SECONDS:g}")
    return float(seconds)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)  # NaN is in no range


def points(design: Design, judgment: RaterAnswer) -> list[float]:
    """What the answer gives to each candidate that was shown: more is better.

    Direct: the rating of the first question. Pairwise: 1 for the better, 0 for the other, ½ for both where neither is.
    Best–worst: 1 for the best, −1 for the worst, 0 for the others; the score of a candidate is their mean (Kiritchenko
    and Mohammad 2017, Best-worst scaling more reliable than rating scales).
    """
    answer = judgment.answer
    if design.task == "direct":
        return [float(answer[design.asked[0]])]
    if design.task == "pairwise":
        better = answer["better"]
        return [0.5, 0.5] if better is None else [1.0 - better, float(better)]
    places = range(len(judgment.shown))
    return [float(place == answer["best"]) - float(place == answer["worst"]) for place in places]


def preferred(design: Design, judgment: RaterAnswer) -> str | list[int]:
    """The cell or cells chosen, whatever the order they were shown in: what raters of one item agree on, or not."""
    if design.task == "pairwise":
        better = judgment.answer["better"]
        return "neither" if better is None else [judgment.shown[better][0]]
    return [judgment.shown[judgment.answer[name]][0] for name in design.asked]
