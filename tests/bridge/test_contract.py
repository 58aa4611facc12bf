"""What both bridges keep: the one behind a socket, and the simulated one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from running_bridge import UP, Ear, RunningBridge, SteeredProvider

from appliance.bridge.client import SocketBridge
from appliance.errors import BadArgument, CannotBeDone
from appliance.ports import LINK, Bridge
from appliance.simulated import CannedBridge

ANSWERS = {
    "call": {"response": [1, {"two": None}]},
    "locked": CannotBeDone("It is locked.", remedy="unlock it"),
    "which": BadArgument("There are two.", remedy="say which"),
}
Tell = Callable[[str, Any], None]


@pytest.fixture(params=["socket", "simulated"])
def both(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Bridge, Tell]]:
    """A bridge, and what tells news of its provider."""
    if request.param == "simulated":
        canned = CannedBridge({("home", what): answer for what, answer in ANSWERS.items()})
        canned.tell("home", LINK, UP)
        yield canned, lambda kind, value: canned.tell("home", kind, value)
        return
    provider = SteeredProvider("home", ANSWERS)
    with RunningBridge(tmp_path / "socket", provider) as running, SocketBridge(tmp_path / "socket", "en") as bridge:
        yield bridge, lambda kind, value: running.do(lambda: provider.tell(kind, value))


def test_an_answer_comes_as_it_is(both: tuple[Bridge, Tell]) -> None:
    assert both[0].ask("home", "call", domain="light") == {"response": [1, {"two": None}]}


@pytest.mark.parametrize(("what", "kind"), [("locked", CannotBeDone), ("which", BadArgument)])
def test_a_refusal_is_raised_with_its_remedy(both: tuple[Bridge, Tell], what: str, kind: type[Exception]) -> None:
    with pytest.raises(kind) as caught:
        both[0].ask("home", what)
    assert str(caught.value) == str(ANSWERS[what])


def test_an_unknown_provider_cannot_be_asked(both: tuple[Bridge, Tell]) -> None:
    with pytest.raises(CannotBeDone):
        both[0].ask("nobody", "call")


def test_a_follower_hears_of_the_link_first_then_all_news_in_order(both: tuple[Bridge, Tell]) -> None:
    bridge, tell = both
    tell("house", {"areas": []})
    ear, late = Ear(), Ear()
    bridge.ask("home", "call")  # what was told before is known by now
    bridge.follow("home", ear)
    assert ear.until(LINK, lambda link: link["up"]) == UP
    assert ear.next() == ("house", {"areas": []})
    for number in range(100):
        tell("states", {"number": number})
    assert [ear.next() for _ in range(100)] == [("states", {"number": number}) for number in range(100)]
    bridge.follow("home", late)
    assert late.until(LINK, lambda link: link["up"]) == UP
    assert late.until("house") == {"areas": []}


def test_who_follows_what_is_not_set_hears_that(both: tuple[Bridge, Tell]) -> None:
    ear = Ear()
    both[0].follow("nobody", ear)
    assert ear.until(LINK, lambda link: link["why"] == "not_set")["up"] is False
