"""Make the golden values of bert_score and parascore on Twitter-Para.

    python tests/parity/make_golden.py "$(paragauge models path default)"

Run it with a Python that has bert_score 0.3.13, parascore 1.0.5, torch, transformers, polars and pytest. It writes
golden/twitter.parquet (all rows), golden/free_score.parquet (the first 300) and golden/about.json.
"""

import hashlib
import importlib.metadata
import importlib.util
import json
import platform
import sys
import warnings
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).parent
LAYERS = 6
FREE_ROWS = 300
PACKAGES = ("bert-score", "parascore", "torch", "transformers", "tokenizers", "numpy", "nltk")


def load_conftest() -> ModuleType:
    """The reader of the data sets, which the tests use too."""
    spec = importlib.util.spec_from_file_location("conftest", HERE.parents[1] / "conftest.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["conftest"] = module
    spec.loader.exec_module(module)
    return module


def main(model: Path) -> None:
    warnings.simplefilter("ignore")
    import bert_score
    import parascore
    import polars
    import torch

    rows = load_conftest().read_judged("twitter")
    # transformers 5 has no slow tokenizers: bert_score's use_fast_tokenizer=False gives the fast one as well
    options = {"model_type": str(model), "num_layers": LAYERS, "device": "cpu"}
    columns = {}
    # The pairs of a batch are padded to the longest, and the cosine with padding is 0: a token whose best cosine is
    # negative gets 0 in a batch and its own value alone. So both are kept: as called by default, and pair by pair.
    for name, others in (("source", rows.sources), ("reference", rows.references)):
        for way, size in (("", 64), ("_alone", 1)):
            found = bert_score.score(rows.candidates, others, batch_size=size, **options)
            columns |= {f"{name}_{part}{way}": values.numpy() for part, values in zip("prf", found, strict=True)}
    scorer = parascore.ParaScorer(**options)
    base = scorer.base_score(rows.candidates, rows.sources, rows.references)
    columns["base_score"] = torch.tensor(base, dtype=torch.float32).numpy()
    free = scorer.free_score(rows.candidates[:FREE_ROWS], rows.sources[:FREE_ROWS])
    golden = HERE / "golden"
    golden.mkdir(exist_ok=True)
    polars.DataFrame(columns).write_parquet(golden / "twitter.parquet", compression="zstd")
    polars.DataFrame({f"item_{place}": item.numpy() for place, item in enumerate(free)}).write_parquet(
        golden / "free_score.parquet", compression="zstd"
    )
    about = {
        "command": 'python tests/parity/make_golden.py "$(paragauge models path default)"',
        "calls": [
            f"bert_score.score(candidates, sources, model_type=…, num_layers={LAYERS}) → source_p, source_r, source_f",
            f"bert_score.score(candidates, references, model_type=…, num_layers={LAYERS}) → reference_p, …_r, …_f",
            "the same with batch_size=1 → source_p_alone …",
            f"parascore.ParaScorer(model_type=…, num_layers={LAYERS}).base_score(candidates, sources, references)",
            f"….free_score(candidates[:{FREE_ROWS}], sources[:{FREE_ROWS}]) → item_0, item_1, item_2",
        ],
        "rows": len(rows.candidates),
        "texts_sha256": texts_sha256(rows),
        "model_sha256": hashlib.sha256((model / "model.safetensors").read_bytes()).hexdigest(),
        "python": platform.python_version(),
        "packages": {name: importlib.metadata.version(name) for name in PACKAGES},
    }
    (golden / "about.json").write_text(json.dumps(about, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def texts_sha256(rows: tuple[list[str], ...]) -> str:
    """Identifies the texts and their order."""
    return hashlib.sha256("\0".join(text for column in rows[:3] for text in column).encode()).hexdigest()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
