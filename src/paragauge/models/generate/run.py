"""Models that write texts as they run: by CTranslate2, or by torch and transformers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ..convert.seq2seq import converted
from ..ctranslate2 import CTranslateModel
from ..hub.locate import ModelFiles
from ..torch import TorchModel
from .generator import DecoderState, Found, Generator

_ROWS = 64  # of a batch


class CTranslateGenerator(Generator):
    """A converted model, by CTranslate2's own beam search, or step by step, which is slower.

    CTranslate2 keeps nothing between calls: each step reads the source and all that was written again.
    """

    bytes = 1 << 28  # of the numbers of one call, in which are those of every step before, unless one row has more

    def __init__(self, model: ModelFiles, precision: str) -> None:
        self._engine = CTranslateModel("Translator", model.name, converted(model), precision)
        super().__init__(model, precision, self._engine.backend)

    def read(self, sources: Sequence[Sequence[int]]) -> object:
        return [list(map(str, source)) for source in sources]

    def logits(self, state: DecoderState) -> NDArray[np.float32]:
        memory = cast("list[list[str]]", state.memory)
        written = [list(map(str, tokens[1:])) for tokens in state.tokens]
        longest = max(map(len, written), default=0) + 1
        found = np.empty((len(written), self.vocabulary), np.float32)
        rows = max(1, self.bytes // (longest * found.strides[0]))
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
                found[row] = self._engine.array(result.logits[0][len(tokens)])
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
        pairs = (zip(result.hypotheses, result.scores, strict=True) for result in results)
        return [[self._found(tokens, score, penalty) for tokens, score in own] for own in pairs]

    def _found(self, written: Sequence[str], score: float, penalty: float) -> Found:
        tokens = tuple(map(int, written))
        ended = tokens[-1:] == (self.end,)
        return Found(tokens[:-1] if ended else tokens, score * len(tokens) ** penalty, score, ended)

    def _translate(self, sources: Sequence[Sequence[str]], prefixes: Any, **options: Any) -> Any:
        if not sources:
            return []
        return self._engine.get().translate_batch(
            sources,
            target_prefix=prefixes,
            max_batch_size=_ROWS,
            max_input_length=0,
            min_decoding_length=0,
            **options,
        )


class _Memory(NamedTuple):
    """What the encoder made of the sources."""

    states: Any  # [sources, length, width]
    mask: Any


class TorchGenerator(Generator):
    """A model in torch; each step reads all that was written, the sources only once."""

    def __init__(self, model: ModelFiles, precision: str) -> None:
        self._engine = TorchModel("AutoModelForSeq2SeqLM", model, precision)
        super().__init__(model, precision, self._engine.backend)

    def read(self, sources: Sequence[Sequence[int]]) -> object:
        if not sources:
            return None
        ids, mask = self._engine.padded(sources), self._engine.mask(sources)
        with self._engine.torch.inference_mode():
            return _Memory(self._engine.model.get_encoder()(input_ids=ids, attention_mask=mask).last_hidden_state, mask)

    def logits(self, state: DecoderState) -> NDArray[np.float32]:
        memory = cast(_Memory, state.memory)
        rows = self._engine.tensor(state.sources)
        found = self._engine.run(
            encoder_outputs=(memory.states[rows],),
            attention_mask=memory.mask[rows],
            decoder_input_ids=self._engine.tensor(state.tokens),
            use_cache=False,
        )
        return self._engine.array(found.logits[:, -1])
