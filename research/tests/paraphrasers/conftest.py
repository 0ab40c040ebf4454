"""The model of a few tokens, which the searches of the package are tested with too."""

from tests.unit.paraphrasers.decoding.conftest import toy

__all__ = ["toy"]
