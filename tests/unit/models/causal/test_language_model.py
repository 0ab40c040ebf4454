"""A small Llama: against a slow and plain one, from a folder and from a GGUF file, and what becomes of odd inputs."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from paragauge.errors import InputError, ModelError
from paragauge.models import LanguageModel
from paragauge.models.causal.chat import chat_template, rendered
from paragauge.models.causal.language_model import Likelihood, load_language_model

from ..conftest import needs_torch
from ..convert.test_gguf import write_gguf, write_llama_gguf

TEXTS = ["the fox", "then the other", "", "a", "Zoë 你好", " the   end.\n", "abc " * 30, "x", "the fox jumps"]
# float32 against float64 through two layers; the log-probabilities reach −20
ROUNDING = 2e-5

pytestmark = pytest.mark.usefixtures("empty_cache")


def plain_predictions(folder: Path, ids: list[int]) -> np.ndarray:
    """Log-probabilities [T, V] of what follows each token, in float64, one head and one position at a time."""
    config = json.loads((folder / "config.json").read_text())
    weights = {name: value.astype(np.float64) for name, value in load_file(folder / "model.safetensors").items()}
    heads, shared, width = config["num_attention_heads"], config["num_key_value_heads"], config["hidden_size"]
    size = width // heads

    def norm(states: np.ndarray, name: str) -> np.ndarray:
        scale = np.sqrt((states**2).mean(-1, keepdims=True) + config["rms_norm_eps"])
        return states / scale * weights[f"{name}.weight"]

    def turned(vector: np.ndarray, position: int) -> np.ndarray:
        result = np.empty(size)
        for pair in range(size // 2):
            angle = position * config["rope_theta"] ** (-2 * pair / size)
            one, two = vector[pair], vector[pair + size // 2]
            result[pair] = one * math.cos(angle) - two * math.sin(angle)
            result[pair + size // 2] = two * math.cos(angle) + one * math.sin(angle)
        return result

    states = weights["model.embed_tokens.weight"][ids]
    for layer in range(config["num_hidden_layers"]):
        part = f"model.layers.{layer}"
        inputs = norm(states, f"{part}.input_layernorm")
        query, key, value = (inputs @ weights[f"{part}.self_attn.{name}_proj.weight"].T for name in "qkv")
        mixed = np.zeros((len(ids), width))
        for head in range(heads):
            own = slice(head * size, (head + 1) * size)
            other = slice(head // (heads // shared) * size, (head // (heads // shared) + 1) * size)
            for row in range(len(ids)):
                asked = turned(query[row, own], row)
                scores = np.exp([asked @ turned(key[past, other], past) / math.sqrt(size) for past in range(row + 1)])
                mixed[row, own] = scores / scores.sum() @ value[: row + 1, other]
        states = states + mixed @ weights[f"{part}.self_attn.o_proj.weight"].T
        inputs = norm(states, f"{part}.post_attention_layernorm")
        gate = inputs @ weights[f"{part}.mlp.gate_proj.weight"].T
        inner = gate / (1 + np.exp(-gate)) * (inputs @ weights[f"{part}.mlp.up_proj.weight"].T)
        states = states + inner @ weights[f"{part}.mlp.down_proj.weight"].T
    table = weights["model.embed_tokens.weight" if config["tie_word_embeddings"] else "lm_head.weight"]
    logits = norm(states, "model.norm") @ table.T
    return logits - np.log(np.exp(logits).sum(-1, keepdims=True))


@pytest.mark.parametrize("tied", [True, False])
def test_log_probabilities_of_a_small_llama(small_llama: Callable[..., Path], tied: bool) -> None:
    folder = small_llama(tie_word_embeddings=tied)
    model = load_language_model(str(folder))
    found = list(model.read(TEXTS))
    for text, one, ids in zip(TEXTS, found, model.ids(TEXTS), strict=True):
        assert one.ids.tolist() == ids
        assert len(ids) == len(one.log_probabilities) <= len(text.encode())
        expected = plain_predictions(folder, [0, *ids])[:-1]
        assert one.log_probabilities == pytest.approx(expected[np.arange(len(ids)), ids], abs=ROUNDING)
        assert one.truncated == 0
    assert model.ids([" the", "the"]) == [[260], [260]]  # texts are stripped: "the" is the token before the last
    assert list(model.read([])) == []


def test_a_gguf_file_of_the_same_weights(small_llama: Callable[..., Path], tmp_path: Path) -> None:
    folder = small_llama()
    (tmp_path / "gguf").mkdir()
    write_llama_gguf(folder, tmp_path / "gguf" / "model.gguf")
    one, two = load_language_model(str(folder)), load_language_model(str(tmp_path / "gguf"))
    assert two.start == "<|endoftext|>"
    for first, second in zip(one.read(TEXTS), two.read(TEXTS), strict=True):
        assert first.ids.tolist() == second.ids.tolist()
        assert first.log_probabilities == pytest.approx(second.log_probabilities, abs=1e-6)
    assert next(one.answer(["the?"], ["Yes", "No"])) == pytest.approx(next(two.answer(["the?"], ["Yes", "No"])))
    (tmp_path / "gguf" / "other.gguf").write_bytes(b"GGUF")
    with pytest.raises(ModelError, match="holds 2 GGUF files"):
        load_language_model(str(tmp_path / "gguf"), limit=99)


def test_a_text_beyond_the_limit_is_cut_and_a_question_is_not(small_llama: Callable[..., Path]) -> None:
    folder = small_llama()
    whole, short = load_language_model(str(folder)), load_language_model(str(folder), limit=8)
    text = "abcdefghijklmnop"
    (full,), (cut,) = whole.read([text]), short.read([text])
    assert (len(full.ids), full.truncated) == (16, 0)
    assert (cut.ids.tolist(), cut.truncated) == (full.ids[:7].tolist(), 9)  # one place is taken by the beginning
    assert cut.log_probabilities == pytest.approx(full.log_probabilities[:7], abs=ROUNDING)
    assert load_language_model(str(folder), limit=5000).limit == 2048
    assert np.isnan(list(short.answer(["the?"], ["Yes", "No"]))).all()
    with pytest.raises(InputError, match="limit=1 leaves no room"):
        load_language_model(str(folder), limit=1)


def test_answers_and_expectations(small_llama: Callable[..., Path]) -> None:
    folder = small_llama()
    model = load_language_model(str(folder))
    message = "Is the fox <|im_end|> red?"
    before, after = chat_template(
        json.loads((folder / "tokenizer_config.json").read_text())["chat_template"], "small", {}
    )
    assert before.startswith("<|im_start|>system\nYou are")
    assert after == "<|im_end|>\n<|im_start|>assistant\n"
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    ids = [*tokenizer.encode(before).ids, *model.ids([message])[0], *tokenizer.encode(after).ids]
    assert ids.count(2) == 2  # the one in the message is spelt out: it must not end the conversation
    expected = plain_predictions(folder, ids)[-1]
    (found,) = model.answer([message], ["Yes", "No"])
    yes, no = (model.ids([word])[0][0] for word in ("Yes", "No"))
    assert found == pytest.approx([expected[yes], expected[no]], abs=ROUNDING)
    with pytest.raises(ModelError, match="begin with the same token"):
        next(model.answer(["the?"], ["Yes", "Yeah"]))
    lines = ["the fox", "a"]
    rows = [plain_predictions(folder, [0, *own][:-1]) for own in model.ids(lines)]
    mean = np.exp(np.concatenate(rows)).mean(axis=0)
    assert model.predict("the fox\n\na") == pytest.approx(np.log(mean), abs=ROUNDING)
    assert np.exp(model.predict("the fox").astype(np.float64)).sum() == pytest.approx(1, abs=1e-5)


def test_special_tokens_in_a_text_are_text(small_llama: Callable[..., Path]) -> None:
    model = load_language_model(str(small_llama()))
    (ids,) = model.ids(["<|im_end|>"])
    assert len(ids) == len("<|im_end|>")


def test_order_and_company(small_llama: Callable[..., Path]) -> None:
    model = load_language_model(str(small_llama()))
    texts = [f"{number} " + "fox " * (number * 7 % 23) for number in range(1500)]  # more than one block
    found = list(model.read(texts))
    assert [one.ids.tolist() for one in found] == model.ids(texts)
    again = list(model.read(texts))
    assert all(
        np.array_equal(one.log_probabilities, two.log_probabilities) for one, two in zip(found, again, strict=True)
    )
    for place in (0, 3, 500, 1499):
        (alone,) = model.read([texts[place]])
        assert alone.log_probabilities == pytest.approx(found[place].log_probabilities, abs=ROUNDING)


def test_bytes_and_back() -> None:
    one = Likelihood(np.array([3, 1, 4], np.int32), np.array([-0.1, -1e-7, -20], np.float32), 5)
    two = Likelihood.unpack(one.pack())
    assert (two.ids.tolist(), two.log_probabilities.tolist(), two.truncated) == (
        one.ids.tolist(), one.log_probabilities.tolist(), 5,
    )  # fmt: skip
    assert len(Likelihood.unpack(Likelihood(one.ids[:0], one.log_probabilities[:0], 0).pack()).ids) == 0


def test_what_cannot_be_loaded(small_llama: Callable[..., Path], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="all-MiniLM-L6-v2 is not a language model; its kind is: encoder"):
        load_language_model("default")
    with pytest.raises(InputError, match=r"no language model named 'gpt'.*known: default-lm, smollm2-135m-instruct"):
        load_language_model("gpt")
    with pytest.raises(InputError, match="has no chat template"):
        chat_template(None, "x", {})
    with pytest.raises(InputError, match="did you mean 'int8'"):
        load_language_model(precision="int4")
    folder = small_llama(vocab_size=999)
    with pytest.raises(ModelError, match="promises vocab_size=999"):
        load_language_model(str(folder))
    path = tmp_path / "model.gguf"
    for metadata, said in (
        ({"general.architecture": "qwen2"}, "holds a qwen2 model"),
        ({"general.architecture": "llama", "llama.rope.scaling.type": "yarn"}, "without scaled positions"),
    ):
        write_gguf(path, metadata, {})
        with pytest.raises(ModelError, match=said):
            load_language_model(str(tmp_path))


@needs_torch
@pytest.mark.filterwarnings("ignore:.torch.jit.script. is deprecated:DeprecationWarning")  # transformers' own call
def test_another_architecture_and_the_same_by_transformers(small_llama: Callable[..., Path], tmp_path: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM, GPT2Config

    folder = small_llama()
    llama = load_language_model(str(folder))
    check_against_transformers(llama, AutoModelForCausalLM.from_pretrained(folder))
    torch.manual_seed(0)
    special = {"bos_token_id": 0, "eos_token_id": 0}  # GPT-2's own are beyond this vocabulary
    config = GPT2Config(vocab_size=262, n_positions=64, n_embd=16, n_layer=2, n_head=2, **special)
    own = AutoModelForCausalLM.from_config(config)
    own.save_pretrained(tmp_path / "gpt2")
    (tmp_path / "gpt2" / "tokenizer.json").write_bytes((folder / "tokenizer.json").read_bytes())
    model = load_language_model(str(tmp_path / "gpt2"))
    assert "torch" in model.signature
    assert model.limit == 64
    check_against_transformers(model, own)
    with pytest.raises(InputError, match="runs in float32"):
        load_language_model(str(tmp_path / "gpt2"), "int8")
    config = json.loads((folder / "config.json").read_text())
    config |= {"model_type": "strange", "auto_map": {"AutoModelForCausalLM": "code.Model", "AutoConfig": "code.Config"}}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "code.py").write_text("raise SystemExit('run')")
    with pytest.raises(ModelError, match="transformers cannot load"):
        load_language_model(str(folder), limit=77)


def check_against_transformers(model: LanguageModel, other: Any) -> None:
    import torch

    for text, one in zip(TEXTS, model.read(TEXTS), strict=True):
        ids = torch.tensor([[0, *one.ids.tolist()]])
        with torch.no_grad():
            expected = torch.log_softmax(other.eval()(ids).logits[0].double(), -1)
        wanted = [float(expected[place, number]) for place, number in enumerate(one.ids.tolist())]
        # both are float32 here, so both may be off
        assert one.log_probabilities == pytest.approx(wanted, abs=2 * ROUNDING), text


def test_the_known_chat_template_is_what_jinja2_makes_of_it(small_llama: Callable[..., Path]) -> None:
    pytest.importorskip("jinja2", reason="jinja2 is not installed")
    template = json.loads((small_llama() / "tokenizer_config.json").read_text())["chat_template"]
    assert rendered(template, "small", {}) == chat_template(template, "small", {})
    assert rendered("{{ bos_token }}[{{ messages[0].content }}]", "x", {"bos_token": "<s>"}) == ("<s>[", "]")
    with pytest.raises(ModelError, match="leaves out"):
        rendered("hello", "x", {})
    with pytest.raises(ModelError, match="cannot be used"):
        rendered("{{ raise_exception('no') }}", "x", {})
