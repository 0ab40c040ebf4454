"""`paragauge signature`."""

from paragauge.cli.declare import argument, command
from paragauge.cli.terminal import printing


@command("signature")
def signature(metric: str = argument()) -> None:
    """Print the signature of METRIC, as a paper should name it.

    Example: paragauge signature rougeL.free
    """
    from paragauge.metrics import parse

    printing.lines(parse(metric).signature())
