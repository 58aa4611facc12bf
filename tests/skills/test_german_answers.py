"""What the clock, arithmetic and the country say in German."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from appliance.errors import ToolError
from appliance.simulated import HandSetClock
from appliance.skills.arithmetic.calculate import Calculator
from appliance.skills.arithmetic.units import Converter, _rows
from appliance.skills.clock.tools import Timekeeper
from appliance.skills.country.tools import CountryTools, What

CLOCK = HandSetClock(datetime(2026, 11, 27, 14, 30, tzinfo=ZoneInfo("Europe/Berlin")))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "Es ist 14:30 Uhr."),
        ({"day": "heute"}, "Es ist 14:30 Uhr."),
        ({"what": "date"}, "Es ist Freitag, 27. November 2026."),
        ({"place": "Tokio"}, "Es ist 22:30 Uhr in Tokio."),
        ({"place": "Sydney"}, "Es ist 0:30 Uhr am Samstag in Sydney."),
        ({"place": "der Schweiz"}, "Es ist 14:30 Uhr in der Schweiz."),
        ({"place": "Tokio", "what": "date"}, "Es ist Freitag, 27. November 2026 in Tokio."),
        ({"day": "Weihnachten", "what": "days"}, "Noch 28 Tage bis Freitag, 25. Dezember 2026."),
        ({"day": "christmas", "what": "days"}, "Noch 28 Tage bis Freitag, 25. Dezember 2026."),
        ({"day": "gestern", "what": "days"}, "Donnerstag, 26. November 2026: das ist 1 Tag her."),
        ({"day": "heute", "what": "days"}, "Das ist heute, Freitag, 27. November 2026."),
        ({"day": "übermorgen", "what": "date"}, "Das ist Sonntag, 29. November 2026."),
        ({"day": "18 Uhr"}, "Noch 3 Stunden 30 Minuten bis 18 Uhr."),
        ({"place": "Narnia"}, "Ich weiß nicht, wie spät es in Narnia ist."),
        ({"place": "USA"}, "Dort gibt es mehr als eine Uhrzeit, in den USA. In welcher Stadt?"),
        ({"day": "irgendwann", "what": "date"}, "Ich weiß nicht, welcher Tag das ist: irgendwann."),
        ({"day": "31. Juni", "what": "date"}, "31. juni: diesen Tag gibt es nicht."),
    ],
)
def test_the_clock(arguments: dict[str, str], said: str) -> None:
    assert _told(lambda: Timekeeper(CLOCK, "Utrecht", "de").get_time(**arguments)) == said  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("17 * 23", "17 mal 23 ist 391."),
        ("17 mal 23", "17 mal 23 ist 391."),
        ("10 / 3", "10 geteilt durch 3 ist ungefähr 3,3333."),
        ("3,5 * 2", "3,5 mal 2 ist 7."),
        ("1.500 + 0", "1,500 plus 0 ist 1,5."),
        ("20% of 50", "20 Prozent von 50 ist 10."),
        ("15% off 80", "80 minus 15 Prozent ist 68."),
        ("12 prozent von 90", "12 Prozent von 90 ist 10,8."),
        ("sqrt(2)", "Die Wurzel aus 2 ist ungefähr 1,4142."),
        ("2 ^ 10", "2 hoch 10 ist 1024."),
        ("5 ^ 2", "5 zum Quadrat ist 25."),
        ("-5 + 3", "Minus 5 plus 3 ist minus 2."),
        ("(2 + 3) * 4", "Das ist 20."),
        ("2 ^ 300", "2 hoch 300 ist ungefähr 2,037 mal 10 hoch 90."),
        ("1 / 0", "Durch null kann man nicht teilen."),
        ("sqrt(-1)", "Das hat keine Lösung in den reellen Zahlen."),
        ("9 ^ 9 ^ 9", "Die Zahl ist mir zu groß."),
        ("hallo", "hallo kann ich nicht ausrechnen."),
        ("", "Was soll ich ausrechnen?"),
    ],
)
def test_arithmetic(expression: str, said: str) -> None:
    assert _told(lambda: Calculator("de").calculate(expression)) == said


@pytest.mark.parametrize(
    ("value", "source", "target", "said"),
    [
        (5, "mile", "kilometer", "5 Meilen sind 8,05 Kilometer."),
        (1, "Meile", "km", "1 Meile sind 1,61 Kilometer."),
        (6, "Fuß", "Zentimetern", "6 Fuß sind 182,88 Zentimeter."),
        (-4.5, "Grad Celsius", "Fahrenheit", "Minus 4,5 Grad Celsius sind 23,9 Grad Fahrenheit."),
        (100, "PS", "Kilowatt", "100 PS sind 73,55 Kilowatt."),
        (3, "km", "Liter", "Kilometer kann ich nicht in Liter umrechnen."),
        (3, "Äpfel", "km", "Die Einheit Äpfel kenne ich nicht."),
    ],
)
def test_units(value: float, source: str, target: str, said: str) -> None:
    assert _told(lambda: Converter(language="de").convert_units(value, source, target)) == said


def test_every_unit_has_a_german_name() -> None:
    converter = Converter(language="de")
    assert _rows("en").keys() <= _rows("de").keys()
    for unit, (one, many, *_) in _rows("de").items():
        assert converter.convert_units(1, one, many) == f"1 {one} sind 1 {one}.", unit


@pytest.mark.parametrize(
    ("what", "place", "said"),
    [
        ("season", "", "Es ist Herbst."),
        ("season", "Neuseeland", "Es ist Frühling in Neuseeland."),
        ("money", "Schweiz", "Bezahlt wird in der Schweiz mit: Schweizer Franken."),
        ("money", "", "Bezahlt wird in den Niederlanden mit: Euro."),
        ("languages", "Norwegen", "Gesprochen wird in Norwegen: Norwegisch."),
        ("emergency", "USA", "Im Notfall in den Vereinigten Staaten: ruf die 911. Hier ist es die 112."),
        ("prefix", "Dänemark", "Dänemark: die Vorwahl ist +45."),
        ("country", "", "Das Land heißt Niederlande."),
        ("money", "Narnia", "Das weiß ich nicht von Narnia."),
        ("season", "Ecuador", "Ich weiß nicht, welche Jahreszeit in Ecuador ist."),
    ],
)
def test_the_country(what: What, place: str, said: str) -> None:
    tools = CountryTools(CLOCK, "Utrecht, Netherlands", "Europe/Amsterdam", "de")
    assert _told(lambda: tools.tell_country(what, place)) == said


def _told(call: Callable[[], str]) -> str:
    try:
        return call()
    except ToolError as error:
        return error.what
