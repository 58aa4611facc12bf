"""Several boxes in one room, without a network or a clock: what each tells reaches the others when the test says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from appliance.ports import Told, Wake

Delay = Callable[[str, str, int], float | None]
"""From which box, to which, which of its wakes (0 is the first): seconds on the way; None is lost."""


class Air:
    """What is between the boxes. `now_s` is the time of all of them."""

    def __init__(self, delay: Delay) -> None:
        self.now_s = 0.0
        self.boxes: dict[str, OtherBoxesInAir] = {}
        self._delay = delay

    def box(self, name: str, present: bool = True) -> OtherBoxesInAir:
        self.boxes[name] = OtherBoxesInAir(self, present)
        return self.boxes[name]

    def tell(self, wake: Wake, number: int) -> None:
        for name, box in self.boxes.items():
            late_s = None if name == wake.box else self._delay(wake.box, name, number)
            if late_s is not None:
                box.coming.append(Told(wake, self.now_s + late_s))


class OtherBoxesInAir:
    """A `ports.OtherBoxes`."""

    def __init__(self, air: Air, present: bool) -> None:
        self._air, self.present = air, present
        self.coming: list[Told] = []
        self.sent: list[Wake] = []

    def tell(self, wake: Wake) -> None:
        self._air.tell(wake, len(self.sent))
        self.sent.append(wake)

    def told(self) -> Sequence[Told]:
        return [each for each in self.coming if each.at_s <= self._air.now_s]
