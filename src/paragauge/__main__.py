"""`python -m paragauge`."""

from .cli import main

main()
