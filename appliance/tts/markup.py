"""Markdown, emoji and model protocol marks -> the plain text a person would read aloud. The same for every language."""

from __future__ import annotations

import re
import unicodedata

from appliance.language.words import FRACTION_SIGNS

FENCE = "```"

_SPELLED_OUT = FRACTION_SIGNS | str.maketrans(
    {
        "℃": "°C", "℉": "°F", "−": "-", "²": "^2", "³": "^3", "µ": "μ",
        "\N{NO-BREAK SPACE}": " ", "\N{NARROW NO-BREAK SPACE}": " ", "‑": "-", "•": "-", "’": "'", "‘": "'",
    }
)  # fmt: skip
_SPOKEN_SYMBOLS = "°^|`©®™"
"""Of a category that is dropped, and yet kept for a later rule."""
_SILENT_CATEGORIES = frozenset(("So", "Sk", "Cs", "Co", "Cn", "Cf", "Cc", "Me"))
"""Other symbols (emoji, box drawing), their modifiers, control, private and unassigned characters."""
_VARIATION_SELECTORS = dict.fromkeys(range(0xFE00, 0xFE10))

_RULES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.MULTILINE), replacement)
    for pattern, replacement in (
        (r'\{\s{0,9}"\w{1,40}"\s{0,9}:[^\n]{0,2000}', " "),  # JSON to the end of its line
        (r"[ \t]+", " "),  # first, so that no later rule meets a long run of blanks
        (r"^ ?(?:#{1,6}|[-*+]|\d{1,2}[.)]) .*[\w)*_`\]]$", r"\g<0>."),  # headings and list items end like sentences
        (r"<\|[^|<>\n]{0,40}\|>|</?[a-zA-Z][\w-]{0,30}(?: [\w-]{1,30}=[^<>\n]{0,200})? ?/?>", " "),  # <|im_end|>, <br>
        (r"\[\[|\]\]", " "),  # piper would take what is between them for phonemes
        (r"!?\[([^\[\]\n]{0,400})\]\([^()\n]{0,2000}\)", r"\1"),  # links and images
        (r"^ ?\|? ?:?---[-:| ]*$", ""),  # the line below a table's head, and rules across the page
        (r"^ ?(?:[*_] ?){3,}$", ""),
        (r"^ ?\| ?| ?\| ?$", ""),
        (r" ?\| ?", ", "),
        (r"^ ?(?:#{1,6}|>{1,9}) ", ""),
        (r"^ ?[-*+] (?:\[[ xX]\] )?", ""),  # list items, ticked or not
        (r"\*\*|__|~~|`", ""),
        (r"(?<![\w*])[*_](?=[^\s*_])|(?<=[^\s*_])[*_](?![\w*])", ""),  # *emphasis*, not 2 * 3 and not snake_case
    )
)


def plain(text: str) -> str:
    """`text` without markup and in one line; empty when there is nothing left to speak."""
    text = " ".join(text.split(FENCE)[::2]).translate(_SPELLED_OUT)  # every second part is code
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    text = " ".join(_audible(" ".join(text.split())).split())
    return text if any(character.isalnum() for character in text) else ""


def _audible(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        character
        for character in text.translate(_VARIATION_SELECTORS)
        if character in _SPOKEN_SYMBOLS or unicodedata.category(character) not in _SILENT_CATEGORIES
    )
