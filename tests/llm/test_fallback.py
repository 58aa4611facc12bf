"""A model server that fails, and the local model that takes its place."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

import pytest
from rig import Rig, outcomes

from appliance.audio import Stale, never
from appliance.errors import ModelChanged, PromptTooLong, ToolsRefused, TurnFailed
from appliance.llm.failures import ServerFailed
from appliance.llm.fallback import Fallback
from appliance.llm.lan import Known
from appliance.llm.pool import REST_S, Pair, Pool
from appliance.ports import Grammar, Message, ModelFacts, Rates, Tool, Usage
from appliance.reply.plan import Answer, Call
from appliance.simulated import CannedModel


class Server:
    """A LanModel that gives these answers, one a call; an exception is raised."""

    facts, rates = ModelFacts(70_000_000_000, 8_192, True), Rates(500, 50)
    address = "http://server:8080"

    def __init__(self, *gives: Answer | str | Exception) -> None:
        self.gives, self.known, self.asked = list(gives), Known(), 0

    @property
    def native(self) -> bool:
        return self.known.native

    def generate(
        self, prompt: Sequence[Message], grammar: Grammar | None, limit: int, usage: Usage, stale: Stale
    ) -> Iterator[str]:
        yield str(self._next())

    def converse(
        self, messages: Sequence[Message], tools: Sequence[Tool], limit: int, usage: Usage, stale: Stale
    ) -> Answer:
        answer = self._next()
        assert isinstance(answer, Answer)
        return answer

    def _next(self) -> Answer | str:
        self.asked += 1
        given = self.gives.pop(0)
        if isinstance(given, ToolsRefused):
            self.known.native = False
        if isinstance(given, Exception):
            raise given
        return given

    def close(self) -> None: ...


DOWN = ServerFailed("http://server:8080", how="cannot be reached")


def both(server: Server, local: CannedModel, now_s: Callable[[], float] = time.monotonic) -> Fallback:
    return Fallback(Pool([Pair(server)], now_s), local)  # type: ignore[arg-type]


def rig(server: Server, *local: str) -> Rig:
    return Rig(model=both(server, CannedModel(local)))


def test_native_calls_run_in_the_same_loop() -> None:
    server = Server(Answer("", (Call("lookup", {"query": "tea"}),)), Answer("A drink."))
    record = rig(server).say("what is tea")
    assert outcomes(record)[0] == ("lookup", "ok")
    assert (record.said, server.asked) == ("A drink.", 2)


def test_server_that_refuses_tools_gets_the_text_protocol_for_the_session() -> None:
    server = Server(ToolsRefused("no tools", remedy="go on"), "get_time()", "say Right.")
    box = rig(server)
    first = box.say("how late do you have it")
    assert (first.said, first.branches) == ("It is 6:30 PM.", ["tools_refused"])
    assert box.say("is that right then").said == "Right."
    assert server.asked == 3


def test_trouble_of_the_local_model_counts_only_while_the_server_rests() -> None:
    local = CannedModel()
    local.trouble = "the language model is being loaded"
    model = both(Server(DOWN), local)
    assert model.trouble == ""
    with pytest.raises(ModelChanged):
        list(model.generate([], None, 8, Usage(), never))
    assert model.trouble == local.trouble


def test_broken_native_arguments_are_told_to_the_model() -> None:
    server = Server(Answer("", (), ("set_timer",)), Answer("How long?"))
    record = rig(server).say("a timer would be good")
    assert (record.said, record.outcome) == ("How long?", "asked")


def test_server_with_tools_gets_room_by_forgetting() -> None:
    long = PromptTooLong("too long", remedy="start a new conversation")
    server = Server(Answer("One."), Answer("Two."), long, Answer("Three."))
    box = rig(server)
    for line in ("tell me a story of the sea", "and one of the hills"):
        box.say(line)
    assert box.say("now one of the moors").said == "Three."
    assert sum(message.turn_begins for message in box.conversation.messages) == 2


def test_local_model_answers_while_the_server_is_down() -> None:
    server = Server(DOWN)
    box = rig(server, "say I am here.", "say Still here.")
    assert box.say("are you there at all").said == "I am here."
    assert box.say("and are you there now").said == "Still here."
    assert server.asked == 1


def test_conversation_that_only_the_server_has_room_for_outlives_its_rest() -> None:
    local = CannedModel(["say I am here."])
    box = Rig(model=both(Server(DOWN), local))
    box.say("are you there at all")
    local.room = 0
    box.engine.expect(never)
    assert box.conversation.messages


def test_server_is_asked_again_after_its_rest() -> None:
    now_s = 0.0
    server = Server(DOWN, "Hello.")
    model = both(server, CannedModel(["Local."]), lambda: now_s)
    with pytest.raises(ModelChanged):  # what is asked of the other one is not asked in the same words
        list(model.generate([], None, 8, Usage(), never))
    assert "".join(model.generate([], None, 8, Usage(), never)) == "Local."
    assert (model.native, model.facts.small) == (False, True)
    now_s = REST_S
    assert (model.native, model.facts.small) == (True, False)
    assert "".join(model.generate([], None, 8, Usage(), never)) == "Hello."


def test_failure_in_the_middle_of_an_answer_is_one() -> None:
    class Half(Server):
        def generate(self, *arguments: object) -> Iterator[str]:
            yield "Hel"
            raise DOWN

    with pytest.raises(TurnFailed):
        list(both(Half(), CannedModel(["x"])).generate([], None, 8, Usage(), never))
