"""Which line orders or asks something of the house: by the sentences that Home Assistant publishes, with its names.

They are those of the package `home-assistant-intents`, in some seventy languages; what stands for a room or a thing are
the names that this house has.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from hassil import Intents, recognize_all
from hassil.intents import SlotList, TextSlotList
from hassil.recognize import RecognizeResult
from hassil.sample import sample_expression

from appliance.language.free_names import counting_in
from appliance.language.published import MOST_CHARS, plain, published_data, spelled
from appliance.skills.home.house import House
from appliance.skills.home.services import READS, SERVICES

HERE = "(here)"
"""In a slot `area`: the room of the box, which the line did not name."""

Rank = tuple[int, int, int, tuple[str, ...]]


@dataclass(frozen=True)
class Frame:
    """One order or question."""

    intent: str
    """As Home Assistant calls it: HassTurnOn."""
    slots: Mapping[str, Any] = field(default_factory=dict)
    """`area`, `floor`: an id, or HERE.  `name`: ids of the things that are called so.  `domain`, `device_class`: one or
    several.  The others are what is to be set, or asked for."""
    response: str = "default"
    """Which of the published answers is the one to it."""


class Reader:
    def __init__(self, language: str) -> None:
        self._code = spelled(language)
        self._counting = counting_in(self._code) if self._code else ""
        self._areas: object = None
        self._lists: dict[str, SlotList] = {}

    def read(self, text: str, house: House) -> Sequence[Frame]:
        """All that the whole of `text` may be, the best reading first."""
        if not self._code or not text.strip() or len(text) > MOST_CHARS:
            return []
        if house.areas is not self._areas:  # a house whose states changed has the same ones
            self._areas, self._lists = house.areas, _lists(house)
        context = {"area": HERE}
        results = [
            *recognize_all(
                text, intents(self._code), slot_lists=self._lists, intent_context=context, language=self._counting
            )
        ]
        ranked: dict[Rank, list[RecognizeResult]] = defaultdict(list)
        for each in results:
            ranked[_rank(each)].append(each)
        return [_frame(same) for _, same in sorted(ranked.items())]


@cache
def intents(code: str) -> Intents:
    """Those of the package that this skill carries out, in one language, and our own sentences beside them (more/)."""
    data = published_data(code)
    file = Path(__file__).parent / "more" / f"{code}.yaml"
    more: dict[str, Any] = yaml.safe_load(file.read_text(encoding="utf-8")) if file.is_file() else {}
    kept = {name: intent for name, intent in data["intents"].items() if name in SERVICES or name in READS}
    for name, intent in more.get("intents", {}).items():
        kept.setdefault(name, {"data": []})["data"] += intent["data"]
    rules = {**data["expansion_rules"], **more.get("expansion_rules", {})}
    skipped = [*data.get("skip_words", ()), *more.get("skip_words", ())]
    return Intents.from_dict({**data, "intents": kept, "expansion_rules": rules, "skip_words": skipped})


@cache
def class_words(language: str) -> Mapping[str, Sequence[str]]:
    """Device class -> what people call such a thing, in small letters: a cover of the class `garage` a garage door."""
    code = spelled(language)
    read = intents(code) if code else None
    classes = read.slot_lists.get("cover_classes") if read else None
    called: dict[str, list[str]] = defaultdict(list)
    for each in classes.values if read and isinstance(classes, TextSlotList) else ():
        rules = read.expansion_rules if read else {}
        called[str(each.value_out)] += map(str.casefold, sample_expression(each.text_in, expansion_rules=rules))
    return called


def _lists(house: House) -> dict[str, SlotList]:
    areas = [(name, area.id) for area in house.areas.values() for name in area.names]
    floors = [(name, floor.id) for floor in house.floors.values() for name in floor.names]
    things = [
        (name, thing.id, {"domain": thing.domain, "device_class": thing.device_class})
        for thing in house.things.values()
        for name in dict.fromkeys(each for name in thing.names for each in (name, _unquoted(name)))
    ]
    return {
        "area": TextSlotList.from_tuples(areas, allow_template=False, name="area"),
        "floor": TextSlotList.from_tuples(floors, allow_template=False, name="floor"),
        "name": TextSlotList.from_tuples(things, allow_template=False, name="name"),
    }


def _unquoted(name: str) -> str:
    """Without its apostrophes, as speech to text may write it."""
    return name.replace("'", "").replace("’", "")


def _rank(result: RecognizeResult) -> Rank:
    """The best first: with the fewest words that may be any, the longest name of a thing, the most words of the
    sentence's own. Readings that differ in nothing but which thing of one name is meant have one rank."""
    free = sum(each.is_wildcard for each in result.entities_list)
    named = sum(len(each.text) for each in result.entities_list if each.name == "name")
    others = sorted(f"{each.name} {each.value}" for each in result.entities_list if each.name != "name")
    said = (result.intent.name, result.response or "", *others)
    return free, -named, -result.text_chunks_matched, said


def _frame(same: list[RecognizeResult]) -> Frame:
    """Of readings of one rank."""
    first = same[0]
    slots = {each.name: plain(each.value) for each in first.entities_list if each.name != "name"}
    named = [str(each.value) for result in same for each in result.entities_list if each.name == "name"]
    return Frame(
        first.intent.name, {**slots, **({"name": list(dict.fromkeys(named))} if named else {})}, first.response or ""
    )
