"""What the doctor asks of microphone and speaker: of the service that holds them, or of the card itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from appliance.audio import Level, level_of
from appliance.errors import ApplianceError
from appliance.ports.soundcheck import Card, Control, Device, Direction, SoundCheck
from appliance.service.hearing import ALSAMIXER, SWITCH_ON
from appliance.settings import Sound
from appliance.terminal.check import Check

LISTEN_S = 1.0
CLIPPED_SHARE = 0.01
"""Of the samples at the end of the scale: more is distorted all the time, and no clap near the microphone."""
QUIET_DBFS = -80.0
"""A working microphone's own noise is above this: 16 bits end at -98, cheap USB sticks are at -60 to -70."""
STOP_FIRST = "stop the service first: sudo systemctl stop va va-api.socket"
SPEAKING_CONTROLS = ("Master", "PCM", "Speaker", "Headphone", "Digital")
"""Of the mixer: those that what is played goes through; sidetone and switches of other kinds do not count."""

Status = Mapping[str, Any]
"""What the running service answers at /status."""


@dataclass(frozen=True)
class Asked:
    """How the sound is to be looked at."""

    card: SoundCheck
    status: Callable[[], Status | None] | None
    """Asks the running service; None where none runs. Raises OSError where it does not answer."""
    acoustic: bool = False
    """Play a chirp, and listen for it."""


def checks(wanted: Sound, asked: Asked) -> Iterator[Check]:
    if asked.status:
        yield from _of_service(asked.status, asked.acoustic)
    else:
        yield from _of_card(wanted, asked.card, asked.acoustic)
    yield from _cards(asked.card)
    yield from _mixer(asked.card)


def _of_service(ask: Callable[[], Status | None], acoustic: bool) -> Iterator[Check]:
    """It holds the card, and to anybody else a card that is held looks like none."""
    try:
        status = ask()
    except OSError as error:
        remedy = "run this as root; if that is no help, restart it: sudo systemctl restart va"
        yield Check("microphone", False, f"the service runs, and does not answer ({error})", remedy)
        return
    if status is None:
        yield Check("microphone", True, "the service holds it, and is of a release that does not tell more")
        return
    yield _microphone_in_use(status)
    yield _speaker_in_use(status)
    if acoustic:
        yield Check("acoustic", False, "the service holds the sound card", STOP_FIRST)


def _microphone_in_use(status: Status) -> Check:
    state, name = status["microphone"], status["devices"].get("microphone") or "the microphone"
    if state == "lost":
        what, _, remedy = status["missing"].partition("; ")
        return Check("microphone", False, what, remedy)
    if state == "closed":
        return Check("microphone", True, "closed: the box is muted")
    if status["level_dbfs"] is None:
        return Check("microphone", True, "the service is starting", "ask again in a minute")
    return _loudness(name, Level(status["level_dbfs"], status["clipped"], status["digital_silence"]))


def _speaker_in_use(status: Status) -> Check:
    if status["dumb"]:
        what, _, remedy = status["dumb"].partition("; ")
        return Check("speaker", False, what, remedy)
    return Check("speaker", True, status["devices"].get("speaker") or "nothing was played yet")


def _loudness(name: str, level: Level) -> Check:
    if level.silent:
        return Check("microphone", False, f"{name} gives digital silence, nothing but the same number", SWITCH_ON)
    found = f"{name}: {level.dbfs:.0f} dBFS, {level.clipped:.1%} clipped"
    if level.clipped >= CLIPPED_SHARE:
        return Check("microphone", False, found, f"turn its capture level down: {ALSAMIXER}")
    remedy = f"that is less than a quiet room: turn its capture level up ({ALSAMIXER})"
    return Check("microphone", True, found, remedy if level.dbfs < QUIET_DBFS else "")


def _of_card(wanted: Sound, card: SoundCheck, acoustic: bool) -> Iterator[Check]:
    try:
        found = card.devices()
    except ApplianceError as error:
        yield from (Check(part, False, error.what, error.remedy) for part in ("microphone", "speaker"))
        return
    microphone = _device("microphone", wanted.microphone, [each for each in found if each.records], card)
    yield _heard(microphone.found, card) if microphone.fine else microphone
    speaker = _device("speaker", wanted.speaker, [each for each in found if each.plays], card)
    yield _unless_hdmi(speaker, wanted.speaker, found, card)
    if acoustic:
        yield _echo(card)


def _heard(name: str, card: SoundCheck) -> Check:
    try:
        return _loudness(name, level_of(card.record(LISTEN_S)))
    except ApplianceError as error:
        return _held("microphone", card) or Check("microphone", False, error.what, error.remedy)


def _device(part: str, wanted: str, devices: Sequence[Device], card: SoundCheck) -> Check:
    names = [device.name for device in devices]
    fitting = [name for name in names if wanted.casefold() in name.casefold()]
    if fitting:
        return Check(part, True, fitting[0] if wanted else f"the system's default of {len(names)}")
    if held := _held(part, card):
        return held
    if names:
        return Check(part, False, f"no device is called {wanted!r}", f"set sound.{part} to one of: {', '.join(names)}")
    return Check(part, False, "there is no device", f"plug in a {part}; `arecord -l` and `aplay -l` show what is there")


def _held(part: str, card: SoundCheck) -> Check | None:
    """A card that another process has open looks to the sound library as if it were not there."""
    direction: Direction = "capture" if part == "microphone" else "playback"
    held = [each for each in card.holders() if each.direction == direction]
    if not held:
        return None
    names = {each.number: each.name for each in card.cards()}
    told = [f"{names.get(each.card, each.card)} is held by {each.process or 'process'} ({each.pid})" for each in held]
    return Check(part, False, "; ".join(told), "end that process, or give the box a card of its own")


def _unless_hdmi(speaker: Check, wanted: str, devices: Sequence[Device], card: SoundCheck) -> Check:
    """Nobody meant a screen's cable where none was named; a sound server may be set to anything."""
    if not speaker.fine or wanted or _server(devices):
        return speaker
    taken, _ = card.taken()
    cards = sorted((each for each in card.cards() if each.plays), key=lambda each: each.number)
    first = taken or next(iter(cards), None)
    if first is None or not first.hdmi:
        return speaker
    others = [each.id for each in cards if not each.hdmi]
    remedy = f"set sound.speaker = {(others or ['HDMI'])[0]!r}" + ("" if others else " if the screen is to speak")
    return Check("speaker", False, f"the default is HDMI ({first.id}): it plays into a screen's cable", remedy)


def _server(devices: Sequence[Device]) -> str:
    """The sound server that the default leads to; empty is none."""
    return next((name for device in devices if (name := device.name) in ("pulse", "pipewire")), "")


def _echo(card: SoundCheck) -> Check:
    try:
        echo = card.echo()
    except ApplianceError as error:
        return Check("acoustic", False, error.what, error.remedy)
    if echo.heard:
        return Check("acoustic", True, f"a chirp was heard after {echo.delay_ms:.0f} ms, {echo.dbfs:.0f} dBFS")
    remedy = "turn the speaker up or bring it nearer; `appliance say hello` plays without listening"
    return Check("acoustic", False, f"a chirp was played and not heard (likeness {echo.likeness:.2f})", remedy)


def _cards(card: SoundCheck) -> Iterator[Check]:
    """Only where there is a choice."""
    found = card.cards()
    if len(found) < 2:
        return
    taken, why = card.taken()
    listed = ", ".join(map(_described, found))
    yield Check("sound cards", True, f"{taken.id if taken else 'none of them'} is taken, {why}; there are {listed}")


def _described(card: Card) -> str:
    does = " and ".join(word for word, can in (("records", card.records), ("plays", card.plays)) if can)
    kind = "HDMI, " if card.hdmi else "USB, " if card.usb else ""
    return f"{card.id} ({kind}{does or 'does nothing'})"


def _mixer(card: SoundCheck) -> Iterator[Check]:
    """A doubt and no fault: whether it is heard is for the level and the chirp to say."""
    found = [each for each in card.controls() if each.direction == "capture" or each.name in SPEAKING_CONTROLS]
    if not found:
        return
    shut = [each for each in found if not each.on or each.percent == 0]
    taken, _ = card.taken()
    amixer = f"amixer -c {taken.id}" if taken else "amixer"
    remedy = f"open what you need: {'; '.join(f'{amixer} {_opening(each)}' for each in shut)}" if shut else ""
    yield Check("mixer", True, ", ".join(map(_setting, found)), remedy)


def _setting(control: Control) -> str:
    percent = "" if control.percent is None else f" {control.percent} %"
    return f"{control.name} {control.direction}{percent}{'' if control.on else ' off'}"


def _opening(control: Control) -> str:
    return f"sset '{control.name}' 80% {'cap' if control.direction == 'capture' else 'unmute'}"
