"""The other boxes of the house, as an announcement needs them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from appliance.errors import CannotBeDone
from appliance.ports import Bridge
from appliance.settings import Boxes

PROVIDER = "boxes"
ASK_S = 5.5
"""For all of them to answer: each does within 4.5 s or is given up (bridge/boxes_post.py)."""
AND = {"en": " and ", "de": " und "}


class Others:
    def __init__(self, bridge: Bridge | None, boxes: Boxes) -> None:
        self._bridge, self.own = bridge, boxes.own
        self.names: Sequence[str] = tuple(boxes.others) if bridge else ()

    def spoken(self, language: str) -> list[str]:
        """How some of the boxes of the house are named in a line: one, or two."""
        every = [*self.names, self.own]
        both = AND.get(language, AND["en"])
        articles = ("", "the ") if language == "en" else ("", "der ", "dem ", "im ", "in der ")
        pairs = [f"{one}{both}{article}{other}" for one, other in permutations(every, 2) for article in articles]
        return [*every, *pairs] if self.names else []

    def announce(self, text: str, to: Sequence[str], anyway: bool) -> dict[str, str]:
        """Box -> what came of it, as a code of ANSWERS (bridge/boxes.py)."""
        try:
            if self._bridge is None:
                return dict.fromkeys(to, "gone")
            told = self._bridge.ask(PROVIDER, "announce", ASK_S, text=text, to=[*to], anyway=anyway)
        except CannotBeDone:
            return dict.fromkeys(to, "unknown")
        return {name: str(told.get(name, "unknown")) for name in to}
