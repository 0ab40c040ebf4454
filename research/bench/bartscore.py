"""BARTScore's likelihoods, pairs per second: paragauge beside transformers, on the same random weights.

    python bench/bartscore.py [PAIRS]

A BART of 6 + 6 layers, 512 wide, with the vocabulary of the real one; texts of 4 to 30 words, most around 13 as in
Twitter-Para, each word one token. Contenders take turns, and the best time of each counts. Needs torch and
transformers.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

WORDS = 50_261  # and <s>, <pad>, </s>, <unk>: 50,265 in all
ROUNDS = 3


def make_model(folder: Path) -> None:
    import torch
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace
    from tokenizers.processors import RobertaProcessing
    from transformers import BartConfig, BartForConditionalGeneration

    torch.manual_seed(0)
    sizes = {f"{side}_{name}": value for side in ("encoder", "decoder")
             for name, value in (("layers", 6), ("attention_heads", 8), ("ffn_dim", 2048))}  # fmt: skip
    BartForConditionalGeneration(BartConfig(d_model=512, **sizes)).save_pretrained(folder)
    words = ["<s>", "<pad>", "</s>", "<unk>", *(f"w{number}" for number in range(WORDS))]
    tokenizer = Tokenizer(WordLevel({word: number for number, word in enumerate(words)}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = RobertaProcessing(("</s>", 2), ("<s>", 0), trim_offsets=False, add_prefix_space=False)
    tokenizer.save(str(folder / "tokenizer.json"))


def make_pairs(count: int) -> list[tuple[str, str]]:
    chance = random.Random(0)

    def text() -> str:
        length = min(30, max(4, round(chance.gauss(13, 5))))
        return " ".join(f"w{chance.randrange(WORDS)}" for _ in range(length))

    return [(text(), text()) for _ in range(count)]


def transformers_scorer(folder: Path, size: int, in_order: bool) -> Callable[[list[tuple[str, str]]], np.ndarray]:
    """The authors' way: padded batches in the order of the input; `in_order` false sorts by length first."""
    import torch
    from transformers import BartForConditionalGeneration, PreTrainedTokenizerFast

    tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"), pad_token="<pad>")
    model = BartForConditionalGeneration.from_pretrained(folder).eval()

    def score(pairs: list[tuple[str, str]]) -> np.ndarray:
        places = list(range(len(pairs)))
        if not in_order:
            places.sort(key=lambda place: [len(text) for text in pairs[place]])
        scores = np.empty(len(pairs))
        for start in range(0, len(pairs), size):
            chosen = places[start : start + size]
            sources, targets = (
                tokenizer([pairs[place][side] for place in chosen], padding=True, return_tensors="pt")
                for side in (0, 1)
            )
            labels: Any = targets["input_ids"]
            with torch.inference_mode():
                logits = model(sources["input_ids"], attention_mask=sources["attention_mask"], labels=labels).logits
                each = logits.log_softmax(-1).gather(-1, labels[..., None])[..., 0] * targets["attention_mask"]
                scores[chosen] = (each.sum(1) / targets["attention_mask"].sum(1)).numpy()
        return scores

    return score


def main(count: int) -> None:
    from paragauge.models.pairs.likelihood import load_seq2seq

    with tempfile.TemporaryDirectory() as temporary:
        os.environ["PARAGAUGE_CACHE"] = temporary
        folder = Path(temporary) / "model"
        make_model(folder)
        contenders: dict[str, Callable[[list[tuple[str, str]]], np.ndarray]] = {
            "transformers, batches of 4 in order": transformers_scorer(folder, 4, in_order=True),
            "transformers, batches of 32 by length": transformers_scorer(folder, 32, in_order=False),
            "paragauge float32": load_seq2seq(str(folder)).log_likelihoods,
            "paragauge int8": load_seq2seq(str(folder), "int8").log_likelihoods,
        }
        pairs = make_pairs(count)
        best: dict[str, tuple[float, np.ndarray]] = {}
        for _ in range(ROUNDS):
            for name, contender in contenders.items():
                started = time.perf_counter()
                scores = contender(pairs)
                seconds = time.perf_counter() - started
                if name not in best or seconds < best[name][0]:
                    best[name] = seconds, scores
    peer, expected = next(iter(best.values()))
    for name, (seconds, scores) in best.items():
        gap = np.abs(scores - expected).max()
        print(f"{name:<40}{count / seconds:8.1f} pairs/s{peer / seconds:7.2f}x   largest difference {gap:.1e}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400)
