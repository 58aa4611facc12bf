"""The box without its senses: the real service, holds and light; ears, thought, voice and devices are doubles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from threading import Thread

from appliance import events as ev
from appliance.ports import Light, Microphone, ValueStore
from appliance.service.light import LitMicrophone, StateLight
from appliance.service.loop import Service
from appliance.service.own_words import OwnWords
from appliance.service.ringing import Ringing
from appliance.service.turn import SpokenTurns
from appliance.settings import Settings, Sound
from appliance.simulated import DeadMicrophone, HandSetAlarms, MemoryValues, ScriptedEars, SlowThinker, SlowVoice
from appliance.terminal.simulate import Panel, World


class Simulation:
    """`lamp`: what the light is shown on. `kept`: what a restart finds."""

    def __init__(
        self,
        lamp: Light,
        kept: ValueStore | None = None,
        erase: Callable[[], None] = lambda: None,
        pace_s: float = 2,
        microphone: Microphone | None = None,
    ) -> None:
        """`pace_s`: how long thinking takes, and speaking. `microphone`: a real one."""
        self.light, self.ears, self.microphone = StateLight(lamp), ScriptedEars(), DeadMicrophone()
        self.alarms, self.voice = HandSetAlarms(), SlowVoice(pace_s)

        def turns(post: Callable[[ev.Event], None]) -> SpokenTurns:
            return SpokenTurns(
                lambda samples, stale: "hello",
                SlowThinker(pace_s),
                OwnWords(self.voice),
                lambda text: False,
                post,
                lambda record, moments: None,
                paced=True,
            )

        self.service = Service(
            LitMicrophone(microphone or self.microphone, self.light),
            self.ears,
            turns,
            Ringing(self.alarms, self.alarms, self.voice, longest_s=60),
            Settings(sound=Sound(retry_s=1)),
            MemoryValues() if kept is None else kept,
            self.light.watch,
            erase,
        )

    @contextmanager
    def running(self) -> Iterator[Service]:
        with ExitStack() as stack:
            stack.enter_context(self.light)
            thread = Thread(target=self.service.run, name="loop")
            thread.start()
            stack.callback(thread.join)
            stack.callback(self.service.stop)
            yield self.service

    def world(self, press: Callable[[bool], None]) -> World:
        return World(self.service, self.ears, self.microphone, self.alarms, press)


@contextmanager
def simulated(panel: Panel, faster: float = 1) -> Iterator[World]:
    """What `appliance simulate` plays with; `faster` than a hand and a model, for tests."""
    from appliance.body.presses import HOLDS, Presses

    box = Simulation(panel, pace_s=2 / faster)
    holds = [replace(hold, after_s=hold.after_s / faster) for hold in HOLDS]
    panel.light = box.light
    with box.running() as service, Presses(service.post, holds) as presses:

        def press(down: bool) -> None:
            panel.down = down
            presses.changed(down)

        yield box.world(press)
