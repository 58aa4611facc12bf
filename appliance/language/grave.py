"""Facts that a life may hang on: they are never replaced in passing, and are told before advice."""

from __future__ import annotations

import re

_GRAVE = re.compile(
    r"\b(allerg\w*|intoleran\w*|anaphyla\w*|coeliac|celiac|diabet\w*|epilep\w*|asthma\w*|insulin|warfarin|tablets?|"
    r"pills?|medicin\w*|medication|inhaler|blood (type|group)|pacemaker|"
    r"(can|must|may)( ?not|n't) (eat|have|take|drink)|"
    r"unverträglich\w*|zöliakie|zuckerkrank\w*|tabletten?|pillen?|medikament\w*|arznei\w*|inhalator|blutgruppe|"
    r"\w*schrittmacher|(darf|dürfen|verträgt|vertragen) kein\w*)",
    re.IGNORECASE,
)


def is_grave(fact: str) -> bool:
    """Whether it names an allergy, an illness, a medicine, or what somebody must not eat."""
    return _GRAVE.search(fact) is not None
