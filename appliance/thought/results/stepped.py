"""A setting that is to be changed by so much, once it is known: "two degrees more than it is set to".

A small model reads that it is at 17 and sets it to two.
"""

from __future__ import annotations

from appliance.thought.fence import unfenced
from appliance.thought.plan import Call
from appliance.thought.results.measures import measurements
from appliance.thought.understanding.patterns import NUMBER
from appliance.thought.understanding.relevance import telling
from appliance.thought.understanding.signs import Signs

STATE, SET = "home_state", "home_set"
UNITS = {"celsius": "degrees", "fahrenheit": "degrees", "percent": "percent", "%": "percent"}
"""As a result may have them, see `measurements` -> as they are set."""
STEP_MOST = 50
"""More is no step but where to: a light from 20 percent by 50, no heating."""


def stepped(call: Call, result: str, signs: Signs) -> Call | None:
    """What sets the thing whose state was read so much higher or lower; None where the line wants anything else."""
    line, words = signs.digits, signs.words
    up, down = bool(words.raising.search(line)), bool(words.lowering.search(line))
    numbers = NUMBER.findall(line)
    if call.tool != STATE or up is down or len(numbers) != 1 or words.beside_another.search(line):
        return None
    device, step = str(call.arguments.get("what", "")), float(numbers[0].replace(",", "."))
    at = _setting(unfenced(result), signs)
    if at is None or step > STEP_MOST or not telling(device) & telling(line):
        return None
    value, unit = at
    return Call(SET, {"device": device, "state": f"{value + step * (up - down):g} {unit}"})


def _setting(result: str, signs: Signs) -> tuple[float, str] | None:
    """What it is set to, and the unit; where the result does not say which is the setting, the one that it measures."""
    told = signs.words.setting.search(result)
    measured = measurements(result[told.end() :] if told else result)
    found = [(value, UNITS[unit]) for value, unit in measured if unit in UNITS]
    return found[0] if found and (told or len(found) == 1) else None
