"""What a turn costs as the box fills up: turns of one conversation, stored facts, tools, length of what is said.

The cost of a turn must stay flat within 1.5. The final memory step is left out and answers are cut short:
neither grows. The lines change from turn to turn, for the same one twice in a row would find itself in the cache.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import cycle, islice
from pathlib import Path

import numpy as np

from appliance import build
from appliance.audio import RATE_HZ, Utterance, never
from appliance.errors import ApplianceError
from appliance.memory.facts import SqliteMemory
from appliance.memory.store import Store
from appliance.ports import Spoken, Tool
from appliance.reply.conversation import Conversation
from appliance.reply.people import People, ToldTo
from appliance.reply.readable_memory import Forgiving
from appliance.reply.recall import Recall
from appliance.settings import Memory, Settings
from appliance.skills.schema import tool
from appliance.terminal.chat import Console
from bench import consoles, results
from bench.questions import LONG, MEMORY_QUESTIONS, QUESTIONS
from bench.results import Row
from bench.speakers import Speakers

Tell = Callable[[str], None]

FLAT = 1.5
"""Most that a point may cost, in those of the cheapest."""
KINDS = ("turns", "facts", "tools", "utterance_s")
TURNS = (10, 50, 100, 200)
"""The ten turns that end with each of them are a point."""
WINDOW = 10
FACTS = (10, 100, 1_000, 10_000)
TOOLS = (10, 25, 50, 100, 200)
UTTERANCES_S = (2, 5, 10, 15, 30, 60)
REPLY_TOKENS = 16
REPEATS = 3
LINES = (*MEMORY_QUESTIONS, *QUESTIONS["tool"][:2])
DEVICES = ("lamp", "fan", "heater", "blind", "plug", "camera", "door sensor", "radio", "humidifier", "socket")
PLACES = (
    *("kitchen", "attic", "cellar", "garage", "garden", "hall", "nursery", "office", "pantry", "porch"),
    *("bathroom", "bedroom", "balcony", "workshop", "laundry", "library", "terrace", "shed", "stairs", "lounge"),
)


def measure(chosen: Settings, speakers: Speakers | None, tell: Tell, quick: bool = False) -> Row:
    """The part `growth` of the bench row. `quick`: the two smallest points of each; for a try."""
    with tempfile.TemporaryDirectory() as folder:
        lean = _lean(chosen, Path(folder))
        with build.parts(lean, build.clock(lean)) as parts:
            row: Row = {
                "turns": list(_told("turns", turns(consoles.made(parts, lean), _some(TURNS, quick)), tell)),
                "facts": list(_told("facts", facts(parts, lean, _some(FACTS, quick)), tell)),
                "tools": list(_told("tools", tools(parts, lean, _some(TOOLS, quick)), tell)),
            }
            if speakers:
                found = utterances(parts, speakers, _some(UTTERANCES_S, quick))
                row["utterance_s"] = list(_told("utterance_s", found, tell))
    last = {name: row[name][-1].get("fresh_tokens") for name in ("turns", "facts", "tools")}
    return row | {"last": last, "flat": flat(row)}


def _lean(chosen: Settings, state: Path) -> Settings:
    return chosen.model_copy(
        update={
            "state": state,
            "memory": chosen.memory.model_copy(update={"final_step": False}),
            "thought": chosen.thought.model_copy(update={"reply_tokens": REPLY_TOKENS}),
        }
    )


def turns(console: Console, at: Sequence[int]) -> Iterator[Row]:
    """One conversation. `worst`: the turn in which older ones had to be forgotten, as a rule."""
    console.new_conversation()
    consoles.ask(console, LINES[0])
    console.new_conversation()
    taken: list[Row] = []
    for line in islice(cycle(QUESTIONS["talk"]), at[-1]):
        taken.append(consoles.ask(console, line).row())
        if len(taken) in at:
            yield {"at": len(taken)} | point(taken[-WINDOW:]) | {"worst": point([max(taken, key=_seconds)])}


def facts(parts: build.Parts, chosen: Settings, at: Sequence[int]) -> Iterator[Row]:
    """`memory_ms`: what is read of the memory for one line.  save_ms: one more fact."""
    for count in at:
        with Store(chosen.state / f"{count}.db") as store:
            _fill(store, count, parts)
            memory = SqliteMemory(store)
            console = consoles.made(parts, chosen, memory=memory)
            row: Row = {"at": count} | point(_ask(console, LINES))
            row["memory_ms"] = _reading_ms(memory, chosen.memory)
            row["save_ms"] = _median_ms(partial(_save_another, memory, parts))
            yield row


def tools(parts: build.Parts, chosen: Settings, at: Sequence[int]) -> Iterator[Row]:
    """`about`: lines that one of the tools is for.  talk: lines that are about none."""
    own = parts.skills.for_model()
    for count in at:
        offered: list[Tool] = [*own, *islice(_switches(), max(0, count - len(own)))][:count]
        try:
            console = consoles.made(parts, chosen, tools=offered)
            about = point(_ask(console, QUESTIONS["tool"][:2]))
            yield {"at": count, **about, "talk": point(_ask(console, QUESTIONS["talk"][:2]))}
        except ApplianceError as error:
            yield {"at": count, "error": str(error), "p50_s": None}


def utterances(parts: build.Parts, speakers: Speakers, at: Sequence[int]) -> Iterator[Row]:
    """Speech to text alone: a longer one is cut at `ears.utterance_max_s` before it gets so far."""
    speech = speakers.say("joe", LONG)
    for seconds in at:
        said = Utterance(np.resize(speech, seconds * RATE_HZ))
        taken_s = _median_ms(partial(parts.transcriber.transcribe, said, never)) / 1000
        yield {"at": seconds, "p50_s": round(taken_s, 3), "s_per_s": round(taken_s / seconds, 4)}


def point(rows: Sequence[Row]) -> Row:
    uses = [row["model"] for row in rows]
    return {
        "p50_s": round(results.percentile([_seconds(row) for row in rows], 0.5) or 0, 3),
        "p95_s": round(results.percentile([_seconds(row) for row in rows], 0.95) or 0, 3),
        "prompt_tokens": results.percentile([use["prompt_tokens"] for use in uses], 0.5),
        "fresh_tokens": results.percentile([use["fresh_tokens"] for use in uses], 0.5),
        "generated_tokens": results.percentile([use["generated_tokens"] for use in uses], 0.5),
    }


def flat(growth: Row) -> Row:
    """For each way to grow: how many times dearer its dearest point is than its cheapest. Null where one failed."""
    return {
        **{name: _times(growth[name], "p50_s") for name in ("turns", "facts", "tools")},
        "worst_turn": _worst(growth["turns"]),
        "utterance_s": _times(growth.get("utterance_s", []), "s_per_s", grown=True),
    }


def _times(points: Sequence[Row], key: str, grown: bool = False) -> float | None:
    """grown: the last point against the first one, for what may become cheaper."""
    values: list[float | None] = [row.get(key) for row in points]
    known = [value for value in values if value]
    if not known or len(known) < len(values):
        return None
    return round(known[-1] / known[0] if grown else max(known) / min(known), 2)


def _worst(points: Sequence[Row]) -> float | None:
    if not points or not (first_s := points[0]["p50_s"]):
        return None
    return round(float(points[-1]["worst"]["p50_s"]) / float(first_s), 2)


def _ask(console: Console, lines: Sequence[str]) -> list[Row]:
    """Each line a few times over, in conversations of their own, after one that does not count."""
    asked = []
    for line in [*lines[-1:], *islice(cycle(lines), REPEATS * len(lines))]:
        console.new_conversation()
        asked.append(consoles.ask(console, line).row())
    return asked[1:]


def _seconds(row: Row) -> float:
    return float(row["first_sentence_s"])


def _fill(store: Store, count: int, parts: build.Parts) -> None:
    """In one go: saved one by one, each is compared with all before it."""
    now = parts.clock.now()
    with store.write() as db:
        for number in range(count):
            text = f"The user keeps box {number} of the {PLACES[number % 20]} behind the {DEVICES[number % 10]}."
            row = {"text": text, "kind": "user", "at": now.isoformat(), "moment": now.timestamp() - number}
            db.table("facts").insert(row, pk="id")


def _reading_ms(memory: SqliteMemory, settings: Memory) -> float:
    """Of what is read of it in a turn."""
    conversation = Conversation(300, 16)
    told = ToldTo(Forgiving(memory), People(memory, str, "en"))
    recall = Recall(lambda: told, settings, conversation, memory)

    def profile() -> None:
        conversation.begin()  # or it would be kept from the time before
        recall.profile()

    return round(_median_ms(profile) + _median_ms(partial(recall.nearest, LINES[0])), 2)


def _save_another(memory: SqliteMemory, parts: build.Parts) -> None:
    memory.save(f"The user was asked at {time.monotonic()}.", "user", parts.clock.now())


def _switches() -> Iterator[Tool]:
    """A tool for each device of each room."""
    for device in DEVICES:
        for place in PLACES:
            yield _switch(place, device)


def _switch(place: str, device: str) -> Tool:
    def switch(state: str) -> Spoken:
        return Spoken(f"The {device} is {state}.")

    switch.__name__ = f"{place}_{device.replace(' ', '_')}"
    switch.__doc__ = f"Switch the {device} in the {place} on or off."
    return tool(switch, "act")


def _median_ms(work: Callable[[], object]) -> float:
    taken = []
    for _ in range(1 + REPEATS):
        began_s = time.perf_counter()
        work()
        taken.append((time.perf_counter() - began_s) * 1000)
    return round(results.percentile(taken[1:], 0.5) or 0, 2)


def _some(points: Sequence[int], quick: bool) -> Sequence[int]:
    return points[:2] if quick else points


def _told(name: str, points: Iterator[Row], tell: Tell) -> Iterator[Row]:
    for row in points:
        tell(f"{name:12}{row}")
        yield row
