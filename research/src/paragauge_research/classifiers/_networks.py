"""The training of a network in torch on rows of word numbers, with the layers and the defaults that Keras has."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from paragauge.extrinsic.classifier import Classes, Classifier, Fitted, parameter
from paragauge.process.extras import require

# the filters of keras.preprocessing.text.Tokenizer
_REMOVED = str.maketrans(dict.fromkeys('!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n', " "))
PADDINGS = ("after", "before", "unread")
_READ = 256  # texts that are predicted at once
_EPSILON = 1e-7  # of Adam in Keras; torch has 1e-8


def words_of(text: str) -> list[str]:
    """In lower case, cut at spaces; punctuation is a space.

    >>> words_of("It's good, really!")
    ["it's", 'good', 'really']
    """
    return text.lower().translate(_REMOVED).split()


@dataclass(frozen=True)
class Vocabulary:
    """The most frequent words, numbered from 1; 0 is padding, and other words are left out, as Keras does."""

    numbers: dict[str, int]
    size: int

    @classmethod
    def of(cls, texts: Sequence[str], size: int) -> Vocabulary:
        """At most `size` − 1 words; of equally frequent ones those that came first."""
        counts = Counter(word for text in texts for word in words_of(text))
        chosen = sorted(counts, key=lambda word: -counts[word])[: size - 1]
        return cls({word: number for number, word in enumerate(chosen, 1)}, size)

    def rows(self, texts: Sequence[str], length: int, padding: str) -> NDArray[np.int64]:
        """(texts, length): of a longer text the last words; zeros `before` or else after a shorter one."""
        table = np.zeros((len(texts), length), dtype=np.int64)
        for row, text in zip(table, texts, strict=True):
            found = [self.numbers[word] for word in words_of(text) if word in self.numbers][-length:]
            if found:
                row[slice(-len(found), None) if padding == "before" else slice(len(found))] = found
        return table


class Layers(NamedTuple):
    """The layers of a network, and the function of word numbers (texts, length) to outputs (texts, outputs)."""

    modules: Any  # torch.nn.ModuleDict
    forward: Callable[[Any], Any]


@dataclass(frozen=True, kw_only=True)
class Network(Classifier):
    """A network of Hailu et al. 2020: an embedding of 5000 words in 300 dimensions, 500 words, Adam, 30 epochs.

    Two classes have one output and binary cross-entropy, more have one output each. Weights begin as Keras's do, as
    the paper leaves everything else at Keras's defaults.
    """

    random: ClassVar[bool] = True

    vocabulary: int = parameter(5000, "words with an embedding, padding included", low=2, high=1_000_000)
    dimensions: int = parameter(300, "of an embedding", low=1, high=10_000)
    length: int = parameter(500, "words of a text that are read: the last ones", low=8, high=10_000)
    epochs: int = parameter(30, "passes over the training texts", low=1, high=10_000)
    batch: int = parameter(128, "training texts per step", low=1, high=100_000)
    learning_rate: float = parameter(0.001, "of Adam", low=1e-8, high=10.0)
    padding: str = parameter("after", "where shorter texts are padded; unread: not read at all", choices=PADDINGS)

    @abstractmethod
    def layers(self, torch: Any, outputs: int) -> Layers:
        """The network, with weights that were just drawn."""

    def details(self) -> dict[str, str]:
        return {"torch": str(self._torch().__version__)}

    def _torch(self) -> Any:
        return require("torch", "torch", f"the classifier {self.name} needs torch")

    def fit(self, texts: Sequence[str], classes: Classes, number: int, seed: int) -> Fitted:
        torch = self._torch()
        vocabulary = Vocabulary.of(texts, self.vocabulary)
        with _alone(torch, seed):
            rows = torch.from_numpy(vocabulary.rows(texts, self.length, self.padding))
            network = self.layers(torch, 1 if number == 2 else number)
            as_in_keras(torch, network.modules)
            losses = self._train(torch, network, rows, torch.from_numpy(classes))
        return Fitted(partial(self._predict, vocabulary, network), losses)

    def _train(self, torch: Any, network: Layers, rows: Any, classes: Any) -> list[float]:
        optimizer = torch.optim.Adam(network.modules.parameters(), self.learning_rate, eps=_EPSILON, fused=True)
        network.modules.train()
        losses = []
        for _ in range(self.epochs):
            total = 0.0
            for places in torch.randperm(len(rows)).split(self.batch):
                optimizer.zero_grad(set_to_none=True)
                loss = _loss(torch, network.forward(rows[places]), classes[places])
                loss.backward()
                optimizer.step()
                total += float(loss.detach()) * len(places)
            losses.append(total / len(rows))
        return losses

    def _predict(self, vocabulary: Vocabulary, network: Layers, texts: Sequence[str]) -> Classes:
        torch = self._torch()
        found = [np.empty(0, dtype=np.int64)]
        network.modules.eval()
        with _alone(torch, 0), torch.no_grad():
            rows = vocabulary.rows(texts, self.length, self.padding)
            for part in torch.from_numpy(rows).split(_READ):
                outputs = network.forward(part)
                chosen = outputs[:, 0] > 0 if outputs.shape[1] == 1 else outputs.argmax(dim=1)
                found.append(chosen.to(torch.int64).numpy())
        return np.concatenate(found)


def _loss(torch: Any, outputs: Any, classes: Any) -> Any:
    functional = torch.nn.functional
    if outputs.shape[1] == 1:
        return functional.binary_cross_entropy_with_logits(outputs[:, 0], classes.to(outputs.dtype))
    return functional.cross_entropy(outputs, classes)


def as_in_keras(torch: Any, modules: Any) -> None:
    """Weights as Keras draws them: uniform embeddings, Glorot's kernels, orthogonal recurrences, forget gates at 1."""
    init = torch.nn.init
    with torch.no_grad():
        for module in modules.modules():
            if isinstance(module, torch.nn.Embedding):
                init.uniform_(module.weight, -0.05, 0.05)
            elif isinstance(module, (torch.nn.Linear, torch.nn.Conv1d)):
                init.xavier_uniform_(module.weight)
                init.zeros_(module.bias)
            elif isinstance(module, (torch.nn.GRU, torch.nn.LSTM)):
                init.xavier_uniform_(module.weight_ih_l0)
                init.orthogonal_(module.weight_hh_l0)
                init.zeros_(module.bias_ih_l0)
                init.zeros_(module.bias_hh_l0)
                if isinstance(module, torch.nn.LSTM):
                    size = module.hidden_size
                    module.bias_ih_l0[size : 2 * size] = 1.0


@contextmanager
def _alone(torch: Any, seed: int) -> Iterator[None]:
    """One thread, whose sums are rounded in one order, and random numbers of our own; then all is as it was."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            yield
    finally:
        torch.set_num_threads(threads)
