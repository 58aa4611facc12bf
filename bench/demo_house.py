"""150 requests over the demo house of a real Home Assistant, through the real bridge: `python -m bench.demo_house`.

They are in bench/household/demo_house.yaml, with how the house is to be after each. A request is right where everything
that it names is so within SEEN_S, nothing else changed, and a question is answered. Some 5 minutes on 2 cores, most of
them for windows that move; where there is none yet, a Home Assistant is installed first (minutes, 500 MB). The row
goes to bench/results/. Exit code 1 where a thing changed that was not to.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from appliance import build
from appliance.errors import PartMissing
from bench import command, exit_with, results
from bench.everything_on import NO_MODEL
from bench.real_home import RealHome, environment

FILE = Path(__file__).with_name("household") / "demo_house.yaml"
SEEN_S, LOOK_S = 15.0, 0.1
"""Longest until a thing is as it was ordered: a window of the demo house moves a tenth a second."""
QUIET_S = 0.5
"""After it, in which nothing else may change."""
START_S = 60.0
LEFT = "left"
"""The lane of a line that is for the model, where there is none."""
DOMAINS = ("light", "switch", "fan", "cover", "lock", "climate", "media_player", "vacuum", "humidifier", "valve")
"""Of what is watched."""
ATTRIBUTES = (
    "brightness",
    "percentage",
    "current_position",
    "temperature",
    "volume_level",
    "is_volume_muted",
    "humidity",
)
"""That are watched beside the state."""
House = dict[str, dict[str, Any]]
"""Thing -> its state, and those attributes that it has."""


@dataclass(frozen=True)
class Request:
    say: str
    becomes: Mapping[str, Any] = field(default_factory=dict)
    """Thing -> its state, or some attributes."""
    said: str = ""

    def reached(self, house: House) -> bool:
        return all(_is(house[thing], wanted) for thing, wanted in self.becomes.items())


@dataclass(frozen=True)
class Result:
    request: Request
    right: bool
    wrong: Sequence[str]
    """Things that changed and were not to."""
    lane: str
    said: str
    took_s: float


class Demo:
    """The demo house with rooms and floors, the bridge, and the box."""

    def __init__(self, python: Path, folder: Path, model: str | None) -> None:
        self._rooms = yaml.safe_load(FILE.read_text("utf-8"))
        self._folder, self._model = folder, model
        self.home = RealHome(python, folder / "config")
        token, self._config = folder / "token", folder / "config.toml"
        token.write_text(self.home.token)
        token.chmod(0o600)
        self._config.write_text(
            f'[bridge]\nsocket = "{folder}/bridge"\n'
            f'[home_assistant]\nurl = "{self.home.url}"\ntoken_file = "{token}"\nroom = "Kitchen"\n'
        )

    @contextmanager
    def box(self) -> Iterator[build.Parts]:
        """The box in its rooms; at the end the bridge and Home Assistant end too."""
        try:
            _furnish(self.home, self._rooms)
            with self._bridge(), self._parts() as parts:
                yield parts
        finally:
            self.home.kill()

    @contextmanager
    def _bridge(self) -> Iterator[None]:
        run = [sys.executable, "-m", "appliance", "--config", str(self._config), "bridge", "run"]
        bridge = subprocess.Popen(run)
        try:
            yield
        finally:
            bridge.terminate()
            bridge.wait(10)

    @contextmanager
    def _parts(self) -> Iterator[build.Parts]:
        chosen = command.settings_of(self._folder / "state", config=self._config, model=self._model)
        with build.parts(chosen, build.clock(chosen)) as parts:
            _until(lambda: bool(parts.skills.reads("turn on the bed light")), START_S)
            yield parts

    def requests(self) -> list[Request]:
        return [Request(**each) for each in self._rooms["requests"]]

    def house(self) -> House:
        return {each["entity_id"]: _watched(each) for each in self.home.ask("get_states") if _is_watched(each)}


def tried(demo: Demo, parts: build.Parts) -> Iterator[Result]:
    for request in demo.requests():
        before, since_s = demo.house(), time.monotonic()
        try:
            record = parts.console.ask(request.say)
        except PartMissing:
            yield Result(request, False, (), LEFT, "", time.monotonic() - since_s)
            continue
        took_s, said = time.monotonic() - since_s, record.said
        if any(step.outcome == "unconfirmed" for step in record.steps):
            said += " " + parts.console.ask("yes").said
        reached = not request.becomes or _until(lambda r=request: r.reached(demo.house()), SEEN_S)
        time.sleep(QUIET_S)
        after = demo.house()
        wrong = [thing for thing in after if after[thing] != before.get(thing) and thing not in request.becomes]
        answered = bool(re.search(request.said, said, re.IGNORECASE))
        yield Result(request, reached and answered and not wrong, wrong, record.lane, said, took_s)


def _furnish(home: RealHome, wanted: Mapping[str, Any]) -> None:
    """Its floors and rooms, what is in them, and what is exposed beside what Home Assistant exposes by itself."""
    floors = {
        name: home.ask("config/floor_registry/create", name=name, aliases=aliases)["floor_id"]
        for name, aliases in wanted["floors"].items()
    }
    there = {each["name"]: each["area_id"] for each in home.ask("config/area_registry/list")}
    for name, room in wanted["rooms"].items():
        area = there.get(name) or home.ask("config/area_registry/create", name=name)["area_id"]
        home.ask("config/area_registry/update", area_id=area, floor_id=floors.get(room.get("floor")))
        for thing in room["things"]:
            home.ask("config/entity_registry/update", entity_id=thing, area_id=area)
    home.ask(
        "homeassistant/expose_entity", assistants=["conversation"], entity_ids=wanted["exposed"], should_expose=True
    )


def _is_watched(state: Mapping[str, Any]) -> bool:
    return state["entity_id"].partition(".")[0] in DOMAINS


def _watched(state: Mapping[str, Any]) -> dict[str, Any]:
    return {"state": state["state"]} | {name: state["attributes"].get(name) for name in ATTRIBUTES}


def _is(thing: Mapping[str, Any], wanted: Any) -> bool:
    values = wanted if isinstance(wanted, Mapping) else {"state": wanted}
    return all(thing.get(name) == value for name, value in values.items())


def _until(seen: Any, within_s: float) -> bool:
    ends_s = time.monotonic() + within_s
    while not seen():
        if time.monotonic() > ends_s:
            return False
        time.sleep(LOOK_S)
    return True


def _report(found: Sequence[Result]) -> results.Row:
    fast = [each.took_s * 1_000 for each in found if each.lane == "fast"]
    return {
        "n": len(found),
        "right": sum(each.right for each in found),
        "wrong_things": sum(bool(each.wrong) for each in found),
        "without_model": len(fast),
        "fast_ms": results.spread(fast),
    }


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser("python -m bench.demo_house", description=__doc__)
    usual = os.environ.get("HOME_ASSISTANT_ENVIRONMENT", str(Path.home() / ".cache" / "voice-appliance-home-assistant"))
    parser.add_argument("--environment", type=Path, default=Path(usual), help="folder of Home Assistant's environment")
    parser.add_argument("--model", metavar="NAME", help="another language model")
    parser.add_argument("--no-model", action="store_true", help="whole sentences and the classifier alone")
    options = parser.parse_args(argv)
    found = list[Result]()
    with tempfile.TemporaryDirectory() as folder:
        demo = Demo(environment(options.environment), Path(folder), options.model)
        with demo.box() as parts:
            if options.no_model:
                parts.llm = NO_MODEL
            for result in tried(demo, parts):
                found.append(result)
                mark = "right" if result.right else "WRONG" if result.wrong else "missed"
                print(
                    f"{mark:6} {result.took_s:5.2f} s {result.lane:5} {result.request.say!r}: {result.said}", flush=True
                )
                for thing in result.wrong:
                    print(f"       changed: {thing}")
    row = results.head() | {"model": options.model or "", **_report(found)}
    print(row)
    if not options.no_model:
        print(results.kept(row, "demo-house"))
    return 1 if row["wrong_things"] else 0


if __name__ == "__main__":
    exit_with(main)
