"""Tokens as numbers, against the tokens themselves."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.compute.features import Tokens
from paragauge.compute.token_ids import token_sequences
from paragauge.compute.workspace import Workspace
from paragauge.metrics.shared.wording import WordTokens
from paragauge.text.tokens import WORDWISE, tokenizer

PIECES = [
    "a", "B", "the", "The", "3", "1,000", ".", ",", "...", "-", "3-4", "&quot;", "&amp;", "<skipped>", "(hi)", "'s",
    " ", "  ", "\t", "\n", "\x1c", "\x85", "\u00a0", "é", "Σ", "İ", "中", "文。", "ก", "𠀀", "&", "<",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
GROUPS = st.lists(st.lists(TEXTS, min_size=1, max_size=3).map(tuple), max_size=4)
FEATURES = [Tokens(name) for name in (*sorted(WORDWISE), "intl")] + [Tokens("auto", lowercase=True), WordTokens("auto")]


def expected(feature, text):
    tokens = tokenizer(feature.tokenizer)(text.lower() if feature.lowercase else text)
    return [token for token in tokens if not isinstance(feature, WordTokens) or any(map(str.isalnum, token))]


def by_first_use(lists):
    """What of a row's tokens is kept: which are the same, and where."""
    numbers = {}
    return [[numbers.setdefault(token, len(numbers)) for token in tokens] for tokens in lists]


@pytest.mark.parametrize("feature", FEATURES, ids=lambda feature: feature.signature)
@settings(deadline=None, max_examples=30)
@given(before=GROUPS, groups=GROUPS)
def test_numbers_are_equal_where_tokens_are(feature, before, groups):
    work = Workspace()
    token_sequences(Tokens("words"), before, work)
    token_sequences(feature, before, work)  # so that some texts and some words are known already
    found = token_sequences(feature, groups, work)
    texts = iter(found.texts())
    assert found.rows == len(groups)
    for group in groups:
        lists = [expected(feature, text) for text in group]
        assert by_first_use([next(texts) for _ in group]) == by_first_use(lists)


def test_a_workspace_forgets_numbers_with_what_is_made_of_them():
    work = Workspace()
    token_sequences(Tokens("words"), [("one two", "two three")], work)
    work.flush()
    found = token_sequences(Tokens("words"), [("three two", "two one")], work).texts()
    assert by_first_use(found) == [[0, 1], [1, 2]]
