"""What is exposed that nobody decided on, where Home Assistant's own assistant has not looked at it either."""

from __future__ import annotations

from typing import Any

import pytest

from appliance.bridge.home_assistant_house import Entry, Exposed, State, exposed


@pytest.mark.parametrize(
    ("name", "attributes", "entry", "shown"),
    [
        ("light.desk", {}, {}, True),
        ("lock.door", {}, {}, False),
        ("light.desk", {}, {"hidden_by": "user"}, False),
        ("switch.led", {}, {"entity_category": "config"}, False),
        ("sensor.hall", {"device_class": "temperature"}, {}, True),
        ("sensor.hall", {"device_class": "power"}, {}, False),
        ("binary_sensor.hall", {"device_class": "window"}, {}, True),
        ("light.desk", {}, {"options": {"conversation": {"should_expose": False}}}, False),
        ("light.desk", {}, {"options": {"conversation": {"other": 1}, "cloud.alexa": {"should_expose": False}}}, True),
    ],
)
def test_what_nobody_decided_on(name: str, attributes: dict[str, Any], entry: dict[str, Any], shown: bool) -> None:
    entries = [Entry(entity_id=name, **entry)]
    states = [State(entity_id=name, state="on", attributes=attributes)]
    nobody = Exposed(exposed_entities={})
    assert exposed(nobody, entries, states, expose_new=True) == ({name} if shown else set())
    assert exposed(nobody, entries, states, expose_new=False) == set()
    assert exposed(nobody, entries, [], expose_new=True) == set(), "it has no state"


def test_what_somebody_decided_on() -> None:
    decided = Exposed(exposed_entities={"lock.door": {"conversation": True}, "light.desk": {"cloud.alexa": True}})
    states = [State(entity_id=name, state="on") for name in ("lock.door", "light.desk", "light.unregistered")]
    assert exposed(decided, [], states, expose_new=True) == {"lock.door"}
