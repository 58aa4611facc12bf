"""What the model says of the world at large, as sure as it is of it: plainly, as a guess, or not at all.

It writes what it knows and what it makes up in the same words. What tells them apart is how unlikely its own words are
to it, and whether anybody has ever heard of what is asked about.
"""

from __future__ import annotations

import math
import re

from appliance.language.stopwords import NOISE
from appliance.reply.phrases import Phrases
from appliance.reply.understanding.relevance import among, telling

BIAS, BY_UNHEARD_OF, BY_DOUBT = 0.63, -0.28, -1.63
"""Of a logistic regression over the questions in models/training/questions/first.yaml: whether the answer is right, by
how likely nobody has heard of the thing, in log-odds, and by the doubt of ports.Usage, in nats
(models/training/make_sure.py, 1.5B, 2026-11-27). Other models are as sure of other things: theirs were not fitted."""
CERTAIN, GUESSED = 0.6, 0.35
"""How likely right an answer must be to be said plainly, or as a guess; a judgement over the same questions."""
LEAST = 1e-4
"""Nothing is less likely than that, nor its opposite: log-odds have no end."""
NOT_HEARD_OF = 0.5
"""How likely hardly anybody has heard of the thing for no guess to be made."""
BORNE_OUT = 0.5
"""Share of what an answer tells beyond its question that an excerpt must hold to bear it out; a judgement."""
_END = re.compile(r"[.!…]+([\"”’')]*)\s*$")


def as_sure(answer: str, doubt: float | None, unheard_of: float, phrases: Phrases) -> str:
    """The answer, the answer as a guess, or that the box does not know.  doubt: see ports.Usage; None is a guess."""
    if not answer or answer.endswith("?") or answer.casefold().replace("’", "'").startswith(tuple(phrases.evasions)):
        return phrases.unknown
    likely = GUESSED if doubt is None else right(doubt, unheard_of)
    if likely >= CERTAIN:
        return answer
    if unheard_of >= NOT_HEARD_OF:
        return phrases.unheard_of
    return phrases.guessed.format(answer=_END.sub(r"\1", answer)) if likely >= GUESSED else phrases.unknown


def declined(said: str, phrases: Phrases) -> bool:
    return said in (phrases.unknown, phrases.unheard_of)


def borne_out(answer: str, question: str, excerpt: str) -> bool:
    """Whether the excerpt says what the answer says."""
    told = telling(answer) - telling(question) - NOISE
    return bool(told) and len(among(told, telling(excerpt))) >= BORNE_OUT * len(told)


def right(doubt: float, unheard_of: float) -> float:
    """How likely the answer is right, 0 to 1."""
    odds = BIAS + BY_UNHEARD_OF * log_odds(unheard_of) + BY_DOUBT * doubt
    return 1 / (1 + math.exp(-odds))


def log_odds(likely: float) -> float:
    """likely: 0 to 1."""
    inside = min(max(likely, LEAST), 1 - LEAST)
    return math.log(inside / (1 - inside))
