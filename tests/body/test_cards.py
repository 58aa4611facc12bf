"""Which sound card is taken, and who holds one: on trees as the kernel writes them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from appliance.body import cards, portaudio

HDMI = ("vc4hdmi0", "vc4-hdmi - vc4-hdmi-0", "p", "")
USB = ("Device", "USB-Audio - USB PnP Sound Device", "cp", "0d8c:013c")
STICK = ("Mic", "USB-Audio - Blue Snowball", "c", "0d8c:0005")
HAT = ("seeed2micvoicec", "seeed-2mic-voicecard - seeed-2mic-voicecard", "cp", "")
NVIDIA = ("NVidia", "HDA-Intel - HDA NVidia", "p", "")


def tree(root: Path, *listed: tuple[str, str, str, str]) -> Path:
    """/proc with these cards: id, driver and name, directions, USB id."""
    asound = root / "proc/asound"
    asound.mkdir(parents=True)
    lines = [
        f"{number:2} [{id_:<15}]: {title}\n{'':22}more of it\n" for number, (id_, title, _, _) in enumerate(listed)
    ]
    (asound / "cards").write_text("".join(lines) or "--- no soundcards ---\n")
    for number, (id_, _, directions, usb) in enumerate(listed):
        for letter in directions:
            sub = asound / f"card{number}/pcm0{letter}/sub0"
            sub.mkdir(parents=True)
            (sub.parent / "info").write_text(f"card: {number}\nid: {'HDMI 0' if id_ == 'NVidia' else 'Audio'}\n")
            (sub / "status").write_text("closed\n")
        if usb:
            (asound / f"card{number}/usbid").write_text(f"{usb}\n")
    return asound


@pytest.mark.parametrize(
    ("listed", "taken"),
    [
        ([HDMI, USB], ("Device", "the only USB card that records and plays")),
        ([HDMI, HAT, USB], ("Device", "the only USB card that records and plays")),
        ([HDMI, STICK, HAT], ("seeed2micvoicec", "the only card that records and plays")),
        ([HDMI, STICK], (None, "the system's default")),
        ([USB, USB], (None, "the system's default")),
        ([], (None, "the system's default")),
    ],
    ids=["speakerphone", "HAT beside it", "HAT", "microphone alone", "two of a kind", "none"],
)
def test_the_one_card_with_both_directions_is_taken(
    tmp_path: Path, listed: list[tuple[str, str, str, str]], taken: tuple[str | None, str]
) -> None:
    card, why = cards.preferred(cards.read(tree(tmp_path, *listed)))
    assert (card and card.id, why) == taken


def test_hdmi_is_known_by_its_name_or_by_what_it_plays_through(tmp_path: Path) -> None:
    found = cards.read(tree(tmp_path, HDMI, USB, NVIDIA))
    assert [card.hdmi for card in found] == [True, False, True]
    assert [card.name for card in found] == ["vc4-hdmi-0", "USB PnP Sound Device", "HDA NVidia"]


def test_machine_without_sound_has_no_cards(tmp_path: Path) -> None:
    assert cards.read(tmp_path / "asound") == []
    assert cards.holders(tmp_path / "asound") == []


def test_who_holds_a_card_is_named(tmp_path: Path) -> None:
    asound = tree(tmp_path, HDMI, USB)
    assert cards.holders(asound) == []
    status = "state: RUNNING\nowner_pid   : 812\ntrigger_time: 5.1\ndelay       : 0\n"
    (asound / "card1/pcm0c/sub0/status").write_text(status)
    (tmp_path / "proc/812").mkdir()
    (tmp_path / "proc/812/comm").write_text("pipewire\n")
    (asound / "card1/pcm0p/sub0/status").write_text(status.replace("812", "813"))
    assert [(each.card, each.direction, each.pid, each.process) for each in cards.holders(asound)] == [
        (1, "capture", 812, "pipewire"),
        (1, "playback", 813, ""),
    ]


def test_alsa_is_told_of_the_card_that_is_taken_and_the_owner_goes_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ALSA_CARD", raising=False)
    choice = portaudio.CardChoice()
    monkeypatch.setattr(cards, "ASOUND", tree(tmp_path / "with", HDMI, USB))
    choice.update()
    assert os.environ["ALSA_CARD"] == "Device"
    monkeypatch.setattr(cards, "ASOUND", tree(tmp_path / "unplugged", HDMI))
    choice.update()
    assert "ALSA_CARD" not in os.environ
    monkeypatch.setenv("ALSA_CARD", "vc4hdmi0")
    monkeypatch.setattr(cards, "ASOUND", tree(tmp_path / "again", HDMI, USB))
    choice.update()
    assert os.environ["ALSA_CARD"] == "vc4hdmi0"


def test_card_that_comes_back_under_another_number_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ALSA_CARD", raising=False)
    choice, taken = portaudio.CardChoice(), []
    for name, listed in (("before", (HDMI, USB)), ("unplugged", (HDMI,)), ("back", (HDMI, NVIDIA, USB))):
        monkeypatch.setattr(cards, "ASOUND", tree(tmp_path / name, *listed))
        choice.update()
        taken.append(os.environ.get("ALSA_CARD"))
    assert taken == ["Device", None, "Device"]
