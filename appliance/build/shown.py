"""What the local model would read for a line, in its parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from appliance.ports import Message


class PromptPart(NamedTuple):
    name: str
    """pinned, conversation or fresh."""
    text: str
    tokens: int
    """Of the prompt up to its end."""


def prompt_parts(
    messages: Mapping[str, Sequence[Message]], shown: Callable[[list[Message]], tuple[str, int]]
) -> list[PromptPart]:
    """messages: by name of the part.  shown: the text that the model reads of messages, and its tokens."""
    parts, read, known = list[PromptPart](), list[Message](), ""
    for name, more in messages.items():
        read += more
        text, tokens = shown(read)
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(known, text, strict=False)))
        if parts and shared < len(known):  # the opening of the answer, which each rendering ends with
            parts[-1] = PromptPart(parts[-1].name, parts[-1].text[: shared - len(known)], parts[-1].tokens)
        parts.append(PromptPart(name, text[shared:], tokens))
        known = text
    return parts
