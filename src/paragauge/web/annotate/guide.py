"""What raters read before they begin, and the questions that show whether they have understood it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from ...errors import InputError
from ...files.write import PathLike
from .design import Design


def make_guide(
    design: Design, instructions: PathLike | None = None, comprehension: PathLike | None = None, quiz: bool = True
) -> dict[str, Any]:
    """The guide of a task, with instructions (paragraphs of a text file) and questions (a JSON file) of one's own."""
    page = files(__package__).joinpath("page", "guide.json").read_text(encoding="utf-8")
    guide: dict[str, Any] = json.loads(page)[design.task]
    guide["questions"] = {name: own for name, own in guide["questions"].items() if name in design.asked}
    guide["quiz"] = [one for one in guide["quiz"] if one.get("of") in (None, *design.asked)]
    if instructions is not None:
        text = _read(instructions).replace("\r\n", "\n")
        guide["about"] = [" ".join(part.split("\n")).strip() for part in text.split("\n\n") if part.strip()]
        if not guide["about"]:
            raise InputError(f"{instructions} has no instructions; expected paragraphs of text")
    if comprehension is not None:
        guide["quiz"] = _quiz(comprehension)
    if not quiz:
        guide["quiz"] = []
    return guide


def check_quiz(guide: dict[str, Any], answers: Any) -> list[int]:
    """The places of the questions that were not answered rightly."""
    quiz = guide["quiz"]
    if not isinstance(answers, list) or len(answers) != len(quiz):
        raise InputError(f"{answers!r:.60} answers the comprehension check; expected {len(quiz)} numbers of choices")
    for given in answers:
        if type(given) is not int:  # True == 1
            said = f"{given!r:.60} answers a question of the comprehension check"
            raise InputError(f"{said}; expected a number of a choice")
    return [place for place, (one, given) in enumerate(zip(quiz, answers, strict=True)) if given != one["answer"]]


def without_answers(guide: dict[str, Any]) -> dict[str, Any]:
    """As a page may have it whose answers are checked elsewhere."""
    hidden = ("answer", "why", "of")
    return guide | {"quiz": [{name: one[name] for name in one if name not in hidden} for one in guide["quiz"]]}


def explanations(guide: dict[str, Any], wrong: Sequence[int]) -> dict[str, str]:
    """Why an answer was wrong, by the place of its question."""
    return {str(place): guide["quiz"][place].get("why", "") for place in wrong}


def _quiz(path: PathLike) -> list[dict[str, Any]]:
    expected = 'expected a list such as [{"question": "…", "choices": ["…", "…"], "answer": 0, "why": "…"}]'
    try:
        found = json.loads(_read(path))
    except ValueError as error:
        raise InputError(f"{path} is not JSON ({error}); {expected}") from None
    if not isinstance(found, list) or not found:
        raise InputError(f"{path} holds no list of questions; {expected}")
    if wrong := _unsound(found):
        raise InputError(f"{path}: question {wrong} is {found[wrong - 1]!r:.80}; {expected}")
    return found


def check_guide(guide: Any) -> None:
    """A ValueError where this is not a guide."""
    about, questions, quiz = (guide[name] for name in ("about", "questions", "quiz"))
    if not isinstance(questions, dict) or not isinstance(about, list) or not isinstance(quiz, list) or _unsound(quiz):
        raise ValueError("its guide is none")


def _unsound(questions: list[Any]) -> int:
    """The number of the first that is not a question with choices, counted from 1; 0 where there is none."""
    return next((number for number, one in enumerate(questions, 1) if not _is_question(one)), 0)


def _is_question(one: Any) -> bool:
    match one:
        case {"question": str(), "choices": [_, _, *_] as choices, "answer": answer}:
            sound = type(answer) is int and 0 <= answer < len(choices) and isinstance(one.get("why", ""), str)
            return sound and all(isinstance(choice, str) for choice in choices)
    return False


def _read(path: PathLike) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"{path} cannot be read: {reason}") from error
