"""The lessons as the tokens of one model, to teach it with (make_lora.py).

An adapter is for the plan or for what is read behind the head of talk (appliance/reply/taught.py).

A sequence is what the model reads and writes in one conversation behind a head: a later pass goes on with the tokens of
the one before, wherever its prompt does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import llama_cpp

from appliance.llm.chat_format import ChatFormat, tokenized
from appliance.llm.llama import quieten
from appliance.ports import Message
from appliance.reply.prompt import talk_head
from models.training import lessons

KEPT_BACK = 20
"""Of so many lessons, one is not taught: what the loss is measured on."""
OVERS = 6
"""Of so many final memory steps that keep nothing, one is taught: most of them do, and each breaks a sequence."""

TALK = talk_head("Jarvis", taught=True)
"""Of a box with the default name."""


@dataclass
class Taught:
    """Tokens behind a head. `written[i]` is 0 where token i is only read, 1 where it is a word to say, 2 where it
    decides what is done: of a call, or the first of a text.
    """

    head: int
    tokens: list[int]
    written: list[int]
    kept_back: bool


@dataclass
class Samples:
    heads: list[list[int]] = field(default_factory=list)
    sequences: list[Taught] = field(default_factory=list)


class Tokens:
    """The tokens of one model."""

    def __init__(self, path: Path) -> None:
        quieten()
        params = llama_cpp.llama_model_default_params()
        params.vocab_only = True
        self._model = llama_cpp.llama_model_load_from_file(str(path).encode(), params)
        self._vocab = llama_cpp.llama_model_get_vocab(self._model)
        self._format = ChatFormat(self._model, path.name)
        self.end = llama_cpp.llama_vocab_eos(self._vocab)

    def of(self, text: str) -> list[int]:
        return tokenized(self._vocab, text)

    def head(self, prompt: Sequence[Message]) -> list[int]:
        return self.of(self._format.head(prompt[:1]))

    def prompt(self, prompt: Sequence[Message]) -> list[int]:
        return self.of(self._format.prompt(prompt))

    def text(self, text: str) -> tuple[list[int], list[int]]:
        """What is written, with its end, and what of it decides; see Taught."""
        tokens, kinds = list[int](), list[int]()
        for number, line in enumerate(text.splitlines()):
            more = self.of(f"\n{line}" if number else line)
            tokens += more
            kinds += [2 if place == 0 or not line.startswith(("say ", "ask ")) else 1 for place in range(len(more))]
        return [*tokens, self.end], [*kinds, 2]


def samples(tokens: Tokens, known: dict[str, lessons.Lesson], folder: Path, talk: bool = False) -> Samples:
    """All turns of the lessons that the engine takes as they are written; of talk, or all others."""
    teacher, made, last, spoilt, overs = lessons.Teacher(), Samples(), "", "", count()
    kept_back = {name for name in known if is_kept_back(name)}
    for name, _, faults, alterations in lessons.taken(known, teacher, folder):
        spoilt = name if faults or alterations else spoilt
        if name == spoilt:  # what comes after it goes on with what was not meant
            continue
        mine = made.sequences[-1:] if name == last else []
        for prompt, text in teacher.passes:
            wanted = (prompt[0] in TALK) == talk
            if wanted and (text != lessons.NOTHING or next(overs) % OVERS == 0):
                mine = [_taught(tokens, made, mine, prompt, text, name in kept_back)]
        last = name
    return made


def is_kept_back(name: str) -> bool:
    """Whether the lesson of that name is not taught: by its place in the file, which stays when other files come."""
    _, _, place = name.rpartition("-")
    return place.isdigit() and int(place) % KEPT_BACK == KEPT_BACK // 2


def _taught(
    tokens: Tokens, made: Samples, before: list[Taught], prompt: Sequence[Message], text: str, kept_back: bool
) -> Taught:
    head, whole = tokens.head(prompt), tokens.prompt(prompt)
    if head not in made.heads:
        made.heads.append(head)
    number, read = made.heads.index(head), whole[len(head) :]
    if before and before[0].head == number and read[: len(before[0].tokens)] == before[0].tokens:
        taught = before[0]
    else:
        taught = Taught(number, [], [], kept_back)
        made.sequences.append(taught)
    more = read[len(taught.tokens) :]
    written, kinds = tokens.text(text)
    taught.tokens += [*more, *written]
    taught.written += [*[0] * len(more), *kinds]
    return taught
