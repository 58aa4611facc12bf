"""Each setting of [reply] and [memory] makes a difference that somebody can see; one that makes none goes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from rig import NOW, Rig, outcomes

from appliance import build
from appliance.audio import Stale, never
from appliance.errors import Cancelled, WrongUse
from appliance.ports import Grammar, Message, Rates, Spoken, Tool, Usage
from appliance.ports.hub import Start
from appliance.reply.conversation import Conversation
from appliance.reply.readable_memory import Forgiving
from appliance.reply.recall import Recall
from appliance.settings import Memory, Reply, Role, Settings
from appliance.simulated import CannedModel
from appliance.skills.schema import tool

PI5 = Rates(80, 12)
LONG = "The film was shot in Los Angeles. " * 40 + "It was photographed by Cronenweth. " + "It rained a lot. " * 40
LOOKUP, ASKED = 'lookup(query="Blade Runner")', "who photographed the film blade runner"
GARDEN = "The user's garden has plant number {}, of a sort that nobody ever heard of before, and some more."


class Slow(CannedModel):
    """Writes nothing for 0.8 s."""

    def generate(
        self, prompt: Sequence[Message], grammar: Grammar | None, limit: int, usage: Usage, stale: Stale
    ) -> Iterator[str]:
        ends_s = time.monotonic() + 0.8
        while time.monotonic() < ends_s:
            if stale():
                raise Cancelled
            time.sleep(0.02)
        yield from super().generate(prompt, grammar, limit, usage, stale)


class Box:
    """One with a setting, and what is asked of it."""

    def __init__(self, table: str, name: str, value: Any) -> None:
        self._set = {table: {name: value}}

    def rig(self, *writes: str, **more: Any) -> Rig:
        reply, memory = (more.pop(table, {}) | self._set.get(table, {}) for table in ("reply", "memory"))
        return Rig(*writes, reply=reply, memory=memory, **more)

    def lane(self, line: str, *writes: str) -> str:
        return self.rig(*writes).say(line).lane

    def long_result(self, rates: Rates = PI5, **reply: Any) -> Rig:
        """That of a tool has been read by the model, digested or not."""
        rig = self.rig(LOOKUP, "It was Cronenweth.", "say Cronenweth.", reply=reply)
        rig.canned.rates = rates
        rig.home.gives = LONG
        rig.say(ASKED)
        return rig

    def recalled(self, digest: str = "off") -> Rig:
        """Memory has been searched, for there was no plan."""
        rig = self.rig("It has plants.", "say Plants.", reply={"plan": False, "digest": digest})
        rig.canned.rates = PI5
        for number in range(12):
            rig.knows(GARDEN.format(number))
        rig.say("what was that about my garden plant")
        return rig


def house() -> list[Tool]:
    """Thirty more tools."""

    def made(place: str, device: str) -> Tool:
        def switch(state: str) -> Spoken:
            return Spoken(f"The {device} is {state}.")

        switch.__name__, switch.__doc__ = f"{place}_{device}", f"Switch the {device} in the {place} on or off."
        return tool(switch, "act")

    devices = ("lamp", "fan", "heater", "blind", "kettle", "radio")
    return [made(place, device) for place in ("attic", "cellar", "garage", "pantry", "nursery") for device in devices]


def shown(box: Box, line: str, *writes: str) -> tuple[int, list[str]]:
    """Passes of the model, and the tools beside the line in the one that answered it."""
    rig = box.rig(*writes, more_tools=house(), without={"lookup"})
    record = rig.say(line)
    listed = rig.read[-1].partition("[more tools:\n")[2].partition("]")[0]
    return len(rig.canned.prompts) + record.model.calls, [each.partition("(")[0] for each in listed.splitlines()]


def naps() -> str:
    """Take a quarter of a second."""
    time.sleep(0.25)
    return "Awake."


def timed_out(box: Box) -> object:
    record = box.rig("naps()", "say So it is.", more_tools=[tool(naps, "read")]).say("would you take one")
    time.sleep(0.3)  # one that hangs still is not called again
    return outcomes(record)[0]


def refused(box: Box) -> bool:
    try:
        box.rig("say Certainly.").say("would you believe it " * 10)
    except WrongUse:
        return True
    return False


def going_on(box: Box) -> list[str]:
    """What becomes of the first of two conversations of other devices."""
    rig = box.rig()
    for key in ("one", "two"):
        rig.engine.clients.start(Start(conversation=key), ())
    return [rig.conversation.take_up(key, rig.clock.monotonic()) for key in ("one", "two")]


def head(box: Box, **reply: Any) -> str:
    """What stands before a line that a tool is offered for."""
    rig = box.rig(more_tools=house(), without={"lookup"}, reply=reply)
    return rig.engine.prompt_parts("how late do you have it")["pinned"][0].text


def may_write(box: Box) -> str:
    rig = box.rig("get_time()")
    rig.say("how late do you have it")
    return rig.grammar().gbnf


def gated(box: Box, words: str = "The film Blade Runner is by Ridley Scott.", line: str = "blade runner film") -> bool:
    """Whether a line that follows two results is answered without a search of the memory."""
    rig = box.rig(LOOKUP, "say So.", LOOKUP, "say So.", "say So.", reply={"query_min_chars": 20})
    rig.knows("The user likes the film Blade Runner.")
    rig.home.gives = words
    rig.say("who made the film blade runner")
    rig.home.gives = "Nothing of that sort is known."
    rig.say("who made the film after that one")
    return rig.say(line).memory is None


def two_turns(box: Box) -> bool:
    """Whether a minute later the first turn is still read."""
    rig = box.rig("get_time()", "get_time()")
    for _ in range(2):
        rig.say("how late do you have it")
        rig.clock.pass_time(60)
    return any(message.text == "get_time()" for message in rig.canned.prompts[1])


def profile(box: Box) -> str:
    rig = box.rig("get_time()")
    rig.knows("The user's sister is called Nadia.")
    rig.knows("Keep it short.", "rule")
    rig.say("how late do you have it")
    return "".join(message.text for message in rig.canned.prompts[0] if message.role == "system")


def beside(box: Box) -> str:
    rig = box.rig("say Nadia.")
    rig.knows("The user's sister is called Nadia.")
    rig.say("how is my sister doing these days")
    return rig.read[0]


def kept(box: Box, *writes: str) -> list[str]:
    """The facts that the final step leaves."""
    rig = box.rig("say Lovely.", *writes)
    rig.say("i live in graz you know")
    rig.engine.after(never)
    return [fact.text for fact in rig.memory.facts()]


def exchanges(most: int, folder: Path) -> int:
    """How many of 120 are kept, in a real database."""
    settings = Settings(state=folder, memory=Memory(exchanges_max=most))
    with build.parts(settings, build.clock(settings, NOW)) as parts:
        for number in range(120):
            parts.memory.add_exchange("c", f"line {number} about tea", "So.", NOW + timedelta(seconds=number))
        return len(parts.memory.search("tea", 1_000))


def found(vectors: str, folder: Path) -> list[str]:
    """By other words, in a real database and in a turn."""
    settings = Settings(state=folder, memory=Memory.model_validate({"vectors": vectors}))
    with build.parts(settings, build.clock(settings, NOW)) as parts:
        parts.memory.save("The user's car is a green Peugeot.", "user", NOW)
        recall = Recall(lambda: Forgiving(parts.memory), settings.memory, Conversation(60, 4), parts.memory, "en")
        return recall.nearest("which vehicle do I own")


SAVE, BAD = 'save_memory(fact="The user lives in Graz.")', 'update_memory(id=99, fact="The user lives in Graz.")'
BUTLER = {"butler": Role(prompt="Speak like an old butler.")}
BOTH = BUTLER | {"cook": Role(prompt="Talk of food.")}

Seen = Callable[[Box], object]
CASES: list[tuple[str, str, Any, Any, Seen]] = [
    ("reply", "fast_lane", True, False, lambda box: box.lane("what time is it", "get_time()")),
    ("reply", "region", "US", "DE", lambda box: box.rig("say So.").say("ring me at 0151 23456789 later").heard),
    ("reply", "plan", True, False, lambda box: box.lane("are you well today", "say Yes.")),
    ("reply", "plan_timeout_s", 0.5, 5, lambda box: box.rig(model=Slow(["say Yes."])).say("are you well").lane),
    ("reply", "query_min_chars", 4, 20, lambda box: box.lane("are you well", "say Yes.")),
    ("reply", "question_max_chars", 100, 2_000, refused),
    (
        "reply",
        "sentences_max",
        1,
        3,
        lambda box: box.rig("say One. Two. Three. Four.").say("are you well").said,
    ),
    ("reply", "steps_max", 1, 5, may_write),
    ("reply", "turns_max", 1, 8, lambda box: box.rig(LOOKUP, "read_list()", "say So.").say(ASKED).said),
    ("reply", "catalogue_max", 5, 50, head),
    ("reply", "router", "hybrid", "keyword", lambda box: shown(box, "would you kindly see to the ketles", "say So.")),
    ("reply", "router", "keyword", "all", lambda box: shown(box, "would you see to the kettle", "say So.")),
    (
        "reply",
        "router",
        "keyword",
        "llm",
        lambda box: shown(box, "would you see to the kettle", "attic_fan", "say So."),
    ),
    ("reply", "router_limit", 1, 8, lambda box: shown(box, "would you see to the kettles and the lamp", "say So.")),
    ("reply", "searches_max", 0, 3, head),
    ("reply", "tool_timeout_s", 0.1, 2, timed_out),
    ("reply", "duplicates_within", 0, 5, lambda box: outcomes(box.rig(f"{LOOKUP}\n{LOOKUP}", "say So.").say(ASKED))),
    ("reply", "result_max_chars", 200, 1_200, lambda box: len(box.long_result(digest="off").read[1])),
    ("reply", "results_kept", 1, 16, gated),
    ("reply", "digest", "auto", "on", lambda box: len(box.long_result().canned.prompts)),
    ("reply", "digest", "auto", "off", lambda box: len(box.long_result().read[1])),
    ("reply", "digest_from_chars", 400, 8_000, lambda box: len(box.long_result().read[1])),
    ("reply", "digest_batch_chars", 1_200, 2_500, lambda box: len(box.long_result(Rates(1_000, 100)).read[1])),
    ("reply", "digest_max_chars", 100, 600, lambda box: len(box.long_result().read[1])),
    ("reply", "digest_timeout_s", 6, 12, lambda box: len(box.long_result(digest="on").read[1]) // 100),
    ("reply", "budget_s", 1, 12, lambda box: len(box.long_result(Rates(1_000, 100)).canned.prompts)),
    ("reply", "conversation_gap_s", 30, 300, two_turns),
    ("reply", "conversations_max", 1, 2, going_on),
    ("reply", "roles", {}, BUTLER, head),
    ("reply", "role", "", "butler", lambda box: head(box, roles=BOTH)),
    ("memory", "gate_share", 0.1, 1, lambda box: gated(box, line="that old film")),
    ("memory", "found_max", 1, 8, lambda box: box.recalled().read[0].count("plant number")),
    ("memory", "batch_chars", 600, 2_000, lambda box: len(box.recalled("on").read[0]) // 100),
    ("memory", "digest_max_chars", 200, 500, lambda box: box.recalled("auto").read[0].count("plant number")),
    ("memory", "facts_offered", 0, 3, beside),
    ("memory", "facts_max_chars", 0, 1_200, profile),
    ("memory", "rules_max_chars", 0, 600, profile),
    ("memory", "final_step", True, False, lambda box: kept(box, SAVE)),
    ("memory", "final_retries", 0, 2, lambda box: kept(box, BAD, SAVE)),
]


@pytest.mark.parametrize(("table", "name", "one", "other", "seen"), CASES, ids=[f"{c[0]}.{c[1]}={c[3]}" for c in CASES])
def test_another_value_makes_a_difference(table: str, name: str, one: Any, other: Any, seen: Seen) -> None:
    first = seen(Box(table, name, one))
    assert first != seen(Box(table, name, other))
    assert first == seen(Box(table, name, one)), "it is the setting that makes it, and no chance"


def test_the_newest_exchanges_are_kept(tmp_path: Path) -> None:
    assert [exchanges(most, tmp_path / str(most)) for most in (100, 1_000)] == [100, 120]


def test_with_vectors_other_words_find_it(tmp_path: Path) -> None:
    assert [found(each, tmp_path / each) for each in ("off", "auto")] == [[], ["The user's car is a green Peugeot."]]


def test_no_setting_of_the_reply_is_left_out() -> None:
    told = {(table, name) for table, name, *_ in CASES} | {("memory", "exchanges_max"), ("memory", "vectors")}
    rooms: dict[str, type[Reply] | type[Memory]] = {"reply": Reply, "memory": Memory}
    assert told == {(table, name) for table, room in rooms.items() for name in room.model_fields}
