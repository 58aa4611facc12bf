"""What the appliance can do when asked: one typed function for each tool, and the list of them."""

from __future__ import annotations

from appliance.tools.clock import Timekeeper
from appliance.tools.reckon import calculate
from appliance.tools.schema import FunctionTool, tool
from appliance.tools.sound import SoundTools
from appliance.tools.timer_tools import TimerTools
from appliance.tools.units import Converter


def tools(time: Timekeeper, timers: TimerTools, units: Converter, sound: SoundTools) -> list[FunctionTool]:
    """Every tool, in the order in which the model reads them."""
    return [
        tool(time.get_time, "read"),
        tool(timers.set_timer, "act"),
        tool(timers.list_timers, "read"),
        tool(timers.cancel_timer, "act"),
        tool(calculate, "read"),
        tool(units.convert_units, "read"),
        tool(sound.set_volume, "act"),
        tool(sound.repeat, "read"),
        tool(sound.stop, "act"),
    ]
