"""An order that waits for what another part of the line finds out: told by what the parts call for."""

from __future__ import annotations

import pytest

from appliance.reply.understanding.signs import SignReader

ENGLISH = SignReader("en")


@pytest.mark.parametrize(
    ("line", "test", "order"),
    [
        ("who sang harvest moon? play me something of hers, that one", "who sang harvest moon", None),
        ("see how cold the cellar is and set the hall radiator to the same", "see how cold the cellar is", None),
        ("look at granny's stew recipe then start the timer", "look at granny's stew recipe", "start the timer"),
        ("look up when the abbey was built and share that between four", "look up when the abbey was built", None),
        ("work out a fifth of an hour and count that down for me", "work out a fifth of an hour", None),
        ("where is the Quill Museum and how's the weather there", "where is the Quill Museum", None),
        (
            "message Piet how the weather is in Oslo",
            "how the weather is in Oslo",
            "message Piet how the weather is in Oslo",
        ),
    ],
)
def test_order_that_needs_what_is_found_waits_for_it(line: str, test: str, order: str | None) -> None:
    signs = ENGLISH.read(line)
    assert signs.conditional
    assert signs.condition
    assert signs.condition.follows
    assert signs.condition.test == test
    assert order in (None, signs.condition.order)


@pytest.mark.parametrize(
    "line",
    [
        "what's the weather like in Oslo and then play some polka",
        "what is on the shopping list and set a timer for nine minutes",
        "switch the cellar lamp off and put candles on the list",
        "message Piet that the weather is lovely",
        "message Piet how we got on at the dentist",
        "tell us about the man who lost his umbrella",
        "our neighbour changed the lock, it's the blue key now",
        "who wrote Emma and when was she born",
        "what's the weather like in Oslo and what time is it there",
        "and the stepladder, and three of those brass hooks",
        "sunday then, same order",
        "five wet dogs in a van, it's like a swamp, do the window",
    ],
)
def test_order_of_its_own_waits_for_nothing(line: str) -> None:
    assert not ENGLISH.read(line).conditional


@pytest.mark.parametrize(
    ("line", "result", "met"),
    [
        ("is the shed open, if so shut it", "shed: open", True),
        ("is the shed locked? if not tell Piet", "shed: unlocked", True),
        ("is the shed locked? if not tell Piet", "shed: locked", False),
        ("check the shed is locked and if it isn't message Piet", "shed: locked", False),
        ("did I leave the grill on, silly me, switch it off if I did", "grill: off", False),
        ("did I leave the grill on, silly me, switch it off if I did", "grill: on since noon", True),
        ("unless it snows open the skylight", "clear, 3 degrees", True),
        ("unless it snows open the skylight", "snow from noon", False),
    ],
)
def test_condition_that_is_only_taken_up_is_the_one_before_it(line: str, result: str, met: bool) -> None:
    signs = ENGLISH.read(line)
    assert signs.conditional
    assert signs.condition
    assert signs.condition.met(result) is met


def test_then_behind_a_question_waits_for_the_answer() -> None:
    signs = ENGLISH.read("is the tumble dryer done? then switch the lamp on")
    assert signs.condition
    assert (signs.condition.order, signs.condition.follows) == ("switch the lamp on", False)
    assert signs.condition.met("tumble dryer: done") is True


@pytest.mark.parametrize("tool", ["calculate", "convert_units"])
def test_what_a_source_has_yet_to_give_is_not_reckoned_with(tool: str) -> None:
    assert tool in ENGLISH.read("how much milk is in granny's rice pudding recipe if I make half").tools.uncounted
    assert (
        tool
        not in ENGLISH.read("in the rice pudding recipe it says 300 grams for 4, how much is 300 / 4").tools.unlikely
    )


@pytest.mark.parametrize(
    ("line", "met"),
    [
        ("is there tea on the shopping list, if not add some", False),
        ("check if there's rice on the list and if not add some", True),
        ("if there's no tea on the list, add some", False),
        ("if there's no rice on the list, add some", True),
        ("if it's empty, add some", False),
    ],
)
def test_what_a_list_holds_settles_it(line: str, met: bool) -> None:
    condition = ENGLISH.read(line).condition
    assert condition
    assert condition.listed("On the shopping list: tea, soap.") is met


@pytest.mark.parametrize(
    ("line", "ordered"),
    [
        ("see how cold the cellar is and set the hall radiator to the same", {"home_set"}),
        ("look in the lease what the rent is and divide it by four", {"calculate"}),
        ("look up how long mussels take and time them for me", {"set_timer"}),
        ("is the skylight open? if so get it down", {"home_set"}),
        ("tell Piet what time it is in Oslo", {"send_message"}),
        ("if the skylight is still open let me know", set[str]()),
        ("if it hails tomorrow tell us to stay in", set[str]()),
    ],
)
def test_order_names_its_tool(line: str, ordered: set[str]) -> None:
    assert ENGLISH.read(line).tools.ordered == ordered


@pytest.mark.parametrize(
    ("line", "finding"),
    [
        ("see how high the cellar heating is and set the hall radiator to the same", {"home_state"}),
        ("look up in the lease what the rent is and message it to Piet", {"search_documents"}),
        ("if it hails tonight close the blinds", {"get_weather"}),
        ("close the blinds", set[str]()),
    ],
)
def test_where_the_answer_stands_is_told_by_the_question(line: str, finding: set[str]) -> None:
    assert ENGLISH.read(line).tools.finding == finding
