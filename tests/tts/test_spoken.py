"""What is written is said as a person would say it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.tts.spoken import spoken

SAID = {
    # numbers
    "391": "three hundred ninety one",
    "-5": "minus five",
    "1,000 people": "one thousand people",
    "3.14": "three point one four",
    "007": "zero zero seven",
    "1/2": "one half",
    "1 1/2 cups": "one and a half cups",
    "the 21st floor": "the twenty first floor",
    "10-20 km": "ten to twenty kilometers",
    "Call 555-1234.": "Call five five five, one two three four.",
    "version 3.11.2": "version three point eleven point two",
    "MP3 and H2O": "MP3 and H2O",
    # years and counts
    "It was in 2024.": "It was in twenty twenty four.",
    "2024 people came.": "two thousand twenty four people came.",
    "in 1500 metres": "in one thousand five hundred metres",
    "(1879-1955)": "(eighteen seventy nine to nineteen fifty five)",
    "the 1990s": "the nineteen nineties",
    # dates and times
    "March 5, 2024": "March fifth, twenty twenty four",
    "on 5 March": "on the fifth of March",
    "2024-03-05": "March fifth, twenty twenty four",
    "3:30 pm": "three thirty p m",
    "at 7:00 a.m.": "at seven a.m.",
    "It is 15:05.": "It is fifteen oh five.",
    "at 10:00": "at ten o'clock",
    "3–4 pm": "three to four p m",
    "at 5 p.m. today": "at five p m today",
    # units, money
    "21 °C": "twenty one degrees Celsius",
    "-1°C": "minus one degree Celsius",
    "5 km/h": "five kilometers per hour",
    "1 kg": "one kilogram",
    "5 m²": "five square meters",
    "2h 5m": "two hours five minutes",
    "10%": "ten percent",
    "$3.50": "three dollars and fifty cents",
    "€1.5 million": "one point five million euros",
    "$2.4bn": "two point four billion dollars",
    "5 EUR": "five euros",
    "2½ tbsp of oil": "two and a half tablespoons of oil",
    "6.4 l/100 km": "six point four liters per hundred kilometers",
    "30 MB/s": "thirty megabytes per second",
    "5'4\" tall": "five feet four inches tall",
    "7 ft 1 in": "seven feet one inch",
    # Roman numbers
    "Louis XIV": "Louis the fourteenth",
    "I think Charles I read it": "I think Charles I read it",
    "Act III, Scene II": "Act Three, Scene Two",
    "volume XI": "volume eleven",
    "Rocky IV": "Rocky Four",
    # numbers that are names
    "the postcode is 1017": "the postcode is one zero one seven",
    "Ring 020 7946 0958.": "Ring zero two zero, seven nine four six, zero nine five eight.",
    "+49 30 901820": "plus four nine, three zero, nine zero one eight two zero",
    "(555) 123-4567": "five five five, one two three, four five six seven",
    "between 1914 and 1918": "between nineteen fourteen and nineteen eighteen",
    "plan B6 and SARS-2": "plan B six and SARS two",
    # short forms
    "Mon-Fri 9am-5pm": "Monday to Friday nine a.m. to five p m",
    "Sat, 8 May": "Saturday, the eighth of May",
    "30.11.2026": "November thirtieth, twenty twenty six",
    "9 Mill St. here": "nine Mill Street here",
    "yes/no and w/o": "yes or no and without",
    "a@shop.example.org": "a at shop dot example dot org",
    "see pp. 5-7": "see pages five to seven",
    # calculations
    "17 x 23 = 391": "seventeen times twenty three equals three hundred ninety one",
    "2 * 3 * 4": "two times three times four",
    "20 - 5": "twenty minus five",
    "3^2": "three squared",
    # abbreviations
    "Dr. Smith": "Doctor Smith",
    "milk, eggs, etc.": "milk, eggs, et cetera.",
    "in the U.S.": "in the U S.",
    "No. 5": "number five",
    # markup
    "**Bold**, *soft* and `code`": "Bold, soft and code",
    "# Heading": "Heading.",
    "- [x] milk": "milk.",
    "See [the page](https://a.example/b_c).": "See the page.",
    "https://www.example.com/path?q=1.": "example dot com.",
    "```\nx = 1\n```": "",
    "| a | b |": "a, b",
    "|---|:--:|": "",
    'Set. {"tool": "x", "n": {"a": 5}}': "Set.",
    "😀 Hi 👋🏽!": "Hi !",
    "Done.<|im_end|>": "Done.",
    "[[həloʊ]] you": "həloʊ you",
    "...": "",
    "Nothing to change here, is there?": "Nothing to change here, is there?",
}


@pytest.mark.parametrize(("written", "said"), SAID.items())
def test_is_said_as_a_person_would(written: str, said: str) -> None:
    assert spoken(written) == said


@pytest.mark.parametrize("said", [said for said in SAID.values() if said])
def test_words_are_left_alone(said: str) -> None:
    assert spoken(said) == said


def test_language_without_a_table_loses_markup_only() -> None:
    assert spoken("**3** Uhr", language="de") == "3 Uhr"


MARKS = st.text(alphabet="0123456789.,:/-$€%°x*()[]|#<> \n`_^=apmkhCs", max_size=80)


@given(MARKS | st.text(max_size=40))
def test_anything_can_be_said(text: str) -> None:
    words = spoken(text)
    assert "\n" not in words
    assert "[[" not in words


HARD = ["5", "5,", "1/", "1:", "[(", "*_", "| ", "A.", "$5 ", "<a b=", "1-", "(1", " ", "1990", "https://", "** "]


@pytest.mark.parametrize("piece", HARD)
def test_time_is_linear_in_the_length(piece: str) -> None:
    def seconds(size: int) -> float:
        text = piece * (size // len(piece))
        begin = time.perf_counter()
        spoken(text)
        return time.perf_counter() - begin

    assert seconds(20_000) < 40 * seconds(2_000) + 0.05
