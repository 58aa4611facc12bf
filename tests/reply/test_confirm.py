"""What a line is to a step that waits: a yes, a no, what was asked for, or something else."""

from __future__ import annotations

import pytest

from appliance.reply.confirm import Answer, answer_to, argument
from appliance.reply.line import LineReader
from appliance.reply.plan import Call
from appliance.reply.talk import Pending
from appliance.reply.understanding.fastlane import FastLane
from appliance.simulated import ListedTool
from appliance.skills.loader import sentences_on_board

LANE = FastLane("en", sentences=sentences_on_board())
READER = LineReader("en", LANE.in_digits)
DOOR = ListedTool("unlock_door", properties={"door": {"type": "string"}}, required=("door",), effect="irreversible")
ASKED = Pending(Call("unlock_door", {"door": "front door"}), question="Shall I unlock the front door?")
WHICH = Pending(Call("unlock_door"), lacks="door", question="Which door?")
ALARM = ListedTool("set_alarm", properties={"when": {"type": "string", "when": True}})
WHEN = Pending(Call("set_alarm"), lacks="when", question="For when should the alarm be?")
BOTH = Pending(
    ASKED.call, question="Shall I unlock the back door?", first=(Call("unlock_door", {"door": "back door"}),)
)


@pytest.mark.parametrize(
    ("line", "pending", "answer"),
    [
        ("yes", ASKED, "yes"),
        ("yes please", ASKED, "yes"),
        ("go ahead and unlock it", ASKED, "yes"),
        ("yes, the front door", ASKED, "yes"),
        ("no", ASKED, "no"),
        ("no, leave it", ASKED, "no"),
        ("yes, but not the front door", ASKED, None),
        ("yes and no", ASKED, None),
        ("yes, the front door for Bo", ASKED, None),
        ("what time is it", ASKED, None),
        ("the back one", WHICH, "argument"),
        ("no", WHICH, "no"),
        ("what time is it", WHICH, None),
        ("yes", BOTH, "yes"),
        ("yes, the front door", BOTH, None),
    ],
)
def test_answers(line: str, pending: Pending, answer: Answer | None) -> None:
    assert answer_to(pending, DOOR, READER.read(line), LANE) == answer


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("at nine", "at nine"),
        ("tomorrow", "tomorrow"),
        ("half past six I suppose", "half past six"),
        ("monday to friday I mean", "monday to friday"),
        ("in twenty minutes", "in twenty minutes"),
        ("did you get that", ""),
        ("and what is left after that", ""),
        ("is that all down", ""),
        ("set a timer for ten minutes", ""),
    ],
)
def test_only_a_time_answers_when(line: str, told: str) -> None:
    read = READER.read(line)
    answer = answer_to(WHEN, ALARM, read, LANE)
    assert (answer, argument(WHEN, ALARM, read, LANE) if answer else "") == ("argument" if told else None, told)
