"""A box whose language model is lost as it starts goes on without it, and thinks with it once it is there."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from appliance import build
from appliance.body.clock import SystemClock
from appliance.build import late
from appliance.build.parts import Parts
from appliance.errors import ModelDamaged, ModelLost
from appliance.llm.absent import AbsentModel
from appliance.service.vitals import Vitals
from appliance.settings import Settings
from appliance.simulated import CannedModel

PATIENCE_S = 10


class LostModel(CannedModel):
    """Is lost for the next `misses` looks at it."""

    def __init__(self, misses: int) -> None:
        self.misses = misses
        super().__init__()

    @property
    def facts(self) -> Any:
        if self.misses:
            self.misses -= 1
            raise ModelLost("the language model was ended by SIGKILL", remedy="it is started again")
        return self._facts

    @facts.setter
    def facts(self, facts: Any) -> None:
        self._facts = facts


@pytest.fixture
def parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Parts]:
    monkeypatch.setattr(late, "LOOK_S", 0.05)
    with build.parts(Settings(state=tmp_path), SystemClock(UTC)) as made:
        yield made


def lose(parts: Parts, error: Exception) -> None:
    parts._anyway = True
    with parts._without_llm():
        raise error


def test_it_thinks_with_the_model_as_soon_as_it_is_there(parts: Parts) -> None:
    vars(parts)["local_llm"] = model = LostModel(misses=3)
    lose(parts, ModelLost("the language model was ended by SIGKILL", remedy="it is started again"))
    assert isinstance(parts.llm, AbsentModel)
    voice: Any = SimpleNamespace(are=lambda text: False)
    turns = parts._turns(voice, lambda *sound: True, lambda event: None, lambda record, moments: None, True, Vitals())
    parts._await_llm()
    before, ends_s = turns.thinker, time.monotonic() + PATIENCE_S
    while turns.thinker is before and time.monotonic() < ends_s:
        time.sleep(0.02)
    assert turns.thinker is parts.engine is not before
    assert vars(parts)["llm"] is model


def test_a_damaged_one_is_not_waited_for(parts: Parts) -> None:
    vars(parts)["local_llm"] = LostModel(misses=0)
    lose(parts, ModelDamaged("it is no model", remedy="fetch it"))
    voice: Any = SimpleNamespace(are=lambda text: False)
    turns = parts._turns(voice, lambda *sound: True, lambda event: None, lambda record, moments: None, True, Vitals())
    parts._await_llm()
    before = turns.thinker
    time.sleep(0.5)
    assert turns.thinker is before
    assert isinstance(parts.llm, AbsentModel)


def test_whoever_asks_for_one_answer_is_told_at_once(parts: Parts) -> None:
    with pytest.raises(ModelLost), parts._without_llm():
        raise ModelLost("the language model was ended by SIGKILL", remedy="it is started again")
