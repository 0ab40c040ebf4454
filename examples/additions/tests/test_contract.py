"""The contracts, as the author of a package checks them."""

from mypackage.address import address
from mypackage.jaccard import Jaccard
from mypackage.majority import Majority
from mypackage.shuffle import Shuffle
from mypackage.somers_d import STATISTIC

from paragauge.testing import check_classifier, check_correlation, check_metric, check_paraphraser, check_rule


def test_metric():
    check_metric(Jaccard())


def test_rule():
    check_rule(address, "Write to ann@red.org.", "Write to ann@blue.org.")


def test_paraphraser():
    check_paraphraser(Shuffle())


def test_correlation():
    check_correlation(STATISTIC)


def test_classifier():
    check_classifier(Majority())
