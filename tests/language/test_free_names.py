from __future__ import annotations

import pytest

from appliance.language.free_names import FreeNames, counting_in

ENGLISH = FreeNames("en", frozenset({"the", "of", "to"}))


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("stew", "stew"),
        ("the stew", "stew"),
        ("Blue Room", "Blue Room"),
        ("the back of beyond", "back of beyond"),
    ],
)
def test_a_name_is_kept_without_its_article(said: str, name: str) -> None:
    assert ENGLISH.cleaned(said) == name


@pytest.mark.parametrize(
    "said",
    [
        *["", " ", "5 minutes", "5", "an hour", "twenty five", "ninety-second", "stew and call mum", "fish and chips"],
        *["one two three four", "stew of", "the", "seven dwarfs"],
    ],
)
def test_what_is_no_name_is_none(said: str) -> None:
    assert ENGLISH.cleaned(said) is None


def test_barred_words_are_in_no_name() -> None:
    assert ENGLISH.cleaned("my stew") == "my stew"
    assert ENGLISH.cleaned("my stew", {"my"}) is None


@pytest.mark.parametrize(
    ("language", "said"),
    [("de", "zwei Stunden"), ("fr", "une heure"), ("pl", "pięć minut"), ("nb", "fem minutter"), ("it", "pane e vino")],
)
def test_lengths_and_pairs_are_none_in_other_languages(language: str, said: str) -> None:
    assert FreeNames(language).cleaned(said) is None


def test_a_language_without_spaces() -> None:
    chinese = FreeNames("zh-CN", spaced=False)
    assert chinese.cleaned("披萨") == "披萨"
    assert chinese.cleaned("一小时") is None
    assert chinese.cleaned("披萨" * 9) is None


def test_a_language_that_nobody_knows_bars_digits_alone() -> None:
    assert FreeNames("xx").cleaned("blaf") == "blaf"
    assert FreeNames("xx").cleaned("blaf 2") is None


@pytest.mark.parametrize(("code", "counts"), [("nb", "no"), ("zh-CN", "zh"), ("pt-BR", "pt"), ("xx", "xx")])
def test_number_words_are_found_under_a_kindred_code(code: str, counts: str) -> None:
    assert counting_in(code) == counts
