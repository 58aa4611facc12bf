"""Which box is there, and what wakes are believed: datagrams from hand to hand, no socket and no clock."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from appliance.bridge import boxes_near
from appliance.bridge.boxes_near import GONE_S, HELLO_S, MINUTE_S, MOST_A_MINUTE, MOST_BYTES, MOST_SESSIONS, Near
from appliance.bridge.boxes_seal import MAC_BYTES, Seal

KEY = "k" * 64
NAMES = ("hall", "kitchen")


class House:
    """Two boxes; `sent` is all that ever went between them."""

    def __init__(self, key: str = KEY) -> None:
        self.now_s = 0.0
        self.boxes = {name: self.made(name) for name in NAMES}
        self.boxes["hall"] = self.made("hall", key)
        self.sent: list[tuple[str, bytes]] = []

    def made(self, name: str, key: str = KEY) -> Near:
        others = [each for each in NAMES if each != name]
        return Near(name, others, Seal(key), lambda: self.now_s)

    def carry(self, packets: list[tuple[str, bytes]]) -> list[dict[str, Any]]:
        """All of them, and what is sent for them; the wakes that are believed."""
        wakes = []
        for to, packet in packets:
            self.sent.append((to, packet))
            answers, wake = self.boxes[to].take(packet)
            wakes += [wake] if wake else []
            wakes += self.carry(answers)
        return wakes

    def greet(self) -> None:
        for box in self.boxes.values():
            self.carry(box.hellos())

    def wake(self, of: str = "hall", score: float = 0.8) -> list[dict[str, Any]]:
        return self.carry(self.boxes[of].wake("alexa", score, 21.5, False))


WAKE = {"box": "hall", "word": "alexa", "score": 0.8, "level_db": 21.5, "took": False}


def test_who_answers_is_there_until_it_does_not() -> None:
    house = House()
    assert house.boxes["hall"].present == []
    house.greet()
    assert (house.boxes["hall"].present, house.boxes["kitchen"].present) == (["kitchen"], ["hall"])
    house.now_s = GONE_S
    assert house.boxes["hall"].present == []
    assert house.boxes["hall"].wake("alexa", 0.8, 20, False) == [], "nobody is told"


def test_a_wake_is_believed_once() -> None:
    house = House()
    house.greet()
    assert house.wake() == [WAKE]
    recorded = house.sent[-1:]
    assert house.carry(recorded) == []
    assert house.wake() == [WAKE], "the next one is"


def test_nothing_that_was_recorded_counts_after_a_restart() -> None:
    house = House()
    house.greet()
    house.wake()
    before = [*house.sent]
    house.boxes["kitchen"] = house.made("kitchen")
    assert house.carry(before) == []
    assert house.boxes["kitchen"].present == [], "an answer is to its own question"
    house.now_s += HELLO_S
    house.greet()
    assert house.wake() == [WAKE]


def test_a_sender_that_was_started_again_is_believed_and_its_earlier_wakes_are_not() -> None:
    house = House()
    house.greet()
    house.wake()
    recorded = house.sent[-1:]
    house.boxes["hall"] = house.made("hall")
    house.greet()
    assert house.wake() == [WAKE]
    assert house.carry(recorded) == []


def test_an_answer_counts_for_the_newest_question_alone_and_once() -> None:
    house = House()
    [(_, hello)] = house.boxes["hall"].hellos()
    [(_, here)], _ = house.boxes["kitchen"].take(hello)
    house.boxes["hall"].hellos()
    house.boxes["hall"].take(here)
    assert house.boxes["hall"].present == []


def test_many_sessions_of_others_begin_a_new_one_here() -> None:
    house = House()
    for _ in range(MOST_SESSIONS):
        house.boxes["hall"] = house.made("hall")
        house.greet()
        assert house.wake() == [WAKE]
        house.now_s += MINUTE_S / MOST_A_MINUTE
    kept = house.sent[-1:]
    house.boxes["hall"] = house.made("hall")
    house.greet()
    assert house.wake() == [], "it is told by the session of before"
    house.greet()
    assert house.wake() == [WAKE]
    assert house.carry(kept) == []


def test_who_has_another_key_is_not_there() -> None:
    house = House("x" * 64)
    house.greet()
    assert [box.present for box in house.boxes.values()] == [[], []]


def test_who_is_not_in_the_settings_is_not_answered() -> None:
    stranger = Near("cellar", NAMES, Seal(KEY), lambda: 0.0)
    house = House()
    for to, packet in stranger.hellos():
        assert house.boxes[to].take(packet) == ([], None)


def test_a_wake_for_another_box_is_none() -> None:
    house = House()
    house.greet()
    [(_, packet)] = house.boxes["hall"].wake("alexa", 0.8, 20, False)
    assert house.boxes["hall"].take(packet) == ([], None), "sent back to where it came from"


def test_a_box_that_wakes_without_end_is_not_believed_without_end() -> None:
    house = House()
    house.greet()
    assert sum(len(house.wake()) for _ in range(2 * MOST_A_MINUTE)) == MOST_A_MINUTE
    house.now_s = MINUTE_S
    house.greet()
    assert house.wake() == [WAKE]


@given(st.binary(max_size=2 * MOST_BYTES))
def test_garbage_is_nothing(packet: bytes) -> None:
    box = House().boxes["hall"]
    assert box.take(packet) == ([], None)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20), st.lists, max_leaves=5
)
FIELDS = ("word", "kind", "of", "to", "number", "session", "own", "count", "score", "level_db", "took")


@given(st.dictionaries(st.sampled_from(FIELDS), JSON | st.sampled_from(["hall", "kitchen", "wake", "here", "hello"])))
def test_what_a_box_with_the_key_sends_may_be_nonsense_too(told: dict[str, Any]) -> None:
    house = House()
    house.greet()
    _, wake = house.boxes["kitchen"].take(Seal(KEY).closed(told))
    assert wake is None


def test_a_changed_bit_is_found_anywhere() -> None:
    house = House()
    house.greet()
    [(_, packet)] = house.boxes["hall"].wake("alexa", 0.8, 20, False)
    for bit in range(8 * len(packet)):
        changed = bytearray(packet)
        changed[bit // 8] ^= 1 << bit % 8
        assert house.boxes["kitchen"].take(bytes(changed)) == ([], None)
    assert house.boxes["kitchen"].take(packet)[1]


def test_a_wake_fits_into_a_datagram_whatever_the_names() -> None:
    longest = "ü" * 40
    box = Near(longest, [longest.upper()], Seal(KEY), lambda: 0.0)
    for _, packet in box.hellos():
        assert len(packet) < MOST_BYTES
    woke = boxes_near.Woke(
        of=longest, to=longest, session="f" * 16, own="f" * 16, count=10**12, word="w" * 60, score=0.123456789012345678,
        level_db=12.3456789012345678, took=False,
    )  # fmt: skip
    assert len(Seal(KEY).closed(woke.model_dump())) < MOST_BYTES


def test_a_seal_is_for_what_it_is_about() -> None:
    seal = Seal(KEY)
    packet = seal.closed({"a": 1}, b"one")
    assert seal.opened(packet, b"one") == {"a": 1}
    assert seal.opened(packet, b"other") is None
    assert seal.opened(packet) is None
    assert json.loads(packet[MAC_BYTES:]) == {"a": 1}, "it is no secret"
