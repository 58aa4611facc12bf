"""A microphone that is to be closed by a moment: both waits for it share that moment."""

from __future__ import annotations

from threading import Timer

import pytest

from appliance.service.capture import Capture
from appliance.service.muting import Muting
from appliance.service.vitals import Vitals
from appliance.simulated import DeadMicrophone, MemoryValues, ScriptedEars

WITHIN_S = 20.0
SETTLES_S = 0.2


def test_what_was_waited_for_once_is_not_waited_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    waits = list[float]()

    def await_closed(within_s: float) -> bool:
        waits.append(within_s)
        return False

    capture = Capture(DeadMicrophone(), ScriptedEars(), 0.1, Vitals(), lambda event: None)
    monkeypatch.setattr(capture, "await_closed", await_closed)
    muting = Muting(capture, MemoryValues(), lambda error: None)
    settles = Timer(SETTLES_S, muting.close)
    settles.start()
    assert not muting.await_closed(WITHIN_S)
    settles.join()
    [left_s] = waits
    assert left_s <= WITHIN_S - SETTLES_S / 2
