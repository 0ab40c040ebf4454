"""Requests: how many at once, which are refused, and what becomes of those whose client is gone."""

import asyncio

import pytest

from paragauge.web.guard import RequestError
from paragauge.web.serve import jobs
from paragauge.web.serve.queue import Counters, Requests
from paragauge.web.serve.runs import RunsFolder
from paragauge.web.serve.schema import PARAPHRASE, SCORE, check


async def _stays():
    await asyncio.Event().wait()


def test_beyond_the_bound_a_request_is_told_to_come_again():
    async def run():
        gate = asyncio.Event()

        async def call(name, _):
            await gate.wait()
            return name

        requests = Requests(call, most=2)
        asked = [asyncio.ensure_future(requests.run(name, None, _stays)) for name in ("one", "two")]
        await asyncio.sleep(0)
        with pytest.raises(RequestError) as refused:
            await requests.run("three", None, _stays)
        gate.set()
        assert await asyncio.gather(*asked) == ["one", "two"]
        assert await requests.run("room again", None, _stays) == "room again"
        return refused.value

    refused = asyncio.run(run())
    assert refused.status == 503
    assert ("retry-after", "1") in refused.headers


def test_a_client_that_is_gone_gives_its_request_up_and_one_that_waits_is_not_begun():
    async def run():
        gone, given_up, begun = asyncio.Event(), asyncio.Event(), []

        async def leaves():
            await gone.wait()
            return {"type": "http.disconnect"}

        async def call(name, _):
            begun.append(name)
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                await given_up.wait()  # as a process that is still at it
                raise

        requests = Requests(call, characters=10)
        asked = [asyncio.ensure_future(requests.run(name, None, leaves, 10)) for name in ("first", "second")]
        await asyncio.sleep(0.05)
        gone.set()
        found = await asyncio.gather(*asked, return_exceptions=True)
        still = requests.underway, requests._taken
        given_up.set()
        await asyncio.sleep(0.05)
        return [error.status for error in found], begun, requests.given_up, still, (requests.underway, requests._taken)

    assert asyncio.run(run()) == ([499, 499], ["first"], 2, (1, 10), (0, 0))


def test_so_many_characters_are_computed_at_once_in_the_order_they_came():
    async def run():
        gate, order = asyncio.Event(), []

        async def call(name, _):
            order.append(name)
            await gate.wait()

        requests = Requests(call, characters=100)
        sizes = {"a": 60, "b": 30, "long": 1000, "c": 10}  # beyond the bound alone: computed by itself
        asked = [asyncio.ensure_future(requests.run(name, None, _stays, size)) for name, size in sizes.items()]
        await asyncio.sleep(0.05)
        begun = list(order)
        gate.set()
        await asyncio.gather(*asked)
        return begun, order[2:], requests._taken

    assert asyncio.run(run()) == (["a", "b"], ["long", "c"], 0)


def test_files_that_are_being_sent_take_room_too(tmp_path):
    async def sends(gate):
        await gate.wait()
        yield b""

    async def run():
        found, gate = jobs.Jobs(RunsFolder(tmp_path)), asyncio.Event()
        sent = [asyncio.ensure_future(found.take("a.csv", [], sends(gate))) for _ in range(jobs.WAITING + 1)]
        await asyncio.sleep(0.05)
        with pytest.raises(RequestError) as refused:
            await found.take("b.csv", [], sends(gate))
        gate.set()
        ended = [error.status for error in await asyncio.gather(*sent, return_exceptions=True)]
        with pytest.raises(RequestError, match="is empty"):  # there is room again
            await found.take("b.csv", [], sends(gate))
        await found.close()
        return refused.value, ended

    refused, ended = asyncio.run(run())
    assert ended == [422] * (jobs.WAITING + 1)
    assert refused.status == 503
    assert "retry-after" in dict(refused.headers)


@pytest.mark.parametrize(
    "body, status, sentence",
    [
        ([], 422, "the body is array; expected object"),
        ({}, 422, "the body has no 'rows'"),
        ({"rows": []}, 422, "at least 1"),
        ({"rows": [{"source": "a"}]}, 422, "rows[0] has no 'candidate'"),
        ({"rows": [{"candidate": 7}]}, 422, "rows[0].candidate is integer; expected string or null"),
        ({"rows": [{"candidate": True}]}, 422, "boolean"),
        ({"rows": [{"candidate": "a", "refernces": []}]}, 422, "did you mean 'references'"),
        ({"rows": [{"candidate": "a"}] * 101}, 422, "rows has 101 entries; at most 100"),
        ({"rows": [{"candidate": "a" * 10_001}]}, 422, "10,001 characters"),
        ({"rows": [{"candidate": "a"}], "metrics": [""]}, 422, "metrics[0]"),
        ({"rows": [{"candidate": "a"}], "explain": 1}, 422, "expected boolean"),
    ],
)
def test_what_is_wrong_with_a_request_is_said(body, status, sentence):
    with pytest.raises(RequestError) as refused:
        check(body, SCORE)
    assert refused.value.status == status
    assert sentence in refused.value.detail


def test_whole_numbers_within_their_range():
    good = {"source": "a", "method": "b", "n": 3}
    check(good, PARAPHRASE)
    for n in (0, 21, 1.5, "3", None):
        with pytest.raises(RequestError):
            check(good | {"n": n}, PARAPHRASE)


def test_the_examples_of_the_description_are_allowed():
    for schema in (SCORE, PARAPHRASE):
        for example in schema["examples"]:
            check(example, schema)


def test_counters_add_up():
    counters = Counters()
    for seconds in (0.001, 0.03, 0.03, 100):
        counters.add("GET", "/a", 200, seconds)
    counters.add('GE"T', "/a", 404, 0.001)
    lines = counters.text({"x": ("X.", 12_345_678)}).splitlines()
    assert 'paragauge_requests_total{method="GET",route="/a",status="200"} 4' in lines
    assert 'paragauge_requests_total{method="other",route="/a",status="404"} 1' in lines
    assert 'paragauge_request_seconds_bucket{route="/a",le="0.05"} 4' in lines
    assert 'paragauge_request_seconds_bucket{route="/a",le="+Inf"} 5' in lines
    assert 'paragauge_request_seconds_count{route="/a"} 5' in lines
    assert "paragauge_x 12345678" in lines
