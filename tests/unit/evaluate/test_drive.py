"""The driver: results in order, failures in one sentence, and what would fail alike is not tried."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from paragauge.errors import InputError, ParagaugeError
from paragauge.evaluate.drive import drive
from paragauge.evaluate.engines import PartResult
from paragauge.evaluate.engines.local import Local


class LastFirst:
    """An engine whose last item is ready first."""

    workers = 1

    def map(self, work: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[PartResult[Any]]:
        yield from reversed(list(Local(1).map(work, items)))


def half(number: int) -> int:
    if number % 2:
        raise InputError(f"{number} is odd")
    return number // 2


@pytest.mark.parametrize("engine", [None, Local(1), LastFirst(), Local(2)])
def test_results_are_in_the_order_of_the_items(engine):
    assert list(drive(engine, half, range(0, 12, 2))) == [0, 1, 2, 3, 4, 5]
    assert list(drive(engine, half, [])) == []


@pytest.mark.parametrize("engine", [Local(1), LastFirst(), Local(2)])
def test_what_fails_is_named_when_the_others_are_finished(engine):
    found = []
    with pytest.raises(ParagaugeError) as caught:
        found += drive(engine, half, [0, 1, 2, 3, 4], name=lambda item: f"item {item}", noun="item", kept=True)
    assert str(caught.value) == (
        "item 1 failed: 1 is odd; item 3 failed: 3 is odd; 3 other items are finished; rerun to try these again"
    )


def test_more_failures_than_are_shown_are_counted():
    with pytest.raises(ParagaugeError, match=r"9 is odd; and 2 more parts; 1 other part is finished$"):
        list(drive(Local(1), half, [0, *range(1, 15, 2)]))


def test_where_the_first_two_fail_alike_the_others_are_not_tried():
    tried = []

    def fail(item: int) -> None:
        tried.append(item)
        raise InputError("the key is wrong", "ask for another")

    with pytest.raises(ParagaugeError) as caught:
        list(drive(Local(1), fail, range(100), kept=True))
    assert (caught.value.message, caught.value.hint, tried) == ("the key is wrong", "ask for another", [0, 1])


def test_an_error_that_may_pass_is_tried_again():
    tried = []

    def pass_at_last(item: int) -> int:
        tried.append(item)
        if len(tried) < 3:
            raise RuntimeError("not yet")
        return item

    assert list(drive(Local(1), pass_at_last, [7])) == [7]
    with pytest.raises(
        ParagaugeError, match=r"^a part failed \(tried 3 times\): ZeroDivisionError: .*; 1 other part is"
    ):
        list(drive(Local(1), lambda item: 1 // item, [1, 0]))
