"""Every metric that the appliance exports: its name, its meaning, and where its value comes from.

Nothing personal is among them: no words, no labels of timers, no names of devices.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric, StateSetMetricFamily
from prometheus_client.registry import Collector

from appliance import __version__
from appliance import events as ev
from appliance.boards import THROTTLE_BITS, THROTTLED_BEFORE, temperature_c, throttle_flags
from appliance.ports import ClockTrust
from appliance.records import TurnRecord
from appliance.service.states import State
from appliance.service.vitals import RELEASE, Vitals
from appliance.settings import Settings

BUCKETS_S = (0.05, 0.1, 0.2, 0.4, 0.7, 1.0, 1.5, 2.5, 5.0, 10.0, 20.0, 30.0)
"""From a sentence that needs no model (50 ms) to `thought.deadline_s`; closest around 1 s, where people notice."""
OWN_NAMED = ("plan", "talk", "loop", "hub", "host", "none")
LANES = {"fast": "sentence", "world": "general"} | {lane: lane for lane in OWN_NAMED}
"""Lane of a record, or the head of its plan -> label."""


class Metrics(Collector):
    """Counts what happens, and looks at the rest when it is asked. Safe to use from several threads."""

    def __init__(
        self,
        vitals: Vitals,
        settings: Settings,
        clock: ClockTrust,
        ends: Mapping[str, int],
        sys: Path = Path("/sys"),
    ) -> None:
        """ends: cause -> how often the service ended of it (ends.py).  sys: where the kernel shows its sensors."""
        self._vitals, self._settings, self._clock, self._ends, self._sys = vitals, settings, clock, ends, sys
        self._woke = False
        """Somebody called, and it is not known yet whether they say anything."""
        disable_created_metrics()  # type: ignore[no-untyped-call]
        registry = self._registry = CollectorRegistry()
        self._stages = Histogram(
            "va_stage_seconds", "Time of each stage of a turn", ["stage", "lane"], buckets=BUCKETS_S, registry=registry
        )
        self._turns = Counter("va_turns", "Turns that ended", ["lane", "outcome"], registry=registry)
        self._wakes = Counter("va_wakes", "Times the wake word was heard", registry=registry)
        self._false_starts = Counter("va_false_starts", "Wake words after which nothing was said", registry=registry)
        self._near_misses = Counter(
            "va_near_misses", "Times that a little more would have been the wake word", ["word"], registry=registry
        )
        self._branches = Counter("va_branches", "Ways that turns took", ["branch"], registry=registry)
        self._passes = Counter("va_model_passes", "Runs of the model", registry=registry)
        self._fresh = Counter("va_model_fresh_tokens", "Prompt tokens that were read anew", registry=registry)
        self._generated = Counter("va_model_generated_tokens", "Tokens that were written", registry=registry)
        registry.register(self)

    def text(self) -> str:
        """All of them, as Prometheus reads them (its text format 0.0.4)."""
        return generate_latest(self._registry).decode()

    def watch(self, event: ev.Event, state: State) -> None:
        """A service.watcher.Watcher."""
        match event:
            case ev.WakeHeard():
                self._wakes.inc()
                self._woke = True
            case ev.WakeMissed():
                self._near_misses.labels(event.word).inc()
            case ev.NothingHeard() if self._woke:
                self._false_starts.inc()
                self._woke = False
            case ev.UtteranceEnded() | ev.ButtonPressed():
                self._woke = False

    def take(self, record: TurnRecord) -> None:
        """A turn has ended."""
        lane = LANES[record.head if record.lane == "plan" and record.head else record.lane]
        self._turns.labels(lane, record.outcome).inc()
        for stage, ms in record.ms:
            if ms is not None:
                self._stages.labels(stage, lane).observe(ms / 1_000)
        for name in record.branches:
            self._branches.labels(name).inc()
        self._passes.inc(record.model.calls)
        self._fresh.inc(record.model.fresh_tokens)
        self._generated.inc(record.model.generated_tokens)
        if record.outcome == "silent" and not record.heard and record.audio and record.audio.wake_score is not None:
            self._false_starts.inc()

    def collect(self) -> Iterator[Metric]:
        """What is looked at each time."""
        vitals, database = self._vitals, self._settings.database
        gauges: dict[str, tuple[str, float | None]] = {
            "va_ready": ("Whether a question would be answered", not vitals.trouble()),
            "va_muted": ("Whether the microphone is closed by the owner", vitals.microphone == "closed"),
            "va_microphone_open": ("Whether the microphone is open", vitals.microphone == "open"),
            "va_clock_trusted": ("Whether something is known to have set the clock", self._clock.trusted),
            "va_timers": ("Timers that run, are paused or ring", vitals.timers),
            "va_temperature_celsius": ("Of the hottest sensor", temperature_c(self._sys)),
            "va_disk_free_bytes": ("Where the memory lies", _free(self._settings.state)),
            "va_database_bytes": ("The memory's file", _size(database)),
            "va_wal_bytes": ("Its journal", _size(database.with_name(f"{database.name}-wal"))),
        }
        for name, (meaning, value) in gauges.items():
            if value is not None:
                yield GaugeMetricFamily(name, meaning, value=float(value))
        yield CounterMetricFamily("va_audio_gaps", "Times sound from the microphone was lost", vitals.hearing.gaps)
        yield CounterMetricFamily("va_wakes_left", "Wake words that were left to another box", vitals.gave_way)
        yield StateSetMetricFamily("va_store_state", "Where the memory is kept", value=vitals.store)
        yield from self._labelled()

    def _labelled(self) -> Iterator[Metric]:
        info = GaugeMetricFamily("va_info", "What runs", labels=["version", "release"])
        info.add_metric([__version__, RELEASE], 1)
        yield info
        restarts = CounterMetricFamily("va_restarts", "Starts after an end, by the cause of that end", labels=["cause"])
        for cause, times in self._ends.items():
            restarts.add_metric([cause], times)
        yield restarts
        if (flags := throttle_flags(self._sys)) is not None:
            throttled = GaugeMetricFamily("va_throttled", "Why the board is slowed down", labels=["reason", "when"])
            for reason, bit in THROTTLE_BITS.items():
                throttled.add_metric([reason, "now"], flags >> bit & 1)
                throttled.add_metric([reason, "since_start"], flags >> bit + THROTTLED_BEFORE & 1)
            yield throttled


def _free(folder: Path) -> float | None:
    with suppress(OSError):
        return shutil.disk_usage(folder).free
    return None


def _size(file: Path) -> float | None:
    with suppress(OSError):
        return file.stat().st_size
    return None
