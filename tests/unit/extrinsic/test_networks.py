"""The networks of Hailu et al. 2020: words as Keras numbers them, layers, and that they learn."""

from __future__ import annotations

import numpy as np
import pytest

from paragauge.errors import InputError, MissingExtraError
from paragauge.extrinsic.classifiers import PAPER, names, parse
from paragauge.extrinsic.classifiers._words import Vocabulary, words_of

SMALL = "vocabulary=60,dimensions=12,length=30"
SETTINGS = {
    "mlp": "epochs=40,batch=8,units=16",
    "cnn": "epochs=30,batch=8,filters=8",
    "gru": "epochs=25,batch=8,learning_rate=0.02",
    "lstm": "epochs=25,batch=8,learning_rate=0.02",
}


@pytest.fixture
def torch():
    return pytest.importorskip("torch", reason="needs the extra torch")


def test_words_are_cut_and_numbered_as_keras_does():
    """keras.preprocessing.text.Tokenizer(num_words=4) and pad_sequences, by their documentation."""
    texts = ["The cat, the dog!", "the cat\tsat"]
    assert words_of(texts[0]) == ["the", "cat", "the", "dog"]
    found = Vocabulary.of(texts, 4)
    assert found.numbers == {"the": 1, "cat": 2, "dog": 3}  # num_words − 1 words; sat is left out
    assert found.rows(texts, 5, "after").tolist() == [[1, 2, 1, 3, 0], [1, 2, 0, 0, 0]]
    assert found.rows(texts, 5, "before").tolist() == [[0, 1, 2, 1, 3], [0, 0, 0, 1, 2]]
    assert found.rows(texts, 2, "after").tolist() == [[1, 3], [1, 2]]  # truncating="pre": the last words
    assert found.rows(["sat"], 2, "before").tolist() == [[0, 0]]


def test_defaults_are_the_papers():
    for name in PAPER:
        found = parse(name)
        assert (found.vocabulary, found.dimensions, found.length, found.epochs) == (5000, 300, 500, 30)
        assert found.learning_rate == 0.001
        assert found.batch == (16 if name == "cnn" else 128)
    assert parse("gru-paper").padding == parse("lstm-paper").padding == "after"
    assert parse("gru-paper").spec == "gru-paper"
    assert set(PAPER) < set(names())
    with pytest.raises(InputError, match="padding='middle' is unknown"):
        parse("gru:padding=middle")


def test_an_absent_package_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r'the classifier gru needs torch: pip install "paragauge\[torch\]"'):
        parse("gru").fit(["a"], np.array([0]), 2, 0)
    monkeypatch.setitem(__import__("sys").modules, "sklearn", None)
    with pytest.raises(MissingExtraError, match=r'needs scikit-learn: pip install "paragauge\[extrinsic\]"'):
        _ = parse("tfidf").signature


@pytest.mark.parametrize("name", PAPER)
@pytest.mark.usefixtures("torch")
def test_the_loss_falls_and_a_tiny_set_is_fitted(name, kinds):
    table = kinds.make_table(24, 0)
    classes = np.array([label == "pos" for label in table.labels], dtype=np.int64)
    fitted = parse(f"{name}:{SMALL},{SETTINGS[name]}").fit(table.texts, classes, 2, 0)
    assert fitted.losses[-1] < 0.5 * fitted.losses[0]
    assert (fitted.predict(table.texts) == classes).all()


@pytest.mark.parametrize("name", PAPER)
def test_the_same_seed_gives_the_same_and_leaves_torch_as_it_was(name, kinds, torch):
    table = kinds.make_table(16, 0)
    classes = np.array([label == "pos" for label in table.labels], dtype=np.int64)
    model = parse(f"{name}:{SMALL},epochs=2,batch=8")
    state, threads = torch.random.get_rng_state(), torch.get_num_threads()
    one, two, other = (model.fit(table.texts, classes, 2, seed).losses for seed in (1, 1, 2))
    assert one == two != other
    assert torch.equal(torch.random.get_rng_state(), state)
    assert torch.get_num_threads() == threads


@pytest.mark.usefixtures("torch")
def test_three_classes_have_an_output_each(kinds):
    table = kinds.make_table(24, 0)
    classes = np.arange(24, dtype=np.int64) % 3
    fitted = parse(f"mlp:{SMALL},epochs=40,batch=8,units=16").fit(table.texts, classes, 3, 0)
    assert (fitted.predict(table.texts) == classes).all()


def test_the_convolution_is_that_of_torch(torch):
    """Each distinct word is multiplied once: the same sums, up to float32 rounding."""
    from paragauge.extrinsic.classifiers.cnn import KERNELS, convolved

    layers = parse(f"cnn:{SMALL}").layers(torch, 1)
    rows = torch.randint(0, 60, (5, 30))
    distinct, places = torch.unique(rows, return_inverse=True)
    for kernel in KERNELS:
        words = layers.modules[f"embedding{kernel}"](rows).transpose(1, 2)
        expected = layers.modules[f"convolution{kernel}"](words).transpose(1, 2)
        found = convolved(torch, layers.modules, kernel, distinct, places)
        assert torch.allclose(found, expected, atol=1e-5)


def test_padding_that_is_not_read_changes_nothing(torch):
    """`unread` gives the state after the last word, whatever the length that texts are filled up to."""
    model = parse(f"lstm:{SMALL}")
    layers = model.layers(torch, 1)
    rows = torch.zeros((2, 30), dtype=torch.int64)
    rows[0, :5] = torch.arange(1, 6)
    rows[1, :9] = torch.arange(1, 10)
    assert torch.allclose(layers.forward(rows), layers.forward(rows[:, :12]), atol=1e-6)
    states, _ = layers.modules["recurrent"](layers.modules["embedding"](rows[:1, :5]))
    assert torch.allclose(layers.forward(rows)[:1], layers.modules["output"](states[:, -1]), atol=1e-6)


@pytest.mark.usefixtures("torch")
def test_a_recurrent_network_forgets_what_padding_follows(kinds):
    """Why the paper's stayed at chance: texts of 15 words filled up to 300, and the same with padding unread."""
    train, test = kinds.make_table(120, 0, noise=0.0), kinds.make_table(100, 1000, noise=0.0)
    classes, truth = (np.array([label == "pos" for label in part.labels], dtype=np.int64) for part in (train, test))
    found = {}
    for padding in ("after", "unread"):
        model = parse(f"gru:vocabulary=60,dimensions=12,length=300,epochs=6,batch=16,padding={padding},units=8")
        found[padding] = float((model.fit(train.texts, classes, 2, 0).predict(test.texts) == truth).mean())
    assert found["unread"] > 0.9
    assert found["after"] < 0.65
