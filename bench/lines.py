"""Lines of a household, for a box that is driven for long: each about a name that no other line has."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import cycle, product

from appliance.language.durations import parse_duration
from bench.ledger import Ledger, Wish
from bench.questions import QUESTIONS as QUESTIONS_OF

LOOKS = (
    *("amber", "azure", "beige", "black", "blue", "brown", "copper", "crimson", "golden", "green", "grey", "indigo"),
    *(
        "ivory",
        "lilac",
        "olive",
        "orange",
        "pink",
        "purple",
        "red",
        "scarlet",
        "silver",
        "turquoise",
        "violet",
        "white",
    ),
    *("shiny", "rusty", "wooden", "silken", "woollen", "leather", "paper", "striped", "dotted", "ancient", "modern"),
    *("broken", "spare", "painted", "crooked", "folded", "dusty", "polished", "borrowed", "forgotten"),
)
THINGS = (
    *("anchor", "apron", "banjo", "barrel", "basket", "bicycle", "blanket", "bonnet", "bucket", "cabinet", "candle"),
    *("canoe", "carpet", "compass", "curtain", "donkey", "drum", "feather", "fiddle", "garland", "goblet", "hammer"),
    *("hammock", "helmet", "jacket", "kettle", "ladder", "lantern", "locket", "magnet", "mirror", "napkin", "needle"),
    *("oven", "paddle", "pencil", "pillow", "puppet", "quilt", "ribbon", "saddle", "sandal", "scarf", "shovel"),
    *("sledge", "spindle", "teapot", "thimble", "trumpet", "tunnel", "umbrella", "vase", "violin", "wagon", "whistle"),
)
PLACES = ("attic", "cellar", "garage", "shed", "hall", "pantry", "workshop", "laundry", "nursery", "study")
FEW, MANY = 4, 12
"""Timers that are left when one is cancelled, and at which one must be: 20 is the most that may be set."""
TALK = QUESTIONS_OF["talk"]
"""For the language model."""
QUESTIONS = ("what is 17 times 23", "what time is it", "how many ounces are in 3 pounds", "what timers are running")


def names(rng: random.Random) -> Iterator[str]:
    """Some 2,400, shuffled, none of which ends with another."""
    shuffled = [f"{look} {thing}" for look, thing in product(LOOKS, THINGS)]
    rng.shuffle(shuffled)
    yield from shuffled


Said = tuple[str, Wish | None]
"""A line, and what it wishes to be kept."""


class Load:
    """Lines of each kind in the shares of `mix`, in an order that is drawn anew for each round of it."""

    def __init__(self, rng: random.Random, ledger: Ledger, mix: Mapping[str, int], short: Sequence[str]) -> None:
        """mix: kind -> how many of it in a round. short: lengths of timers that are to ring meanwhile, as said."""
        self._rng, self._ledger = rng, ledger
        self._deck, self._left = [kind for kind, share in mix.items() for _ in range(share)], list[str]()
        self._names, self._asked, self._talk = names(rng), cycle(QUESTIONS), cycle(TALK)
        self._kinds: dict[str, Callable[[Sequence[str]], list[Said]]] = {
            "long": lambda _: [self._set(f"{rng.randint(2, 20)} hours")],
            "short": lambda _: [self._set(rng.choice(short))],
            "fact": lambda _: self._fact(),
            "cancel": lambda running: [self._cancel(rng.choice(running))],
            "adjust": lambda running: [self._adjust(rng.choice(running))],
            "ask": lambda _: [(next(self._asked), None)],
            "talk": lambda _: [(next(self._talk), None)],
        }

    def next(self) -> list[Said]:
        """What is said in a row."""
        if not self._left:
            self._left = self._rng.sample(self._deck, len(self._deck))
        kind, running = self._left.pop(), self._ledger.running("set")
        if kind in ("long", "short") and len(running) >= MANY:
            kind = "cancel"
        if kind in ("cancel", "adjust") and len(running) <= FEW:
            kind = "long"
        return self._kinds[kind](running)

    def _set(self, length: str) -> Said:
        name, seconds = next(self._names), parse_duration(length) or 0.0
        return f"set a {name} timer for {length}", Wish("set", name, f"{name} timer set for", seconds)

    def _fact(self) -> list[Said]:
        """It needs no model, for the box asks what to remember."""
        text = f"the {next(self._names)} is in the {self._rng.choice(PLACES)}"
        return [("remember something", None), (text, Wish("fact", text, "I will remember"))]

    def _cancel(self, name: str) -> Said:
        return f"cancel the {name} timer", Wish("cancel", name, f"{name} timer is cancelled")

    def _adjust(self, name: str) -> Said:
        return f"add ten minutes to the {name} timer", Wish("adjust", name, f"{name} timer now has", 600.0)
