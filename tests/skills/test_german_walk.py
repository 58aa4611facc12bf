"""A German box through what needs no model: every line is a whole sentence here, and no answer has an English word."""

from __future__ import annotations

import re

import pytest
from rig import NOW, Board

_WORDS = """a and are at been by cannot do does for from have i is it my not of on that the there this to what which
with would you your days hours minutes percent"""
ENGLISH = frozenset(_WORDS.split())
"""Words that every English sentence of the box has one of, and no German one."""

ALONE = [
    "Wie spät ist es?",
    "Welcher Tag ist heute?",
    "Wie spät ist es in Tokio?",
    "Wie spät ist es in der Schweiz?",
    "Wie spät ist es in Australien?",
    "Welcher Tag ist es in Sydney?",
    "Wie viele Tage sind es bis Weihnachten?",
    "Wie lange noch bis 20 Uhr?",
    "Wie viele Tage noch bis zum 24. Dezember?",
    "Wie viele Tage noch bis zum 31. Juni?",
    "An welchem Tag ist Ostern?",
    "Was ist 17 mal 23?",
    "Was ist 10 geteilt durch 3?",
    "Wie viel ist 3,5 mal 2?",
    "Was sind 15 Prozent von 80?",
    "Was ist die Wurzel aus 2?",
    "Was ist 2 hoch 200?",
    "Was ist 5 geteilt durch 0?",
    "Wie viele Kilometer sind 5 Meilen?",
    "100 Grad Fahrenheit in Celsius",
    "Wie viel Kilowatt sind 100 PS?",
    "3 Kilometer in Liter",
    "Welche Jahreszeit haben wir?",
    "Welche Währung hat die Schweiz?",
    "Welche Sprachen spricht man in Belgien?",
    "Wie ist die Notrufnummer?",
    "Wie ist die Vorwahl von Dänemark?",
    "Lauter",
    "Stell die Lautstärke auf 30 Prozent",
    "Wie laut bist du?",
    "Was kannst du?",
    "Was hast du zuletzt gemacht?",
    "Mach das rückgängig",
    "Was weißt du über mich?",
    "Vergiss das",
    "Stell die Uhr auf 15 Uhr",
    "Stell einen Timer auf 30 Stunden",
    "Lösche den Nudeltimer",
]
"""Each to a box of its own."""

TOGETHER = [
    "Stell einen Timer auf 10 Minuten",
    "Stell einen Nudeltimer auf 9 Minuten",
    "Welche Timer laufen?",
    "Wie lange läuft der Nudeltimer noch?",
    "Pausiere den Nudeltimer",
    "Wie lange läuft der Nudeltimer noch?",
    "Setze den Nudeltimer fort",
    "Verlängere den Nudeltimer um 2 Minuten",
    "Lösche den Eiertimer",
    "Lösche den Nudeltimer",
    "Mach das rückgängig",
    "Was hast du zuletzt gemacht?",
    "Lösche alle Timer",
    "Welche Timer laufen?",
    "Leiser",
    "Mach das rückgängig",
    "Was hast du dir zuletzt gemerkt?",
    "Was weißt du über mich?",
    "Vergiss das",
    "Nein",
    "Vergiss das",
    "Ja",
    "Was habe ich gerade gesagt?",
    "Sag das nochmal",
]
"""One after the other, to one box that knows something."""


def english(said: str) -> set[str]:
    return {*re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)*", said.casefold())} & ENGLISH


@pytest.mark.parametrize("line", ALONE)
def test_a_line_by_itself(line: str) -> None:
    record = Board(language="de").say(line)
    assert record.lane == "fast", "a whole sentence"
    assert record.said
    assert english(record.said) == set(), record.said


def test_a_conversation() -> None:
    board = Board(language="de")
    board.memory.save("Der Schlüssel hängt im Flur.", "user", NOW)
    board.clock.pass_time(600)
    for line in TOGETHER:
        record = board.say(line)
        assert record.lane == "fast", line
        assert record.said, line
        assert english(record.said) == set(), (line, record.said)


def test_an_english_answer_is_told_from_a_german_one() -> None:
    for line in ("what time is it", "set a timer for 5 minutes", "what can you do", "what is 3 divided by 0", "louder"):
        assert english(Board().say(line).said), line
