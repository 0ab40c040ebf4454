"""The table of how words are written."""

from paragauge_research.training.paraphraser.prepared import case_table


def test_the_table_has_words_that_are_seldom_in_lower_case():
    texts = ["He met Tom.", "So Tom left.", "and Tom it was", "I saw Tom. May I?", "you may I say"]
    assert case_table(texts) == {"tom": "Tom"}
    assert case_table([*texts, "and I do"]) == {"i": "I", "tom": "Tom"}
