"""The labelled texts that the classifiers of the package are tested with too."""

from tests.unit.extrinsic.conftest import kinds, task

__all__ = ["kinds", "task"]
