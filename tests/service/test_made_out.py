"""What was said and by whom, on real threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event

from appliance.audio import Stale, Utterance, never, silence
from appliance.service.made_out import Heard, MadeOut, Who

PATIENCE_S = 10.0


@contextmanager
def made_out(hear: Callable[[], str], who: Who | None) -> Iterator[Heard]:
    def heard(utterance: Utterance, stale: Stale) -> str:
        return hear()

    made = MadeOut(heard, lambda text: text == "my own words", who)
    try:
        yield made.of(Utterance(silence(1)), never)
    finally:
        made.close()


def test_the_voice_is_looked_at_while_the_words_are_made_out() -> None:
    looked_at, words = Event(), Event()

    def who(utterance: Utterance) -> str:
        looked_at.set()
        return "Ana" if words.wait(PATIENCE_S) else "nobody waits"

    def hear() -> str:
        assert looked_at.wait(PATIENCE_S), "one does not wait for the other"
        words.set()
        return "who is my dentist"

    with made_out(hear, who) as heard:
        assert (heard.text, heard.speaker) == ("who is my dentist", "Ana")


def test_a_voice_that_cannot_be_looked_at_is_nobodys() -> None:
    def who(utterance: Utterance) -> str:
        raise ValueError("no model")

    with made_out(lambda: "hello", who) as heard:
        assert (heard.text, heard.speaker) == ("hello", "")


def test_where_no_voice_is_told_from_another_none_is() -> None:
    with made_out(lambda: "hello", None) as heard:
        assert (heard.text, heard.speaker) == ("hello", "")


def test_the_boxs_own_words_are_nobodys_line() -> None:
    with made_out(lambda: "my own words", lambda utterance: "Ana") as heard:
        assert heard.text == ""


def test_nobody_asks_whose_overheard_words_are() -> None:
    asked = list[Utterance]()

    def who(utterance: Utterance) -> str:
        asked.append(utterance)
        return "Ana"

    made = MadeOut(lambda utterance, stale: "stop" if utterance.called else "my own words", "my own words".__eq__, who)
    try:
        assert made.words(Utterance(silence(1), called=True), never) == "stop"
        assert made.words(Utterance(silence(1)), never) == ""
    finally:
        made.close()
    assert asked == []
