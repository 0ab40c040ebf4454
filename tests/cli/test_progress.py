"""The progress bar: how long slow work will still take."""

from __future__ import annotations

from paragauge.cli.terminal.progress import _new


def test_trainings_of_three_minutes_have_a_time_that_is_left():
    """rich forgets after 30 seconds by default, and then knows no speed."""
    progress, clock = _new(), [0.0]
    progress.get_time = lambda: clock[0]
    number = progress.add_task("training classifiers", total=20)
    for done in range(1, 6):
        clock[0] += 180
        progress.update(number, completed=done)
    assert progress.tasks[0].time_remaining == 15 * 180
