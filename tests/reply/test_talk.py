"""What no tool is for is answered behind a head of its own."""

from __future__ import annotations

import pytest
from rig import Rig

from appliance.audio import never
from appliance.errors import PromptTooLong
from appliance.reply import prompt
from appliance.reply.talk import TALKED_MOST
from appliance.simulated import CannedModel
from appliance.tts.text import TextMouth

TALK = prompt.talk_head("Jarvis")


REMARK = "my boss was in a foul mood all morning"


def talks(rig: Rig, place: int = -1) -> bool:
    """Whether a pass was read behind the head of talk."""
    return rig.canned.prompts[place][0] == TALK[0]


@pytest.mark.parametrize(
    ("line", "talk"),
    [
        (REMARK, True),
        ("i have still got the dahlias out on the sill, will there be a frost tonight do you think", False),
        ("set a timer for the beans", False),
    ],
)
def test_what_no_tool_is_offered_for_is_talk(line: str, talk: bool) -> None:
    rig = Rig("say So it goes.", without={"lookup"})
    assert (rig.say(line).head == "talk") is talk
    assert talks(rig) is talk


def test_talk_is_read_behind_what_was_said() -> None:
    rig = Rig("say So it goes.", "say Well done.", without={"lookup"})
    rig.say(REMARK)
    rig.say("i finally dug the pond on my own")
    read = [message.text for message in rig.canned.prompts[-1][len(TALK) :]]
    assert read == [REMARK, "say So it goes.", "i finally dug the pond on my own"]


def test_two_turns_of_talk_share_their_prompt() -> None:
    rig = Rig("say So it goes.", "say Well done.", without={"lookup"})
    rig.say(REMARK)
    rig.say("i finally dug the pond on my own")
    first, second = rig.canned.prompts
    assert second[: len(first)] == first
    assert second[len(first)].text == "say So it goes."


def test_a_guest_is_named_in_talk() -> None:
    rig = Rig("say So it goes.", without={"lookup"})
    rig.engine.reply(1, REMARK, "guest", TextMouth(), never, "Bo")
    assert talks(rig)
    assert rig.read == [f"Bo said: {REMARK}"]


def test_what_is_known_beside_a_line_keeps_it_out_of_talk() -> None:
    rig = Rig("say He was.", without={"lookup"})
    rig.knows("The user's boss is called Edda.")
    rig.say(REMARK)
    assert not talks(rig)


def test_standing_rules_hold_in_talk() -> None:
    rig = Rig("say So it goes.", without={"lookup"})
    rig.knows("Address the user as captain.", "rule")
    rig.say(REMARK)
    assert talks(rig)
    assert rig.read[-1] == f"[as the user wishes: Address the user as captain.]\n{REMARK}"


def test_a_large_model_has_one_head() -> None:
    rig = Rig("say So it goes.", parameters=70_000_000_000, without={"lookup"})
    rig.say(REMARK)
    assert not talks(rig)


def test_an_empty_answer_is_asked_for_again_behind_the_head_of_the_plan() -> None:
    rig = Rig("say ", "say So it goes.", without={"lookup"})
    assert rig.say(REMARK).said == "So it goes."
    assert [talks(rig, place) for place in (0, 1)] == [True, False]


def test_talk_without_room_is_read_behind_the_head_of_the_plan() -> None:
    class Narrow(CannedModel):
        def generate(self, prompt, *others):  # type: ignore[no-untyped-def]
            if prompt[0] == TALK[0]:
                raise PromptTooLong("1,500 tokens", remedy="none")
            return super().generate(prompt, *others)

    rig = Rig(model=Narrow(["say So it goes."]), without={"lookup"})
    assert rig.say(REMARK).said == "So it goes."


def test_the_older_half_of_the_talk_goes() -> None:
    rig = Rig(*["say So it goes."] * (TALKED_MOST + 1), without={"lookup"})
    for place in range(TALKED_MOST + 1):
        rig.say(f"my boss was in mood {place} all morning, i say")
    told = [message.text for message in rig.conversation.talked if message.role == "user"]
    assert told == [f"my boss was in mood {place} all morning, i say" for place in range(TALKED_MOST // 2, 9)]


def test_forgetting_empties_the_talk() -> None:
    rig = Rig("say So it goes.", without={"lookup"})
    rig.say(REMARK)
    rig.conversation.forget_words()
    assert not rig.conversation.talked


def test_all_heads_are_read_ahead() -> None:
    model = CannedModel()
    Rig(model=model).engine.expect(never)
    assert [messages[0] == TALK[0] for messages in model.expected] == [False, True, False]
