"""What people say, in fastlane/*.yaml: what must be understood without the model, and what must be left to it."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from appliance.reply.understanding.fastlane import FastLane, Match
from appliance.simulated import skill_context
from appliance.skills.clock.places import is_known
from appliance.skills.loader import load, sentences_on_board
from appliance.skills.schema import FunctionTool

SPOKEN = {path.stem: yaml.safe_load(path.read_text()) for path in (Path(__file__).parent / "fastlane").glob("*.yaml")}
ON_BOARD = sentences_on_board()
LANES = {language: FastLane(language, sentences=ON_BOARD) for language in SPOKEN}
SLOWEST_S = 0.025
"""For the median line, on a machine that does other things too; the fast lane takes 2 ms on a desktop core."""


def said(section: str) -> list[Any]:
    return [pytest.param(language, line, id=line) for language in SPOKEN for line in SPOKEN[language][section]]


REQUESTS = [
    pytest.param(language, line, Match(tool, arguments), id=line)
    for language in SPOKEN
    for tool, arguments, lines in SPOKEN[language]["requests"]
    for line in lines
]
NOT_FOR_A_LIST = [each for each in REQUESTS if "'item'" not in str(each.values[2])]
"""Anything may be put on a list: beside it a request that is no whole sentence is still taken for a part of that."""
WORDS = sorted({word for part in REQUESTS for word in str(part.values[1]).split()})


def caseless(match: Match) -> tuple[str, dict[str, str]]:
    return match.intent, {name: str(value).casefold() for name, value in match.arguments.items()}


class TestRequests:
    @pytest.mark.parametrize(("language", "line", "meant"), REQUESTS)
    def test_line_is_understood(self, language: str, line: str, meant: Match) -> None:
        assert LANES[language].match(line) == meant

    @pytest.mark.parametrize(("language", "line"), said("misses"))
    def test_line_is_left_to_the_model(self, language: str, line: str) -> None:
        assert LANES[language].match(line) is None

    @pytest.mark.parametrize(("language", "line", "meant"), NOT_FOR_A_LIST[::3])
    def test_a_second_request_in_the_line_leaves_it_all_to_the_model(
        self, language: str, line: str, meant: Match
    ) -> None:
        joint = {"en": "{} and tell me a joke", "de": "{} und erzähl mir einen Witz"}[language]
        assert LANES[language].match(joint.format(line)) is None
        before = {"en": "call my sister and {}", "de": "ruf meine Schwester an und {}"}[language]
        assert LANES[language].match(before.format(line)) is None

    @pytest.mark.parametrize(("language", "line", "meant"), REQUESTS[1::3])
    def test_punctuation_and_capitals_change_nothing(self, language: str, line: str, meant: Match) -> None:
        for written in (f"{line.rstrip('.?!')}!", f" {line} ", f"{line[0].upper()}{line[1:]}", line.replace(" ", "  ")):
            found = LANES[language].match(written)
            assert found is not None
            assert caseless(found) == caseless(meant)

    def test_a_place_must_be_known(self) -> None:
        lane = FastLane("en", is_known, sentences=ON_BOARD)
        assert lane.match("What time is it in Tokyo?") == Match("get_time", {"place": "Tokyo"})
        assert lane.match("What time is it in the United States?") == Match("get_time", {"place": "United States"})
        assert lane.match("What time is it in the dining hall?") is None

    @pytest.mark.parametrize("text", ["", " ", "?!", "please", "a " * 5_000, "stop " * 400, "1" * 5_000])
    def test_what_is_no_line_is_no_match(self, text: str) -> None:
        assert LANES["en"].match(text) is None


class TestName:
    LANE = FastLane("en", name="Jarvis", sentences=ON_BOARD)

    @pytest.mark.parametrize(
        "line",
        [
            *["Jarvis, what's the date?", "hey jarvis what's the date", "What's the date, Jarvis?"],
            *["okay Jarvis, could you tell me the date", "all right Jarvis, what's the date please"],
        ],
    )
    def test_who_is_spoken_to_is_no_part_of_the_request(self, line: str) -> None:
        assert self.LANE.match(line) == Match("get_time", {"what": "date"})

    @pytest.mark.parametrize(
        "line", ["Jarvis", "hey Jarvis", "who is Jarvis", "tell Jarvis to set a timer for ten minutes", "play Jarvis"]
    )
    def test_a_line_about_it_is_left_to_the_model(self, line: str) -> None:
        assert self.LANE.match(line) is None

    def test_other_names_are_leftovers(self) -> None:
        assert self.LANE.match("Travis, what's the date?") is None
        assert LANES["en"].match("Jarvis, what's the date?") is None

    def test_answers_and_stops_may_be_spoken_to_it_as_well(self) -> None:
        assert self.LANE.is_stop("Jarvis, stop!")
        assert self.LANE.is_stop("Stop, Jarvis!")
        assert self.LANE.answer("yes, Jarvis") == "yes"


class TestNumbers:
    @pytest.mark.parametrize(
        ("words", "value"),
        [
            *[("zero", 0), ("seven", 7), ("thirteen", 13), ("forty", 40), ("twenty five", 25), ("twenty-five", 25)],
            *[("a hundred", 100), ("a hundred and five", 105), ("two hundred fifty", 250), ("twelve hundred", 1_200)],
            *[("three thousand two hundred and one", 3_201), ("two million", 2_000_000), ("1,250", 1_250)],
            *[("one point five", 1.5), ("three point one four", 3.14), ("2.5", 2.5), ("twentyfive", 25)],
            *[("two and a half", 2.5), ("six and three quarters", 6.75), ("1½", 1.5), ("4 thousand", 4_000)],
        ],
    )
    def test_english(self, words: str, value: float) -> None:
        assert LANES["en"].match(f"{words} plus 1") == Match("calculate", {"expression": f"{value} + 1"})

    @pytest.mark.parametrize(
        ("words", "value"),
        [
            *[("null", 0), ("eins", 1), ("zwölf", 12), ("siebzehn", 17), ("dreißig", 30), ("fünfundzwanzig", 25)],
            *[("hundert", 100), ("hundertfünf", 105), ("zweihundertfünfzig", 250), ("neunzehnhundert", 1_900)],
            *[("dreitausendzweihunderteins", 3_201), ("fünfundzwanzigtausend", 25_000), ("1.250", 1_250)],
            *[("eins komma fünf", 1.5), ("2,5", 2.5), ("zweieinhalb", 2.5), ("anderthalb", 1.5), ("zwo", 2)],
        ],
    )
    def test_german(self, words: str, value: float) -> None:
        assert LANES["de"].match(f"{words} plus 1") == Match("calculate", {"expression": f"{value} + 1"})

    @pytest.mark.parametrize(
        "words", ["five twenty", "nineteen eighty four", "ten five", "5 and 20", "one point", "7:30"]
    )
    def test_what_is_no_number_is_none(self, words: str) -> None:
        assert LANES["en"].match(f"{words} plus 1") is None

    @given(st.integers(1, 1_440))
    def test_a_length_in_digits_is_the_one_that_is_set(self, minutes: int) -> None:
        assert LANES["en"].match(f"Set a timer for {minutes} minutes.") == Match("set_timer", {"minutes": minutes})


class TestAnswers:
    @pytest.mark.parametrize(("language", "line"), said("affirmed"))
    def test_yes(self, language: str, line: str) -> None:
        assert LANES[language].answer(line) == "yes"

    @pytest.mark.parametrize(("language", "line"), said("denied"))
    def test_no(self, language: str, line: str) -> None:
        assert LANES[language].answer(line) == "no"

    @pytest.mark.parametrize(("language", "line"), said("neither"))
    def test_neither(self, language: str, line: str) -> None:
        assert LANES[language].answer(line) is None

    @pytest.mark.parametrize("line", ["yes", "no", "yes please", "no thanks", "okay", "sure"])
    def test_an_answer_is_no_request(self, line: str) -> None:
        assert LANES["en"].match(line) is None


class TestStop:
    @pytest.mark.parametrize(("language", "line"), said("stops"))
    def test_it_is_heard(self, language: str, line: str) -> None:
        assert LANES[language].is_stop(line)

    @pytest.mark.parametrize(("language", "line"), said("no_stops"))
    def test_it_is_not_heard_in_other_words(self, language: str, line: str) -> None:
        assert not LANES[language].is_stop(line)

    def test_a_timer_is_stopped_for_good_when_nothing_rings(self) -> None:
        assert LANES["en"].match("stop the timer") == Match("cancel_timer", {})


@pytest.fixture(scope="module")
def offered() -> dict[str, FunctionTool]:
    skills = load(skill_context(last_said=lambda: "Hello."))
    tools = [*skills.for_model(), *skills.commands()]
    return {each.name: each for each in tools if isinstance(each, FunctionTool)}


@pytest.mark.parametrize("match", {str(part.values[2]): part.values[2] for part in REQUESTS}.values(), ids=str)
def test_a_match_is_a_call_that_the_tool_takes(offered: dict[str, FunctionTool], match: Match) -> None:
    missing = {name: "it is asked for" for name in offered[match.intent].schema["required"]} | match.arguments
    offered[match.intent].arguments.model_validate(missing)
    if match.intent in ("convert_units", "calculate") and "/ 0" not in str(match.arguments):
        assert offered[match.intent].call(match.arguments).endswith(".")


@pytest.fixture
def with_skill(tmp_path: Path) -> Callable[[str], FastLane]:
    """English with the sentences of one more skill."""

    def build(text: str) -> FastLane:
        (tmp_path / "en.yaml").write_text(text)
        return FastLane("en", sentences=[*ON_BOARD, tmp_path])

    return build


def test_a_new_tool_takes_nothing_but_yaml(with_skill: Callable[[str], FastLane]) -> None:
    radio = """\
lists:
  day: {tomorrow: tomorrow, monday: on monday}
requests:
  set_radio:
    data:
      - sentences: ["play the radio [{day}] (at|for) {number:hour} colon {number:minute}"]
        metadata: {write: {time: "{hour:02}:{minute:02}"}}
"""
    lane = with_skill(radio)
    assert lane.match("Play the radio on Monday at 7:05, please.") == Match(
        "set_radio", {"time": "07:05", "day": "monday"}
    )
    assert lane.match("How many days until next Friday?") == Match("get_time", {"what": "days", "day": "friday"})


def test_two_readings_that_differ_are_none(with_skill: Callable[[str], FastLane]) -> None:
    lane = with_skill('requests:\n  say_hour:\n    data: [{sentences: ["how late is it"]}]\n')
    assert lane.match("How late is it?") is None
    assert lane.match("What's the time?") == Match("get_time", {})


@pytest.mark.parametrize(
    "broken",
    [
        "requests: [",
        "- 1",
        "greetings: {}",
        "requests: {get_soup: {data: soup}}",
        'requests: {get_soup: {data: [{sentences: ["soup (now"]}]}}',
        'requests: {get_soup: {data: [{sentences: ["{pot} of soup"]}]}}',
        'requests: {get_soup: {data: [{sentences: ["soup <when>"]}]}}',
        'rules: {when: "(now"}\nrequests: {get_soup: {data: [{sentences: ["soup <when>"]}]}}',
    ],
)
def test_sentences_that_cannot_be_read_are_left_out(
    with_skill: Callable[[str], FastLane], broken: str, caplog: pytest.LogCaptureFixture
) -> None:
    lane = with_skill(broken)
    assert lane.match("What time is it?") == Match("get_time", {})
    assert lane.match("soup") is None
    assert "correct" in caplog.text


def test_a_language_without_sentences_has_no_fast_lane() -> None:
    lane = FastLane("la")
    assert (lane.match("siste"), lane.answer("ita"), lane.is_stop("siste")) == (None, None, False)


@given(st.one_of(st.text(max_size=60), st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)))
def test_no_text_breaks_it(text: str) -> None:
    for lane in LANES.values():
        found = lane.match(text)
        assert found is None or text.strip()
        assert lane.answer(text) in ("yes", "no", None)
        assert lane.is_stop(text) in (True, False)


@pytest.mark.parametrize("section", ["requests", "misses"])
def test_it_answers_before_anybody_notices(section: str) -> None:
    lines = [str(part.values[1]) for part in (REQUESTS if section == "requests" else said("misses"))][::5]
    taken_s = []
    for line in lines:
        start_s = time.perf_counter()
        LANES["en"].match(line)
        taken_s.append(time.perf_counter() - start_s)
    assert statistics.median(taken_s) < SLOWEST_S


@pytest.mark.parametrize(
    ("said", "tools"),
    [
        ("turn it down and tell me what thirty plus five is", ["set_volume", "calculate"]),
        ("Set a timer for five minutes. What time is it?", ["set_timer", "get_time"]),
        (
            "eight minutes for the rice, and cancel the tea timer, then louder please",
            ["set_timer", "cancel_timer", "set_volume"],
        ),
        ("eight onions for the rice, and cancel the tea timer, then louder please", []),
        ("what time is it and who is the king", []),
        ("salt and pepper", []),
        ("set a timer for five minutes, hang on, a ten minute timer", []),
    ],
)
def test_line_of_several_requests_matches_whole_or_not_at_all(said: str, tools: list[str]) -> None:
    assert [match.intent for match in FastLane(sentences=ON_BOARD).matches(said)] == tools


@pytest.mark.parametrize(
    ("language", "said", "digits"),
    [
        ("en", "my locker is number two hundred and fourteen", "my locker is number 214"),
        ("en", "one of us has two and a half apples", "one of us has 2.5 apples"),
        ("en", "twenty-five past, half an hour ago", "25 past, 30 minutes ago"),
        ("en", "let it rest for three quarters of an hour", "let it rest for 45 minutes"),
        ("en", "an hour and a half, or two and a half hours", "1 hour 30 minutes, or 2 hours 30 minutes"),
        ("en", "half of the cake for my half brother", "half of the cake for my half brother"),
        ("en", "give me for minutes, no, tin minutes", "give me for minutes, no, 10 minutes"),
        ("en", "the eggs want free and have minutes", "the eggs want 3 minutes 30 seconds"),
        ("en", "a timer for to minutes", "a timer for 2 minutes"),
        ("en", "how many hours to minutes", "how many hours to minutes"),
        ("en", "i sleep till half three now, not half two", "i sleep till half past 3 now, not half 2"),
        ("en", "the ferry leaves at seven twenty", "the ferry leaves at 7:20"),
        ("en", "not till nine forty five tomorrow", "not till 9:45 tomorrow"),
        ("en", "at three fifty each", "at 3 50 each"),
        ("en", "the rye bakes at two forty, so bake it at three fifty", "the rye bakes at 2 40, so bake it at 3 50"),
        ("en", "what is half ten", "what is half 10"),
        ("en", "use half two cups or thirty two fifty grams", "use half 2 cups or 32 50 grams"),
        ("en", "from two twenty year old trees", "from 2 20 year old trees"),
        ("en", "bake it at one sixty five degrees", "bake it at 165 degrees"),
        ("en", "put two thirty minute timers on", "put 2 30 minute timers on"),
        ("en", "fold it in half two times", "fold it in half 2 times"),
        ("de", "fünfundzwanzig Äpfel", "25 Äpfel"),
        ("xx", "twenty five", "twenty five"),
    ],
)
def test_numbers_are_read_as_digits(language: str, said: str, digits: str) -> None:
    assert FastLane(language).in_digits(said) == digits


@given(st.text())
def test_any_line_can_be_put_in_digits(text: str) -> None:
    lane = FastLane(sentences=ON_BOARD)
    assert lane.in_digits(lane.in_digits(text)) == lane.in_digits(text)
