"""How certain a transcript is."""

from __future__ import annotations

import math

import numpy as np
import pytest

from appliance.stt.certainty import Certainty


def test_certainty_is_the_geometric_mean_of_how_likely_each_token_was() -> None:
    certainty = Certainty()
    certainty.hear(0, np.array([-20.0, 2.0, 1.0], np.float32))
    certainty.hear(1, np.array([3.0, -20.0, 3.0], np.float32))
    likely = math.e / (1 + math.e)
    assert certainty.of([1]) == pytest.approx(likely, abs=0.001)
    assert certainty.of([1, 2]) == pytest.approx(math.sqrt(likely / 2), abs=0.001)
    assert certainty.of([0, 2]) == 0
    assert certainty.of([]) == 0
