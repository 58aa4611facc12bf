"""What the doctor says of microphone and speaker: of a card that can be looked at, and of one that a service holds."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from appliance.audio import Samples, silence
from appliance.doors import client
from appliance.doors.health import HealthDoor
from appliance.errors import DeviceMissing
from appliance.ports.soundcheck import Card, Control, Device, Echo, Holder
from appliance.service.vitals import Vitals
from appliance.settings import Sound
from appliance.terminal.check import Check
from appliance.terminal.sound import Asked, checks

SPEAKERPHONE = Device("USB PnP Sound Device: Audio (hw:1,0)", records=True, plays=True)
HDMI = Card(0, "vc4hdmi0", "vc4-hdmi-0", usb=False, hdmi=True, records=False, plays=True)
USB = Card(1, "Device", "USB PnP Sound Device", usb=True, hdmi=False, records=True, plays=True)
QUIET: Samples = np.random.default_rng(1).normal(0, 30, 16_000).astype(np.int16)


HEARD = Echo(True, 0.8, 120.4, -23.2)


@dataclass
class CardOf:
    """A `SoundCheck` that says what it is told to."""

    listed: Sequence[Device] = (SPEAKERPHONE,)
    kernel: Sequence[Card] = (USB,)
    choice: tuple[Card | None, str] = (USB, "the only USB card that records and plays")
    held: Sequence[Holder] = ()
    mixer: Sequence[Control] = ()
    sound: Samples | DeviceMissing = field(default_factory=lambda: QUIET)
    back: Echo | DeviceMissing = HEARD

    def devices(self) -> Sequence[Device]:
        return self.listed

    def cards(self) -> Sequence[Card]:
        return self.kernel

    def taken(self) -> tuple[Card | None, str]:
        return self.choice

    def holders(self) -> Sequence[Holder]:
        return self.held

    def controls(self) -> Sequence[Control]:
        return self.mixer

    def record(self, seconds: float) -> Samples:
        if isinstance(self.sound, DeviceMissing):
            raise self.sound
        return self.sound

    def echo(self) -> Echo:
        if isinstance(self.back, DeviceMissing):
            raise self.back
        return self.back


def examined(
    card: CardOf,
    status: Callable[[], dict[str, Any] | None] | None = None,
    acoustic: bool = False,
    wanted: Sound | None = None,
) -> dict[str, Check]:
    return {check.part: check for check in checks(wanted or Sound(), Asked(card, status, acoustic))}


def serving(**changes: Any) -> dict[str, Any]:
    """What /status says of a service that is well."""
    told = {"microphone": "open", "missing": "", "dumb": "", "level_dbfs": -52.1, "clipped": 0.0}
    devices = {"microphone": "USB PnP", "speaker": ""}
    return told | {"digital_silence": False, "devices": devices} | changes


NOTHING = CardOf(listed=())
"""What a card that is held looks like to the sound library."""


def test_a_card_that_the_service_holds_is_not_called_missing() -> None:
    found = examined(NOTHING, serving)
    assert found["microphone"] == Check("microphone", True, "USB PnP: -52 dBFS, 0.0% clipped")
    assert found["speaker"] == Check("speaker", True, "nothing was played yet")


@pytest.fixture
def vitals(tmp_path: Path) -> Iterator[Vitals]:
    """Of a service that answers at its socket."""
    made = Vitals()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "api.sock"))
        listener.listen()
        with HealthDoor(listener.dup(), made.answers):
            yield made


def test_the_doctor_understands_what_the_service_really_answers(vitals: Vitals, tmp_path: Path) -> None:
    def found(part: str) -> Check:
        return examined(NOTHING, partial(client.ask, "/status", tmp_path / "api.sock"))[part]

    assert found("microphone").found == "the service is starting"
    vitals.devices = lambda: {"microphone": "USB PnP", "speaker": "USB PnP"}
    vitals.microphone = "open"
    vitals.hearing.take(QUIET)
    assert found("microphone") == Check("microphone", True, "USB PnP: -61 dBFS, 0.0% clipped")
    assert found("speaker") == Check("speaker", True, "USB PnP")
    vitals.hearing.take(silence(1))
    assert "digital silence" in found("microphone").found
    vitals.sounded(DeviceMissing("the speaker is busy", remedy="choose another"))
    assert found("speaker") == Check("speaker", False, "the speaker is busy", "choose another")
    vitals.microphone, vitals.missing = "lost", "it has vanished; plug it in"
    assert found("microphone") == Check("microphone", False, "it has vanished", "plug it in")
    vitals.microphone = "closed"
    assert found("microphone").fine


@pytest.mark.parametrize(
    ("changes", "part", "fine", "found"),
    [
        ({"microphone": "lost", "missing": "it has vanished; plug it in"}, "microphone", False, "it has vanished"),
        ({"microphone": "closed"}, "microphone", True, "muted"),
        ({"microphone": "unknown", "level_dbfs": None}, "microphone", True, "starting"),
        ({"digital_silence": True}, "microphone", False, "digital silence"),
        ({"clipped": 0.12}, "microphone", False, "12.0% clipped"),
        ({"dumb": "it is busy; choose another"}, "speaker", False, "it is busy"),
    ],
)
def test_what_the_service_says_is_told(changes: dict[str, Any], part: str, fine: bool, found: str) -> None:
    check = examined(NOTHING, lambda: serving(**changes))[part]
    assert (check.fine, found in check.found) == (fine, True), check
    assert fine or check.remedy


def test_a_service_that_does_not_answer_is_told_and_one_of_an_older_release_is_left_alone() -> None:
    def refuses() -> dict[str, Any]:
        raise PermissionError(13, "Permission denied")

    assert "as root" in examined(NOTHING, refuses)["microphone"].remedy
    assert examined(NOTHING, lambda: None)["microphone"].fine


def test_no_chirp_is_played_beside_the_service() -> None:
    check = examined(CardOf(), serving, acoustic=True)["acoustic"]
    assert not check.fine
    assert "systemctl stop" in check.remedy


@pytest.mark.parametrize(
    ("sound", "fine", "found", "remedy"),
    [
        (silence(1), False, "digital silence", "alsamixer"),
        (np.full(16_000, -1, dtype=np.int16), False, "digital silence", "alsamixer"),
        (QUIET, True, "-61 dBFS, 0.0% clipped", ""),
        (np.sign(QUIET).astype(np.int16), True, "-90 dBFS", "turn its capture level up"),
        (np.clip(QUIET.astype(int) * 3_000, -32_768, 32_767).astype(np.int16), False, "clipped", "level down"),
    ],
    ids=["zeros", "one number", "quiet room", "one step", "clipping"],
)
def test_the_microphone_is_judged_by_what_it_hears(sound: Samples, fine: bool, found: str, remedy: str) -> None:
    check = examined(CardOf(sound=sound))["microphone"]
    assert (check.fine, found in check.found, remedy in check.remedy) == (fine, True, True), check
    assert bool(check.remedy) is bool(remedy)


@pytest.mark.parametrize("listed", [(), (SPEAKERPHONE,)], ids=["not listed", "listed and busy"])
def test_a_card_that_somebody_else_holds_names_him(listed: Sequence[Device]) -> None:
    held = [Holder(1, "capture", 812, "pipewire")]
    busy = DeviceMissing("the microphone cannot be opened (Device unavailable)", remedy="set sound.microphone")
    check = examined(CardOf(listed=listed, held=held, sound=busy))["microphone"]
    assert (check.fine, check.found) == (False, "USB PnP Sound Device is held by pipewire (812)")
    assert check.remedy


def test_no_card_at_all_is_missing() -> None:
    assert examined(CardOf(listed=(), kernel=()))["microphone"].found == "there is no device"


@pytest.mark.parametrize(
    ("kernel", "wanted", "listed", "fine", "remedy"),
    [
        ((HDMI,), "", (SPEAKERPHONE,), False, "'HDMI' if the screen is to speak"),
        ((HDMI, USB, USB), "", (SPEAKERPHONE,), False, "'Device'"),
        ((HDMI,), "USB", (SPEAKERPHONE,), True, ""),
        ((HDMI,), "", (SPEAKERPHONE, Device("pulse", True, True)), True, ""),
    ],
    ids=["alone", "beside others", "meant", "sound server"],
)
def test_hdmi_that_nobody_chose_is_named(
    kernel: Sequence[Card], wanted: str, listed: Sequence[Device], fine: bool, remedy: str
) -> None:
    card = CardOf(listed=listed, kernel=kernel, choice=(None, "the system's default"))
    check = examined(card, wanted=Sound(speaker=wanted))["speaker"]
    assert (check.fine, remedy in check.remedy) == (fine, True), check
    assert fine or "HDMI (vc4hdmi0)" in check.found


def test_of_several_cards_it_is_told_which_is_taken_and_why() -> None:
    found = examined(CardOf(kernel=(HDMI, USB)))["sound cards"].found
    assert found == (
        "Device is taken, the only USB card that records and plays; "
        "there are vc4hdmi0 (HDMI, plays), Device (USB, records and plays)"
    )
    assert "sound cards" not in examined(CardOf())


def test_the_mixer_is_told_where_there_is_one_and_what_is_shut_with_it() -> None:
    controls = [Control("Mic", "capture", 0, False), Control("Mic", "playback", 0, False)]
    check = examined(CardOf(mixer=[*controls, Control("PCM", "playback", 80, True)]))["mixer"]
    assert check.found == "Mic capture 0 % off, PCM playback 80 %"
    assert check.remedy == "open what you need: amixer -c Device sset 'Mic' 80% cap"
    assert check.fine
    assert "mixer" not in examined(CardOf())


def test_a_chirp_is_heard_or_not_and_only_when_asked_for() -> None:
    assert "acoustic" not in examined(CardOf())
    assert examined(CardOf(), acoustic=True)["acoustic"].found == "a chirp was heard after 120 ms, -23 dBFS"
    deaf = examined(CardOf(back=Echo(False, 0.04, 3, -60)), acoustic=True)["acoustic"]
    assert (deaf.fine, bool(deaf.remedy)) == (False, True)
    gone = DeviceMissing("the speaker is not there", remedy="plug one in")
    assert examined(CardOf(back=gone), acoustic=True)["acoustic"] == Check(
        "acoustic", False, "the speaker is not there", "plug one in"
    )
