"""Published sentences, by lines of our own: what is a tool's, what is not, and what a free name may swallow."""

from __future__ import annotations

import statistics
import time
from typing import Any

import pytest
from home_assistant_intents import get_languages
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.reply.understanding.fastlane import FastLane, PutOff
from appliance.reply.understanding.match import Match
from appliance.reply.understanding.published import Published, published, without_name
from appliance.skills.loader import sentences_on_board

TAKEN = {"direction": "subtract", "minutes": 2, "label": "20 minutes"}
SLOWEST_S = 0.025
"""As in test_fastlane.py."""


def matched(language: str, line: str) -> Match | None:
    sentences = published(language)
    assert sentences is not None
    return sentences.match(line)


@pytest.mark.parametrize(
    ("language", "line", "tool", "arguments"),
    [
        ("en", "start a timer for thirty-five minutes", "set_timer", {"minutes": 35}),
        ("en", "set a timer for half an hour", "set_timer", {"minutes": 30}),
        ("en", "create a 3 hour timer called brisket", "set_timer", {"hours": 3, "label": "brisket"}),
        (
            "en",
            "Add 7 minutes to my garage timer.",
            "adjust_timer",
            {"direction": "add", "minutes": 7, "label": "garage"},
        ),
        ("en", "remove 2 minutes from the 20 minute timer", "adjust_timer", TAKEN),
        ("en", "cancel the timer in the garage", "cancel_timer", {"label": "garage"}),
        ("en", "cancel all the garage timers", "cancel_timer", {"label": "all garage"}),
        ("en", "cancel my 2 hour timer", "cancel_timer", {"label": "2 hours"}),
        ("en", "pause the brisket timer", "pause_timer", {"label": "brisket"}),
        ("en", "resume my timer", "resume_timer", {}),
        ("en", "how long is left on the brisket timer", "list_timers", {"label": "brisket"}),
        ("en", "what's the current time", "get_time", {}),
        ("en", "what's today's date", "get_time", {"what": "date"}),
        ("en", "set the volume to thirty-three", "set_volume", {"level": 33}),
        ("en", "volume up", "set_volume", {"direction": "up"}),
        ("en", "turn down the volume by fifteen percent", "change_volume", {"by": -15}),
        ("en", "never mind", "stop", {}),
        ("de", "Stelle einen Timer auf eine halbe Stunde", "set_timer", {"minutes": 30}),
        ("de", "pausiere meinen Brot Timer", "pause_timer", {"label": "Brot"}),
        ("de", "Musik leiser", "set_music_volume", {"direction": "down"}),
        ("es", "sube la música", "set_music_volume", {"direction": "up"}),
        ("es", "sube el volumen", "set_volume", {"direction": "up"}),
        ("fr", "Mets un minuteur de vingt-deux minutes", "set_timer", {"minutes": 22}),
        ("es", "pausa el temporizador de sopa", "pause_timer", {"label": "sopa"}),
        ("it", "imposta un timer di otto minuti", "set_timer", {"minutes": 8}),
        ("nl", "zet een timer van twaalf minuten", "set_timer", {"minutes": 12}),
        ("pl", "ustaw minutnik na siedem minut", "set_timer", {"minutes": 7}),
        ("pl", "usuń osiem minut do minutnika", "adjust_timer", {"minutes": 8, "direction": "subtract"}),
        ("pt", "cancela o temporizador de sopa", "cancel_timer", {"label": "sopa"}),
        ("no", "sett en timer på åtte minutter", "set_timer", {"minutes": 8}),
        ("zh", "设置八分钟计时器", "set_timer", {"minutes": 8}),
        ("zh", "把牛奶加到购物清单", "add_to_list", {"item": "牛奶"}),
        ("sv", "pausa brödtimer", "pause_timer", {"label": "bröd"}),
    ],
)
def test_a_line_is_a_call(language: str, line: str, tool: str, arguments: dict[str, Any]) -> None:
    assert matched(language, line) == Match(tool, arguments)


@pytest.mark.parametrize(
    "line",
    [
        *["set the radio volume to 20", "garage volume up", "turn down the volume in the garage"],  # other devices
        *["turn on the lamp", "add milk to the sauce", "put the kettle on the stove"],  # no skill does these
        *["start a 5 minute timer called brisket and tell me a joke"],
        *["set a timer for 7:30", "set a timer at six", "start a timer for six o'clock"],  # a clock time is no length
        *["", " ", "?!", "timer " * 30],
    ],
)
def test_a_line_is_left_alone(line: str) -> None:
    assert matched("en", line) is None


@pytest.mark.parametrize(
    ("language", "line", "order", "length"),
    [
        ("en", "close the blinds in 20 minutes", "close the blinds", {"minutes": 20}),
        ("fr", "monte le volume dans 5 minutes", "monte le volume", {"minutes": 5}),
        ("es", "sube el volumen dentro de 5 minutos", "sube el volumen", {"minutes": 5}),
        ("nl", "zet het volume op 20 over 5 minuten", "zet het volume op 20", {"minutes": 5}),
    ],
)
def test_a_line_is_an_order_for_later(language: str, line: str, order: str, length: dict[str, int]) -> None:
    found = matched(language, line)
    assert found == Match("do_after", {"order": order, **length})
    assert found.order == order


@pytest.mark.parametrize("line", ["close the blinds in 20 minutes", "pause the timer in an hour"])
def test_an_order_that_nothing_here_carries_out_is_left_alone(line: str) -> None:
    assert FastLane("en", sentences=sentences_on_board(), put_off=PutOff({"set_volume"})).match(line) is None


def test_an_order_for_later_in_a_language_without_sentences_of_ours() -> None:
    lane = FastLane("fr", put_off=PutOff({"set_volume"}))
    assert lane.match("monte le volume dans 5 minutes") == Match("do_after", {"order": "monte le volume", "minutes": 5})
    assert FastLane("fr").match("monte le volume dans 5 minutes") is None


@pytest.mark.parametrize(
    ("language", "line", "arguments"),
    [
        (
            "fr",
            "ajoute à la liste des bricoles acheter des vis",
            {"item": "acheter des vis", "list": "liste des bricoles"},
        ),
        ("es", "añade en la lista Ferretería clavos", {"item": "clavos", "list": "Ferretería"}),
        ("cs", "přidej hřebíky na seznam Dům a zahrada", {"item": "hřebíky", "list": "Dům a zahrada"}),
    ],
)
def test_a_list_that_is_kept_is_known_by_its_name(language: str, line: str, arguments: dict[str, str]) -> None:
    kept = list[str]()
    lane, wanted = FastLane(language, names=lambda: kept), Match("add_to_list", arguments, free=True)
    assert lane.match(line) != wanted
    kept.append(arguments["list"])
    assert lane.match(line) == wanted


@pytest.mark.parametrize(
    ("line", "place"),
    [("wie ist das Hamburger Wetter", "Hamburg"), ("wie ist das Wetter in Los Angeles", "Los Angeles")],
)
def test_a_place_that_is_known_goes_before_a_word_that_looks_like_one(line: str, place: str) -> None:
    lane = FastLane("de", {"Hamburg", "Los Angeles"}.__contains__, sentences=sentences_on_board())
    assert lane.match(line) == Match("get_weather", {"place": place})


def test_a_courtesy_may_be_a_part_of_the_sentence() -> None:
    assert FastLane("de", name="Jarvis", sentences=sentences_on_board()).match("Jarvis, alles ok") == Match("stop", {})


def test_number_words_of_up_and_down_do_not_mix() -> None:
    """hassil keeps them by the bounds of their list alone."""
    assert matched("en", "turn the volume down by forty percent") == Match("change_volume", {"by": -40})
    assert matched("en", "turn the volume up by forty percent") == Match("change_volume", {"by": 40})
    assert matched("en", "set the volume to forty") == Match("set_volume", {"level": 40})


@pytest.mark.parametrize("language", sorted(get_languages()))
def test_every_language_of_the_package_can_be_read(language: str) -> None:
    sentences = published(language)
    assert isinstance(sentences, Published)
    assert sentences.match("xyzzy 5 plugh") is None


def test_a_language_that_nobody_published_has_none() -> None:
    assert published("la") is None
    assert FastLane("la").sentences == ""
    assert (FastLane("en").sentences, FastLane("fr").sentences) == ("own", "published")


@pytest.mark.parametrize(
    "line", ["Jarvis, pausa el temporizador", "oye Jarvis pausa el temporizador", "pausa el temporizador, Jarvis"]
)
def test_the_name_is_no_part_of_the_request(line: str) -> None:
    assert FastLane("es", name="Jarvis").match(line) == Match("pause_timer", {})


def test_a_line_about_the_name_keeps_it() -> None:
    assert without_name("tell my friend Jarvis a joke", "jarvis") == "tell my friend Jarvis a joke"
    assert without_name("hey Jarvis, stop", "") == "hey Jarvis, stop"


def test_our_own_words_for_no_name_hold_for_published_sentences() -> None:
    assert FastLane("de").match("Stell keinen Timer auf neun Minuten") is None


def test_courtesies_around_a_published_sentence_are_taken_off() -> None:
    assert FastLane("en", sentences=sentences_on_board()).match(
        "Could you please pause the brisket timer, thanks"
    ) == Match("pause_timer", {"label": "brisket"})


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60))
def test_no_text_breaks_it(text: str) -> None:
    for language in ("en", "fr", "zh"):
        assert matched(language, text) is None or text.strip()


def test_it_answers_before_anybody_notices() -> None:
    lines = [
        "set a timer for eleven minutes",
        "cancel the brisket timer",
        "who wrote the moonlight sonata",
        "a b c d e f g",
    ]
    taken_s = []
    for line in lines * 5:
        start_s = time.perf_counter()
        matched("en", line)
        taken_s.append(time.perf_counter() - start_s)
    assert statistics.median(taken_s) < SLOWEST_S
