"""What the box can do: one folder an ability, each with typed functions as its tools, and the lists of them."""

from __future__ import annotations

from dataclasses import dataclass

from appliance.ports import Spoken
from appliance.skills.arithmetic.calculate import calculate
from appliance.skills.arithmetic.units import Converter
from appliance.skills.clock.tools import Timekeeper
from appliance.skills.memory.tools import MemoryTools
from appliance.skills.schema import FunctionTool, tool
from appliance.skills.sound.tools import SoundTools
from appliance.skills.timers.tools import TimerTools


@dataclass(frozen=True)
class Toolbox:
    time: Timekeeper
    timers: TimerTools
    units: Converter
    sound: SoundTools
    memory: MemoryTools

    def for_model(self) -> list[FunctionTool]:
        """Those that the model may call, in the order in which it reads them."""
        timers, memory, sound = self.timers, self.memory, self.sound
        return [
            tool(self.time.get_time, "read"),
            tool(timers.set_timer, "act"),
            tool(timers.adjust_timer, "act", ready=timers.any),
            tool(timers.list_timers, "read", ready=timers.any),
            tool(timers.cancel_timer, "act", ready=timers.any),
            tool(calculate, "read"),
            tool(self.units.convert_units, "read"),
            tool(sound.set_volume, "act"),
            tool(sound.repeat, "read"),
            tool(sound.stop, "act"),
            tool(memory.remember, "act", ask="Shall I remember this: {fact}?"),
            tool(memory.recall, "read"),
            tool(memory.forget, "irreversible", ask=memory.whether_to_forget),
            tool(memory.set_preference, "act", ask="Shall I keep to this from now on: {rule}?"),
        ]

    def for_fast_lane(self) -> list[FunctionTool]:
        """Those that the model never sees, for it has enough to weigh: whole sentences and the engine call them."""
        memory = self.memory
        return [
            tool(self.sound.mute, "act"),
            tool(memory.forget_last, "irreversible", ask=memory.whether_to_forget_last),
            tool(memory.update_memory, "act", ask="Shall I remember this instead: {fact}?"),
            tool(help, "read"),
        ]


def help() -> Spoken:
    """Tell what the box can do."""
    return Spoken(
        "I tell the time, run timers, do sums and conversions, and remember what you ask me to. The rest is talk."
    )
