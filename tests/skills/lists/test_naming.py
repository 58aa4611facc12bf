"""What lists are called, in the languages in which sentences about them are published."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.skills import lists
from appliance.skills.lists.naming import SHOPPING, TO_DO, Naming
from appliance.skills.written import Words, written

FOLDER = Path(lists.__file__).parent
LANGUAGES = sorted(file.stem for file in (FOLDER / "words").glob("*.yaml"))


def naming(language: str) -> Naming:
    return Naming(written(FOLDER, "words", language), Words(FOLDER, language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_is_a_word(language: str) -> None:
    """YAML reads an "on" without quotes as a yes."""
    words = written(FOLDER, "words", language)
    assert words.keys() == written(FOLDER, "words", "en").keys()
    assert {type(word) for each in words.values() for word in each} == {str}


@pytest.mark.parametrize(
    ("language", "said", "name"),
    [
        *[("fr", "liste des courses", SHOPPING), ("ru", "мой список покупок", SHOPPING), ("zh", "购物列表", SHOPPING)],
        *[("cs", "nákupního seznamu", SHOPPING), ("sv", "inköpslistan", SHOPPING), ("da", "indkøbslisten", SHOPPING)],
        *[("no", "handlelista", SHOPPING), ("ru", "список задач", TO_DO), ("sv", "att göra listan", TO_DO)],
        *[("en", "the list on pets", "pets"), ("cs", "seznam hosté", "hosté")],
    ],
)
def test_a_list_is_known_by_what_people_call_it(language: str, said: str, name: str) -> None:
    assert naming(language).named(said) == name


def test_a_list_is_called_in_every_way() -> None:
    ways = naming("fr").phrases(("bricolage",))
    assert {"bricolage", "liste bricolage", "liste de bricolage", "liste d'achats", "liste des tâches"} <= {*ways}
    assert naming("en").phrases(()) == naming("en").phrases(())
    assert "camping list" not in naming("en").phrases(())
