"""What every reader of words here starts from: a language's own words, and text in one form.

The words are in data/<language>.yaml. Names that Unicode keeps (numbers, weekdays, months) come from unicode-rbnf and
babel instead; see docs/design/language.md.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from typing import Any

import yaml

FRACTION_SIGNS = str.maketrans({"½": " 1/2", "¼": " 1/4", "¾": " 3/4", "⅓": " 1/3", "⅔": " 2/3", "⅛": " 1/8", "⁄": "/"})
WORD = re.compile(
    r"[^\W\d_]+(?:['’][^\W\d_]+)*|(?<![\d/.,])[0-9]{1,3}/[1-9][0-9]{0,2}(?![\d/])|[0-9]+(?:\.[0-9]+)?|(?<![\w.])\.[0-9]+"
)
"""A word, or a number in digits: 12, 2.5, .5 or 1/2. No part of 1/2/2026."""
THOUSANDS = re.compile(r"(?<=\d)(?<!\b0),(?=\d{3}(?!\d))")
"""The comma of 10,000; any other stands for a decimal point, as in German, where 1.250 is seldom said with its sign."""
_DECIMAL_COMMA = re.compile(r"(?<=\d),(?=\d)")
_TEMPLATE_PARTS = re.compile(r"\[[^\]]*\]|\([^)]*\)|<\w+>|[^\s\[\]()<>]+")


@cache
def language_data(language: str) -> Mapping[str, Any] | None:
    """The content of data/<language>.yaml; None where there is none."""
    file = resources.files("appliance.language").joinpath("data", f"{language}.yaml")
    return yaml.safe_load(file.read_text(encoding="utf-8")) if file.is_file() else None


def tidy(text: str) -> str:
    """`text` in lower case and one line, with plain apostrophes, and fractions and decimals written in one way."""
    text = unicodedata.normalize("NFC", text).translate(FRACTION_SIGNS).replace("’", "'").casefold()
    return " ".join(_DECIMAL_COMMA.sub(".", THOUSANDS.sub("", text)).split())


def alternatives(words: Iterable[str]) -> str:
    """A pattern for any of `words`, the longest first."""
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


def template(text: str, fields: Mapping[str, str]) -> re.Pattern[str]:
    """The pattern for a sentence such as "[the] <day> (of|in) <month>", for text that ends in a space.

    [a|b]: may be left out; (a|b): one of them; <name>, [<name>]: one of `fields`, which are patterns by name.
    """
    pattern = ""
    for part in _TEMPLATE_PARTS.findall(text):
        name = part.strip("[<>]")
        if "<" in part:
            pattern += f"(?:(?P<{name}>{fields[name]}) ){'?' if part[0] == '[' else ''}"
        else:
            options = "|".join(re.escape(f"{words} ") for words in part.strip("[]()").split("|"))
            pattern += f"(?:{options}){'?' if part[0] == '[' else ''}"
    return re.compile(pattern)
