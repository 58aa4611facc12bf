"""What the model wrote in a lesson, beside what it ought to have written."""

from __future__ import annotations

import pytest

from bench.exam import verdict


@pytest.mark.parametrize(
    ("right", "wrote", "found"),
    [
        ("set_timer(minutes=6)", "set_timer(minutes=6.0)", "same"),
        ("set_timer(minutes=6)", "set_timer(minutes=16)", "kind"),
        ("set_timer(minutes=6)\nset_timer(minutes=9)", "set_timer(minutes=6)", "other"),
        ("set_timer(minutes=6)", "say Six it is.", "other"),
        ("say Six it is.", "say It is six.", "same"),
    ],
)
def test_verdict(right: str, wrote: str, found: str) -> None:
    assert verdict(right, wrote) == found
