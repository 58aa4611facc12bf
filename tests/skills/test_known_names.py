"""What the skills know by name now, for speech to text: it comes and goes with what there is."""

from __future__ import annotations

from pathlib import Path

from house_bridge import NEWS, HouseBridge, home_settings
from rig import NOW, Board
from typed_service import running

from appliance.errors import StoreUnusable
from appliance.ports import Fact, FactKind
from appliance.simulated import MemoryFacts, TypedWords


def names(box: Board) -> set[str]:
    return {*box.skills.known()}


def test_a_box_without_anything_knows_no_names() -> None:
    assert Board().skills.known() == ()


def test_timers_and_lists_are_known_while_there_are_any() -> None:
    box = Board()
    box.say("set a leek timer for nine minutes")
    box.say("create a list called hardware store")
    assert names(box) == {"leek timer", "hardware store"}
    box.say("cancel the leek timer")
    assert names(box) == {"hardware store"}


def test_what_is_too_long_for_a_name_is_none() -> None:
    box = Board()
    box.say("remind me to call the dentist about Thursday in ten minutes")
    assert names(box) == set()


def test_rooms_and_devices_are_known_by_every_name_as_soon_as_the_house_is() -> None:
    bridge = HouseBridge()
    box = Board(bridge=bridge, settings=home_settings())
    assert names(box) == set()
    bridge.up()
    every = [
        *NEWS["floors"],
        *NEWS["areas"],
        *(each for each in NEWS["entities"] if not each["id"].startswith("todo.")),
    ]
    assert names(box) == {name for each in every for name in (each["name"], *each["aliases"])}


def test_stations_count_where_there_is_a_player() -> None:
    stations = {"Radio Harbour": "http://127.0.0.1:9/stream"}
    settings = home_settings().model_copy
    music = home_settings().music
    with_player = settings(update={"music": music.model_copy(update={"stations": stations, "player": Path("/none")})})
    without = settings(update={"music": music.model_copy(update={"stations": stations})})
    assert names(Board(settings=with_player)) == {"Radio Harbour"}
    assert names(Board(settings=without)) == set()


def test_people_who_can_be_written_to_and_other_boxes_are_known() -> None:
    people = {"to": {"Uncle Ted": "notify.mobile_app_ted"}}
    boxes = {"name": "den", "others": {"hall": "10.0.0.2"}, "key_file": "/none"}
    settings = type(home_settings()).model_validate(home_settings().model_dump() | {"messages": people, "boxes": boxes})
    assert names(Board(bridge=HouseBridge(), settings=settings)) == {"Uncle Ted", "hall"}


def test_names_within_facts_are_known_and_the_words_around_them_are_not() -> None:
    memory = MemoryFacts()
    for text in ("The user's dog is called Bello.", "The user's sister, Siobhan, lives in Cork and I know."):
        memory.save(text, "user", NOW)
    assert names(Board(memory=memory)) == {"Bello", "Siobhan", "Cork"}


def test_of_one_persons_facts_only_their_own_name_is_known() -> None:
    memory = MemoryFacts()
    memory.save("The user meets Priya in Cork.", "user", NOW, person="Ana")
    assert names(Board(memory=memory)) == {"Ana"}


def test_for_others_nothing_that_was_remembered_is_known() -> None:
    memory = MemoryFacts()
    memory.save("The user's dog is called Bello.", "user", NOW)
    box = Board(memory=memory)
    box.say("set a leek timer for nine minutes")
    assert {*box.skills.known(remembered=False)} == {"leek timer"}


class Broken(MemoryFacts):
    def facts(self, kind: FactKind | None = None, limit: int | None = None, person: str | None = None) -> list[Fact]:
        raise StoreUnusable("the card is gone", remedy="put it back")


def test_where_some_cannot_be_read_those_of_others_are_known() -> None:
    box = Board(memory=Broken())
    box.say("set a leek timer for nine minutes")
    assert names(box) == {"leek timer"}


def test_the_service_hears_with_the_names_of_the_settings_and_those_there_are_now(tmp_path: Path) -> None:
    with running(tmp_path, words={"names": ["nasi goreng"]}) as box:
        words = box.parts.transcriber
        assert isinstance(words, TypedWords)
        box.type("set a leek timer for nine minutes")
        assert box.says("Leek timer set")
        assert [*words.names] == ["nasi goreng"]
        box.type("what timers do I have")
        assert box.comes(lambda: [*words.names] == ["nasi goreng", "leek timer"])
