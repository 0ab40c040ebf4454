"""Codes: n of them give n sequences that begin differently."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest

from paragauge.errors import InputError
from paragauge.paraphrasers.decoding.beam import BeamSettings, beam_search
from paragauge.paraphrasers.decoding.step import score_of
from paragauge_research.paraphrasers.codes import coded_search, probable_codes, random_codes

CODES = [1, 2, 4]


def test_the_most_probable_codes_each_start_a_search(toy):
    model = toy(seed=1)
    chosen = probable_codes(model, [[1], [2]], CODES, 3)
    for source, own in zip([[1], [2]], chosen, strict=True):
        found = model.after(source, ())
        assert [code for code, _ in own] == sorted(CODES, key=lambda code: -found[code])
        np.testing.assert_allclose([value for _, value in own], sorted(found[CODES], reverse=True), rtol=1e-6)
    settings = BeamSettings(width=3, n=1, longest=5)
    coded = coded_search(partial(beam_search, model), [[1], [2]], chosen, settings)
    for source, codes, own in zip([[1], [2]], chosen, coded, strict=True):
        assert [one.code for one in own] == [code for code, _ in codes]
        assert len({one.best.tokens[:1] for one in own}) == 3
        for one in own:
            assert one.best == beam_search(model, [source], settings, prefixes=[[one.code]])[0][0]


def test_random_codes_differ_and_depend_on_the_seed_and_the_source_alone():
    sources = [[number] for number in range(50)]
    codes = list(range(256))
    drawn = random_codes(sources, codes, 5, seed=3)
    assert all(len({code for code, _ in own}) == 5 for own in drawn)
    assert drawn[7:8] != random_codes(sources[7:8], codes, 5, seed=4)
    assert [code for code, _ in drawn[7]] == [code for code, _ in random_codes(sources[7:8], codes, 5, seed=3)[0]]
    assert all(math.isnan(value) for own in drawn for _, value in own)
    assert len({code for own in drawn for code, _ in own}) > 100


def test_more_candidates_than_codes_are_refused(toy):
    with pytest.raises(InputError, match="n=4, and the model has 3 codes"):
        probable_codes(toy(), [[1]], CODES, 4)


@pytest.mark.parametrize("seed", range(3))
def test_at_full_width_each_code_leads_to_the_best_of_all_texts_behind_it(toy, seed):
    model = toy(seed=seed)
    settings = BeamSettings(width=400, n=1, longest=4)
    (found,) = coded_search(partial(beam_search, model), [[seed]], probable_codes(model, [[seed]], CODES, 3), settings)
    for one in found:
        every = model.all_sequences([seed], 4, (one.code,))
        best = max(every, key=lambda entry: score_of(entry[1], len(entry[0]) + entry[2], 1.0))
        assert one.best.tokens == best[0]
    assert len({one.best.tokens[:1] for one in found}) == len(CODES)
