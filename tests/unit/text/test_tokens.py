"""Tokens: those that follow a convention of another package equal that package's, by Hypothesis."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.tokenizers import DefaultTokenizer
from sacrebleu.metrics import BLEU, CHRF

from paragauge.text.tokens import NAMES, SACREBLEU, for_language, spaceless, split_spaceless, tokenize, tokenizer

PIECES = [
    *"abzAZ019 .,-'\"!?&;:()[]{}<>/\\|@#$%^*_+=~`",
    "\n", "-\n", "\r\n", "\t", "\u00a0", "\u3000", "\u2028", "\x1c", "\x85",
    "&quot;", "&amp;", "&lt;", "&gt;", "&amp;quot;", "<skipped>", "&#39;",
    "1.5", "3,000", "1-2", "x-", "-x", "U.S.", "...", ",.", "o'clock",
    "é", "ß", "İ", "Ω", "’", "“", "…", "—", "٣", "½", "₂", "\u0301", "\u200b", "😀",
    "中", "文", "。", "，", "ア", "ん", "한", "ก", "ำ", "𠀀", "Ａ", "１",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=25).map("".join) | st.text(max_size=30)
# text() gives no surrogates; Samples replaces them, so no tokenizer ever meets one
SPACED = TEXTS.filter(lambda text: not spaceless(text))


def sacrebleu_tokens(name: str, text: str) -> list[str]:
    """What BLEU counts: the tokenised line, without the white space at its end, split at white space."""
    return BLEU(tokenize=name)._preprocess_segment(text.rstrip()).split()


@settings(settings.get_profile("many"))
@given(TEXTS)
def test_13a_is_sacrebleus(text):
    assert tokenizer("13a")(text) == sacrebleu_tokens("13a", text)


@pytest.mark.parametrize("name", ["zh", "intl", "char", "none"])
@settings(settings.get_profile("many"))
@given(text=TEXTS)
def test_sacrebleus_others(name, text):
    assert tokenizer(name)(text) == sacrebleu_tokens(name, text)


@settings(settings.get_profile("many"))
@given(SPACED)
def test_auto_is_13a_where_words_have_spaces(text):
    assert tokenizer("auto")(text) == tokenizer("13a")(text)


@given(st.text("中文我爱你，。 abc1.5", max_size=20))
def test_auto_is_zh_for_chinese(text):
    if spaceless(text):
        assert tokenizer("auto")(text) == tokenizer("zh")(text)


@settings(settings.get_profile("many"))
@given(st.text(st.characters(max_codepoint=127), max_size=40))
def test_words_are_rouge_scores_in_ascii(text):
    expected = DefaultTokenizer(use_stemmer=False).tokenize(text)
    assert tokenizer("words")(text) == expected
    assert tokenizer("rouge-score")(text) == expected


@settings(settings.get_profile("many"))
@given(TEXTS)
def test_rouge_score_is_rouge_scores_everywhere(text):
    assert tokenizer("rouge-score")(text) == DefaultTokenizer(use_stemmer=False).tokenize(text)


@settings(settings.get_profile("many"))
@given(TEXTS)
def test_chrf_words_are_sacrebleus(text):
    assert tokenizer("chrf")(text) == CHRF(word_order=2)._remove_punctuation(text)


@settings(settings.get_profile("many"))
@given(TEXTS)
def test_no_token_is_empty_and_none_is_invented(text):
    for name in NAMES:
        if name.endswith("mecab"):
            continue
        for token in tokenizer(name)(text):
            assert token
            assert not any(map(str.isspace, token))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("How old are you?", ["how", "old", "are", "you"]),
        ("你今年多大了？", ["你", "今", "年", "多", "大", "了"]),
        ("كم عمرك؟", ["كم", "عمرك"]),
        ("कितने साल", ["कितने", "साल"]),  # vowel signs are marks: they stay with their letter
        ("อายุกี่ปี", ["อ", "า", "ยุ", "กี่", "ปี"]),
        ("Straße ČEZ", ["straße", "čez"]),
        ("e\u0301te\u0301", ["e\u0301te\u0301"]),
        ("v2.0", ["v2", "0"]),
    ],
)
def test_words_of_every_script(text, words):
    assert tokenizer("words")(text) == words


def test_spaceless_characters_keep_their_marks():
    assert split_spaceless("กี่ปี").split() == ["กี่", "ปี"]
    assert split_spaceless("plain") == "plain"


@pytest.mark.parametrize(
    ("language", "name"),
    [("zh", "zh"), ("zh-CN", "zh"), ("ja", "auto"), ("th", "auto"), ("en", "13a"), ("DE", "13a"), ("auto", "auto")],
)
def test_the_tokenizer_of_a_language(language, name):
    assert for_language(language) == name
    assert name in (*SACREBLEU, "auto")


@pytest.mark.parametrize("name", ["auto", "13a", "words", "rouge-score", "ter", "chrf"])
@settings(settings.get_profile("many"))
@given(texts=st.lists(TEXTS, max_size=6))
def test_many_texts_at_once_have_the_tokens_of_each(name, texts):
    tokens, lengths = tokenize(name, texts)
    expected = [tokenizer(name)(text) for text in texts]
    assert tokens == [token for text in expected for token in text]
    assert lengths.tolist() == [len(text) for text in expected]
