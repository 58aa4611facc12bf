"""What is written the same way in every language that has a table (english.py, german.py): addresses, Roman numbers."""

from __future__ import annotations

import re
from collections.abc import Callable

from appliance.language.numbers import digits

Match = re.Match[str]
Rule = tuple[re.Pattern[str], str | Callable[[Match], str]]
"""A pattern, and what is said in place of what it finds."""
Table = tuple[tuple[str, str | Callable[[Match], str]], ...]

HOST = r"(?:[a-z0-9-]{1,63}\.){1,4}(?:com|org|net|edu|gov|info|io|eu|uk|de|fr|nl|es|it|ch|at|local)"
"""Of the web or of mail."""
LINK = r"\bhttps?://(?:www\.)?(?P<host>[^\s/?#:]+)[^\s]*?(?=[.,;:!?)]{0,3}(?:\s|$))"
MAIL_DOT = r"(?<=\w)\.(?=[\w.-]{1,60}@)"
"""A full stop before the @ of an address."""
ROMAN = r"(?P<roman>(?=[IVXLC])(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3}))"
"""From I to XCIX."""
_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


def rules(table: Table) -> tuple[Rule, ...]:
    """With their patterns compiled."""
    return tuple((re.compile(pattern), replacement) for pattern, replacement in table)


def roman_number(letters: str) -> str:
    """In digits."""
    values = [_VALUES[letter] for letter in letters]
    return str(sum(-one if one < after else one for one, after in zip(values, [*values[1:], 0], strict=True)))


def spelt_out(match: Match, language: str) -> str:
    """A number that names something and counts nothing: each digit by itself, in the groups that were written."""
    plus = "plus " if match["number"].startswith("+") else ""
    groups = re.findall(r"\d+", match["number"])
    return f"{match['before']}{plus}{', '.join(digits(group, language) for group in groups)}"


def dot(match: Match) -> str:
    """The full stop that an abbreviation swallowed at the end of a sentence."""
    return "." if match[0].endswith(".") and match.end() == len(match.string) else ""
