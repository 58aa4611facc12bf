"""Conversations of other devices, whose tools run there: a turn rests until their results are brought."""

from __future__ import annotations

import json
import secrets
from typing import Any

import pytest
from rig import Rig, outcomes

from appliance.audio import never
from appliance.build.client_tools import client_tools
from appliance.errors import WrongUse
from appliance.ports.hub import ROUNDS_MOST, ClientTool, Continue, Earlier, Function, Outcome, Result, Start, TurnAsked
from appliance.ports.refusals import Refused
from appliance.settings import ChannelTable, Settings
from appliance.tts.text import TextMouth

PHOTO = {"type": "object", "properties": {"subject": {"type": "string"}}, "required": ["subject"]}
SHOW = ClientTool(function=Function(name="show_photo", description="Show a photo on the screen.", parameters=PHOTO))
BLIND = ClientTool(function=Function(name="close-blind", description="Close the blind of this room."))
WIPE = ClientTool(function=Function(name="wipe", description="Wipe the screen's memory."), effect="irreversible")
STEP = ClientTool(
    function=Function(
        name="count_step",
        parameters={"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]},
    ),
    effect="read",
)
CAT = "show me a photo of the cat on that screen"


class Node:
    """A device with conversations on a rig."""

    def __init__(self, rig: Rig, key: str = "one") -> None:
        self.rig, self.key, self.clients = rig, key, rig.engine.clients

    def start(self, *tools: ClientTool, channel: str = "satellite", **more: Any) -> Node:
        asked = Start(conversation=self.key, channel=channel, tools=[*tools], **more)
        self.clients.start(asked, client_tools(asked.tools, self.clients.irreplaceable, "en"))
        return self

    def say(self, text: str, **more: Any) -> Outcome:
        return self.clients.turn(TurnAsked(conversation=self.key, text=text, **more), 1, TextMouth(), never)

    def bring(self, *results: Result) -> Outcome:
        return self.clients.go_on(Continue(conversation=self.key, results=[*results]), 2, TextMouth(), never)

    def reply(self, text: str) -> Outcome:
        return self.clients.go_on(Continue(conversation=self.key, answer=text), 3, TextMouth(), never)


def shown(outcome: Outcome, message: str = "The cat is on the screen.", **more: Any) -> Result:
    return Result(id=outcome.calls[0].id, message=message, **more)


def test_a_tool_runs_on_the_device_and_the_turn_goes_on_with_its_result() -> None:
    rig = Rig('show_photo(subject="cat")', "say There it is.")
    node = Node(rig).start(SHOW)
    first = node.say(CAT)
    assert (first.stop_reason, first.said, first.record) == ("tool_calls", "", None)
    assert [(call.name, call.arguments) for call in first.calls] == [("show_photo", {"subject": "cat"})]
    last = node.bring(shown(first, context={"place": "sofa"}))
    assert (last.stop_reason, last.said) == ("complete", "There it is.")
    assert '"place": "sofa"' in rig.read[-1]
    assert "<untrusted" in rig.read[-1], "it is text from outside"
    assert last.record
    assert outcomes(last.record)[0] == ("show_photo", "ok")
    assert last.record.heard == CAT
    assert rig.conversation.talk.tainted


def test_what_a_trusted_tool_gives_is_the_boxs_own() -> None:
    rig = Rig('show_photo(subject="cat")', "say There it is.")
    node = Node(rig).start(SHOW.model_copy(update={"trusted": True}))
    node.bring(shown(node.say(CAT)))
    assert "<untrusted" not in rig.read[-1]
    assert not rig.conversation.talk.tainted


def test_the_next_line_knows_what_the_turn_came_to() -> None:
    rig = Rig('show_photo(subject="cat")', "say There it is.", "say It sat on the sofa.")
    node = Node(rig).start(SHOW)
    node.bring(shown(node.say(CAT)))
    node.say("and where would it have been sitting do you think")
    assert "show_photo" in "".join(message.text for message in rig.canned.prompts[-1])


def test_the_turn_rests_until_every_call_has_its_result() -> None:
    rig = Rig('show_photo(subject="cat")\nclose_blind()', "say Both are done.")
    node = Node(rig).start(SHOW, BLIND)
    first = node.say(CAT)
    assert [call.name for call in first.calls] == ["show_photo", "close-blind"], "as the device knows it"
    half = node.bring(Result(id=first.calls[1].id, message="closed"))
    assert [call.id for call in half.calls] == [first.calls[0].id]
    with pytest.raises(Refused, match="has its result already") as caught:
        node.bring(Result(id=first.calls[1].id, message="closed"))
    assert caught.value.kind == "answered"
    assert node.bring(shown(first)).said == "Both are done."


def test_what_is_wrong_with_a_result_is_told_and_the_turn_still_rests() -> None:
    rig = Rig('show_photo(subject="cat")', "say There it is.")
    node = Node(rig).start(SHOW)
    first = node.say(CAT)
    for more, kind in (
        (Continue(conversation="one", results=[Result(id="call_none")]), "no_call"),
        (Continue(conversation="one", results=[shown(first), shown(first)]), "answered"),
        (Continue(conversation="one", answer="yes"), "not_asked"),
        (Continue(conversation="one"), "bad_request"),
        (Continue(conversation="two", results=[shown(first)]), "no_conversation"),
    ):
        with pytest.raises(Refused) as caught:
            node.clients.go_on(more, 2, TextMouth(), never)
        assert caught.value.kind == kind
    assert node.bring(shown(first)).said == "There it is."
    with pytest.raises(Refused, match="has its result already"):
        node.bring(shown(first))


def test_a_tool_that_failed_is_told_of_in_the_devices_words_and_never_glossed_over() -> None:
    rig = Rig('show_photo(subject="cat")', "say There it is.")
    node = Node(rig).start(SHOW)
    last = node.bring(shown(node.say(CAT), "the screen is off", success=False))
    assert last.said == "The screen is off."
    assert last.record
    assert last.record.steps[0].outcome == "error"
    assert len(rig.canned.prompts) == 1


def test_a_failure_without_words_is_told_as_well() -> None:
    rig = Rig('show_photo(subject="cat")')
    node = Node(rig).start(SHOW)
    assert node.bring(shown(node.say(CAT), "", success=False)).said == "Sorry, that did not work."


def test_before_what_cannot_be_undone_the_person_is_asked() -> None:
    rig = Rig("wipe()", "say Wiped.")
    node = Node(rig).start(WIPE)
    first = node.say("would you kindly have the screen forget all of it")
    assert (first.stop_reason, first.question) == ("validation_required", "Shall I do this: wipe?")
    assert first.options == ["Yes", "No"]
    then = node.reply("yes")
    assert [call.name for call in then.calls] == ["wipe"]
    assert node.bring(Result(id=then.calls[0].id, message="wiped")).said == "Wiped."


def test_a_no_leaves_it() -> None:
    rig = Rig("wipe()")
    node = Node(rig).start(WIPE)
    node.say("would you kindly have the screen forget all of it")
    assert node.reply("no").said == "All right, I will leave it."
    with pytest.raises(Refused) as caught:
        node.reply("no")
    assert caught.value.kind == "not_asked"


def test_an_argument_that_lacks_is_asked_for() -> None:
    rig = Rig("show_photo()", "say There it is.")
    node = Node(rig).start(SHOW)
    first = node.say("would you kindly have the screen bring something up")
    assert (first.stop_reason, first.options) == ("validation_required", [])
    assert first.question == "What is the subject?"
    assert [call.arguments for call in node.reply("the old bridge").calls] == [{"subject": "the old bridge"}]


def test_a_turn_that_only_calls_ends_in_words_after_so_many_rounds() -> None:
    rig = Rig(*(f"count_step(number={number})" for number in range(ROUNDS_MOST + 2)), "say Enough.")
    settings = Settings(channels={"satellite": ChannelTable(calls_max=20)})
    rig = Rig(*(f"count_step(number={n})" for n in range(ROUNDS_MOST)), "say That far.", parts={"settings": settings})
    node = Node(rig).start(STEP)
    outcome, rounds = node.say("one after the other count up to 123456789 there"), 0
    while outcome.stop_reason == "tool_calls":
        rounds += 1
        outcome = node.bring(Result(id=outcome.calls[0].id, message=f"counted {secrets.token_hex(2)}"))
    assert rounds == ROUNDS_MOST
    assert outcome.said == "I did not get to the end of this, but here is what I have. That far."


def test_a_new_line_drops_what_the_one_before_waits_for() -> None:
    rig = Rig('show_photo(subject="cat")', "say Good evening.")
    node = Node(rig).start(SHOW)
    first = node.say(CAT)
    assert node.say("good evening to you my dear box").said == "Good evening."
    with pytest.raises(Refused) as caught:
        node.bring(shown(first))
    assert caught.value.kind == "no_call"


def test_a_turn_that_was_dropped_is_not_gone_on_with() -> None:
    rig = Rig('show_photo(subject="cat")')
    node = Node(rig).start(SHOW)
    first = node.say(CAT)
    node.clients.drop("one")
    with pytest.raises(Refused) as caught:
        node.bring(shown(first))
    assert caught.value.kind == "no_call"


def test_what_rested_too_long_is_over_and_says_so() -> None:
    rig = Rig('show_photo(subject="cat")')
    node = Node(rig).start(SHOW)
    first = node.say(CAT)
    rig.clock.pass_time(301)
    with pytest.raises(Refused) as caught:
        node.bring(shown(first))
    assert caught.value.kind == "expired"
    with pytest.raises(Refused) as caught:
        node.say("hello")
    assert caught.value.kind == "expired"
    node.start().clients.end("one")
    with pytest.raises(Refused) as caught:
        node.say("hello")
    assert caught.value.kind == "no_conversation"


def test_the_conversation_that_rested_longest_makes_room() -> None:
    rig = Rig("say One.", "say Two.")
    rig.conversation._others_most = 2
    nodes = [Node(rig, key).start() for key in ("a", "b")]
    nodes[0].say("hello there my friend of old")
    Node(rig, "c").start()
    with pytest.raises(Refused) as caught:
        nodes[1].say("hello there my friend of old")
    assert caught.value.kind == "expired"
    assert nodes[0].say("hello there once again my friend").said == "Two."


def test_a_conversation_is_its_persons_alone() -> None:
    node = Node(Rig()).start(person="ann")
    for other in ({"person": "bo"}, {"channel": "chat"}):
        with pytest.raises(Refused) as caught:
            node.say("hello", **other)
        assert caught.value.kind == "not_allowed"


def test_a_guest_brings_no_tools_and_an_unknown_channel_is_named() -> None:
    with pytest.raises(Refused) as caught:
        Node(Rig()).start(SHOW, channel="guest")
    assert caught.value.kind == "not_allowed"
    with pytest.raises(WrongUse, match="no channel 'cellar'; choose one of: voice, chat, household, satellite, guest"):
        Node(Rig()).start(channel="cellar")


def test_what_went_before_is_read() -> None:
    rig = Rig("say Blue.")
    history = [Earlier(role="user", text="i like blue tins"), Earlier(role="assistant", text="Noted.")]
    Node(rig).start(history=history).say("so which ones was it that i am fond of")
    read = [message.text for message in rig.canned.prompts[-1]]
    assert "i like blue tins" in read
    assert "say Noted." in read


def test_what_the_device_answered_alone_is_read_as_an_earlier_turn_once() -> None:
    rig = Rig("say Twelve then.", "say Good.")
    node = Node(rig).start()
    alone = [
        Earlier(role="user", text="set me nine minutes, my password is hunter2"),
        Earlier(role="assistant", text="Nine minutes it is."),
    ]
    node.say("no no twelve would be so much better for them", earlier=alone)
    node.say("good evening to you my dear box")
    first, second = ([message.text for message in prompt] for prompt in rig.canned.prompts)
    begun = next(text for text in first if text.startswith("set me nine minutes"))
    assert "hunter2" not in begun
    assert first[first.index(begun) + 1] == "say Nine minutes it is."
    assert second.count("say Nine minutes it is.") == 1


def test_what_was_asked_here_is_not_answered_once_the_device_has_answered_a_line_itself() -> None:
    rig = Rig("wipe()", "say Hello.")
    node = Node(rig).start(WIPE)
    assert node.say("would you kindly have the screen forget all of it").question
    alone = [Earlier(role="user", text="mute"), Earlier(role="assistant", text="Shall I mute?")]
    assert node.say("yes", earlier=alone).calls == []


def test_a_room_stands_beside_the_line() -> None:
    rig = Rig("say Hello.")
    Node(rig).start(room="kitchen").say("good evening to you my dear box")
    assert "kitchen, Utrecht" in rig.conversation.messages[-2].text


def test_a_device_that_is_carried_about_says_where_it_is_now() -> None:
    rig = Rig("say Hello.")
    Node(rig).start(room="kitchen").say("good evening to you my dear box", room="attic")
    assert "attic, Utrecht" in rig.conversation.messages[-2].text


def test_a_guest_is_called_by_the_name_of_the_token_unless_another_one_spoke() -> None:
    rig = Rig("say Hello.", "say Hello.")
    node = Node(rig).start(channel="guest", person="Bo")
    node.say("good evening to you my dear box")
    node.say("and to you the same from me", speaker="Kim")
    assert "Bo said: good evening" in rig.read[0]
    assert "Kim said: and to you" in rig.read[1]


def test_a_tool_is_offered_in_its_conversation_alone_and_never_in_the_head() -> None:
    rig = Rig("say Fine.", 'show_photo(subject="cat")', "say I cannot.")
    head = rig.engine._context.heads
    Node(rig, "with").start(SHOW).say(CAT)
    assert "show_photo" in rig.grammar(0).gbnf
    assert "cannot do that" in Node(rig, "without").start().say(CAT).said
    assert "cannot do that" in rig.say(CAT).said
    assert len(rig.canned.prompts) == 1, "it is not asked"
    assert rig.engine._context.heads == head
    record = rig.say("good evening to you my dear box")
    assert (record.steps[0].tool, record.steps[0].outcome) == ("show_photo", "denied")


def test_one_of_a_name_that_the_box_has_takes_its_place() -> None:
    rig = Rig("get_time()", "say Nine.")
    node = Node(rig).start(
        ClientTool(function=Function(name="get_time", description="The oven's time."), effect="read")
    )
    assert [call.name for call in node.say("the oven of mine what does it show").calls] == ["get_time"]


@pytest.mark.parametrize(
    "parameters",
    [
        {"type": "object", "properties": {"a": {"type": "object"}}, "required": ["a"]},
        {"type": "object", "properties": {"a": {"type": "string", "description": "x" * 9_000}}},
        {"type": "object", "properties": [], "required": "a"},
    ],
)
def test_a_tool_that_no_plan_can_write_is_refused_by_its_name(parameters: dict[str, Any]) -> None:
    with pytest.raises(Refused, match="the tool odd cannot be used") as caught:
        Node(Rig()).start(ClientTool(function=Function(name="odd", parameters=parameters)))
    assert caught.value.kind == "bad_request"


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(Refused, match="another one has the same name"):
        Node(Rig()).start(SHOW, SHOW)


def test_the_second_request_of_a_line_is_done_once_the_first_has_its_result() -> None:
    rig = Rig('show_photo(subject="cat")', "say There it is.", "say Twelve.")
    node = Node(rig).start(SHOW)
    work = node.say(f"{CAT} and what is on my shopping list")
    assert work.stop_reason == "tool_calls"
    last = node.bring(shown(work))
    assert last.said.startswith("There it is.")


def test_to_take_something_back_is_of_each_conversation_alone() -> None:
    rig = Rig("set_timer(minutes=5)", "set_timer(minutes=7)")
    Node(rig).start().say("would you mind 5 minutes for the eggs on there")
    assert rig.conversation.ledger.said == "5 minutes, starting now."
    rig.say("would you mind 7 minutes for the tea on there")
    assert rig.conversation.ledger.said == "7 minutes, starting now."
    Node(rig, "two").start()
    rig.conversation.take_up("two", rig.clock.monotonic())
    assert rig.conversation.ledger.said == ""
    rig.conversation.take_up("one", rig.clock.monotonic())
    assert rig.conversation.ledger.said == "5 minutes, starting now."


def test_the_arguments_are_json() -> None:
    node = Node(Rig('show_photo(subject="cat")')).start(SHOW)
    assert json.loads(json.dumps(node.say(CAT).model_dump(mode="json")))["calls"][0]["arguments"] == {"subject": "cat"}
