"""The season where the box stands."""

from __future__ import annotations

from datetime import date

import pytest

from appliance.skills.country.seasons import season

MARCH, JULY, DECEMBER = date(2026, 3, 14), date(2026, 7, 1), date(2026, 12, 1)


@pytest.mark.parametrize(
    ("place", "seasons"),
    [
        ("Stirling, Scotland", ("spring", "summer", "winter")),
        ("Melbourne, Australia", ("autumn", "winter", "summer")),
        ("Cape Town", ("autumn", "winter", "summer")),
        ("Mudgee, Australia", ("autumn", "winter", "summer")),  # too small to be known itself
        ("Singapore", ("", "", "")),
        ("Australia", ("", "", "")),
        ("Nowhere in particular", ("", "", "")),
        ("", ("", "", "")),
    ],
)
def test_season(place: str, seasons: tuple[str, str, str]) -> None:
    assert tuple(season(place, day) for day in (MARCH, JULY, DECEMBER)) == seasons
