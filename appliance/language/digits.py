"""Numbers and times of day that stand in digits in a text."""

from __future__ import annotations

import re

NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
"""Also a time of day ("7:30") and a thousand with its comma."""


def numbers_in(text: str) -> set[str]:
    """Every number of a text, without thousands commas and trailing zeros: "1,000.50" and "1000.5" are the same."""
    return {plain_number(found) for found in NUMBER.findall(text)}


def plain_number(number: str) -> str:
    """One number as `numbers_in` gives it."""
    plain = re.sub(r",(?=\d{3}(?!\d))", "", number)
    return plain.rstrip("0").rstrip(".") if "." in plain else plain
