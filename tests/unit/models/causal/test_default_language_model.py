"""The default language model, for real: parity with transformers on the same weights, its tokens, its beginning."""

import os
import subprocess
import sys

import numpy as np
import pytest

from paragauge.models import LanguageModel
from paragauge.models.causal.language_model import load_language_model

# transformers 5.22 on torch 2.13, AutoModelForCausalLM and AutoTokenizer.from_pretrained(folder, gguf_file=…,
# dtype=float32): tokens, and log_softmax of the logits after token 0 and the tokens before
GOLDEN = {
    "How old are you?": (
        [2020, 1573, 359, 346, 47],
        [-8.13007, -7.92762, -3.72404, -1.20629, -0.6083],
    ),
    "In 1998 the price rose by 37.5%, didn't it?": (
        [788, 216, 33, 41, 41, 40, 260, 4319, 8739, 411, 216, 35, 39, 30, 37, 9812, 3683, 982, 357, 47],
        [-5.85443, -2.43921, -1.0986, -0.3264, -1.23337, -2.04445, -3.81331, -9.05181, -8.34115, -2.85741, -0.44837,
         -1.9223, -2.81913, -0.81909, -1.67946, -1.45255, -12.25826, -0.51249, -3.73317, -0.12922],
    ),
    "Ça va? 你好 🙂": (
        [142, 225, 81, 46316, 47, 216, 18645, 250, 48392, 138, 47526],
        [-13.94942, -2.61528, -2.47892, -15.3993, -5.23454, -3.2533, -7.95759, -0.90926, -1.95077, -1.41216, -10.95264],
    ),
    " two  spaces\nand a line ": (
        [11355, 216, 5600, 198, 397, 253, 1761],
        [-13.34398, -5.30692, -11.06832, -3.97601, -6.22316, -2.42075, -5.19745],
    ),
}  # fmt: skip
# float32 through 30 layers, in another order of operations; seen: 2e-5 with AVX2, 2.3e-4 in the first text with the
# kernels for any processor (CT2_FORCE_CPU_ISA=GENERIC), whose exponential is another; four times that is allowed
ROUNDING = 1e-3


def test_every_token_as_transformers_has_it(language_model: LanguageModel) -> None:
    for (ids, expected), found in zip(GOLDEN.values(), language_model.read(list(GOLDEN)), strict=True):
        assert found.ids.tolist() == ids
        assert found.log_probabilities == pytest.approx(expected, abs=ROUNDING)


def test_a_question_as_transformers_asks_it(language_model: LanguageModel) -> None:
    # apply_chat_template([{"role": "user", …}], add_generation_prompt=True), then as above, after the last token
    (found,) = language_model.answer(["Is water wet? Answer Yes or No."], ["Yes", "No"])
    assert found == pytest.approx([-2.071205, -1.328087], abs=ROUNDING)


def test_what_it_says_of_itself(language_model: LanguageModel) -> None:
    assert language_model.name == "smollm2-135m-instruct"
    assert language_model.sha256 == "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
    assert (language_model.vocabulary, language_model.limit, language_model.precision) == (49152, 1024, "float32")
    assert load_language_model("smollm2-135m-instruct") is language_model  # loaded once


def test_a_text_begins_behind_the_end_of_another(language_model: LanguageModel) -> None:
    """Not with <|im_start|>, which its file declares: in training a role followed it, never a text."""
    text = "The cat sat on the mat."
    assert language_model.start == "<|endoftext|>"
    (found,) = language_model.read([text])
    assert np.exp(-found.log_probabilities.mean()) == pytest.approx(19.85, abs=0.01)
    ids = np.array([[1, *found.ids]], np.int32)
    declared = language_model.predictions(ids)[0]  # type: ignore[attr-defined]
    wrong = np.mean([declared[place, number] for place, number in enumerate(found.ids)])
    assert np.exp(-wrong) == pytest.approx(435.6, abs=0.5)


@pytest.mark.thorough
def test_int8_is_another_model(language_model: LanguageModel) -> None:
    """No metric offers it: what it loses depends on the processor ("How old are you?": 0.05 to 0.9 of −4.3)."""
    quantised = load_language_model(precision="int8")
    assert quantised.signature != language_model.signature
    ((exact,), (near,)) = (model.read(["How old are you?"]) for model in (language_model, quantised))
    assert near.ids.tolist() == exact.ids.tolist()
    assert near.log_probabilities.mean() == pytest.approx(exact.log_probabilities.mean(), abs=2)  # chance: −10.8


def test_neither_torch_nor_transformers_nor_gguf_is_touched(language_model: LanguageModel) -> None:
    program = (
        "import sys; sys.modules['torch'] = sys.modules['transformers'] = sys.modules['gguf'] = None\n"
        "from paragauge.metrics import Perplexity\n"
        "print(Perplexity().score(sources=[''], candidates=['The cat sat on the mat.']).round(1))"
    )
    environment = os.environ | {"PARAGAUGE_OFFLINE": "1"}
    command = [sys.executable, "-W", "error", "-c", program]
    finished = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert (finished.stderr, finished.stdout) == ("", "[19.8]\n")
    assert language_model.name
