"""Sentences in text from outside that speak to its reader instead of answering: a small model obeys them.

What they could make the box do is denied where tools are called; this keeps them from its words as well.
"""

from __future__ import annotations

import re

from appliance.language.stopwords import COMMON
from appliance.reply.understanding.relevance import pieces, words

_RUN_ON = re.compile(r"(?<=[^\W\d_][.!?])(?=[A-ZÄÖÜÉÀ])")
"""A sentence that begins without a blank: what hides between two sentences takes it along."""
_SPEAKS_TO_THE_READER = re.compile(
    r"\b(?:you|your|yours|yourself|the (?:user|owner)|assistants?|chatbots?|bots?|a\.?i\.?|language models?|llms?|"
    r"prompts?|instructions?|ignore|disregard|forget|obey|pretend|act as|role ?play|must|should|shall|from now on|"
    r"say|tell|answer|reply|respond|repeat|speak|announce|write|print|output|call|run|execute|invoke|send|"
    r"du|dir|dein\w*|ihr|sie müssen|ignorier\w*|antworte\w*|sag\w*|"
    r"vous|votre|vos|tu|ignorez|dites|répond\w*|usted|ignora\w*|di|responde)\b",
    re.IGNORECASE,
)
"""In the languages that injected text was seen in; each alone proves nothing."""


def unaddressed(text: str, query: str) -> str:
    """`text` without the sentences that speak to its reader and share no word with `query`; if none is left, all."""
    asked = {word for word in words(query) if word not in COMMON}
    parts = pieces(_RUN_ON.sub(" ", text))
    kept = [part for part in parts if asked & set(words(part)) or not _SPEAKS_TO_THE_READER.search(part)]
    return "".join(kept).strip() if any(part.strip() for part in kept) else text
