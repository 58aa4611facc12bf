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
    "In 1066 and since 1999": "In ten sixty six and since nineteen ninety nine",
    "music of the '80s": "music of the eighties",
    "for 20 CHF": "for twenty Swiss francs",
    # numbers that are names
    "Call 911 now.": "Call nine one one now.",
    "Call 911 people.": "Call nine hundred eleven people.",
    "Install v2.0.1.": "Install version two point zero point one.",
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
    "jo.b.lee@example.org": "jo dot b dot lee at example dot org",
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
    assert spoken("**3** heures", language="fr") == "3 heures"


GERMAN = {
    # numbers
    "1.250.000 Einwohner": "eine Million zweihundertfünfzigtausend Einwohner",
    "12 345 Leute": "zwölftausenddreihundertfünfundvierzig Leute",
    "3,14": "drei Komma eins vier",
    "-5": "minus fünf",
    "1 Timer": "ein Timer",
    "der 2. Versuch": "der zweite Versuch",
    "im 19. Jahrhundert": "im neunzehnten Jahrhundert",
    "Es waren 5. Dann kamen mehr.": "Es waren fünf. Dann kamen mehr.",
    # dates and times
    "am 24.12.2026": "am vierundzwanzigsten Dezember zweitausendsechsundzwanzig",
    "bis 31.12.": "bis einunddreißigsten Dezember",
    "am 3. Okt. 1990": "am dritten Oktober neunzehnhundertneunzig",
    "2026-01-03": "dritter Januar zweitausendsechsundzwanzig",
    "der 3. Oktober": "der dritte Oktober",
    "um 7:05 Uhr": "um sieben Uhr fünf",
    "Es ist 13:30.": "Es ist dreizehn Uhr dreißig.",
    "um 1 Uhr": "um ein Uhr",
    "von 9-17 Uhr": "von neun bis siebzehn Uhr",
    "(1756-1791)": "(siebzehnhundertsechsundfünfzig bis siebzehnhunderteinundneunzig)",
    "1989 Stück": "neunzehnhundertneunundachtzig Stück",
    "die 80er Jahre": "die achtziger Jahre",
    # units, money, fractions
    "21 °C": "einundzwanzig Grad Celsius",
    "1 kg": "ein Kilogramm",
    "noch 1 Minute": "noch eine Minute",
    "8 m² groß": "acht Quadratmeter groß",
    "ca. 3 Std.": "circa drei Stunden.",
    "5-10 Min. kochen": "fünf bis zehn Minuten kochen",
    "12,99 €": "zwölf Euro neunundneunzig",
    "0,99 €": "neunundneunzig Cent",
    "2,5 Mio. €": "zwei Komma fünf Millionen Euro",
    "2,5 Mio. Leute": "zwei Komma fünf Millionen Leute",
    "$5": "fünf Dollar",
    "1/2 Liter": "ein halber Liter",
    "1 1/2 Stunden": "eineinhalb Stunden",
    "3/4 TL": "drei viertel Teelöffel",
    "1/8 l": "ein achttel Liter",
    # names
    "Ludwig XIV. war da.": "Ludwig der Vierzehnte war da.",
    "unter Ludwig XIV.": "unter Ludwig dem Vierzehnten.",
    "Kapitel IV": "Kapitel vier",
    "Ruf 030 901820 an.": "Ruf null drei null, neun null eins acht zwei null an.",
    "+49 30 901820": "plus vier neun, drei null, neun null eins acht zwei null",
    "Version 2.10": "Version zwei Punkt zehn",
    "Wähle 112.": "Wähle eins eins zwei.",
    "3:1": "drei zu eins",
    # short forms
    "z. B. Äpfel usw.": "zum Beispiel Äpfel und so weiter.",
    "Dr. Weiß, d. h. er": "Doktor Weiß, das heißt er",
    "und/oder": "und oder",
    "jo.lee@beispiel.de": "jo Punkt lee at beispiel Punkt de",
    "Siehe https://www.beispiel.de/hilfe.": "Siehe beispiel Punkt de.",
    "**Achtung:** heiß": "Achtung: heiß",
    "Hier ist nichts zu ändern, oder?": "Hier ist nichts zu ändern, oder?",
}


@pytest.mark.parametrize(("written", "said"), GERMAN.items())
def test_german_is_said_as_a_person_would(written: str, said: str) -> None:
    assert spoken(written, "de") == said


@pytest.mark.parametrize("said", GERMAN.values())
def test_german_words_are_left_alone(said: str) -> None:
    assert spoken(said, "de") == said


MARKS = st.text(alphabet="0123456789.,:/-$€%°x*()[]|#<> \n`_^=apmkhCs", max_size=80)


@given(MARKS | st.text(max_size=40))
def test_anything_can_be_said(text: str) -> None:
    for words in (spoken(text), spoken(text, "de")):
        assert "\n" not in words
        assert "[[" not in words


HARD = ["5", "5,", "1/", "1:", "[(", "*_", "| ", "A.", "$5 ", "<a b=", "1-", "(1", " ", "1990", "https://", "** "]


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("piece", HARD)
def test_time_is_linear_in_the_length(piece: str, language: str) -> None:
    def seconds(size: int) -> float:
        text = piece * (size // len(piece))
        begin = time.perf_counter()
        spoken(text, language)
        return time.perf_counter() - begin

    assert seconds(20_000) < 40 * seconds(2_000) + 0.05
