"""Names of places, put into a sentence."""

from __future__ import annotations

from appliance.language.words import language_data


def in_place(name: str, language: str = "en") -> str:
    """in Tokyo; in German "in der Schweiz", where the name has an article."""
    data = language_data(language) or language_data("en")
    assert data is not None, "English is there"
    places = data["places"]
    return str(places["named"].get(name) or places["in"].format(place=name))
