"""The language model while it is trained: everything of it stays but updates of low rank to its linear layers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from paragauge.models.convert.gguf import read_gguf
from paragauge.models.convert.llama import gguf_config, gguf_tokenizer, gguf_weights

from ..pairs.network import add_updates
from .pairs import Rewritten
from .prompt import END, prompt

_IGNORED = -100


class Rewriter(nn.Module):  # type: ignore[misc]
    """The loss of what should have been written."""

    def __init__(self, model: Any, rank: int) -> None:
        super().__init__()
        self.model = model
        model.requires_grad_(False)
        model.to(torch.bfloat16)
        for layer in model.model.layers:
            add_updates(layer, rank)

    def forward(self, rows: Sequence[tuple[list[int], int]], chunk: int) -> Tensor:
        """Mean loss of a token of the answers; each row has ids, and how many of them are the prompt."""
        order = sorted(range(len(rows)), key=lambda row: len(rows[row][0]))
        total, count = torch.zeros(()), 0
        for start in range(0, len(order), chunk):
            part = [rows[row] for row in order[start : start + chunk]]
            width = max(len(ids) for ids, _ in part)
            ids = torch.tensor([[*own, *[0] * (width - len(own))] for own, _ in part])
            labels = torch.full((len(part), width), _IGNORED)
            for row, (own, first) in enumerate(part):
                labels[row, first : len(own)] = torch.tensor(own[first:])
            known = torch.tensor([[1] * len(own) + [0] * (width - len(own)) for own, _ in part])
            states = self.model.model(input_ids=ids, attention_mask=known).last_hidden_state[:, :-1]
            wanted = labels[:, 1:]
            logits = self.model.lm_head(states[wanted != _IGNORED]).float()
            total = total + functional.cross_entropy(logits, wanted[wanted != _IGNORED], reduction="sum")
            count += int((wanted != _IGNORED).sum())
        return total / count


def load_rewriter(file: Path, rank: int) -> tuple[Rewriter, Any]:
    """The network as training begins, on a language model in a GGUF file, and its tokenizer."""
    from transformers import LlamaConfig, LlamaForCausalLM

    opened = read_gguf(file)
    config = gguf_config(opened)
    weight = gguf_weights(opened, config)
    model = LlamaForCausalLM(LlamaConfig(**config))
    state = {name: torch.from_numpy(weight(name)) for name in model.state_dict() if name != "lm_head.weight"}
    model.load_state_dict(state, strict=False)
    model.tie_weights()
    return Rewriter(model, rank), gguf_tokenizer(opened)


def tokenized(tokenizer: Any, pairs: Sequence[Rewritten]) -> list[tuple[list[int], int]]:
    """Ids of prompt and answer, and how many are the prompt's."""
    end = tokenizer.token_to_id(END)
    rows = []
    for pair in pairs:
        asked = tokenizer.encode(prompt(pair.source, pair.degree), add_special_tokens=False).ids
        answer = tokenizer.encode(f" {pair.target}", add_special_tokens=False).ids
        rows.append(([*asked, *answer, end], len(asked)))
    return rows
