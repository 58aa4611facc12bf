"""A phrase with every number and ordinal in it as figures, which clock times and dates are then read from."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache

from appliance.language.numbers import joined, numbers, ordinals, plain
from appliance.language.words import WORD, language_data, tidy

ORDINAL_MARK = "th"
"""Behind every ordinal, whatever the language: the third is 3th."""


def in_figures(text: str, language: str) -> str:
    """Tidied; "the twenty first of May" is "the 21th of may", "half past six" "half past 6". A fraction stays in words.

    Empty for a language without data.
    """
    reader = numbers(language)
    if reader is None:
        return ""
    text = _written_ordinals(language).sub(ORDINAL_MARK, tidy(text))
    tokens = [*WORD.finditer(text)]
    words, parts, at, done = [token[0] for token in tokens], list[str](), 0, 0
    whole = reader.ones.keys() | reader.tens.keys() | reader.scales.keys()
    while at < len(tokens):
        for end in joined(tokens, text, at):
            run = words[at:end]
            place = ordinals(language).get(" ".join(run))
            begins = reader.in_digits(run[0]).isdigit() or run[0] in whole or run[0] in reader.articles
            article = run[-1] in reader.articles and run[-1] not in reader.ones
            amount = reader.amount(run) if begins and not article else None
            if place is None and (amount is None or amount.denominator > 1 or amount < 0):
                continue
            if place is not None:
                figure = f"{place}{ORDINAL_MARK}"
            else:
                figure = run[0] if len(run) == 1 and run[0].isdigit() else str(plain(amount or Fraction(0)))
            parts += [text[done : tokens[at].start()], figure]
            done, at = tokens[end - 1].end(), end
            break
        else:
            at += 1
    return "".join(parts) + text[done:]


@cache
def _written_ordinals(language: str) -> re.Pattern[str]:
    data = language_data(language)
    assert data is not None, "numbers were found"
    return re.compile(rf"(?<=\d){data['numbers']['ordinal']}")
