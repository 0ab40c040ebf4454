"""`paragauge annotate` in a process of its own."""

import json
from pathlib import Path

from paragauge.tables.samples import Samples

from ..web.server import Server


class Annotator(Server):
    """The program with these arguments, on any free port; the addresses of raters and of the owner."""

    command = "annotate"

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)
        self.progress = self.process.stdout.readline().split()[1]
        self.owner = self.progress.rpartition("owner=")[2]


def write_table(path: Path, samples: Samples) -> Path:
    rows = zip(samples.ids, samples.systems, samples.sources, samples.candidates, strict=True)
    names = ("id", "system", "source", "candidate")
    path.write_text("".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows), encoding="utf-8")
    return path
