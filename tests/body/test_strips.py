"""Strips of LEDs: what is sent, read as the chips' data sheets say; a real file that can vanish in place of a bus."""

from __future__ import annotations

import ctypes
import logging
import os
import pty
import struct
import tty
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

import gpiod
import pytest
from gpiod.line import Value
from hypothesis import given
from hypothesis import strategies as st
from test_gpio import until

from appliance import boards, settings_file
from appliance import events as ev
from appliance.body import spi, usb_ring
from appliance.body.clocked import PinWire
from appliance.body.spi import SpiWire
from appliance.body.strips import APA102_HZ, WS2812_HZ, Colour, Frame, StripLight, apa102, one, ws2812
from appliance.body.usb_ring import UsbRing
from appliance.build import pins
from appliance.build.simulation import Simulation
from appliance.errors import BadSettings, DeviceMissing
from appliance.service.light import BLUE, PATTERNS
from appliance.service.states import State
from appliance.settings import Body
from appliance.settings_body import Hat

PART = st.floats(0, 1)
COLOURS = st.tuples(PART, PART, PART)
COUNTS = st.integers(1, 256)


def bits_of(frame: bytes) -> str:
    return "".join(f"{byte:08b}" for byte in frame)


def as_apa102(frame: bytes, leds: int) -> list[Colour]:
    """What each LED shows, by the data sheet: a start of 32 zeros, then each takes the first 32 bits it is given."""
    bits = bits_of(frame)
    assert bits.startswith("0" * 32)
    shown = []
    for number in range(leds):
        mine = bits[32 + 32 * number :][:32]
        assert mine.startswith("111"), "what marks the frame of an LED"
        level = int(mine[3:8], 2) / 31
        blue, green, red = (int(mine[at : at + 8], 2) / 255 * level for at in (8, 16, 24))
        shown.append((red, green, blue))
    rest = bits[32 + 32 * leds :]
    assert len(rest) >= 32 + leds / 2, "clocks for the last LED, and the 32 zeros on which an SK9822 shows a frame"
    assert "1" not in rest, "an LED beyond the last one must find nothing that is for it"
    return shown


def as_ws2812(frame: bytes, leds: int) -> list[Colour]:
    """What each LED shows, by how long the line is high and low (WS2812B data sheet, all +- 150 ns)."""
    bit_ns = 1e9 / WS2812_HZ
    levels = [(level, len(list(run)) * bit_ns) for level, run in groupby(bits_of(frame))]
    assert levels[0][0] == "0"
    assert levels[0][1] >= 280_000, "a reset before"
    assert levels[-1][0] == "0"
    assert levels[-1][1] >= 280_000, "and behind, and the line stays low"
    pulses = levels[1:]
    read = ""
    for (_, high_ns), (_, low_ns) in zip(pulses[::2], pulses[1::2], strict=True):
        read += "1" if abs(high_ns - 800) <= 150 else "0"
        assert read[-1] == "1" or abs(high_ns - 400) <= 150
        last = len(read) == 24 * leds
        assert last or abs(low_ns - (450 if read[-1] == "1" else 850)) <= 150
    assert len(read) == 24 * leds
    colours = [[int(read[at + 8 * part :][:8], 2) / 255 for part in range(3)] for at in range(0, len(read), 24)]
    return [(red, green, blue) for green, red, blue in colours]


@pytest.mark.parametrize(("frame", "read"), [(apa102, as_apa102), (ws2812, as_ws2812)])
@given(colour=COLOURS, leds=COUNTS)
def test_every_led_shows_the_colour_and_what_is_lit_stays_lit(
    frame: Frame, read: Any, colour: Colour, leds: int
) -> None:
    shown = read(frame(colour, leds), leds)
    assert len(set(shown)) == 1
    assert shown[0] == pytest.approx(colour, abs=1 / 255)
    assert [part > 0 for part in shown[0]] == [part > 0 for part in colour]


@given(colour=COLOURS)
def test_an_apa102_is_dimmed_finer_than_a_byte(colour: Colour) -> None:
    (shown,) = as_apa102(apa102(colour, 1), 1)
    assert shown == pytest.approx(colour, abs=max(max(colour) / 255, 1 / 255 / 31) * 1.5)


def test_frames_by_hand() -> None:
    assert apa102((1, 0, 0.5), 2) == bytes.fromhex("00000000 ff8000ff ff8000ff 0000000000")
    assert apa102((0, 0, 0), 1) == bytes.fromhex("00000000 e0000000 0000000000")
    assert ws2812((0, 1, 0), 1).strip(b"\0") == bytes.fromhex("db6db6 924924 924924"), "green first"
    assert one((1, 0.5, 0), 12) == bytes.fromhex("ff8000")
    assert len(ws2812((1, 1, 1), 256)) <= 4096, "what spidev sends in one transfer"


@dataclass
class Bus:
    """A terminal in place of a bus: what is written comes out here, and it can vanish."""

    def __post_init__(self) -> None:
        self._here, there = pty.openpty()
        tty.setraw(there)
        self.path = Path(os.ttyname(there))
        os.close(there)
        self.told: list[tuple[int, bytes]] = []

    def read(self, count: int) -> bytes:
        got = b""
        while len(got) < count:
            got += os.read(self._here, count - len(got))
        return got

    def vanish(self) -> None:
        os.close(self._here)
        self._here = -1

    def close(self) -> None:
        with suppress(OSError):
            self.vanish()


@pytest.fixture
def bus(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bus]:
    made = Bus()
    monkeypatch.setattr(spi, "ioctl", lambda file, request, value: made.told.append((request, value)))
    yield made
    made.close()


def test_a_bus_is_set_and_gets_each_frame_whole(bus: Bus) -> None:
    light = StripLight(SpiWire(bus.path, APA102_HZ), apa102, 12)
    assert bus.told == [(0x40016B01, b"\0"), (0x40046B04, struct.pack("I", 4_000_000))]
    for colour in (BLUE, (0.1, 0.08, 0.06)):
        light.set(*colour)
        assert bus.read(57) == apa102(colour, 12)
    light.close()
    assert bus.read(57) == apa102((0, 0, 0), 12), "dark at the end"
    light.close()


@dataclass
class Sent:
    """A `Wire` that remembers."""

    frames: list[bytes] = field(default_factory=list)
    closed: int = 0

    def write(self, frame: bytes) -> None:
        self.frames.append(frame)

    def close(self) -> None:
        self.closed += 1


def test_nothing_is_sent_while_nothing_changes() -> None:
    wire = Sent()
    light = StripLight(wire, ws2812, 3)
    for _ in range(10):
        light.set(*BLUE)
    assert wire.frames == [ws2812(BLUE, 3)]


def test_a_bus_that_vanishes_costs_one_warning_and_the_box_works_on(bus: Bus, caplog: pytest.LogCaptureFixture) -> None:
    light = StripLight(SpiWire(bus.path, APA102_HZ), apa102, 3)
    box = Simulation(light, pace_s=0.1)
    with caplog.at_level(logging.WARNING), box.running() as service:
        bus.read(21)
        bus.vanish()
        for state in (State.LISTENING, State.IDLE):
            service.post(ev.ButtonPressed())
            until(lambda state=state: service.state is state)  # type: ignore[misc]
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert f"the light on {bus.path} cannot be used" in caplog.text


def test_states_are_seen_on_a_strip(bus: Bus) -> None:
    seen = list[bytes]()
    wire = SpiWire(bus.path, WS2812_HZ)
    size = len(ws2812(BLUE, 3))
    box = Simulation(StripLight(wire, ws2812, 3), pace_s=0.1)
    with box.running() as service:
        service.post(ev.WakeHeard())
        until(lambda: seen.append(bus.read(size)) or seen[-1] == ws2812(BLUE, 3))  # type: ignore[func-returns-value]


def test_what_is_no_bus_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for name in ("file", "absent"):
        with pytest.raises(DeviceMissing, match=rf"{tmp_path / name} cannot be used .*dtparam=spi=on"):
            SpiWire(tmp_path / name, APA102_HZ)


@pytest.mark.parametrize("strip", ["apa102", "ws2812"])
def test_without_a_bus_there_is_one_warning_and_a_box_that_works(
    strip: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    body = Body.model_validate({"strip": strip, "strip_bus": str(tmp_path / "spidev0.0"), "light_pins": ["GPIO22"]})
    with caplog.at_level(logging.WARNING), pins.opened(body, tmp_path) as (light, _), Simulation(light).running():
        pass
    assert [record.levelname for record in caplog.records] == ["WARNING"]


class Lines:
    """What gpiod.request_lines gives: keeps every value that was set."""

    def __init__(self, config: dict[Any, Any]) -> None:
        self.held, self.values = True, dict.fromkeys(config, Value.INACTIVE)
        self.sent = list[bool]()
        self.data, self.clock = config
        self.broken = False

    def __bool__(self) -> bool:
        return self.held

    def set_values(self, values: dict[Any, Value]) -> None:
        if self.broken:
            raise OSError("the chip is gone")
        before = self.values[self.clock]
        self.values |= values
        if self.values[self.clock] is Value.ACTIVE and before is Value.INACTIVE:
            self.sent.append(self.values[self.data] is Value.ACTIVE)

    def release(self) -> None:
        self.held = False


@given(frame=st.binary(max_size=40))
def test_two_pins_carry_every_bit_as_the_clock_rises(frame: bytes) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gpiod, "request_lines", lambda chip, config, consumer: Lines(config))
        wire = PinWire("/dev/gpiochip0", ["GPIO5", "6"])
        lines: Any = wire._request
        assert (lines.data, lines.clock) == ("GPIO5", 6)
        wire.write(frame)
        assert "".join("01"[bit] for bit in lines.sent) == bits_of(frame)
        assert set(lines.values.values()) == {Value.INACTIVE}
        lines.broken = True
        with pytest.raises(DeviceMissing, match=r"GPIO5 and 6 cannot be used \(the chip is gone\)"):
            wire.write(b"x")
        wire.close()
        wire.close()


def usb_device(sys: Path, dev: Path, product: str = "001a") -> Path:
    folder = sys / "bus/usb/devices/1-2"
    folder.mkdir(parents=True)
    for name, text in (("idVendor", "2886"), ("idProduct", product), ("busnum", "1"), ("devnum", "7")):
        (folder / name).write_text(f"{text}\n")
    node = dev / "bus/usb/001/007"
    node.parent.mkdir(parents=True)
    node.touch()
    return node


def test_the_ring_on_usb_is_told_its_effect_and_then_each_colour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = list[tuple[Any, ...]]()

    def ioctl(file: int, request: int, transfer: Any) -> None:
        assert request >> 16 & 0x3FFF == ctypes.sizeof(transfer), "the kernel's structure"
        payload = ctypes.string_at(transfer.data, transfer.length)
        told.append((os.readlink(f"/proc/self/fd/{file}"), transfer.type, transfer.request, transfer.value,
                     transfer.index, payload))  # fmt: skip

    node = str(usb_device(tmp_path / "sys", tmp_path / "dev"))
    monkeypatch.setattr(usb_ring, "ioctl", ioctl)
    light = StripLight(UsbRing(tmp_path / "sys", tmp_path / "dev"), one, 12)
    light.set(1, 0.5, 0)
    light.set(1, 0.5, 0)
    light.close()
    light.close()
    assert told == [
        (node, 0x40, 0, 12, 20, b"\x03"),
        (node, 0x40, 0, 16, 20, bytes.fromhex("0080ff00")),
        (node, 0x40, 0, 16, 20, bytes(4)),
    ]


def test_without_the_ring_there_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(DeviceMissing, match="no such device is plugged in"):
        UsbRing(tmp_path, tmp_path)
    usb_device(tmp_path / "sys", tmp_path / "dev")
    with pytest.raises(DeviceMissing, match="Inappropriate ioctl"):  # a file is no device
        UsbRing(tmp_path / "sys", tmp_path / "dev")


@pytest.mark.parametrize("hat", boards.hats())
@pytest.mark.parametrize("profile", ["pi4", "pi5"])
def test_a_known_hat_sets_the_body_and_the_owner_sets_it_over(tmp_path: Path, hat: str, profile: str) -> None:
    config = tmp_path / "config.toml"
    config.write_text(f'body = {{ hat = "{hat}", light_brightness = 0.7 }}')
    body = settings_file.load(config, profile=profile).body
    assert body.light_brightness == 0.7
    assert {key: getattr(body, key) for key in boards.hats()[hat]} == {
        **Body.model_validate(boards.hats()[hat]).model_dump(include={*boards.hats()[hat]}), "light_brightness": 0.7
    }  # fmt: skip
    assert body.strip != "none"


def test_the_table_of_hats_is_what_may_be_set() -> None:
    assert {"", *boards.hats()} == set(Hat.__args__)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ('hat = "nobody"', "body.hat"),
        ("hat = 3", "body.hat"),
        ('strip = "ws2812", strip_pins = ["1", "2"]', "the data and the clock of an apa102"),
        ('strip = "apa102", strip_pins = ["1"]', "the data and the clock of an apa102"),
        ('pins = "none", strip_power_pin = "GPIO5"', "set pins as well"),
    ],
)
def test_a_wrong_strip_is_one_clear_error(tmp_path: Path, body: str, fault: str) -> None:
    (tmp_path / "config.toml").write_text(f"body = {{ {body} }}")
    with pytest.raises(BadSettings, match=fault):
        settings_file.load(tmp_path / "config.toml")


def test_the_supply_of_the_leds_is_on_while_they_are_lit(bus: Bus) -> None:
    from appliance.build.strips import strip
    from appliance.simulated import SeenLight

    power = SeenLight()
    body = Body(pins="gpiozero", strip="apa102", strip_bus=bus.path, strip_power_pin="GPIO5")
    light = strip(body, lambda pins: power if pins == ["GPIO5"] else SeenLight())
    assert power.shown == [(1, 1, 1)]
    light.close()
    assert power.closed


def test_a_hat_dims_no_state_into_the_dark() -> None:
    """With the least brightness that may be set, in quiet hours that leave the least of it."""
    for look in PATTERNS.values():
        for level in look.open.levels:
            red, green, blue = (part * level * 0.02 * 0.01 for part in look.open.colour)
            (shown,) = as_apa102(apa102((red, green, blue), 1), 1)
            assert max(shown) > 0
