"""A sequence-to-sequence model that writes by CTranslate2's own beam search, or step by step, which is slower.

CTranslate2 keeps nothing between calls: each step reads the source and all that was written again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...process.cores import threads
from ..hub.locate import ModelFiles
from .generator import DecoderState, Found, Generator

_ROWS = 64  # of a batch
_BYTES = 1 << 28  # of the numbers of one call, in which are those of every step before, unless one row has more


class CTranslateGenerator(Generator):
    """A converted model: one replica with one thread per core."""

    def __init__(self, model: ModelFiles, precision: str) -> None:
        import ctranslate2

        from ..convert import seq2seq as conversion
        from ..convert.encoder import keep
        from ..convert.weights import open_tensors
        from ..encoders.ctranslate import chosen_device, engine

        device = chosen_device(ctranslate2.get_cuda_device_count())
        super().__init__(model, precision, f"ctranslate2-{ctranslate2.__version__}-{device}")
        if model.is_converted:
            folder = model.weights[0].parent
        else:
            folder = keep(
                model.config,
                model.sha256,
                "seq2seq",
                lambda: conversion.specification(model.config, open_tensors(model.weights)),
            )
        workers = 1 if device == "cuda" else threads()
        self._model = engine(ctranslate2.Translator, model.name, folder, device, precision=precision, workers=workers)

    def read(self, sources: Sequence[Sequence[int]]) -> object:
        return [list(map(str, source)) for source in sources]

    def logits(self, state: DecoderState) -> NDArray[np.float32]:
        memory = cast("list[list[str]]", state.memory)
        written = [list(map(str, tokens[1:])) for tokens in state.tokens]
        longest = max(map(len, written), default=0) + 1
        found = np.empty((len(written), self.vocabulary), np.float32)
        rows = max(1, _BYTES // (longest * found.strides[0]))
        for first in range(0, len(written), rows):
            own = written[first : first + rows]
            results = self._translate(
                [memory[source] for source in state.sources[first : first + rows]],
                own,
                beam_size=1,
                max_decoding_length=longest,
                return_logits_vocab=True,
            )
            for row, (result, tokens) in enumerate(zip(results, own, strict=True), first):
                found[row] = _values(result.logits[0][len(tokens)])
        return found

    def beam(
        self,
        sources: Sequence[Sequence[int]],
        *,
        width: int,
        n: int,
        longest: int,
        penalty: float,
        prefixes: Sequence[Sequence[int]] | None = None,
    ) -> list[list[Found]]:
        """The n best by CTranslate2's own beam search: what `beam_search` finds without groups and constraints."""
        self.check(sources)
        results = self._translate(
            [list(map(str, source)) for source in sources],
            None if prefixes is None else [list(map(str, prefix)) for prefix in prefixes],
            beam_size=width,
            num_hypotheses=n,
            length_penalty=penalty,
            max_decoding_length=longest,
            return_scores=True,
            return_end_token=True,
            suppress_sequences=[[str(token)] for token in self.suppressed] or None,
        )
        return [
            [
                self._found(tokens, score, penalty)
                for tokens, score in zip(result.hypotheses, result.scores, strict=True)
            ]
            for result in results
        ]

    def _found(self, written: Sequence[str], score: float, penalty: float) -> Found:
        tokens = tuple(map(int, written))
        ended = tokens[-1:] == (self.end,)
        return Found(tokens[:-1] if ended else tokens, score * len(tokens) ** penalty, score, ended)

    def _translate(self, sources: Sequence[Sequence[str]], prefixes: Any, **options: Any) -> Any:
        if not sources:
            return []
        return self._model.get().translate_batch(
            sources,
            target_prefix=prefixes,
            max_batch_size=_ROWS,
            max_input_length=0,
            min_decoding_length=0,
            **options,
        )


def _values(logits: Any) -> NDArray[np.float32]:
    import ctranslate2

    found: NDArray[np.float32] = np.asarray(
        logits if logits.device == "cpu" else logits.to_device(ctranslate2.Device.cpu)
    )
    return found
