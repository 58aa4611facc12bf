"""What is to be done, as a reminder of it says that: the German "Mama anzurufen" is "Mama anrufen"."""

from __future__ import annotations

import re
from functools import cache

from appliance.language.words import alternatives, language_data


@cache
def _marked(language: str) -> re.Pattern[str] | None:
    """The mark of an infinitive at the end of a text; a noun there has a capital letter."""
    known = (language_data(language) or {}).get("infinitives")
    if not known:
        return None
    mark, prefixes, endings = known["mark"], alternatives(known["prefixes"]), "|".join(known["endings"])
    return re.compile(rf"(?:(?<!\w){mark} |(?<!\w)(?P<prefix>{prefixes}){mark})(?=[^\W\d_A-ZÄÖÜ]+(?:{endings})\W*$)")


def bare_infinitive(text: str, language: str) -> str:
    """Without the mark that goes with "remind me to"; as it is in a language that needs none taken out."""
    pattern = _marked(language)
    return pattern.sub(lambda found: found["prefix"] or "", text) if pattern else text
