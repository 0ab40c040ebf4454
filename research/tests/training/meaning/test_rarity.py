"""How rare pieces of words are."""

import numpy as np
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from paragauge.models.pairs.learned import RARITY_STEP
from paragauge_research.training.meaning.rarity import rarity


def test_a_piece_is_counted_once_for_each_text() -> None:
    tokenizer = Tokenizer(WordLevel({"[UNK]": 0, "the": 1, "cat": 2, "emu": 3}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    found = rarity(["the the cat", "the dog", "the"], tokenizer, 4)
    expected = np.log([4 / 2, 4 / 4, 4 / 2, 4 / 1])
    assert np.abs(found * RARITY_STEP - expected).max() <= RARITY_STEP / 2


def test_the_rarest_fits_into_a_byte() -> None:
    assert np.log(1_000_000) / RARITY_STEP < 255
