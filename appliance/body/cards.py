"""The sound cards as the kernel lists them in /proc/asound: which there are, which one is taken, and who holds one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from appliance.ports.soundcheck import Card, Direction, Holder

ASOUND = Path("/proc/asound")
_CARD = re.compile(r"^ *(\d+) \[(\S+) *\]: (.*)$", re.MULTILINE)
"""Number, id, and "driver - name"."""
_OWNER = re.compile(r"^owner_pid\s*: (\d+)$", re.MULTILINE)
_DIRECTIONS: dict[str, Direction] = {"c": "capture", "p": "playback"}
"""Last letter of a folder such as pcm0c."""

SYSTEM = "the system's default"
RULES: Sequence[tuple[str, Callable[[Card], bool]]] = (
    ("the only USB card that records and plays", lambda card: card.usb and card.records and card.plays),
    ("the only card that records and plays", lambda card: not card.hdmi and card.records and card.plays),
)
"""Why a card is taken where the settings name none, best first: a rule that fits more than one says nothing."""


def read(asound: Path | None = None) -> list[Card]:
    """By number; none where the kernel has no sound."""
    asound = asound or ASOUND
    try:
        text = (asound / "cards").read_text()
    except OSError:
        return []
    return [_card(asound / f"card{number}", int(number), id_, title) for number, id_, title in _CARD.findall(text)]


def preferred(cards: Sequence[Card]) -> tuple[Card | None, str]:
    """The card to take, and why; None is the system's own choice."""
    for why, fits in RULES:
        fitting = [card for card in cards if fits(card)]
        if len(fitting) == 1:
            return fitting[0], why
    return None, SYSTEM


def holders(asound: Path | None = None) -> list[Holder]:
    """Every process that has a card open for sound."""
    return [
        holder for status in sorted((asound or ASOUND).glob("card*/pcm*/sub*/status")) for holder in _holder(status)
    ]


def _card(folder: Path, number: int, id_: str, title: str) -> Card:
    pcms = {pcm.name: _text(pcm / "info").casefold() for pcm in folder.glob("pcm*")}
    playing = [info for name, info in pcms.items() if name.endswith("p")]
    return Card(
        number=number,
        id=id_,
        name=title.partition(" - ")[2] or title,
        usb=(folder / "usbid").exists(),
        hdmi="hdmi" in f"{id_} {title}".casefold() or (bool(playing) and all("hdmi" in info for info in playing)),
        records=any(name.endswith("c") for name in pcms),
        plays=bool(playing),
    )


def _holder(status: Path) -> Iterator[Holder]:
    if owner := _OWNER.search(_text(status)):
        pcm, pid = status.parents[1], int(owner[1])
        card = int(pcm.parent.name.removeprefix("card"))
        process = _text(status.parents[4] / str(pid) / "comm").strip()
        yield Holder(card, _DIRECTIONS[pcm.name[-1]], pid, process)


def _text(file: Path) -> str:
    with suppress(OSError):  # it went away since it was listed
        return file.read_text()
    return ""
