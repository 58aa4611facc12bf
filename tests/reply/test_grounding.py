"""A call holds what was said, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from appliance.ports import Effect, Spoken
from appliance.reply.calls.grounding import grounded, placed, settled, unechoed
from appliance.reply.calls.listed import named_or_open
from appliance.reply.plan import Call
from appliance.reply.understanding.signs import SignReader
from appliance.skills.schema import FunctionTool, tool

LEVEL = Annotated[int, Field(ge=0, json_schema_extra={"said": True})]
SIGNS = SignReader("en").read("")


def send(to: str, text: str) -> Spoken:
    """Send something."""
    return Spoken("")


def home_set(device: str, state: str) -> Spoken:
    """Switch something."""
    return Spoken("")


def made(effect: Effect = "irreversible") -> FunctionTool:
    return tool(send, effect)


def held(
    arguments: Mapping[str, object], heard: str, *before: str, effect: Effect = "irreversible"
) -> dict[str, object]:
    return grounded(Call("send", dict(arguments)), made(effect), heard, before, SIGNS, countable=True).arguments


def get_time(place: str = "", what: Literal["time", "date"] = "time", day: str = "") -> Spoken:
    """Tell the time."""
    return Spoken("")


def set_volume(level: LEVEL | None = None, direction: Literal["up", "down"] | None = None) -> Spoken:
    """Change how loud the box is."""
    return Spoken("")


def list_timers() -> Spoken:
    """Tell how long is left."""
    return Spoken("")


SETTLED: list[tuple[Callable[..., Spoken], str, dict[str, object] | None]] = [
    (list_timers, "how are my timers getting on", {}),
    (get_time, "is it late already", None),  # here, or where?
    (get_time, "what weekday is the fourth", None),
    (set_volume, "a little quieter please", {"direction": "down"}),
    (set_volume, "quieter, say twenty", None),  # a number is the model's to read
    (set_volume, "do something about the noise", None),  # no argument at all
    (home_set, "turn on the hall lamp", None),  # free words
]


@pytest.mark.parametrize(("asked", "heard", "arguments"), SETTLED)
def test_words_settle_a_call_or_leave_it_open(
    asked: Callable[..., Spoken], heard: str, arguments: dict[str, object] | None
) -> None:
    call = settled(
        tool(asked, "act" if asked is set_volume else "read"),
        SignReader("en", lambda name: name in ("Madrid", "Oslo")).read(heard),
    )
    assert (call.arguments if call else None) == arguments


def test_text_that_nobody_said_is_taken_out_before_something_that_cannot_be_undone() -> None:
    assert held({"to": "Mara", "text": "Hello, Mara!"}, "write to Mara") == {"to": "Mara"}


def test_text_that_was_said_stays_whatever_its_endings() -> None:
    said = {"to": "Mara", "text": "We are leaving at noon."}
    assert held(said, "tell Mara we leave at noon") == said


def test_a_few_words_that_were_said_do_not_carry_an_invention() -> None:
    invented = {"to": "Mara", "text": "Sorry, I cannot write messages, for I am a box without hands."}
    assert held(invented, "write a message to Mara") == {"to": "Mara"}


def test_what_was_said_before_counts() -> None:
    said = {"to": "Mara", "text": "The ferry is cancelled."}
    assert held(said, "tell her that", "the ferry was cancelled, Mara is waiting") == said


def test_invention_is_left_alone_where_it_does_no_harm() -> None:
    said = {"to": "Mara", "text": "Hello, Mara!"}
    assert held(said, "write to Mara", effect="act") == said


@pytest.mark.parametrize("word", ["something", "it", "Anything"])
def test_word_for_nothing_is_no_argument(word: str) -> None:
    assert held({"to": "Mara", "text": word}, f"send Mara {word}", effect="act") == {"to": "Mara"}
    assert held({"to": "Mara", "text": word}, f"send Mara {word}", effect="read")["text"] == word


@pytest.mark.parametrize(
    ("written", "heard", "meant"),
    [
        ("Lord Blackwood", "who was lord blackwell", "Lord Blackwell"),
        ("Nairobi", "what time is it in nairobie", "Nairobi"),
        ("Gardens", "the garden in spring", "Gardens"),
        ("Blackwell", "who was lord blackwell", "Blackwell"),
        ("plain words", "plainer words", "plain words"),
    ],
)
def test_name_that_the_model_misspelt_is_respelt(written: str, heard: str, meant: str) -> None:
    assert held({"text": written}, heard, effect="read") == {"text": meant}


def volume(direction: Literal["up", "down"] | None = None, level: LEVEL | None = None) -> Spoken:
    """Change how loud it is."""
    return Spoken(f"{direction} {level}")


@pytest.mark.parametrize(
    ("heard", "written", "meant"),
    [
        ("I cannot hear a thing", {"level": 33}, {"direction": "up"}),
        ("I cannot hear a thing", {"direction": "down"}, {"direction": "up"}),
        ("do something about the volume", {"direction": "down"}, {}),
        ("change the volume", {"direction": "down"}, {}),
        ("adjust the volume please", {"direction": "up"}, {}),
        ("set the volume so the baby can sleep", {"direction": "down"}, {"direction": "down"}),
        ("i can't make you out over this tumble dryer", {"direction": "up"}, {"direction": "up"}),
        ("down to 20", {"level": 20}, {"level": 20, "direction": "down"}),
    ],
)
def test_choice_and_number_are_those_that_were_said(
    heard: str, written: dict[str, object], meant: dict[str, object]
) -> None:
    signs = SignReader("en").read(heard)
    call = Call("set_volume", dict(written))
    assert grounded(call, tool(volume, "act"), heard, (), signs, countable=signs.quantity).arguments == meant


@given(st.text(), st.text(), st.sampled_from(("read", "act", "irreversible")))
def test_no_text_is_too_odd(value: str, heard: str, effect: Effect) -> None:
    assert held({"text": value}, heard, effect=effect).keys() <= {"text"}


@pytest.mark.parametrize(
    ("line", "written", "kept"),
    [
        ("turn the kitchen light off", "on", "off"),
        ("switch on the fan", "off", "on"),
        ("turn the lamp on and the fan off", "off", "off"),
        ("put the heating on at 20", "20 degrees", "20 degrees"),
        ("so is it burning now", "on", "on"),
        ("keep the fan on while I'm off work", "on", "on"),
        ("fan on please, I'm off on Monday", "on", "on"),
        ("leave the fan on when I set off for work", "open", "open"),  # which of the two, nobody can tell
    ],
)
def test_switch_goes_where_the_line_says(line: str, written: str, kept: str) -> None:
    call = Call("home_set", {"device": "fan", "state": written})
    signs = SignReader("en").read(line)
    assert grounded(call, tool(home_set, "act"), line, [], signs, countable=True).arguments["state"] == kept


@pytest.mark.parametrize(("device", "state"), [("desk fan", "off"), ("attic fan", "on")])
def test_each_is_switched_as_it_was_said_of_it(device: str, state: str) -> None:
    line = "desk fan off attic fan on"
    call, signs = Call("home_set", {"device": device, "state": state}), SignReader("en").read(line)
    assert grounded(call, tool(home_set, "act"), line, [], signs, countable=True) == call


@pytest.mark.parametrize(
    ("line", "kept"), [("the same again", True), ("as long as the last one", True), ("once more then", False)]
)
def test_number_may_be_that_of_before_where_the_same_is_asked_for(line: str, kept: bool) -> None:
    call, signs = Call("set_volume", {"level": 35}), SignReader("en").read(line)
    found = grounded(call, tool(volume, "act"), line, ["turn it up to 35"], signs, countable=False)
    assert ("level" in found.arguments) is kept


@pytest.mark.parametrize(("level", "meant"), [(30, {"level": 30}), (40, {})])
def test_number_may_be_that_of_a_fact_beside_the_line(level: int, meant: dict[str, object]) -> None:
    call, heard = Call("set_volume", {"level": level}), "the volume as I like it"
    known = "[known: The user likes volume 30.]\n"
    assert grounded(call, tool(volume, "act"), heard, (), SIGNS, countable=False, known=known).arguments == meant


@pytest.mark.parametrize(
    ("text", "kept"),
    [("Look when the ferry leaves.", False), ("The ferry leaves at 8.", True), ("8:15", True)],
)
def test_question_is_not_sent_in_place_of_its_answer(text: str, kept: bool) -> None:
    call = unechoed(Call("send", {"to": "Piet", "text": text}), made(), "look when the ferry leaves")
    assert call.arguments == ({"to": "Piet"} | ({"text": text} if kept else {}))


def test_which_device_it_is_may_stand_in_the_question() -> None:
    call = Call("home_set", {"device": "lamps", "state": "off"})
    assert unechoed(call, tool(home_set, "act"), "which lamps are on") == call


@pytest.mark.parametrize(
    ("found", "meant"),
    [
        ("The museum stands in Much Wenlock, near the priory.", "Much Wenlock"),
        ("The museum was closed in spring.", None),
    ],
)
def test_place_that_a_line_points_to_is_the_one_that_was_found(found: str, meant: str | None) -> None:
    signs = SignReader("en").read("how late is it there")
    assert placed(Call("get_time", {}), tool(get_time, "read"), signs, found).arguments.get("place") == meant
    here = SignReader("en").read("how late is it")
    assert placed(Call("get_time", {}), tool(get_time, "read"), here, found).arguments == {}


@pytest.mark.parametrize(
    ("line", "written", "meant"),
    [
        ("what will it be like in Oslo tomorrow", "Saturday", "tomorrow"),
        ("what will it be like in Oslo next friday", "next Friday", "next Friday"),
        ("what will it be like in Oslo", "Saturday", None),  # nobody named a day
        ("what will it be like in Oslo at Easter", "Easter", "Easter"),
    ],
)
def test_day_is_that_of_the_line_and_not_of_the_clock(line: str, written: str, meant: str | None) -> None:
    signs = SignReader("en").read(line)
    call = Call("get_time", {"place": "Oslo", "day": written})
    assert grounded(call, tool(get_time, "read"), line, [], signs, countable=True).arguments.get("day") == meant


def get_weather(place: str = "", day: str = "") -> Spoken:
    """Tell the weather."""
    return Spoken("")


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("what's the weather like and put bin bags on the list for Friday", None),
        ("what's the weather like and remember that Odile comes on the 3rd of May", None),
        ("dinner with Odile is on Saturday, is it raining outside?", None),
        ("put bin bags on the list and tell me the weather for Friday", "friday"),
        ("what's the weather like in Oslo and Rome on Friday", "friday"),
        ("for the match on Saturday, will it rain", "saturday"),
        ("Saturday, will it rain", "saturday"),
    ],
)
def test_day_of_another_request_is_none_for_the_weather(line: str, meant: str | None) -> None:
    call = grounded(Call("get_weather", {}), tool(get_weather, "read"), line, [], SignReader("en").read(line), True)
    assert call.arguments.get("day") == meant


@pytest.mark.parametrize(
    ("heard", "state", "kept"),
    [
        ("alter the loft fan", "3", {"device": "loft fan"}),
        ("loft fan to 3", "3", {"device": "loft fan", "state": "3"}),
    ],
)
def test_no_setting_that_nobody_said(heard: str, state: str, kept: dict[str, object]) -> None:
    signs, call = SignReader("en").read(heard), Call("home_set", {"device": "loft fan", "state": state})
    assert grounded(call, tool(home_set, "act"), heard, (), signs, countable=signs.quantity).arguments == kept


@pytest.mark.parametrize(
    ("item", "heard", "kept"),
    [
        ("new boots", "put something on the skiing list", False),
        ("boots", "boots on the skiing list", True),
        ("leeks", "leaks on the list", True),  # as it was misheard
    ],
)
def test_no_item_that_nobody_named(item: str, heard: str, kept: bool) -> None:
    call = Call("add_to_list", {"item": item, "list": "skiing"})
    assert ("item" in named_or_open(call, heard).arguments) is kept


def test_who_wants_to_know_is_who_is_told() -> None:
    heard = "vera wants to know when the boat leaves, text her"
    signs = SignReader("en").read(heard)
    call = grounded(Call("send", {"to": "her", "text": "The boat leaves at 9."}), made(), heard, (heard,), signs, True)
    assert call.arguments["to"] == "Vera"
