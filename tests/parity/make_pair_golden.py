"""Make the golden values of bartscore and nli on small models, with transformers.

    python tests/parity/make_pair_golden.py

Run it with a Python that has torch, transformers, safetensors, numpy and paragauge. It writes golden/pairs.json.
"""

import hashlib
import importlib.metadata
import importlib.util
import json
import platform
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

HERE = Path(__file__).parent
PAIRS = [
    ["how old are you", "what is your age?"],
    ["what is your age?", "how old are you"],
    ["a man is playing a guitar.", "someone plays the guitar on stage."],
    ["x", "a copy"],
    ["a copy", "a copy"],
    ["the quick brown fox jumps over the lazy dog again and again", "ünknown letters"],
]
PACKAGES = ("torch", "transformers", "tokenizers", "numpy", "safetensors")


def load_small_models() -> ModuleType:
    spec = importlib.util.spec_from_file_location("small_models", HERE.parent / "small_models.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def bart_scores(folder: Path) -> list[float]:
    """The authors' formula: -NLL of the tokenizer's ids, summed, over their number; batches of four, padded."""
    import torch
    from transformers import AutoModelForSeq2SeqLM

    tokenizer = fast_tokenizer(folder, "<pad>")
    model = AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    scores: list[float] = []
    for start in range(0, len(PAIRS), 4):
        sources, targets = (
            tokenizer(list(texts), max_length=40, truncation=True, padding=True, return_tensors="pt")
            for texts in zip(*PAIRS[start : start + 4], strict=True)
        )
        with torch.no_grad():
            logits = model(
                input_ids=sources["input_ids"], attention_mask=sources["attention_mask"], labels=targets["input_ids"]
            ).logits
        loss = torch.nn.NLLLoss(reduction="none", ignore_index=model.config.pad_token_id)
        each = loss(logits.log_softmax(-1).flatten(0, 1), targets["input_ids"].flatten())
        means = each.view(targets["input_ids"].shape).sum(1) / targets["attention_mask"].sum(1)
        scores += (-means).tolist()
    return scores


def nli_probabilities(folder: Path) -> list[list[float]]:
    import torch
    from transformers import AutoModelForSequenceClassification

    tokenizer = fast_tokenizer(folder, "[PAD]")
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    texts = [list(column) for column in zip(*PAIRS, strict=True)]
    inputs = tokenizer(*texts, max_length=40, truncation=True, padding=True, return_tensors="pt")
    with torch.no_grad():
        return model(**inputs).logits.softmax(-1).tolist()


def fast_tokenizer(folder: Path, padding: str) -> Any:
    from transformers import PreTrainedTokenizerFast

    return PreTrainedTokenizerFast(
        tokenizer_file=str(folder / "tokenizer.json"),
        pad_token=padding,
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
    )


def main() -> None:
    small_models = load_small_models()
    with tempfile.TemporaryDirectory() as temporary:
        bart = small_models.make_seq2seq(Path(temporary) / "bart", "bart")
        bert = small_models.make_classifier(Path(temporary) / "bert", "bert")
        golden = {
            "command": "python tests/parity/make_pair_golden.py",
            "python": platform.python_version(),
            "packages": {name: importlib.metadata.version(name) for name in PACKAGES},
            "pairs": PAIRS,
            "weights_sha256": {folder.name: sha256(folder) for folder in (bart, bert)},
            "bart": bart_scores(bart),
            "bert": nli_probabilities(bert),
        }
    file = HERE / "golden" / "pairs.json"
    file.write_text(json.dumps(golden, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def sha256(folder: Path) -> str:
    return hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()


if __name__ == "__main__":
    main()
