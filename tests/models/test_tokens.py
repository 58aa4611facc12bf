"""Lessons as tokens: what is read stands before what is written, and both are what the model would see."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from itertools import groupby
from pathlib import Path

import llama_cpp
import pytest

from models.training import lessons
from models.training.tokens import Samples, Taught, Tokens, samples

TURN = {"say": "there was a lovely breeze walking home from the harbour today", "write": "say Then sit down first."}


@pytest.fixture(scope="module")
def tokens(model: Callable[..., Path]) -> Tokens:
    return Tokens(model("smollm2-135m"))


def made(tokens: Tokens, folder: Path, *turns: dict[str, str], talk: bool = True) -> Samples:
    lesson = lessons.Lesson.model_validate({"turns": [*turns]})
    return samples(tokens, {"one": lesson}, folder, talk)


def text(tokens: Tokens, some: list[int]) -> str:
    buffer, whole = ctypes.create_string_buffer(256), b""
    for token in some:
        size = llama_cpp.llama_token_to_piece(tokens._vocab, token, buffer, len(buffer), 0, True)
        whole += buffer.raw[:size]
    return whole.decode()


def written(tokens: Tokens, taught: Taught) -> list[str]:
    pairs = groupby(zip(taught.tokens, taught.written, strict=True), key=lambda pair: pair[1] > 0)
    return [text(tokens, [token for token, _ in group]) for is_written, group in pairs if is_written]


def test_what_is_written_is_the_lesson_s(tokens: Tokens, tmp_path: Path) -> None:
    found = made(tokens, tmp_path, TURN)
    assert written(tokens, found.sequences[0])[0] == "say Then sit down first.<|im_end|>"
    assert "from the harbour" in text(tokens, found.sequences[0].tokens)
    assert "from the harbour" not in text(tokens, found.heads[found.sequences[0].head])


def test_each_adapter_is_taught_behind_its_own_heads(tokens: Tokens, tmp_path: Path) -> None:
    timer = {"say": "set a timer for five minutes and for nine", "write": "set_timer(minutes=5)\nset_timer(minutes=9)"}
    (tmp_path / "plan").mkdir()
    plan = made(tokens, tmp_path / "plan", TURN, timer, talk=False)
    talk = made(tokens, tmp_path, TURN, timer)
    assert [text(tokens, each).count("set_timer(") for each in talk.heads] == [0]
    assert all("set_timer(" in text(tokens, each) for each in plan.heads)
    assert not {tuple(head) for head in talk.heads} & {tuple(head) for head in plan.heads}


def test_a_word_to_say_weighs_less_than_what_decides(tokens: Tokens) -> None:
    some, kinds = tokens.text("say Good morning.")
    assert (kinds[0], set(kinds[1:-1]), kinds[-1]) == (2, {1}, 2)
    assert len(some) == len(kinds)
    assert set(tokens.text('cancel_timer(label="rice")')[1]) == {2}


def test_what_the_engine_does_not_take_is_not_taught(tokens: Tokens, tmp_path: Path) -> None:
    wrong = {"say": TURN["say"], "write": 'cancel_timer(label="harbour")'}
    assert not made(tokens, tmp_path, wrong, TURN).sequences
