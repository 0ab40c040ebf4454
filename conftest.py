"""What several tests need: the published data sets, the default models, and small models of other kinds."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from hypothesis import settings

from paragauge.benchmarks import benchmark
from paragauge.errors import InputError
from paragauge.files.folders import cache_folder

# the same examples on every run, and no verdict that depends on how busy the machine is; `make test-all` draws more
THOROUGH = bool(os.environ.get("PARAGAUGE_THOROUGH"))
settings.register_profile("steady", derandomize=True, deadline=None, max_examples=100 if THOROUGH else 40)
settings.register_profile("many", settings.get_profile("steady"), max_examples=600 if THOROUGH else 100)
settings.register_profile("few", settings.get_profile("steady"), max_examples=40 if THOROUGH else 12)
settings.load_profile("steady")

ROOT = Path(__file__).parent

# modules whose doctests are not looked for: they cannot be imported without an extra that is not installed
_TORCH = ["pairs/loop", "pairs/network", "pairs/run"]
collect_ignore = [
    f"research/src/paragauge_research/training/{name}.py" for name in _TORCH if not importlib.util.find_spec("torch")
]
_FRAMEWORKS = [file.stem for file in (Path(__file__).parent / "src/paragauge/adapters").glob("[!_]*.py")]
collect_ignore += [f"src/paragauge/adapters/{name}.py" for name in _FRAMEWORKS if not importlib.util.find_spec(name)]


class HumanRated(NamedTuple):
    """A human-rated data set, one entry per candidate, in the published order."""

    sources: list[str]
    candidates: list[str]
    references: list[str]
    ratings: list[float]


def read_judged(name: str) -> HumanRated:
    """Twitter-Para (`twitter`) or BQ-Para (`bq`)."""
    found = benchmark(f"{name}-para").load()
    table = found.samples
    return HumanRated(table.sources, table.candidates, [group[0] for group in table.references], found.human.tolist())


def _judged_or_skip(name: str) -> HumanRated:
    try:
        return read_judged(name)
    except InputError as error:
        pytest.skip(f"needs the data set {name}: {error}")


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cache of this session alone, where nothing from before hides a fault; the models in it are the user's."""
    home, own = cache_folder().absolute(), tmp_path_factory.mktemp("cache")
    for name in ("models", "converted", "vectors", "checksums", "data"):
        with contextlib.suppress(OSError):  # the user's cache may not be writable
            (home / name).mkdir(parents=True, exist_ok=True)
            (own / name).symlink_to(home / name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PARAGAUGE_CACHE", str(own))
        patch.setenv("PYTHONIOENCODING", "utf-8")  # what is printed does not depend on the locale of who runs the tests
        yield


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder that is empty at first."""
    monkeypatch.setenv("PARAGAUGE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture(scope="session")
def twitter() -> HumanRated:
    """Twitter-Para: 7,159 candidates of 761 English tweets."""
    return _judged_or_skip("twitter")


@pytest.fixture(scope="session")
def some_tweets(twitter: HumanRated) -> tuple[list[str], list[str]]:
    """Every 97th candidate of Twitter-Para, and its reference."""
    return twitter.candidates[::97], twitter.references[::97]


@pytest.fixture(scope="session")
def bq() -> HumanRated:
    """BQ-Para: 5,590 candidates of 559 Chinese questions."""
    return _judged_or_skip("bq")


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of all data sets, which PARAGAUGE_DATA names."""
    folder = os.environ.get("PARAGAUGE_DATA")
    if not folder:
        pytest.skip("needs the data sets: PARAGAUGE_DATA is not set")
    if not Path(folder).is_dir():
        pytest.skip(f"needs the data sets: PARAGAUGE_DATA names {folder}, and there is no such folder")
    return Path(folder)


@pytest.fixture(scope="session")
def small_models() -> ModuleType:
    """The module that makes small sequence-to-sequence models and classifiers."""
    spec = importlib.util.spec_from_file_location("small_models", ROOT / "tests" / "small_models.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def judged() -> ModuleType:
    """The module that makes runs with a verdict, for which no model is needed."""
    spec = importlib.util.spec_from_file_location("judged", ROOT / "tests" / "judged.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["judged"] = module  # where its dataclasses look up their annotations
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def judged_run(judged: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with a verdict."""
    return judged.make_run(tmp_path_factory.mktemp("judged"))


@pytest.fixture(scope="session")
def encoder() -> Any:
    """The default encoder, for real."""
    from paragauge.models.encoders.encoder import load_encoder

    return _without_fetching(lambda: load_encoder("default", None, "float32", "truncate"), "the default encoder")


@pytest.fixture(scope="session")
def glove() -> Any:
    """The default word vectors, for real."""
    from paragauge.models.lexical.vectors import load_vectors

    return _without_fetching(load_vectors, "the default word vectors")


@pytest.fixture
def tiny_vectors(tmp_path: Path) -> str:
    """A file of five words in two dimensions."""
    file = tmp_path / "tiny.txt"
    file.write_text("a 1 0\nb 0 1\nc 3 4\nd -1 0\ne -4 3\n")
    return str(file)


@pytest.fixture(scope="session")
def lexicon() -> Any:
    """The registry's WordNet, for real."""
    from paragauge.models.hub.fetch import ensure
    from paragauge.models.hub.registry import entry_named
    from paragauge.models.lexical.wordnet import load_wordnet

    return load_wordnet(str(_without_fetching(lambda: ensure(entry_named("wordnet")), "WordNet")))


@pytest.fixture(scope="session")
def meteor_jar() -> Any:
    """METEOR 1.5, for real."""
    from paragauge_research.metrics.meteor_jar import load_meteor

    return _without_fetching(lambda: load_meteor(True), "METEOR 1.5")


def _without_fetching(load: Callable[[], Any], what: str) -> Any:
    from paragauge.errors import ParagaugeError

    before = os.environ.get("PARAGAUGE_OFFLINE")
    os.environ["PARAGAUGE_OFFLINE"] = "1"  # tests do not fetch
    try:
        return load()
    except ParagaugeError as error:
        pytest.skip(f"needs {what}: {error}")
    finally:
        if before is None:
            del os.environ["PARAGAUGE_OFFLINE"]
        else:
            os.environ["PARAGAUGE_OFFLINE"] = before


CHATML = (
    "{% for message in messages %}{% if loop.first and messages[0]['role'] != 'system' %}{{ '<|im_start|>system\nYou "
    "are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n' }}{% endif %}{{'<|im_start|>' + "
    "message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n'}}{% endfor %}{% if add_generation_prompt %}"
    "{{ '<|im_start|>assistant\n' }}{% endif %}"
)


def make_llama(folder: Path, seed: int = 0, **changes: Any) -> Path:
    """A Llama with random weights in transformers' layout; every byte is a token, "th", "the" and " the" too."""
    import json

    import numpy as np
    from safetensors.numpy import save_file
    from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers

    special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    words = [*special, *sorted(pre_tokenizers.ByteLevel.alphabet()), "th", "the", "Ġthe"]
    tokenizer = Tokenizer(
        models.BPE({word: number for number, word in enumerate(words)}, [("t", "h"), ("th", "e"), ("Ġ", "the")])
    )
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.add_special_tokens([AddedToken(word, special=True, normalized=False) for word in special])
    layers, heads, shared, width, inner = 2, 4, 2, 32, 40
    config = {
        "model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_act": "silu", "hidden_size": width,
        "intermediate_size": inner, "num_hidden_layers": layers, "num_attention_heads": heads,
        "num_key_value_heads": shared, "max_position_embeddings": 2048, "rms_norm_eps": 1e-5, "rope_theta": 5000.0,
        "vocab_size": len(words), "bos_token_id": 1, "eos_token_id": 2, "tie_word_embeddings": True, **changes,
    }  # fmt: skip
    random = np.random.default_rng(seed)

    def table(*shape: int) -> Any:
        return random.normal(0, 0.5, shape).astype(np.float32)

    weights = {"model.embed_tokens.weight": table(len(words), width), "model.norm.weight": 1 + table(width) / 5}
    if not config["tie_word_embeddings"]:
        weights["lm_head.weight"] = table(len(words), width)
    shapes = {
        "self_attn.q_proj": (width, width), "self_attn.k_proj": (width // heads * shared, width),
        "self_attn.v_proj": (width // heads * shared, width), "self_attn.o_proj": (width, width),
        "mlp.gate_proj": (inner, width), "mlp.up_proj": (inner, width), "mlp.down_proj": (width, inner),
    }  # fmt: skip
    for layer in range(layers):
        for norm in ("input_layernorm", "post_attention_layernorm"):
            weights[f"model.layers.{layer}.{norm}.weight"] = 1 + table(width) / 5
        for name, shape in shapes.items():
            weights[f"model.layers.{layer}.{name}.weight"] = table(*shape)
    folder.mkdir(parents=True, exist_ok=True)
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "tokenizer_config.json").write_text(json.dumps({"chat_template": CHATML}))
    return folder


@pytest.fixture(scope="session")
def small_llama(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Makes the folder of a small random language model."""
    return lambda seed=0, **changes: make_llama(tmp_path_factory.mktemp("llama") / "small", seed, **changes)


@pytest.fixture(scope="session")
def language_model() -> Any:
    """The default language model, for real."""
    from paragauge.models.causal.language_model import load_language_model

    return _without_fetching(load_language_model, "the default language model")


@pytest.fixture
def chat_server() -> Iterator[Callable[..., Any]]:
    """Starts servers on this machine that speak OpenAI's chat protocol."""
    spec = importlib.util.spec_from_file_location("chat_server", ROOT / "tests" / "chat_server.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    started = []

    def start(**options: Any) -> Any:
        started.append(module.ChatServer(**options))
        return started[-1]

    yield start
    for server in started:
        server.close()


@pytest.fixture(scope="session")
def coded_model(small_models: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small Marian model of which ten tokens are codes."""
    import json

    folder = small_models.make_seq2seq(
        tmp_path_factory.mktemp("coded") / "marian", "marian", seed=5, paragauge_codes="semantic"
    )
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    words = tokenizer["model"]["vocab"]
    rare = ["##j", "##k", "##q", "##v", "##x", "##z", "j", "q", "x", "z"]  # most words can still be read
    for number, letter in enumerate(rare):
        words[f"<cl_{number}>"] = words.pop(letter)
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    return folder


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium of this machine, by playwright; nothing is downloaded."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install playwright")
    found = [shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")]
    path = os.environ.get("PARAGAUGE_CHROMIUM") or next(filter(None, found), None)
    if path is None:
        pytest.skip("needs chromium, as apt-get install chromium has it")
    with sync_api.sync_playwright() as play:
        try:
            # the sandbox is not to be had by root, nor in most containers; the pages are our own
            launched = play.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        except sync_api.Error as error:
            pytest.skip(f"chromium does not start here: {str(error).splitlines()[0]}")
        yield launched
        launched.close()


class Pages:
    """Pages of a browser. One that a test is done with is emptied and given to the next: a new one takes 0.3 s."""

    def __init__(self, browser: Any) -> None:
        self._browser = browser
        self._free: dict[str, list[Any]] = {}
        self._taken: list[tuple[str, dict[str, Any], Any]] = []
        self._allowed: dict[Any, tuple[str, ...]] = {}
        self._wrong: list[str] = []

    def open(self, address: str, *allowed: str, **options: Any) -> Any:
        """A page that may ask only for what begins with `allowed`."""
        key = repr(sorted(options.items()))
        free = self._free.setdefault(key, [])
        page = free.pop() if free else self._new(options)
        self._taken.append((key, options, page))
        self._allowed[page] = allowed
        if page.url.partition("#")[0] == address.partition("#")[0]:  # a report is there still: its address is its state
            page.evaluate("hash => { location.hash = hash; }", address.partition("#")[2] or "all=anew")
            page.wait_for_selector("#pair[open]" if "row=" in address else "#pair:not([open])", state="attached")
        else:
            page.goto(address)
        page.wait_for_selector("html[data-ready]")
        return page

    def _new(self, options: dict[str, Any]) -> Any:
        page = self._browser.new_context(**options).new_page()
        page.set_default_timeout(60_000)  # a busy machine is slow
        page.on("pageerror", lambda error: self._wrong.append(f"error: {error}"))
        page.on("console", lambda one: self._wrong.append(one.text) if one.type in ("error", "warning") else None)
        page.on("request", lambda one: self._check(page, one.url))
        return page

    def _check(self, page: Any, address: str) -> None:
        if not address.startswith((*self._allowed[page], "blob:", "about:")):
            self._wrong.append(address)

    def release(self) -> list[str]:
        """Errors in the pages that were opened, and requests to anyone else; the pages are as new again."""
        found, self._wrong = self._wrong, []
        for key, options, page in self._taken:
            for other in page.context.pages:
                if other is not page:
                    other.close()
            page.unroute_all()
            page.evaluate("() => { try { sessionStorage.clear(); localStorage.clear(); } catch {} }")
            if not page.url.startswith("file:"):
                page.goto("about:blank")
            page.context.clear_cookies()
            page.emulate_media(media="null", color_scheme=options.get("color_scheme", "light"))
            page.set_viewport_size(options["viewport"])
            page.mouse.move(0, 0)
            self._free[key].append(page)
        self._taken, self._wrong = [], []
        return found


@pytest.fixture(scope="module")
def pages(browser: Any) -> Pages:
    """Pages for the tests of a file."""
    return Pages(browser)


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """axe-core, where it is installed or npm can get it."""
    given = os.environ.get("PARAGAUGE_AXE")
    if given:
        return Path(given)
    shared = ROOT / ".venv" / "axe"  # fetched once, as it is 3 MB
    target = shared if shared.parent.is_dir() else tmp_path_factory.mktemp("axe")
    found = target / "node_modules" / "axe-core" / "axe.min.js"
    if not found.exists():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("needs npm, to get axe-core")
        target.mkdir(exist_ok=True)
        command = [npm, "install", "--no-save", "--prefix", str(target), "axe-core@4"]
        try:
            result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        except subprocess.TimeoutExpired:
            pytest.skip("npm could not get axe-core within a minute")
        if not found.exists():
            pytest.skip(f"npm could not get axe-core: {result.stderr[-200:]}")
    return found
