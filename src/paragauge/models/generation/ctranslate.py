"""A sequence-to-sequence model that writes by CTranslate2's own beam search, or step by step, which is slower."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelError
from ...process.cores import threads
from ..hub.locate import ModelFiles
from .generator import Found, Generator, Written
from .network import Floats, Memory, Network

_ROWS = 64  # of a batch
_KEPT = 1 << 28  # bytes that are kept of what was written, unless one source alone needs more


class CTranslateGenerator(Generator):
    """A converted model: one replica with one thread per core. Steps are taken in numpy, with the same weights."""

    def __init__(self, model: ModelFiles, precision: str) -> None:
        import ctranslate2

        from ..encoders.ctranslate import chosen_device, engine
        from ..formats import seq2seq as conversion
        from ..formats.encoders import keep
        from ..formats.weights import open_tensors

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
        self._folder, self._device = folder, device
        self._model = engine(ctranslate2.Translator, model.name, folder, device, precision=precision, workers=workers)

    @functools.cached_property
    def network(self) -> Network | None:
        """What takes steps: it keeps what was read and written. Not on a GPU, nor for parts that it does not know."""
        from ..formats.variables import read_variables

        if self._device != "cpu":
            return None
        epsilon = json.loads((self._folder / "config.json").read_text("utf-8")).get("layer_norm_epsilon") or 1e-5
        try:
            return Network(read_variables(self._folder / "model.bin", self.precision), epsilon)
        except ModelError:
            return None

    def read(self, sources: Sequence[Sequence[int]]) -> object:
        if self.network is None:
            return [list(map(str, source)) for source in sources]
        with _one_thread():
            return [self.network.read(source) for source in sources]

    def logits(self, state: Written) -> tuple[NDArray[np.float32], object]:
        if self.network is None:
            return self.reread(state), None
        tokens = [written[-1] for written in state.tokens]
        memory, kept = cast("list[Memory]", state.memory), cast("Floats | None", state.kept)
        with _one_thread():
            return self.network.step(memory, state.sources, tokens, kept, state.places)

    def rows(self, longest: int) -> int:
        return super().rows(longest) if self.network is None else max(1, _KEPT // (longest * self.network.kept))

    def reread(self, state: Written) -> NDArray[np.float32]:
        """The same by CTranslate2, whose memory is the ids; it keeps nothing, so all that was written is read again."""
        memory = cast("list[list[str]]", state.memory)
        written = [list(map(str, tokens[1:])) for tokens in state.tokens]
        longest = max(map(len, written))
        results = self._translate(
            [memory[source] for source in state.sources],
            written,
            beam_size=1,
            max_decoding_length=longest + 1,
            return_logits_vocab=True,
        )
        return np.stack([_values(result.logits[0][len(own)]) for result, own in zip(results, written, strict=True)])

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


@functools.cache
def _blas() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def _one_thread() -> Any:
    """Products of a step are small: more threads of numpy wait for each other, above all beside other processes."""
    return _blas().limit(limits=1, user_api="blas")


def _values(logits: Any) -> NDArray[np.float32]:
    import ctranslate2

    found: NDArray[np.float32] = np.asarray(
        logits if logits.device == "cpu" else logits.to_device(ctranslate2.Device.cpu)
    )
    return found
