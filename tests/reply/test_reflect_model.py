"""A real model, the smallest, thinks a conversation over: whatever it writes, what is kept was said."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from rig import Rig

from appliance.audio import Stale, never
from appliance.language.digits import numbers_in
from appliance.llm.isolated import IsolatedModel
from appliance.memory.facts import SqliteMemory
from appliance.memory.store import Store
from appliance.memory.values import SqliteValues
from appliance.ports import Message
from appliance.reply import prompt
from appliance.reply.notes import TOPICS_MOST, WORDS_MOST
from appliance.reply.understanding.relevance import among, telling
from appliance.settings import Thought

GIVEN_UP_S = 2.0
"""Longest until a pass is given up, on a machine that has other work; some 0.05 s on one that has not."""
SAID = (
    ("our allotment is behind the old station", "That is a good place."),
    ("my uncle Edgar keeps 4 geese there", "Geese are good guards."),
    ("what do geese eat in winter", "Grass, grain and greens."),
    ("is Edgar's vet Dr Marlow?", "I do not know that, sorry."),
    ("the shed has a green door and no lock", "A lock would be wise."),
    ("thank you", "You are welcome."),
)


@pytest.fixture
def box(model: Callable[..., Path], tmp_path: Path) -> Iterator[tuple[Rig, SqliteMemory]]:
    thought = Thought(context_tokens=1_024, batch_tokens=64, threads=1, threads_batch=1)
    isolated = IsolatedModel(model("smollm2-135m"), thought, tmp_path / "snapshots")
    isolated.start()
    heads = [[Message("system", "Plan.")], [Message("system", "Talk.")], prompt.world_head()]
    isolated.pin(heads)  # the last one has as much room as on every board; the others, long ones, are not asked
    with Store(tmp_path / "appliance.db") as store:
        memory = SqliteMemory(store)
        rig = Rig(model=isolated, parts={"memory": memory, "values": SqliteValues(store)})
        for heard, said in SAID:
            memory.add_exchange("c-1", heard, said, rig.clock.now())
            rig.clock.pass_time(20)
        rig.clock.pass_time(600)
        yield rig, memory
    isolated.close()


def speaking_in(seconds: float) -> Stale:
    ends_s = time.monotonic() + seconds
    return lambda: time.monotonic() > ends_s


def test_six_exchanges_become_a_day_and_whoever_speaks_breaks_it_off(box: tuple[Rig, SqliteMemory]) -> None:
    rig, memory = box
    today = rig.clock.now().date()
    began_s = time.monotonic()
    assert not rig.engine.reflect(speaking_in(0.05))
    assert time.monotonic() - began_s < GIVEN_UP_S
    assert memory.diary(today, today) == []
    assert rig.engine.reflect(never)
    assert not rig.engine.reflect(never)
    (day,) = memory.diary(today, today)
    said = " ".join(f"{heard} {answer}" for heard, answer in SAID)
    assert 0 < len(day.text.split()) <= WORDS_MOST
    assert len(day.text.splitlines()) <= TOPICS_MOST
    assert numbers_in(day.text) <= numbers_in(said)
    for fact in memory.facts():
        source = memory.source(fact.id)
        assert source
        assert fact.confidence < 1
        assert len(among(telling(fact.text), telling(source.heard))) >= 0.5 * len(telling(fact.text))
        assert "Marlow" not in fact.text, "that was asked"
    assert rig.clock.now() - memory.exchanges_between(day.at - timedelta(days=1), day.at, 1)[0].at > timedelta(0)
