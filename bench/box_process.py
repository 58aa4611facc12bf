"""The process that `bench.box` drives: a whole service, with orders a line on standard input, news a line on output.

An order is a JSON object with one key of ORDERS; what comes back has one key of `Box`'s docstring.
"""

from __future__ import annotations

import argparse
import json
import logging
import signal
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from threading import Lock, Thread
from typing import Any

from appliance import events as ev
from appliance import settings_file
from appliance.boards import ClockSource
from appliance.body.clock import SystemClock, since_boot
from appliance.build.typed import TypedParts, typed_parts
from appliance.ports import Timer
from appliance.records import TurnRecord
from appliance.service.loop import Service
from appliance.service.turn import Moments
from appliance.service.vitals import Vitals
from appliance.settings import Settings


class FastTime:
    """Wall clock and countdowns `speed` times as fast as the machine's; the wall clock can be set."""

    def __init__(self, speed: float) -> None:
        self._speed, self._wall_s, self._began_s = speed, time.time(), since_boot()

    def wall(self) -> float:
        return self._wall_s + self.monotonic() - self._began_s

    def monotonic(self) -> float:
        return self._began_s + (since_boot() - self._began_s) * self._speed

    def step(self, seconds: float) -> None:
        self._wall_s += seconds

    def clock(self, settings: Settings) -> SystemClock:
        """That a time server sets."""
        kept = settings.state / "clock"
        return SystemClock(settings.zone, kept, lambda _: ClockSource.NETWORK, self.wall, self.monotonic)


class News:
    """Standard output, for several threads."""

    def __init__(self) -> None:
        self._lock = Lock()

    def tell(self, **news: Any) -> None:
        with self._lock:
            sys.stdout.write(f"{json.dumps(news)}\n")
            sys.stdout.flush()

    def say(self, text: str) -> None:
        self.tell(voiced=text)

    def publish(self, record: TurnRecord, _: Moments) -> None:
        self.tell(record=record.model_dump())


class Orders:
    """What the other side may ask for, on a thread of its own."""

    def __init__(self, parts: TypedParts, service: Service, vitals: Vitals, fast: FastTime, news: News) -> None:
        self._parts, self._vitals, self._end = parts, vitals, service.stop
        self._do: dict[str, Callable[[Any], object]] = {
            "say": parts.ears.type,
            "press": lambda _: service.post(ev.ButtonPressed()),
            "plug": self._plug,
            "step_clock_s": fast.step,
            "held": lambda _: news.tell(held=self._held()),
        }

    def follow(self, lines: Iterable[str]) -> None:
        """Until there are no more, or one breaks: nobody drives the service any more, so it ends."""
        try:
            for line in lines:
                for name, value in json.loads(line).items():
                    self._do[name](value)
        finally:
            self._end()

    def _plug(self, plugged_in: bool) -> None:
        self._parts.microphone.plugged_in = plugged_in

    def _held(self) -> dict[str, Any]:
        """What the box knows now, each as often as it does, and what is wrong with it."""
        alarms = self._parts.rings.alarms
        ended = [each.ended for each in [*alarms.all(), *alarms.missed()]]
        timers = [each.label for each in ended if isinstance(each, Timer)]
        facts = [fact.text for fact in self._parts.memory.facts()]
        return {"things": timers + facts, "trouble": self._vitals.trouble()}


def main() -> None:
    options = _options()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    settings, fast, news = settings_file.load(options.config, None, options.state), FastTime(options.speed), News()
    vitals = Vitals()

    def look() -> None:
        if vitals.settled and not ready:
            ready.append(True)
            news.tell(ready=True)

    ready = list[bool]()
    with (
        typed_parts(settings, fast.clock(settings), news.say, options.frame_s, options.own_voice) as parts,
        parts.service(news.publish, vitals, look) as service,
    ):
        signal.signal(signal.SIGTERM, lambda *_: service.stop())
        orders = Orders(parts, service, vitals, fast, news)
        Thread(target=orders.follow, args=[sys.stdin], name="orders", daemon=True).start()
        service.run()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.box_process", description=__doc__)
    parser.add_argument("--config", type=Path, required=True)
    parser.add_argument("--state", type=Path, required=True)
    parser.add_argument("--speed", type=float, default=1.0, help="of its clock, by the machine's")
    parser.add_argument("--frame-s", type=float, default=0.032, help="of the microphone")
    parser.add_argument("--own-voice", action="store_true", help="Piper; a tone otherwise")
    return parser.parse_args()


if __name__ == "__main__":
    main()
