"""A fact about the user as it is told to the user: "The user likes plums" is "You like plums"."""

from __future__ import annotations

import re

_VERBS = {
    "is": "are",
    "has": "have",
    "was": "were",
    "does": "do",
    "doesn't": "don't",
    "isn't": "aren't",
    "hasn't": "haven't",
}
_SECOND = {
    "i": "you",
    "me": "you",
    "my": "your",
    "mine": "yours",
    "myself": "yourself",
    "we": "you",
    "us": "you",
    "our": "your",
    "ours": "yours",
    "am": "are",
    "i'm": "you're",
    "i've": "you've",
    "i'd": "you'd",
    "i'll": "you'll",
}
_FIRST = re.compile(rf"\b(?:{'|'.join(sorted(_SECOND, key=len, reverse=True))})\b", re.IGNORECASE)
_ENDINGS = ((r"(?<=[^aeiou])ies$", "y"), (r"(?<=sh|ch|ss)es$", ""), (r"(?<=[oxz])es$", ""), (r"(?<![su])s$", ""))
"""Of the third person, tried in turn: studies, watches, goes, likes."""
_OWN = re.compile(r"\b[Tt]he user's\b")
_SUBJECT = re.compile(r"\b([Tt])he user( (?:\w+ly|also|still|never|always|often))? (\w+(?:'t)?)")
_USER = re.compile(r"\bthe user\b")


def to_you(fact: str) -> str:
    """`fact` in the second person; one that is not about the user, or in another language, stays as it is."""
    fact = _OWN.sub(lambda found: "Your" if found[0][0] == "T" else "your", fact)
    fact = _SUBJECT.sub(lambda found: f"{'You' if found[1] == 'T' else 'you'}{found[2] or ''} {_verb(found[3])}", fact)
    return _USER.sub("you", fact)


def said_back(words: str) -> str:
    """What the user said, as it is said to the user: my dentist is your dentist."""
    return to_you(_FIRST.sub(lambda found: _SECOND[found[0].casefold()], words))


def _verb(third: str) -> str:
    if third in _VERBS:
        return _VERBS[third]
    for ending, instead in _ENDINGS:
        if re.search(ending, third):
            return re.sub(ending, instead, third)
    return third
