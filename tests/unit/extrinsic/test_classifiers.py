"""The classifiers of the package."""

import numpy as np
import pytest

from paragauge.extrinsic.classifiers import DEFAULT, parse


@pytest.mark.parametrize("name", DEFAULT)
def test_a_tiny_set_is_fitted_by_logistic_regression_too(name, kinds, request):
    pytest.importorskip("sklearn", reason="needs the extra extrinsic")
    if name == "embeddings":
        request.getfixturevalue("encoder")
    table = kinds.make_table(24, 0)
    classes = np.array([label == "pos" for label in table.labels], dtype=np.int64)
    fitted = parse(f"{name}:c=1000").fit(table.texts, classes, 2, 0)  # by default the penalty keeps embeddings from it
    assert (fitted.predict(table.texts) == classes).all()
