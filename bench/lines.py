"""Lines of a household, for a box that is driven for long: each about a name that no other line has."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import count, product

from bench.ledger import Wish

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
QUESTIONS = ("what is 17 times 23", "what time is it", "how many ounces are in 3 pounds", "what timers are running")


def names(rng: random.Random) -> Iterator[str]:
    """Some 2,400, shuffled, none of which ends with another."""
    shuffled = [f"{look} {thing}" for look, thing in product(LOOKS, THINGS)]
    rng.shuffle(shuffled)
    yield from shuffled


class Lines:
    def __init__(self, rng: random.Random) -> None:
        self._rng, self._names, self._questions = rng, names(rng), count()

    def set(self, length: str) -> tuple[str, Wish]:
        """length: as said, "3 hours"."""
        name = next(self._names)
        return f"set a {name} timer for {length}", Wish("set", name, f"{name} timer set for")

    def fact(self) -> tuple[str, Wish]:
        """What is said once the box asked what to remember."""
        text = f"the {next(self._names)} is in the {self._rng.choice(PLACES)}"
        return text, Wish("fact", text, "I will remember")

    def cancel(self, name: str) -> tuple[str, Wish]:
        return f"cancel the {name} timer", Wish("cancel", name, f"{name} timer is cancelled")

    def adjust(self, name: str) -> tuple[str, Wish]:
        return f"add ten minutes to the {name} timer", Wish("adjust", name, f"{name} timer now has")

    def question(self) -> str:
        return QUESTIONS[next(self._questions) % len(QUESTIONS)]
