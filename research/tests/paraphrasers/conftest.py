"""The models that the searches and paraphrasers of the package are tested with too."""

from tests.unit.paraphrasers.conftest import marian, uncased
from tests.unit.paraphrasers.decoding.conftest import toy

__all__ = ["marian", "toy", "uncased"]
