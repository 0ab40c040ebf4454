"""Beam search against every sequence there is."""

import numpy as np
import pytest

from paragauge.errors import InputError
from paragauge.paraphrasers.decoding.beam import BeamSettings, beam_search
from paragauge.paraphrasers.decoding.constraints import PhraseProgress, banned_next, contains
from paragauge.paraphrasers.decoding.step import score_of

LONGEST = 4
FULL = 4**LONGEST + 4**3 + 4**2 + 5  # more than there are sequences


def ranked(model, source, longest=LONGEST, penalty=1.0, keep=lambda _: True, prefix=()):
    found = [
        (score_of(total, len(tokens) + ended, penalty), tokens, ended)
        for tokens, total, ended in model.all_sequences(source, longest, prefix)
        if keep(tokens)
    ]
    return sorted(found, key=lambda one: -one[0])


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("penalty", [1.0, 0.6])
def test_at_full_width_it_finds_the_best_sequences_of_all(toy, seed, penalty):
    model = toy(seed=seed)
    settings = BeamSettings(width=FULL, n=10, longest=LONGEST, penalty=penalty)
    (found,) = beam_search(model, [[7, 8]], settings)
    expected = ranked(model, [7, 8], penalty=penalty)[:10]
    assert [one.tokens for one in found] == [tokens for _, tokens, _ in expected]
    assert [one.ended for one in found] == [ended for *_, ended in expected]
    np.testing.assert_allclose([one.score for one in found], [score for score, *_ in expected], atol=1e-5)


def test_a_width_of_one_is_greedy(toy):
    model = toy(seed=3)
    (found,) = beam_search(model, [[1]], BeamSettings(width=1, n=1, longest=6))
    tokens = []
    while len(tokens) < 6 and (token := int(model.after([1], tokens).argmax())) != model.end:
        tokens.append(token)
    assert found[0].tokens == tuple(tokens)


def test_a_batch_of_one_equals_a_batch_of_many(toy):
    model = toy(seed=1)
    sources = [[1], [2, 3], [4, 4, 4], [], [2, 3]]
    settings = BeamSettings(width=3, n=3, longest=6)
    together = beam_search(model, sources, settings)
    assert together == [beam_search(model, [source], settings)[0] for source in sources]
    assert together[1] == together[4]
    assert beam_search(model, [], settings) == []


def test_a_prefix_starts_every_sequence_and_costs_nothing(toy):
    model = toy(seed=2)
    settings = BeamSettings(width=FULL, n=5, longest=LONGEST)
    (found,) = beam_search(model, [[9]], settings, prefixes=[[3, 1]])
    expected = ranked(model, [9], prefix=(3, 1))[:5]
    assert [one.tokens for one in found] == [tokens for _, tokens, _ in expected]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("phrases", [((1,),), ((2, 2),), ((1,), (3, 4)), ((4, 1), (1, 2)), ((2,), (2,))])
@pytest.mark.parametrize("width", [1, 2, 5])
def test_constraints_are_always_met(toy, seed, phrases, width):
    model = toy(seed=seed, end_bonus=2.0)
    (found,) = beam_search(model, [[seed]], BeamSettings(width=width, n=width, longest=5), required=[phrases])
    assert found
    for one in found:
        assert all(contains(one.tokens, phrase) for phrase in phrases), one
        counted = sum(map(len, phrases))
        assert len(one.tokens) >= counted  # no token counts twice


def test_constrained_at_full_width_finds_the_best_that_meets_them(toy):
    model = toy(seed=5)
    settings = BeamSettings(width=FULL * 4, n=3, longest=LONGEST)
    (found,) = beam_search(model, [[1]], settings, required=[((2, 3), (1,))])
    expected = ranked(model, [1], keep=lambda tokens: contains(tokens, (2, 3)) and 1 in tokens)
    assert [one.tokens for one in found] == [tokens for _, tokens, _ in expected[:3]]


def test_what_is_banned_is_never_written(toy):
    model = toy(seed=6)
    banned = ((2,), (3, 1))
    settings = BeamSettings(width=FULL, n=8, longest=LONGEST)
    (found,) = beam_search(model, [[1]], settings, banned=[banned])
    expected = ranked(model, [1], keep=lambda tokens: not any(contains(tokens, phrase) for phrase in banned))
    assert [one.tokens for one in found] == [tokens for _, tokens, _ in expected[:8]]


def test_sources_of_a_batch_have_constraints_of_their_own(toy):
    model = toy(seed=7)
    required = [(), ((3,),), ((1, 2),)]
    settings = BeamSettings(width=4, n=2, longest=5)
    together = beam_search(model, [[1], [2], [3]], settings, required=required)
    alone = [beam_search(model, [[place + 1]], settings, required=[own])[0] for place, own in enumerate(required)]
    assert together == alone


@pytest.mark.parametrize(
    "required, banned, said",
    [
        (((1, 2, 3), (4, 4)), (), "5 tokens, and a text may have 4"),
        (((1, 2),), ((2,),), "is banned"),
        (((0,),), (), "cannot write"),
        (((1, 99),), (), "cannot write"),
        (((1, 5),), (), r"\[1, 5\] has the token 5, which the model never writes"),
        (((),), (), "no tokens"),
    ],
)
def test_what_cannot_be_met_is_refused_before_decoding(toy, required, banned, said):
    model = toy()
    with pytest.raises(InputError, match=said):
        beam_search(model, [[1]], BeamSettings(longest=4), required=[required], banned=[banned])
    assert model.steps == 0


def test_what_is_never_written_may_be_banned(toy):
    model = toy(seed=6)
    settings = BeamSettings(width=3, n=3, longest=4)
    assert beam_search(model, [[1]], settings, banned=[((model.begin,),)]) == beam_search(model, [[1]], settings)


def test_groups_without_a_penalty_are_the_beam_of_their_width(toy):
    model = toy(seed=8)
    (found,) = beam_search(model, [[1]], BeamSettings(width=6, n=2, longest=5, groups=3, diversity=0.0))
    (plain,) = beam_search(model, [[1]], BeamSettings(width=2, n=2, longest=5))
    assert found == plain


def test_groups_of_one_are_greedy_with_what_earlier_groups_took_made_unlikely(toy):
    model, strength, longest = toy(seed=9), 1.3, 5
    settings = BeamSettings(width=3, n=3, longest=longest, groups=3, diversity=strength)
    (found,) = beam_search(model, [[1]], settings)
    expected: list[list[int]] = [[], [], []]
    over = [False] * 3
    for _ in range(longest):
        taken: list[int] = []
        for group, tokens in enumerate(expected):
            if over[group]:
                continue
            scores = model.after([1], tokens).astype(float)
            for token in taken:
                scores[token] -= strength
            token = int(scores.argmax())
            taken.append(token)
            over[group] = token == model.end
            expected[group] += [] if over[group] else [token]
    assert {one.tokens for one in found} == {tuple(tokens) for tokens in expected}


def test_a_strong_penalty_gives_each_group_a_first_token_of_its_own(toy):
    settings = BeamSettings(width=4, n=4, longest=4, groups=4, diversity=100.0)
    (found,) = beam_search(toy(seed=10), [[1]], settings)
    assert len({one.tokens[:1] for one in found}) == 4


def test_settings_that_make_no_sense_are_refused():
    with pytest.raises(InputError, match="5 cannot be cut into 2 equal groups"):
        BeamSettings(width=5, groups=2)
    with pytest.raises(InputError, match="at least 1"):
        BeamSettings(width=0)


def test_progress_counts_a_broken_phrase_from_its_start():
    progress = PhraseProgress(((1, 2), (3,)))
    assert progress.wanted() == (1, 3)
    assert progress.after(1).wanted() == (2,)
    assert progress.after(1).met == 1
    assert progress.after(1).after(4).met == 0
    assert progress.after(1).after(1).met == 1
    assert progress.after(1).after(3).met == 1
    done = progress.after(3).after(1).after(2)
    assert (done.complete, done.met) == (True, 3)


def test_banned_phrases_are_looked_for_at_the_end():
    assert banned_next([4, 1, 2], ((3,), (2, 5), (1, 2, 6), (4, 7))) == [3, 5, 6]
    assert banned_next([], ((3,), (2, 5))) == [3]
