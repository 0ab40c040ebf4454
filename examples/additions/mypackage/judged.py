"""Judgments as a framework of evaluation takes them: here as a dictionary."""

import paragauge as pg

judge = pg.Judge(accept=0.6)


def usable(source, candidate):
    found = judge.check(source, candidate)
    return {"value": found.usable, "reason": found.outcome, "kinds": found.kinds}
