"""The tools of lists on a real database: what they keep, what they say, and what they leave alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.errors import ApplianceError, BadArgument, CannotBeDone
from appliance.memory.items import SqliteItems
from appliance.memory.store import Store
from appliance.ports import SkillContext
from appliance.settings import Settings, Words
from appliance.simulated import skill_context
from appliance.skills import lists
from appliance.skills.lists.things import Things
from appliance.skills.lists.tools import MOST, MOST_LISTS, PART
from appliance.skills.written import written

FOLDER = Path(lists.__file__).parent


class Home:
    """A box with a database that outlives it."""

    def __init__(self, path: Path, language: str = "en") -> None:
        self._path, self._language = path, language
        self.start()

    def start(self) -> None:
        self.store = Store(self._path)
        context: SkillContext = skill_context(
            settings=Settings(words=Words(language=self._language)), items=lambda skill: SqliteItems(self.store, skill)
        )
        self._tools = {tool.name: tool for tool in lists.make(context).all_tools}

    def restart(self) -> None:
        self.store.close()
        self.start()

    def do(self, name: str, **arguments: Any) -> str:
        return str(self._tools[name].call(arguments))

    def question(self, **arguments: Any) -> str:
        return self._tools["clear_list"].question(arguments)

    def refusal(self, name: str, **arguments: Any) -> str:
        with pytest.raises((BadArgument, CannotBeDone)) as raised:
            self.do(name, **arguments)
        return raised.value.what

    @property
    def kept(self) -> dict[str, list[tuple[str, bool]]]:
        items = SqliteItems(self.store, "lists").all()
        return {item.body["name"]: [(each["text"], each["done"]) for each in item.body["entries"]] for item in items}

    def texts(self, name: str = "shopping") -> list[str]:
        return [text for text, _ in self.kept.get(name, [])]


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    made = Home(tmp_path / "box.sqlite")
    yield made
    made.store.close()


@pytest.fixture
def german(tmp_path: Path) -> Iterator[Home]:
    made = Home(tmp_path / "box.sqlite", "de")
    yield made
    made.store.close()


class TestAdding:
    def test_several_things_in_one_breath_keep_their_amounts(self, home: Home) -> None:
        said = home.do("add_to_list", item="milk, eggs and a dozen bananas")
        assert said == "I put milk, eggs and a dozen bananas on the shopping list."
        assert home.texts() == ["milk", "eggs", "a dozen bananas"]

    @pytest.mark.parametrize(
        ("said", "things"),
        [
            ("bread and butter", ["bread", "butter"]),
            ("the half and half", ["half and half"]),
            ("mac and cheese and some peas", ["mac and cheese", "peas"]),
            ("salt and vinegar crisps, gin and tonic", ["salt and vinegar crisps", "gin and tonic"]),
            ("milk, and bread, and eggs", ["milk", "bread", "eggs"]),
            ("milk, Milk and milk", ["milk"]),
            ("2 tins of tomatoes; olives", ["2 tins of tomatoes", "olives"]),
            ("some more milk", ["milk"]),
            ("it", []),
            ("...", []),
        ],
    )
    def test_what_is_said_is_taken_apart(self, said: str, things: list[str]) -> None:
        assert Things(written(FOLDER, "words", "en")).each(said) == things

    def test_a_task_holds_its_and(self, home: Home) -> None:
        home.do("add_to_list", item="call mum and dad", list="to do")
        assert home.texts("to do") == ["call mum and dad"]

    def test_what_is_there_already_is_told(self, home: Home) -> None:
        home.do("add_to_list", item="milk")
        assert home.do("add_to_list", item="the milk") == "You already have milk on the shopping list."
        said = home.do("add_to_list", item="Milk and bread")
        assert said == "I put bread on the shopping list. You already have Milk on the shopping list."
        assert home.texts() == ["milk", "bread"]

    def test_what_was_ticked_is_wanted_again(self, home: Home) -> None:
        home.do("add_to_list", item="milk, eggs")
        home.do("complete_item", item="milk")
        assert "I put milk" in home.do("add_to_list", item="milk")
        assert home.kept["shopping"] == [("eggs", False), ("milk", False)]

    @pytest.mark.parametrize(
        ("item", "said", "name"),
        [
            ("milk", "", "shopping"),
            ("milk", "my groceries", "shopping"),
            ("call the plumber", "", "to do"),
            ("call the plumber", "shopping", "shopping"),
            ("bolts", "the hardware store list", "hardware store"),
            ("bolts", "my to-dos", "to do"),
        ],
    )
    def test_the_list_is_the_one_that_was_said_or_is_plain(self, home: Home, item: str, said: str, name: str) -> None:
        home.do("add_to_list", item=item, list=said)
        assert home.texts(name) == [item]

    def test_a_list_of_another_name_is_made_and_told_as_new_once(self, home: Home) -> None:
        assert home.do("add_to_list", item="tape", list="hardware") == "I put tape on your new hardware list."
        assert home.do("add_to_list", item="glue", list="hardwear") == "I put glue on the hardware list."
        assert home.texts("hardware") == ["tape", "glue"]

    def test_nothing_named_is_asked_for(self, home: Home) -> None:
        assert home.refusal("add_to_list", item="it") == "What shall I put on it?"
        assert home.kept == {}

    def test_a_loop_ends(self, home: Home) -> None:
        home.do("add_to_list", item="milk")
        for at in range(5):
            home.do("add_to_list", item=", ".join(f"{at}x{each}" for each in range(39)))
        assert "full" in home.refusal("add_to_list", item="tea, jam, ham, rice, soap")
        assert len(home.texts()) <= MOST
        for each in range(MOST_LISTS - 1):
            home.do("create_list", list=f"n{each} x")
        assert "as many lists" in home.refusal("create_list", list="one too many")


class TestReading:
    def test_a_long_list_is_read_in_parts(self, home: Home) -> None:
        home.do("add_to_list", item=", ".join(f"thing {letter}" for letter in "abcdefghi"))
        first = home.do("read_list", list="shopping")
        assert first.count("thing") == PART
        assert "and 2 more" in first
        assert home.do("read_list", rest=True) == "On the shopping list: thing h and thing i."
        assert home.do("read_list", rest=True) == "There is nothing more to read."

    def test_several_lists_are_asked_about_and_counted(self, home: Home) -> None:
        assert home.do("read_list") == "The shopping list is empty."
        home.do("add_to_list", item="milk, eggs")
        assert home.do("read_list") == "On the shopping list: milk and eggs."
        home.do("add_to_list", item="tape", list="hardware")
        assert home.refusal("read_list") == (
            "Which list: the shopping list with 2 items or the hardware list with one item?"
        )
        home.do("create_list", list="party")
        assert "the party list, which is empty" in home.do("read_list", list="all my lists")

    def test_whether_a_thing_is_on_it(self, home: Home) -> None:
        home.do("add_to_list", item="2 litres of milk")
        assert home.do("read_list", item="milk") == "Yes, on the shopping list: 2 litres of milk."
        assert home.do("read_list", item="beer", list="shopping") == "No, the shopping list does not have beer."
        assert home.do("read_list", item="beer") == "No, none of your lists has beer."
        home.do("complete_item", item="milk")
        assert "ticked that off" in home.do("read_list", item="milk")

    def test_a_list_that_is_not_there_is_said_to_be_so(self, home: Home) -> None:
        assert home.refusal("read_list", list="party") == "There is no party list."


class TestTakingOff:
    @pytest.fixture(autouse=True)
    def _filled(self, home: Home) -> None:
        home.do("add_to_list", item="2 litres of milk, red wine, white wine, pears, tomatoes")

    @pytest.mark.parametrize(
        ("said", "gone"), [("the milk", "2 litres of milk"), ("tomatos", "tomatoes"), ("pear", "pears")]
    )
    def test_it_is_found_and_named(self, home: Home, said: str, gone: str) -> None:
        assert home.do("remove_from_list", item=said) == f"I took {gone} off the shopping list."
        assert gone not in home.texts()

    @pytest.mark.parametrize("said", ["peas", "chocolate milk", "wine gums", "tomato ketchup"])
    def test_another_thing_is_never_taken_off(self, home: Home, said: str) -> None:
        before = home.kept
        assert (
            home.refusal("remove_from_list", item=said, list="shopping") == f"The shopping list does not have {said}."
        )
        assert home.refusal("remove_from_list", item=said) == f"None of your lists has {said}."
        assert home.kept == before

    def test_of_two_it_asks_and_takes_neither(self, home: Home) -> None:
        before = home.kept
        assert (
            home.refusal("remove_from_list", item="milk and wine") == "Which one do you mean: red wine or white wine?"
        )
        assert home.kept == before

    def test_what_is_there_goes_and_what_is_not_is_told(self, home: Home) -> None:
        said = home.do("remove_from_list", item="pears and beer")
        assert said == "I took pears off the shopping list. The shopping list does not have beer."

    def test_a_thing_on_two_lists_is_asked_about(self, home: Home) -> None:
        home.do("add_to_list", item="pears", list="party")
        assert home.refusal("remove_from_list", item="pears").startswith("Which list")
        home.do("remove_from_list", item="pears", list="party")
        assert "pears" in home.texts()

    def test_everything_is_left_to_clearing(self, home: Home) -> None:
        assert "tell me to clear it" in home.refusal("remove_from_list", item="everything", list="shopping")
        assert len(home.texts()) == 5

    def test_ticked_is_kept_and_not_read(self, home: Home) -> None:
        assert home.do("complete_item", item="pears") == "I ticked off pears on the shopping list."
        assert ("pears", True) in home.kept["shopping"]
        assert "pears" not in home.do("read_list")
        assert "already" in home.do("complete_item", item="pears")

    def test_clearing_asks_with_the_number(self, home: Home) -> None:
        assert home.question(list="shopping") == "Shall I clear the shopping list, 5 items?"
        assert home.texts()
        home.do("clear_list", list="shopping")
        assert home.kept == {}
        with pytest.raises(CannotBeDone, match="empty"):
            home.question(list="shopping")


def test_what_was_acknowledged_survives_a_restart(home: Home) -> None:
    home.do("add_to_list", item="milk, eggs")
    home.do("complete_item", item="eggs")
    home.do("create_list", list="party")
    home.restart()
    assert home.kept == {"shopping": [("milk", False), ("eggs", True)], "party": []}
    assert home.do("read_list", list="shopping") == "On the shopping list: milk."


def test_german_answers_are_german(german: Home) -> None:
    assert german.do("add_to_list", item="Milch, Eier und Butter") == (
        "Auf der Einkaufsliste steht jetzt auch: Milch, Eier und Butter."
    )
    assert (
        german.do("add_to_list", item="Zelt", list="Urlaubsliste") == "Auf deiner neuen Urlaubsliste steht jetzt: Zelt."
    )
    assert german.do("add_to_list", item="Zelt", list="Liste Urlaub") == "Auf der Urlaubsliste hast du schon: Zelt."
    assert german.do("read_list", list="Einkaufszettel") == "Auf der Einkaufsliste: Milch, Eier und Butter."
    assert german.refusal("remove_from_list", item="Bier") == "Das steht auf keiner deiner Listen: Bier."
    assert german.question(list="Einkaufsliste") == "Soll ich die Einkaufsliste leeren, 3 Einträge?"


@pytest.mark.parametrize("part", ["phrases", "words"])
def test_german_has_all_that_english_has(part: str) -> None:
    assert written(FOLDER, part, "de").keys() >= written(FOLDER, part, "en").keys()


@given(st.text(max_size=80))
def test_any_words_are_taken_apart_without_a_failure(said: str) -> None:
    for thing in Things(written(FOLDER, "words", "en")).each(said):
        assert thing == thing.strip()


@pytest.mark.parametrize("name", ["add_to_list", "remove_from_list", "complete_item"])
@given(item=st.text(max_size=40), said=st.text(max_size=20))
def test_any_words_give_a_sentence(name: str, item: str, said: str) -> None:
    tools = {tool.name: tool for tool in lists.make(skill_context()).all_tools}
    tools["add_to_list"].call({"item": "milk"})
    with suppress(ApplianceError):
        assert tools[name].call({"item": item, "list": said})
