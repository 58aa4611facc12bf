"""An acknowledgement is true: it tells that what a full card does not take is kept only until the box is off."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from rig import lane_of_skills

from appliance.audio import never
from appliance.memory.facts import SqliteMemory
from appliance.memory.store import State, Store
from appliance.memory.timers import SqliteTimers
from appliance.reply.conversation import Conversation
from appliance.reply.dependencies import Dependencies
from appliance.reply.engine import Engine
from appliance.settings import Memory, Settings
from appliance.simulated import CannedModel, skill_context
from appliance.skills.loader import load
from appliance.tts.text import TextMouth

ONLY_UNTIL_OFF = "I keep that only until I am switched off, for my memory card is full."


def fill(store: Store) -> None:
    """SQLite takes no page more, as on a disk without room, and the pages that are there hold no more."""
    with store.read() as db:
        (pages,) = db.execute("PRAGMA page_count").fetchone()
        db.execute(f"PRAGMA max_page_count = {pages}")
    for number in range(100):
        SqliteMemory(store).add_exchange("one", f"question {number}", "word " * 100, skill_context().clock.now())
    assert store.state is State.MEMORY_ONLY


def answers(store: Store, line: str, writes: str = "") -> str:
    """`writes`: the model, where no sentence takes the line."""
    memory, settings = SqliteMemory(store), Settings(memory=Memory(final_step=False))
    context = skill_context(settings=settings, memory=memory, timers=SqliteTimers(store))
    skills = load(context)
    needs = Dependencies(
        CannedModel([writes]),
        skills.for_model(),
        skills.commands(),
        memory,
        context.clock,
        Conversation(300, 16),
        settings,
        "Box",
    )
    engine = Engine(replace(needs, lane=lane_of_skills(skills), skill_of=skills.skill_of, unsaved=store.unsaved))
    return engine.reply(1, line, "chat", TextMouth(), never).said


@pytest.mark.parametrize(
    ("line", "writes", "said"),
    [
        ("set a timer for ten minutes", "", "10 minutes, starting now."),
        ("my aunt is called Clara", 'remember(fact="The user\'s aunt is called Clara.")', "I will remember that."),
    ],
)
@pytest.mark.parametrize("full", [True, False])
def test_what_is_only_in_memory_is_acknowledged_as_such(
    tmp_path: Path, line: str, writes: str, said: str, full: bool
) -> None:
    with Store(tmp_path / "appliance.db") as store:
        if full:
            fill(store)
        assert answers(store, line, writes) == (f"{said} {ONLY_UNTIL_OFF}" if full else said)


def test_what_keeps_nothing_is_not_qualified(tmp_path: Path) -> None:
    with Store(tmp_path / "appliance.db") as store:
        fill(store)
        assert ONLY_UNTIL_OFF not in answers(store, "what time is it")
