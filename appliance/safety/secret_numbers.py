"""Secret numbers: bank accounts, cards, telephones. For each a pattern that finds candidates, and a function that says
which parts of one are such a number: the pattern alone would take sums, dates and lists as well."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import pairwise

from phonenumbers import Leniency, PhoneMetadata, PhoneNumberMatcher

Span = tuple[int, int]
"""Start and end in the text that is searched."""
Groups = list[re.Match[str]]
"""Runs of digits, one after the other with a gap between."""

# --- bank accounts ---

IBAN = re.compile(
    r"(?<![A-Z0-9])(?=([A-Z][ -]?[A-Z][ -]?[0-9][ -]?[0-9](?:[ -]?[A-Z0-9]){11,30}))", re.ASCII | re.IGNORECASE
)
"""Looks ahead only: a false start ("is 45 DE89 ...") must not hide the true one."""
_IBAN_DIGITS = 10
"""The fewest: every country's has more, and hardly a sentence has as many."""


def ibans(candidate: re.Match[str]) -> Iterator[Span]:
    """The longest part from the start that ends with a word and passes ISO 7064 (mod 97, the first four signs last)."""
    text, start, longest, rest = candidate.string, candidate.start(), 0, 0
    signs = list(re.finditer(r"[A-Za-z0-9]", candidate[1]))
    head = int("".join(str(int(sign[0], 36)) for sign in signs[:4]))
    for count, sign in enumerate(signs[4:], 5):
        value, end = int(sign[0], 36), start + sign.end()
        rest = (rest * (10 if value < 10 else 100) + value) % 97
        if count >= 15 and (rest * 10**6 + head) % 97 == 1 and not text[end : end + 1].isalnum():
            longest = end
    if sum(sign.isdigit() for sign in text[start:longest]) >= _IBAN_DIGITS:
        yield start, longest


# --- cards ---

CARD = re.compile(r"(?<!\d)\d++(?:(?:[.,]?\s{1,2}|\s?[-‐-―]\s?)\d++)*+")
"""Groups of digits as written or dictated. A point or comma needs a space behind it, else it is one of a number."""
_CARD_GROUP = re.compile(r"\d+")
_ISSUED = re.compile(r"4|5[1-5]|3[04-9]|6|2[2-7]")
"""First digits of the card companies (ISO/IEC 7812); without, other lengths than 16 would catch too much."""


def cards(candidate: re.Match[str]) -> Iterator[Span]:
    return _rows(candidate, _CARD_GROUP, _card_end)


def _card_end(groups: Groups, first: int) -> int | None:
    """The longest: what a check digit proves for 16 digits it may prove for the three behind them as well."""
    digits, end = "", None
    for last, group in enumerate(groups[first : first + 19], first):
        digits += group[0]
        likely = len(digits) == 16 or (13 <= len(digits) <= 19 and _ISSUED.match(digits))
        if likely and _luhn(digits) and not _misread(groups[first : last + 1]):
            end = last
    return end


def _luhn(digits: str) -> bool:
    doubled = sum(sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return (doubled + sum(int(digit) for digit in digits[::-2])) % 10 == 0


_FRACTION = re.compile(r"(?<!\d)(?<!\d\D)\d{1,6}[.,]$")
"""What stands before the digits of one. So short and alone, it is no secret that will be gone on the next pass."""


def _misread(groups: Groups) -> bool:
    """A list, a fraction, or two telephone numbers side by side: a space within, and a hyphen goes on at an end."""
    text, start, end = groups[0].string, groups[0].start(), groups[-1].end()
    if len(groups) == 1:
        return _FRACTION.search(text[max(0, start - 9) : start]) is not None
    beside = text[max(0, start - 1) : start] + text[end : end + 1]
    return _counting(groups) or ("-" in beside and {" ", "-"} <= set(text[start:end]))


# --- telephones ---

PHONE = re.compile(r"(?<![\w+])\+?(?:\((?=\d{1,5}\)))?\d++(?:\)?(?:[-‐-–./]|[^\S\n]{1,2})?(?:\((?=\d{1,5}\)))?\d++)*+")
_PHONE_GROUP = re.compile(r"\+?\(?\d++")
_GROUPS = 6
"""The most in one number, save where there is nothing else: dictated digits may stand one by one."""
_TIME_OF_DAY = re.compile(r"(?<!\d)\d{1,2}:\d\d(?!\d)")
_OTHER = re.compile(
    r"""^\d+\.\d+$ | ^\d{1,3}(?:\.\d{1,3}){3}$
      | (?<!\d)(?:(?:19|20)\d\d([-/. ])[01]?\d\1[0-3]?\d | [0-3]?\d([-/. ])[0-3]?\d\2(?:19|20)\d\d)(?!\d)""",
    re.VERBOSE,
)
"""A decimal fraction, a network address, anything with a date."""
_BEFORE_AMOUNT = re.compile(
    r"""(?:[$€£¥*/^=<>%]\s?|[^\W\d]\(|(?<!\d)(?<!\d\D)\d{1,6}(?:[.,]|\s?-\s|\sis\s(?:about\s)?)
        |\b(?:by|divide|durch|entre|equals|fois|geteilt|mal|menos|minus|moins|multiply|más|of|par|plus|por|subtract
            |times|x)\s)$""",
    re.IGNORECASE | re.VERBOSE,
)
_AFTER_AMOUNT = re.compile(
    r"""[^\W_]|[.,]\d{1,6}(?!\d)|\s?[*+/^=<>%$€£¥°]|\s-\s
        |\s(?:divided|dividido|divisé|durch|entre|equals|fois|geteilt|mal|menos|minus|mod|moins|multiplied|más|over|percent
            |plus|por|prozent|squared|times|x|bytes?|characters|days|dollars?|euros?|feet|grams|hours|lines
                |(?:kilo|centi|milli)?met(?:er|re)s?|miles|minutes|people|pounds?|(?:milli|micro|nano)?seconds?|years)\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""Next to one of these a number without gaps is an amount, not to be dialled."""


def phones(candidate: re.Match[str], region: str) -> Iterator[Span]:
    """`region`: one of phonenumbers.SUPPORTED_REGIONS, whose numbers need no country code."""
    return _rows(candidate, _PHONE_GROUP, partial(_phone_end, region=region))


def _phone_end(groups: Groups, first: int, region: str) -> int | None:
    """The longest: a number with its country code, not without. One among others has to have the usual gaps."""
    head, digits, ends = groups[first], 0, []
    usual = len(head[0]) > 2 or head[0][0] in "+0"
    for last, group in enumerate(groups[first : first + 15], first):  # no number has more digits (ITU E.164)
        digits += len(group[0].lstrip("+("))
        if digits not in _lengths(region, head[0][0]):
            continue
        if (first, last) == (0, len(groups) - 1) and not _counting(groups):
            ends.append((last, Leniency.VALID))
        elif usual and last - first < _GROUPS:
            ends.append((last, Leniency.STRICT_GROUPING))
    return next((last for last, how in reversed(ends) if _is_phone(head, groups[last], region, how)), None)


@cache
def _lengths(region: str, sign: str) -> frozenset[int]:
    """How many digits there may be after a first `sign`; to ask the library each time would take 0.1 ms."""
    known = PhoneMetadata.metadata_for_region(region)
    if sign in "+0" or known is None or known.general_desc is None:
        return frozenset(range(7, 16))
    return frozenset(length + trunk for length in known.general_desc.possible_length for trunk in (0, 1))


def _is_phone(head: re.Match[str], last: re.Match[str], region: str, leniency: int) -> bool:
    text, start, end = head.string, head.start(), last.end()
    said = text[start:end]
    amount = _BEFORE_AMOUNT.search(text[max(0, start - 16) : start]) or _AFTER_AMOUNT.match(text, end)
    if (amount and said.isdecimal()) or _OTHER.search(said) or _TIME_OF_DAY.match(text, last.start()):
        return False
    return any(found.raw_string == said for found in PhoneNumberMatcher(said, region, leniency, max_tries=1))


# --- both ---


def _rows(
    candidate: re.Match[str], group: re.Pattern[str], last_of: Callable[[Groups, int], int | None]
) -> Iterator[Span]:
    """Whole groups in a row. `last_of` tells where the row that starts at a group ends: dictated numbers follow each
    other without a mark, and a card's "12 26" or "3 times" may stand beside them."""
    groups, first = list(group.finditer(candidate.string, *candidate.span())), 0
    while first < len(groups):
        last = last_of(groups, first)
        if last is not None:
            yield groups[first].start(), groups[last].end()
        first = (first if last is None else last) + 1


def _counting(groups: Groups) -> bool:
    """By ones, as the years in "2001 2002 2003", or upwards in six groups or more: one card in 720 would."""
    steps = [int(other[0].lstrip("(")) - int(one[0].lstrip("+(")) for one, other in pairwise(groups)]
    return set(steps) == {1} or (len(steps) >= 5 and min(steps) > 0)
