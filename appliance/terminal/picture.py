"""The picture of a turn: what was heard over time, and where the time to the first sound went. Adapts Pillow."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from PIL.ImageFont import FreeTypeFont

from appliance.audio import RATE_HZ, Samples
from appliance.errors import WrongUse
from appliance.records import TurnRecord

WIDTH, HEIGHT = 1600, 900
FINE = 2
"""Drawn this many times larger and scaled down: smooth edges."""
LEFT, RIGHT = 60, WIDTH - 60
SOUND_TOP, SOUND_BOTTOM = 235, 445
STRIP = 14
LANES_TOP, LANE = 560, 50
ANSWER_SHOWN_S = 8.0
PAPER, CARD, FAN, RULE = "#faf8f4", "#ffffff", "#f1ede4", "#e4e0d8"
INK, FAINT = "#23272e", "#767d87"
SOUND, ANSWER = "#5b7a9d", "#2b8a66"
EXTRA = str.maketrans({"×": "x", "÷": "/", "−": "-", "–": "-", "—": "-", "→": ">", "€": "EUR"})
"""Signs that Pillow's own font lacks."""


@dataclass(frozen=True)
class Stage:
    """One stretch of work between the end of speech and the first sound; seconds from the recording's start."""

    name: str
    colour: str
    start_s: float
    end_s: float


@dataclass(frozen=True)
class _Axis:
    """Seconds to pixels."""

    from_s: float
    to_s: float

    def x(self, seconds: float) -> float:
        share = (seconds - self.from_s) / (self.to_s - self.from_s)
        return LEFT + (RIGHT - LEFT) * min(max(share, 0.0), 1.0)

    def ticks(self, origin_s: float = 0.0) -> Iterator[float]:
        """Round distances from `origin_s`, at most about a dozen of them."""
        steps = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0, 600.0)
        step = next(step for step in steps if (self.to_s - self.from_s) / step <= 12 or step == steps[-1])
        first = int(np.ceil((self.from_s - origin_s) / step))
        last = int(np.floor((self.to_s - origin_s) / step))
        return (number * step for number in range(first, last + 1))


class Page:
    """A drawing surface measured in final pixels."""

    def __init__(self) -> None:
        self.image = Image.new("RGB", (WIDTH * FINE, HEIGHT * FINE), PAPER)
        self._draw = ImageDraw.Draw(self.image)

    def line(self, x0: float, y0: float, x1: float, y1: float, colour: str, width: float = 1.0) -> None:
        self._draw.line(_scaled(x0, y0, x1, y1), fill=colour, width=round(width * FINE))

    def box(self, x0: float, y0: float, x1: float, y1: float, colour: str, round_px: float = 0.0) -> None:
        self._draw.rounded_rectangle(_scaled(x0, y0, max(x0 + 1, x1), y1), radius=round_px * FINE, fill=colour)

    def shape(self, points: list[tuple[float, float]], colour: str) -> None:
        self._draw.polygon([(x * FINE, y * FINE) for x, y in points], fill=colour)

    def text(self, x: float, y: float, text: str, size: int, colour: str = INK, anchor: str = "ls") -> None:
        """`anchor`: Pillow's two letters; the first is l, m or r, the second s for the baseline."""
        self._draw.text((x * FINE, y * FINE), text, font=_font(size), fill=colour, anchor=anchor)

    def save(self, out: Path, height: int) -> None:
        """Only the topmost `height` is kept."""
        used = self.image.crop((0, 0, WIDTH * FINE, height * FINE))
        try:
            used.resize((WIDTH, height), Image.Resampling.LANCZOS).save(out, format="PNG")
        except OSError as error:
            raise WrongUse(
                f"cannot write {out} ({error.strerror or error})", remedy="name a file where you may write"
            ) from None


def draw(
    record: TurnRecord, samples: Samples, moments: Mapping[str, float], out: Path, answer: Samples | None = None
) -> None:
    """Write the picture of one turn as a PNG.

    samples: all that the microphone gave.  answer: what was played from `first_audio` on.
    moments: seconds from the first sample to wake, speech_ended, decided, transcribed, planned, answered, first_audio
    and ended; what did not happen is left out. Raises WrongUse when `out` cannot be written.
    """
    page = Page()
    spans = stages(record, moments)
    sound = _with_answer(samples, answer, moments)
    whole = _whole(sound, moments)
    _captions(page, record, moments)
    if spans:
        close = _close(spans, moments)
        _lens(page, whole, close)
        _lanes(page, close, spans, moments)
    _sound(page, whole, sound, moments)
    _strip(page, whole, spans)
    _markers(page, whole, moments)
    page.save(out, _lanes_bottom(spans) + 60 if spans else SOUND_BOTTOM + STRIP + 60)


def stages(record: TurnRecord, moments: Mapping[str, float]) -> list[Stage]:
    """The stages that ran, in order: from the moments, or where one was not noted, from the record's milliseconds."""
    at, ms = dict(moments), record.ms
    if "transcribed" in at and ms.stt is not None:
        at["transcribing"] = at["transcribed"] - ms.stt / 1000
    for before, after, duration in (("transcribed", "planned", ms.plan), ("planned", "answered", ms.tools)):
        if after not in at and before in at and duration is not None:
            at[after] = at[before] + duration / 1000
    last = max((at[name] for name in ("transcribed", "planned", "answered") if name in at), default=None)
    if last is not None:
        at["speakable"] = last
    table = (
        ("end of turn", "#d99a2b", "speech_ended", "decided"),
        ("speech to text", "#3b7dbb", "transcribing" if "transcribing" in at else "decided", "transcribed"),
        ("plan", "#8a5fa8", "transcribed", "planned"),
        ("tools", "#cf5c3a", "planned", "answered"),
        ("voice", ANSWER, "speakable", "first_audio"),
    )
    return [
        Stage(name, colour, at[start], at[end])
        for name, colour, start, end in table
        if start in at and end in at and at[end] >= at[start]
    ]


def _captions(page: Page, record: TurnRecord, moments: Mapping[str, float]) -> None:
    tools = ", ".join(step.tool for step in record.steps if step.tool)
    for row, (name, text) in enumerate((("heard", record.heard), ("did", tools), ("said", record.said))):
        y = 70 + row * 44
        page.text(LEFT, y, name, 20, FAINT)
        page.text(LEFT + 80, y, _fitted(text or "nothing", 28, 1050), 28, INK if text else FAINT)
    if "speech_ended" in moments and "first_audio" in moments:
        waited_ms = (moments["first_audio"] - moments["speech_ended"]) * 1000
        page.text(RIGHT, 88, f"{waited_ms:,.0f} ms", 56, ANSWER, "rs")
        page.text(RIGHT, 122, "from the end of speech to the first sound", 18, FAINT, "rs")


def _with_answer(samples: Samples, answer: Samples | None, moments: Mapping[str, float]) -> Samples:
    """The recording up to the answer, then the answer."""
    if answer is None or "first_audio" not in moments:
        return samples
    start = round(moments["first_audio"] * RATE_HZ)
    before = np.pad(samples[:start], (0, max(0, start - len(samples))))
    return np.concatenate([before, answer])


def _whole(samples: Samples, moments: Mapping[str, float]) -> _Axis:
    """The turn with a little before it and the answer's beginning: what is long and alike must not squeeze it."""
    began_s = moments.get("wake", moments.get("speech_ended", 0.0))
    ended_s = max(moments.values(), default=0.0)
    shown_s = min(max(len(samples) / RATE_HZ, ended_s), moments.get("first_audio", ended_s) + ANSWER_SHOWN_S)
    return _Axis(max(0.0, began_s - 3.0), (shown_s if moments else len(samples) / RATE_HZ) + 0.3)


def _close(spans: list[Stage], moments: Mapping[str, float]) -> _Axis:
    start_s = min(span.start_s for span in spans)
    end_s = max([span.end_s for span in spans] + [moments.get("first_audio", 0.0)])
    margin_s = max(0.05, 0.06 * (end_s - start_s))
    return _Axis(start_s - margin_s, end_s + 2 * margin_s)


def _sound(page: Page, axis: _Axis, samples: Samples, moments: Mapping[str, float]) -> None:
    page.box(LEFT, SOUND_TOP, RIGHT, SOUND_BOTTOM + STRIP, CARD, 6)
    for second in axis.ticks():
        page.line(axis.x(second), SOUND_TOP, axis.x(second), SOUND_BOTTOM, RULE)
        page.text(axis.x(second), SOUND_BOTTOM + STRIP + 24, f"{second:g} s", 16, FAINT, "ms")
    middle, half = (SOUND_TOP + SOUND_BOTTOM) / 2, (SOUND_BOTTOM - SOUND_TOP) / 2 - 12
    answered_s = moments.get("first_audio", np.inf)
    for x, at_s, low, high in _columns(samples, axis):
        colour = ANSWER if at_s >= answered_s else SOUND
        page.line(x, middle - high * half - 0.5, x, middle - low * half + 0.5, colour, 1 / FINE)


def _columns(samples: Samples, axis: _Axis) -> Iterator[tuple[float, float, float, float]]:
    """For each column of dots: x, its second, and the lowest and highest sample in it as a share of the loudest."""
    loudest = max(1.0, float(np.abs(samples.astype(np.int32)).max(initial=1)))
    width = (RIGHT - LEFT) * FINE
    edges = np.linspace(axis.from_s * RATE_HZ, axis.to_s * RATE_HZ, width + 1).astype(int)
    for column, (first, last) in enumerate(pairwise(edges)):
        part = samples[first : max(last, first + 1)]
        if part.size:
            yield LEFT + column / FINE, first / RATE_HZ, part.min() / loudest, part.max() / loudest


def _strip(page: Page, axis: _Axis, spans: list[Stage]) -> None:
    for span in spans:
        page.box(axis.x(span.start_s), SOUND_BOTTOM, axis.x(span.end_s), SOUND_BOTTOM + STRIP, span.colour)


def _lens(page: Page, whole: _Axis, close: _Axis) -> None:
    """The fan between the panels that says: this part, larger."""
    top, bottom = SOUND_BOTTOM + STRIP, LANES_TOP - 20
    page.shape([(whole.x(close.from_s), top), (whole.x(close.to_s), top), (RIGHT, bottom), (LEFT, bottom)], FAN)


def _lanes(page: Page, axis: _Axis, spans: list[Stage], moments: Mapping[str, float]) -> None:
    bottom = _lanes_bottom(spans)
    page.box(LEFT, LANES_TOP - 20, RIGHT, bottom, CARD, 6)
    origin_s = moments.get("speech_ended", axis.from_s)
    for seconds in axis.ticks(origin_s):
        x = axis.x(origin_s + seconds)
        page.line(x, LANES_TOP - 20, x, bottom, RULE)
        page.text(x, bottom + 26, f"{seconds * 1000:,.0f} ms", 16, FAINT, "ms")
    for name, colour in (("speech_ended", INK), ("first_audio", ANSWER)):
        if name in moments:
            x = axis.x(moments[name])
            page.line(x, LANES_TOP - 20, x, bottom, colour, 2)
    for row, span in enumerate(spans):
        _lane(page, axis, span, LANES_TOP + LANE * row)


def _lanes_bottom(spans: list[Stage]) -> int:
    return LANES_TOP + LANE * len(spans) + 8


def _lane(page: Page, axis: _Axis, span: Stage, y: float) -> None:
    """A bar with its label behind it, or before it where there is no room behind."""
    x0, x1 = axis.x(span.start_s), axis.x(span.end_s)
    page.box(x0, y, x1, y + LANE - 16, span.colour, 4)
    label = f"{span.name}  {(span.end_s - span.start_s) * 1000:,.0f} ms"
    behind = x1 + 12 + _font(20).getlength(label) / FINE < RIGHT - 8
    page.text(x1 + 12 if behind else x0 - 12, y + 24, label, 20, INK, "ls" if behind else "rs")


def _markers(page: Page, axis: _Axis, moments: Mapping[str, float]) -> None:
    """Labels lean away from each other: the end of speech and the first sound are often close."""
    for name, label, colour, anchor in (
        ("wake", "wake word", INK, "rs"),
        ("speech_ended", "end of speech", INK, "rs"),
        ("first_audio", "first sound", ANSWER, "ls"),
    ):
        if name in moments:
            x = axis.x(moments[name])
            page.line(x, SOUND_TOP - 26, x, SOUND_BOTTOM + STRIP, colour, 2)
            page.text(x + (8 if anchor == "ls" else -8), SOUND_TOP - 10, label, 18, colour, anchor)


def _scaled(*numbers: float) -> tuple[float, ...]:
    return tuple(number * FINE for number in numbers)


@cache
def _font(size: int) -> FreeTypeFont:
    """Pillow's own: a picture needs no fonts on the box."""
    font = ImageFont.load_default(size * FINE)
    assert isinstance(font, FreeTypeFont)
    return font


def _fitted(text: str, size: int, width: int) -> str:
    """`text` in the font's letters, cut to `width` pixels."""
    plain = unicodedata.normalize("NFKD", text[:200].translate(EXTRA))
    letters = " ".join("".join(sign for sign in plain if not unicodedata.combining(sign)).split())
    kept = letters
    while _font(size).getlength(kept + "…") / FINE > width:
        kept = kept[:-1]
    return letters if kept == letters and len(text) <= 200 else kept.rstrip() + "…"
