"""Make the golden values of paraphrase-metrics and diversity on Twitter-Para.

    PYTHONPATH=src python tests/parity/make_golden_lexical.py en_core_web_sm

The argument is an installed spaCy model. Run it with a Python that has paraphrase-metrics 0.0.1 (`--no-deps`; with
spacy, textdistance, rouge and nltk), diversity 0.3.1 (`--no-deps`), sacrebleu, regex, pytest and hypothesis. It writes
golden/lexical.json: of every 30th row the deviations of our own lower-cased tokens in the place of lemmas, and those
of spaCy's lemmas; of every 40th set the compression ratio.
"""

import contextlib
import importlib
import importlib.metadata
import importlib.util
import io
import json
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

HERE = Path(__file__).parent
EVERY_ROW = 30
EVERY_SET = 40
PACKAGES = ("paraphrase-metrics", "diversity", "spacy", "sacrebleu")


def load_file(file: Path) -> ModuleType:
    """One file as a module, without the package it stands in."""
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return module


def main(model: str) -> None:
    from paraphrase_metrics import metrics as peer

    from paragauge.text.tokens import tokenizer

    def as_lemmas(text: str) -> list[SimpleNamespace]:
        return [SimpleNamespace(lemma_=token) for token in tokenizer("auto")(text.lower())]

    # the package itself imports clients of paid services
    folder = importlib.util.find_spec("diversity").submodule_search_locations[0]
    compression_ratio = load_file(Path(folder) / "compression.py").compression_ratio
    rows = load_file(HERE.parents[1] / "conftest.py").read_judged("twitter")
    spacy_model = importlib.import_module(model).load()
    pairs = list(zip(rows.sources, rows.candidates, strict=True))[::EVERY_ROW]
    found = {}
    with contextlib.redirect_stdout(io.StringIO()):  # it prints its warnings
        for way, read in (("tokens", as_lemmas), ("lemmas", spacy_model)):
            read_pairs = [(read(source), read(candidate)) for source, candidate in pairs]
            found[f"wpd_{way}"] = [peer.wpd(*pair) for pair in read_pairs]
            found[f"ld_{way}"] = [peer.ld(*pair) for pair in read_pairs]
    sets: dict[str, list[str]] = {}
    for source, candidate in zip(rows.sources, rows.candidates, strict=True):
        sets.setdefault(source, []).append(candidate)
    found["compression_ratio"] = [compression_ratio(sorted(texts)) for texts in list(sets.values())[::EVERY_SET]]
    about = {
        "command": f"PYTHONPATH=src python tests/parity/make_golden_lexical.py {model}",
        "every_row": EVERY_ROW,
        "every_set": EVERY_SET,
        "packages": {name: importlib.metadata.version(name) for name in PACKAGES},
        "model": f"{spacy_model.meta['lang']}_{spacy_model.meta['name']} {spacy_model.meta['version']}",
    }
    (HERE / "golden" / "lexical.json").write_text(json.dumps(about | found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
