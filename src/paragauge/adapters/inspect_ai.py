"""A scorer of Inspect: is what a model wrote a usable paraphrase of its input, and if not, why?

`inspect score log.eval --scorer paragauge/usable`, or in a task `scorer=usable(accept=0.6)`.
"""

from __future__ import annotations

import atexit
from typing import Any

from ..evaluate.judge import Judge
from ..process.extras import require
from ..verdict.words import why

inspect = require("inspect_ai.scorer", "inspect", "the scorer of Inspect needs inspect-ai")


@inspect.scorer(metrics=[inspect.mean(), inspect.stderr()])
def usable(**settings: Any) -> Any:
    """1 where it is usable, else 0, not scored where it cannot be judged; `settings` are those of `paragauge.judge`.

    The metadata have meaning, changed, and what was found with its places in input and output.
    """
    judge = Judge(**settings)
    atexit.register(judge.close)  # Inspect does not say when a scorer is done; what was computed goes to the cache

    async def score(state: Any, target: Any) -> Any:
        source, candidate = state.input_text, state.output.completion
        found = judge.check(source, candidate, [text for text in target if text])
        findings = [one._asdict() for one in found.findings]
        return inspect.Score(
            value=float("nan" if found.usable is None else found.usable),
            answer=candidate,
            explanation=why(found, source, candidate),
            reason=found.outcome.value,
            metadata={"meaning": found.meaning, "changed": found.changed, "findings": findings},
        )

    return score
