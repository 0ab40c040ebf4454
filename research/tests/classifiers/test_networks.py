"""The networks of Hailu et al. 2020: words as Keras numbers them, layers, and that they learn."""

from __future__ import annotations

import numpy as np
import pytest

from paragauge.errors import InputError, MissingExtraError
from paragauge.extrinsic.classifiers import names, parse
from paragauge.extrinsic.evaluation import evaluate_extrinsic
from paragauge_research.classifiers._networks import Vocabulary, words_of

SMALL = "vocabulary=60,dimensions=12,length=30"
PAPER = ("mlp", "cnn", "gru", "lstm")
SETTINGS = {
    "mlp": "batch=8,units=16",
    "cnn": "batch=8,filters=8",
    "gru": "batch=8,learning_rate=0.02",
    "lstm": "batch=8,learning_rate=0.02",
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
    fitted = parse(f"{name}:{SMALL},{SETTINGS[name]},epochs=40").fit(table.texts, classes, 2, 0)
    assert fitted.losses[-1] < 0.5 * fitted.losses[0]
    assert (fitted.predict(table.texts) == classes).all()


@pytest.mark.usefixtures("torch")
def test_the_shortest_text_that_a_convolution_can_read(kinds):
    """Nine words have two windows of eight, of which the greater counts; eight have one, and no pair."""
    with pytest.raises(InputError, match="length=8"):
        parse("cnn:length=8")
    table = kinds.make_table(8, 0)
    classes = np.array([label == "pos" for label in table.labels], dtype=np.int64)
    fitted = parse("cnn:vocabulary=60,dimensions=4,length=9,epochs=1,filters=2").fit(table.texts, classes, 2, 0)
    assert len(fitted.predict(table.texts)) == 8
    assert parse("mlp:length=8").length == 8


@pytest.mark.parametrize("name", PAPER)
@pytest.mark.usefixtures("torch")
def test_a_copy_reproduces_the_baseline_and_a_lost_label_is_chance(name, kinds, task):
    found = evaluate_extrinsic(
        task, [kinds.Copy(), kinds.Bland()], models=[f"{name}:{SMALL},{SETTINGS[name]},epochs=10"], seeds=2, metrics=[],
        modes=["replace", "robustness"], workers=1,
    )  # fmt: skip
    for mode in ("replace", "robustness"):
        base, copy, bland = found.of("reviews", mode)
        assert base.accuracy > 0.7
        assert (copy.accuracy, copy.gain, copy.mcnemar) == (base.accuracy, 0, (1.0, 1.0))
        assert bland.low < 0.5 < bland.high
        assert bland.gain < -0.1


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


def gradients(torch, found, leaves):
    """The values and the gradients of a weighted sum of them."""
    for leaf in leaves:
        leaf.grad = None
    (found * torch.arange(found.numel(), dtype=found.dtype).view(found.shape)).sum().backward()
    return [found.detach(), *(leaf.grad for leaf in leaves)]


def same(torch, one, two):
    """In double precision two orders of summation differ by far less than 1e-9 of the greatest value."""
    return all(
        torch.allclose(own, other, atol=1e-9 * float(other.abs().max())) for own, other in zip(one, two, strict=True)
    )


def test_the_convolution_and_its_gradients_are_those_of_torch(torch):
    """Each distinct word is multiplied once."""
    from paragauge_research.classifiers.cnn import KERNELS, convolved

    modules = parse(f"cnn:{SMALL}").layers(torch, 1).modules.double()
    rows = torch.randint(0, 60, (5, 30))
    distinct, places = torch.unique(rows, return_inverse=True)
    for kernel in KERNELS:
        embedding, layer = modules[f"embedding{kernel}"], modules[f"convolution{kernel}"]
        leaves = [embedding.weight, layer.weight, layer.bias]
        found = gradients(torch, convolved(torch, modules, kernel, distinct, places), leaves)
        expected = gradients(torch, layer(embedding(rows).transpose(1, 2)).transpose(1, 2), leaves)
        assert same(torch, found, expected)


def test_dropout_keeps_half_and_the_mean(torch):
    from paragauge_research.classifiers.cnn import dropped

    values = torch.ones(200, 100)
    kept = dropped(torch, values, True)
    assert set(kept.unique().tolist()) == {0.0, 2.0}
    assert abs(float(kept.mean()) - 1) < 5 / 20_000**0.5  # five standard errors of 20,000 coins
    assert dropped(torch, values, False) is values


@pytest.mark.parametrize("kind", ["GRU", "LSTM"])
def test_recurrent_states_and_their_gradients_are_those_of_torch(kind, torch):
    from paragauge_research.classifiers._recurrent import last_states

    layer = getattr(torch.nn, kind)(7, 5, batch_first=True).double()
    vectors = torch.randn(11, 7, dtype=torch.float64, requires_grad=True)
    places, ends = torch.randint(0, 11, (6, 9)), torch.tensor([9, 1, 4, 9, 7, 2])
    leaves = [vectors, *layer.parameters()]
    found = gradients(torch, last_states(torch, layer, vectors, places, ends), leaves)
    states, _ = layer(vectors[places])
    assert same(torch, found, gradients(torch, states[torch.arange(6), ends - 1], leaves))


@pytest.mark.parametrize("padding", ["after", "before"])
def test_the_hidden_layer_and_its_gradients_are_those_of_torch(padding, torch):
    """Padding is multiplied once for all texts, and words where there are some; one text has none, one is full."""
    from paragauge_research.classifiers.mlp import summed

    rows = torch.randint(1, 60, (12, 130))
    for row, words in zip(rows, [0, 130, 1, 25, 26, 60, 50, 129, 3, 77, 100, 24], strict=True):
        row[slice(words, None) if padding == "after" else slice(130 - words)] = 0
    embedding, weight = (torch.randn(*size, dtype=torch.float64, requires_grad=True) for size in ((60, 7), (9, 910)))
    found = gradients(torch, summed(torch, rows, embedding, weight), [embedding, weight])
    whole = torch.nn.functional.embedding(rows, embedding).flatten(1) @ weight.t()
    assert same(torch, found, gradients(torch, whole, [embedding, weight]))


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
