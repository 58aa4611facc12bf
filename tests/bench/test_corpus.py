"""The spoken requests are what the issue asks for, every fact in them can be judged, and no prompt has seen one."""

import re
from pathlib import Path

import appliance.reply
from bench import chatter, requests, scoring
from bench.speakers import VOICES

REQUESTS = requests.load()
TIMERS = {"set_timer", "list_timers", "cancel_timer"}
TOOLS = {"get_time", *TIMERS, "calculate", "convert_units", "set_volume", "repeat", "stop"}
PROMPTS = Path(appliance.reply.__file__).parent


def words(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9']+", text.lower()))


def test_there_are_enough_requests_in_enough_voices() -> None:
    assert len({request.say for request in REQUESTS}) == len(REQUESTS) >= 60
    assert {request.voice for request in REQUESTS} == VOICES.keys()
    assert {request.tool for request in REQUESTS} == TOOLS | {requests.TALK}


def test_a_third_is_held_out_and_a_third_is_noisy() -> None:
    for count in (
        sum(request.held_out for request in REQUESTS),
        sum(request.noise is not None for request in REQUESTS),
    ):
        assert 0.3 < count / len(REQUESTS) < 0.37


def test_every_expected_fact_can_be_judged() -> None:
    facts = {(tool, fact) for request in REQUESTS for tool, wanted in request.calls for fact in wanted}
    assert facts <= scoring.CHECKS.keys()


def test_no_prompt_holds_a_request() -> None:
    files = [path for path in PROMPTS.rglob("*") if path.suffix in (".txt", ".yaml")]
    assert files
    for prompt in files:
        seen = words(prompt.read_text())
        assert [request.say for request in REQUESTS if len(request.say) > 20 and words(request.say) in seen] == []


def test_chatter_is_varied_the_same_each_time_and_without_the_wake_word() -> None:
    sentences = chatter.sentences(400)
    assert len(set(sentences)) == 400
    assert sentences == chatter.sentences(400)
    assert not [sentence for sentence in sentences if "jarvis" in sentence.lower()]
