"""Tokens per second of the default language model, beside transformers on the same weights where torch is installed.

    python bench/language_model.py [--texts 200]

Both read the same sentences, sorted by length, in float32, in one run and by turns, so that whatever else the machine
does meets both; each gets its best of three. transformers pads its batches, as is usual.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from paragauge.models import LanguageModel
from paragauge.models.causal.language_model import load_language_model
from paragauge.models.convert.gguf import read_gguf
from paragauge.models.convert.llama import gguf_config, gguf_weights
from paragauge.models.hub.fetch import ensure
from paragauge.models.hub.registry import entry_named

WORDS = (
    *("the", "a", "one", "this", "my", "your", "every", "some", "old", "new", "small", "red", "quick", "quiet"),
    *("fox", "dog", "man", "woman", "child", "house", "street", "river", "train", "letter", "sees", "finds", "likes"),
    *("takes", "leaves", "in", "on", "near", "behind", "without", "before", "and", "but", "because", "while", "again"),
)
BATCH = 256  # tokens, for both


def sentences(count: int) -> list[str]:
    """Word sequences of 5 to 25 words, always the same."""
    generator = random.Random(0)
    return [" ".join(generator.choices(WORDS, k=generator.randint(5, 25))) + "." for _ in range(count)]


def by_paragauge(model: LanguageModel, texts: Sequence[str]) -> list[np.ndarray]:
    return [one.log_probabilities for one in model.read(texts)]


def transformers_model() -> Any:
    """LlamaForCausalLM with the weights of the registered file."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    (file,) = ensure(entry_named("default-lm")).glob("*.gguf")
    opened = read_gguf(file)
    config = gguf_config(opened)
    weight = gguf_weights(opened, config)
    model = LlamaForCausalLM(LlamaConfig(**config)).eval()
    with torch.no_grad():
        for name, values in model.named_parameters():
            values.copy_(torch.from_numpy(weight(name).copy()))
    return model


def by_transformers(model: Any, inputs: Sequence[list[int]]) -> list[np.ndarray]:
    """The same numbers; inputs must be sorted by length."""
    import torch

    results: list[np.ndarray] = []
    start = 0
    while start < len(inputs):
        end = start + 1
        while end < len(inputs) and (end + 1 - start) * len(inputs[end]) <= BATCH:
            end += 1
        chunk = inputs[start:end]
        width = max(map(len, chunk))
        ids = torch.tensor([[*row, *[0] * (width - len(row))] for row in chunk])
        mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in chunk])
        with torch.inference_mode():
            logits = model(ids[:, :-1], attention_mask=mask[:, :-1], use_cache=False).logits
            found = torch.log_softmax(logits, -1).gather(2, ids[:, 1:, None])[:, :, 0].numpy()
        results += [values[: len(row) - 1] for values, row in zip(found, chunk, strict=True)]
        start = end
    return results


def timed(work: Callable[[], list[np.ndarray]]) -> tuple[float, float, list[np.ndarray]]:
    wall, processor = time.perf_counter(), time.process_time()
    found = work()
    return time.perf_counter() - wall, time.process_time() - processor, found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--texts", type=int, default=200)
    texts = sentences(parser.parse_args().texts)
    model = load_language_model()
    texts.sort(key=lambda text: len(model.ids([text])[0]))
    inputs = [[0, *ids] for ids in model.ids(texts)]
    tokens = sum(len(ids) - 1 for ids in inputs)
    sides: dict[str, Callable[[], list[np.ndarray]]] = {"paragauge": lambda: by_paragauge(model, texts)}
    if importlib.util.find_spec("torch") and importlib.util.find_spec("transformers"):
        other = transformers_model()
        sides["transformers"] = lambda: by_transformers(other, inputs)
    else:
        print("torch and transformers are not installed: paragauge alone")
    runs = {name: [] for name in sides}
    found = {}
    for _ in range(3):
        for name, work in sides.items():
            wall, processor, found[name] = timed(work)
            runs[name].append((wall, processor))
    print(f"{len(texts)} texts, {tokens} tokens")
    for name, times in runs.items():
        wall, processor = (min(column) for column in zip(*times, strict=True))
        print(f"{name}: {tokens / wall:,.0f} tokens/s, {tokens / processor:,.0f} tokens per processor second")
    if len(found) == 2:
        one, two = (np.concatenate(values) for values in found.values())
        print(f"largest difference of a log-probability: {np.abs(one - two).max():.1e}")


if __name__ == "__main__":
    main()
