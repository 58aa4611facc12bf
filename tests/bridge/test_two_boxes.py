"""Two whole services in one house, each with its bridge: one answers, and each says what the other announces."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from test_boxes import House
from typed_service import Running, running

PATIENCE_S = 60.0
NAMES = ("attic", "bath")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[dict[str, Running]]:
    with ExitStack() as stack:
        bridges = House(tmp_path, NAMES, stack)
        boxes = {}
        for name in NAMES:
            bridges.start(name)
            (state := tmp_path / name).mkdir()
            tables = {"boxes": bridges.settings(name), "bridge": {"socket": tmp_path / f"{name}.sock"}}
            boxes[name] = stack.enter_context(running(state, **tables))
        for box in boxes.values():
            others = box.parts.others
            assert others
            assert box.comes(lambda others=others: others.present)  # type: ignore[misc]
            assert box.comes(lambda box=box: box.vitals.state.name == "IDLE")  # type: ignore[misc]
        yield boxes


def test_of_two_that_heard_it_as_well_one_answers(house: dict[str, Running]) -> None:
    boxes = list(house.values())
    for box in boxes:
        box.type("what is 17 times 23")
    assert boxes[0].comes(lambda: sum(box.vitals.gave_way for box in boxes) == 1)
    [answers] = [box for box in boxes if not box.vitals.gave_way]
    assert answers.says("391")
    [other] = [box for box in boxes if box is not answers]
    assert "391" not in " ".join(other.said)


def test_an_announcement_is_said_on_the_other_and_its_answer_is_told(house: dict[str, Running]) -> None:
    house["attic"].type("tell the bath that dinner is ready")
    assert house["bath"].says("Attic says: Dinner is ready.")
    assert house["attic"].says("It is said on bath.")
    text, bridge = f"{'Dinner. ' * 37}Dinn.", house["attic"].parts.bridge
    assert bridge
    assert bridge.ask("boxes", "announce", PATIENCE_S, text=text, to=["bath"]) in ({"bath": "said"}, {"bath": "later"})
    assert house["bath"].says(f"Attic says: {text}"), "the name takes no room from the text"
    house["bath"].parts.volume.set(0)
    house["attic"].type("tell the bath that it is cold now")
    assert house["attic"].says("Bath cannot say it now.")
