"""A stored rate, and what it comes to."""

from __future__ import annotations

import pytest

from appliance.reply.results.rates import rates_of
from appliance.reply.understanding.templates import templates

RATES = {language: rates_of(language) for language in ("en", "de")}
VAN = "The user's van uses 7.5 litres per 100 kilometres."
SANDER = "The floor sander costs 38 euros a day."


def summed(line: str, *texts: str, before: str = "", language: str = "en") -> str:
    rates, words = RATES[language], templates(language)
    assert rates
    assert words
    return rates.sum_of(words.in_digits(line), [*map(words.in_digits, texts)], [words.in_digits(before)])


@pytest.mark.parametrize(
    ("line", "text", "expected"),
    [
        ("how many litres will our van drink on four hundred and fifty kilometres", VAN, "450 / 100 * 7.5"),
        ("how many kilometres can i drive with 30 litres", VAN, "30 / 7.5 * 100"),
        ("what do we pay for it in a whole year", "Contract: 24 months at least, 27.50 euros a month.", "12 * 27.50"),
        ("what would four days of it come to", SANDER, "4 * 38"),
        ("what does it cost a day", SANDER, ""),
        ("how many tiles do i need for six square metres", "The user's tiles go 22 to the square metre.", "6 * 22"),
        ("how long will nine kilometres take me", "The user runs a kilometre in 6 minutes.", "9 * 6"),
        ("how much rice for five people", "The user cooks 80 grams of rice for each person.", "5 * 80"),
        ("what will 40 litres cost there", "Diesel: €1.65 a litre. Super: €1.80 a litre.", ""),
        ("what will 40 litres cost there", "Diesel costs €1.65 a litre.", "40 * 1.65"),
        ("how many millilitres is that in a whole day", "5 millilitres three times a day.", "5 * 3"),
        ("how many minutes is that for a 3 kilo bird", "Goose: 40 minutes per kilo plus 20 minutes.", ""),
        ("what is 350 kilometres in miles", VAN, ""),
        ("how old is she", "The user has 2 cats and a dog.", ""),
        ("set a timer for 3 days", SANDER, ""),
    ],
)
def test_an_amount_in_the_line(line: str, text: str, expected: str) -> None:
    assert summed(line, text) == expected


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("what do two rooms come to for three nights", "A room at the inn costs 80 pounds a night."),
        ("what will ten miles cost", "The taxi is 3 pounds plus 2 pounds a mile."),
        ("what will five hours cost", "Parking is 2 pounds an hour, 8 pounds maximum."),
        ("how much calpol can mia have in a day", "5 millilitres of Calpol every 4 hours, at most 4 times a day."),
        ("how much ibuprofen for a child of 14 kilos", "Ibuprofen is 10 milligrams per kilo."),
        ("how much do i earn in a day", "The user gets 20 pounds an hour."),
    ],
)
def test_no_sum_where_the_rate_is_not_all_of_it_or_a_medicine(line: str, text: str) -> None:
    assert summed(line, text) == ""


def test_no_sum_of_german_thousands() -> None:
    assert summed("was kostet die Miete für ein ganzes Jahr", "Sie beträgt 1.200 Euro im Monat.", language="de") == ""


def test_a_rate_in_the_line_for_what_was_found_before() -> None:
    assert summed("and what does that cost at four euros a kilo", before="2,100 grams") == "2100 / 1000 * 4"
    assert summed("what's that at one euro fifty a bun", before="3 times 8 is 24.") == "24 * 1.50"


def test_what_there_is_for_each_thing_on_a_list() -> None:
    rates = RATES["en"]
    assert rates
    assert rates.of_each("that is how many at 3 apiece", "Ann, Bob and Cid") == "3 * 3"
    assert rates.of_each("who is on the list", "Ann, Bob and Cid") == ""
    assert rates.of_each("that is how many at 3 apiece", "There is nothing on the list.") == ""


def test_german() -> None:
    assert (
        summed("was kostet das für drei Stunden", "Der Klempner nimmt 60 Euro pro Stunde.", language="de") == "3 * 60"
    )


def test_a_language_without_a_file_has_none() -> None:
    assert rates_of("fi") is None
