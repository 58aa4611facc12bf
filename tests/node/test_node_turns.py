"""Turns of a box whose thought is on a hub: what goes there, what stays here, and what is said when it is away."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from node_box import NodeBox, node_box

from appliance.simulated.hub import SimulatedHub, problem, result

STORY = "tell me about the lighthouse"
LOST = "I cannot reach my hub right now. I can only do what I know by myself."
UNKNOWN = "My hub has not answered, and I do not know whether it was done."


@pytest.fixture
def hub() -> SimulatedHub:
    return SimulatedHub()


@pytest.fixture
def box(hub: SimulatedHub, tmp_path: Path) -> Iterator[NodeBox]:
    with node_box(hub, tmp_path) as box:
        yield box


@pytest.mark.parametrize("streams", [True, False])
def test_what_no_sentence_here_knows_is_answered_by_the_hub(box: NodeBox, streams: bool) -> None:
    box.hub.streams = streams
    record = box.say(STORY)
    assert (record.said, record.lane, record.outcome) == (f"You said: {STORY}.", "hub", "said")
    box.say("and then")
    assert box.hub.paths() == ["start", "command", "command"], "one conversation"
    assert box.sent[0]["node_context"]["room"] == "kitchen"


def test_the_hub_is_told_of_the_tools_of_this_box_and_no_others(box: NodeBox) -> None:
    box.say(STORY)
    tools = {each["function"]["name"]: each for each in box.hub.asked[0][1]["client_tools"]}
    assert {"set_timer", "set_volume", "repeat"} <= tools.keys()
    assert not {"remember", "calculate", "add_to_list"} & tools.keys()
    assert tools["set_timer"]["effect"] == "act"
    assert tools["set_timer"]["trusted"] is True
    assert "minutes" in tools["set_timer"]["function"]["parameters"]["properties"]


def test_sentences_about_this_box_stay_here(box: NodeBox) -> None:
    assert box.say("set the volume to 30 percent").lane == "fast"
    assert box.parts.volume.level == 30
    assert "5 minutes" in box.say("set a timer for five minutes").said
    assert len(box.parts.rings.alarms.all()) == 1
    assert box.hub.asked == []
    box.say("what time is it")
    assert box.hub.paths() == ["start", "command"], "the hub goes on from what it told itself"


def test_the_hub_is_told_once_of_what_was_answered_here(box: NodeBox) -> None:
    box.say(STORY)
    for minutes in (5, 6, 7, 8, 9):
        box.say(f"set a timer for {minutes} minutes")
    box.say("make the last one a bit more special")
    box.say("and then")
    told = [body["node_context"].get("earlier") for body in box.sent]
    assert told[0] is None
    assert told[1][0]["heard"] == "set a timer for 6 minutes", "the newest four"
    assert "9 minutes" in told[1][-1]["said"]
    assert (len(told[1]), told[2]) == (4, None)


def test_the_hub_is_told_of_it_with_the_first_line_that_gets_there(box: NodeBox) -> None:
    box.say(STORY)
    box.say("set a timer for 5 minutes")
    box.hub.instead = [problem(429, "busy", 60)]
    assert box.say("make the last one a bit more special").outcome == "error"
    box.say("make it a bit more special")
    assert [each["heard"] for each in box.sent[-1]["node_context"]["earlier"]] == ["set a timer for 5 minutes"]


def test_the_hub_is_told_nothing_of_what_nobody_is_to_keep_nor_of_an_earlier_conversation(box: NodeBox) -> None:
    box.say("set a timer for 5 minutes")
    box.parts.conversation.begin()
    box.say("set a timer for 6 minutes")
    box.parts.private.begin()
    box.say("set a timer for 7 minutes")
    box.parts.private.end()
    box.say(STORY)
    told = [each["heard"] for each in box.sent[-1]["node_context"]["earlier"]]
    assert told == ["set a timer for 6 minutes"]


def test_a_tool_that_the_hub_calls_runs_here_and_can_be_taken_back_here(box: NodeBox) -> None:
    box.hub.script["rather loud please"] = [result("", ("set_volume", {"level": 90})), result("Loud it is.")]
    before = box.parts.volume.level
    record = box.say("rather loud please")
    assert (record.said, box.parts.volume.level) == ("Loud it is.", 90)
    assert [(step.tool, step.outcome) for step in record.steps] == [("set_volume", "ok")]
    assert box.results == [{"success": True, "message": "Volume 90 percent.", "context": None}]
    assert box.say("undo that").lane == "fast"
    assert box.parts.volume.level == before
    box.say(STORY)
    assert box.say("undo that").lane == "hub", "the hub did something last, or nobody"


def test_what_went_wrong_with_a_tool_is_told_to_the_hub(box: NodeBox) -> None:
    wrong: list[tuple[str, dict[str, object]]] = [
        ("set_volume", {"level": 900}),
        ("open_the_safe", {}),
        ("calculate", {"expression": "1+1"}),
    ]
    box.hub.script["louder still please"] = [result("", *wrong), result("That did not work.")]
    before = box.parts.volume.level
    assert box.say("louder still please").said == "That did not work."
    assert [each["success"] for each in box.results] == [False, False, False]
    assert [each["context"]["retry"] for each in box.results] == [True, False, False]
    assert box.parts.volume.level == before


def test_arguments_that_are_no_json_are_told_to_the_hub(box: NodeBox) -> None:
    garbled = result("", ("set_volume", {}))
    garbled["tool_calls"][0]["function"]["arguments"] = '{"level": '
    box.hub.script["louder still please"] = [garbled, result("No.")]
    box.say("louder still please")
    assert (box.results[0]["success"], box.results[0]["context"]["retry"]) == (False, True)


def test_a_hub_that_calls_tools_for_ever_is_left(box: NodeBox) -> None:
    box.hub.script["rather loud please"] = [result("", ("tell_volume", {})) for _ in range(20)]
    record = box.say("rather loud please")
    assert (record.said, record.outcome) == ("Something went wrong with that on my hub.", "error")
    assert len(box.results) == 8


def test_a_line_that_the_hub_has_begun_with_is_not_begun_again_here(box: NodeBox) -> None:
    box.hub.script["what time is it"] = [result("", ("set_volume", {"level": 90}))]
    record = box.say("what time is it")
    assert (record.said, record.outcome) == ("Something went wrong with that on my hub.", "error")
    assert [step.tool for step in record.steps] == ["set_volume"], "the clock is asked only where nothing was done"


def test_a_question_of_the_hub_is_asked_and_the_next_line_answers_it(box: NodeBox) -> None:
    box.hub.script["get me the score"] = [result(asks="Which game?"), result("They won.")]
    record = box.say("get me the score")
    assert (record.said, record.outcome) == ("Which game?", "asked")
    assert box.say("the panthers").said == "They won."
    assert box.sent[1] == {"conversation_id": box.sent[0]["conversation_id"], "validation_response": "the panthers"}


def test_a_question_is_said_once_with_what_was_said_before_it(box: NodeBox) -> None:
    box.hub.script["get me the score"] = [result("I found two.", asks="Which game?")]
    assert box.say("get me the score").said == "I found two. Which game?"


def test_an_order_to_this_box_drops_the_question_of_the_hub(box: NodeBox) -> None:
    box.hub.script["get me the score"] = [result(asks="Which game?"), result("They won.")]
    box.say("get me the score")
    assert box.say("set the volume to 30 percent").lane == "fast"
    assert box.say(STORY).said == f"You said: {STORY}."
    assert box.sent[-1]["voice_command"] == STORY


def test_a_question_of_this_box_is_answered_here(box: NodeBox) -> None:
    assert box.say("wake me tomorrow").said == "At what time?"
    record = box.say("at seven in the morning")
    assert (record.lane, record.said) == ("fast", "Alarm set for 7 AM tomorrow.")
    assert box.hub.asked == []


def test_a_hub_that_was_started_again_gets_the_line_once_more(box: NodeBox) -> None:
    box.say("hello there hub")
    box.hub.forget()
    assert box.say(STORY).said == f"You said: {STORY}."
    assert box.hub.paths() == ["start", "command", "command", "start", "command"]


def test_secrets_do_not_leave_the_box(box: NodeBox) -> None:
    box.say("my password is hunter42 in case you wonder")
    assert "hunter42" not in str(box.hub.asked)
    assert "[password]" in box.sent[0]["voice_command"]


def test_nothing_that_was_said_is_kept_here(box: NodeBox) -> None:
    box.say("my name is Ada and I live by the lighthouse")
    assert "lighthouse" in str(box.hub.asked)
    box.say("what time is it")
    kept = [file for file in box.parts.settings.state.rglob("*") if file.is_file()]
    assert box.parts.settings.database in kept
    assert [file.name for file in kept if b"lighthouse" in file.read_bytes()] == []


def test_without_the_hub_its_own_sentences_go_on_and_the_rest_is_told_honestly(box: NodeBox) -> None:
    box.say(STORY)
    box.server.stop()
    record = box.say(STORY)
    assert (record.said, record.outcome) == (LOST, "error")
    assert box.say("what is 17 times 23").said.startswith("17 times 23 is 391")
    assert "5 minutes" in box.say("set a timer for five minutes").said
    assert box.say("add milk to the shopping list").said == LOST, "it would be missed on the hub's"
    record = box.say("my husband hits me")
    assert record.said not in ("", LOST), "a reviewed sentence"
    assert [step.kind for step in record.steps] == ["reviewed"]


def test_a_box_that_has_no_hub_from_the_start_says_so(hub: SimulatedHub, tmp_path: Path) -> None:
    with node_box(hub, tmp_path) as box:
        box.server.stop()
        assert box.say(STORY).said == LOST
        assert "cannot be reached" in box.parts.llm.trouble


def test_a_wrong_token_is_told_apart(hub: SimulatedHub, tmp_path: Path) -> None:
    with node_box(hub, tmp_path) as box:
        (tmp_path / "token").write_text("other")
        assert box.say(STORY).said == "My hub does not let me in."


def test_a_hub_that_hangs_costs_the_deadline_and_after_that_nothing(hub: SimulatedHub, tmp_path: Path) -> None:
    with node_box(hub, tmp_path, deadline_s=4.0) as box:
        box.say(STORY)
        hub.instead = ["hang"]
        began_s = time.monotonic()
        record = box.say(STORY)
        assert (record.said, record.outcome) == (UNKNOWN, "error")
        assert 1.9 < time.monotonic() - began_s < 8, "2 s of 4, for the box has to say so itself"
        ends_s = time.monotonic() + 15
        while not box.parts.hub.trouble and time.monotonic() < ends_s:
            time.sleep(0.05)
        began_s = time.monotonic()
        assert box.say(STORY).said == LOST
        assert time.monotonic() - began_s < 1.5
        hub.instead.clear()
        while box.parts.hub.trouble and time.monotonic() < ends_s + 15:
            time.sleep(0.05)
        assert box.say(STORY).said == f"You said: {STORY}."


def test_who_is_stopped_does_not_wait_for_the_hub_and_the_hub_is_told(hub: SimulatedHub, tmp_path: Path) -> None:
    with node_box(hub, tmp_path) as box:
        box.say(STORY)
        hub.instead = ["hang"]
        began_s = time.monotonic()
        record = box.say(STORY, lambda: time.monotonic() - began_s > 0.3)
        hub.instead.clear()
        assert record.outcome == "stopped"
        assert time.monotonic() - began_s < 5
        ends_s = time.monotonic() + 10
        while "stop" not in hub.paths() and time.monotonic() < ends_s:
            hub.instead.clear()
            time.sleep(0.05)
        assert "stop" in hub.paths()


def test_a_busy_hub_asks_for_a_moment(box: NodeBox) -> None:
    box.say(STORY)
    box.hub.instead = [problem(429, "busy", 30)]
    assert box.say(STORY).said == "My hub is not ready right now. Please ask me again in a moment."
    assert box.say(STORY).said == f"You said: {STORY}."


def test_an_answer_that_ends_in_its_middle_is_not_taken_for_whole(box: NodeBox) -> None:
    box.hub.streams = True
    box.say(STORY)
    box.hub.instead = ["cut"] * 3
    assert box.say(STORY).said == f"You {UNKNOWN}"
