"""Templates of discovery: what devices use of them is understood, and nothing that could take long or reach further."""

from __future__ import annotations

from typing import Any

import pytest

from appliance.bridge.mqtt_template import Payload, Template, Unreadable

MESSAGE = (
    '{"state": "ON", "a": {"b": [1, {"c d": 2.346}]}, "contact": false, "position": 40, "none": null, "t": "21.5"}'
)


@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        ("{{ value_json.state }}", "ON"),
        ("{{ value_json['state'] | lower }}", "on"),
        ("{{value_json.a.b[1]['c d'] | round(2)}}", "2.35"),
        ("{{ value_json.contact }}", "False"),
        ("{{ value_json.missing }}", ""),
        ("{{ value_json.none }}", ""),
        ("{{ value_json.missing | default('x') }}", "x"),
        ("{{ value_json.a.b.c.d[7] }}", ""),
        ("{{ value_json.t | float * 2 + 1 }}", "44.0"),
        ("{{ (value_json.position / 100 * 255) | int }}", "102"),
        ("{{ 'open' if value_json.position > 0 else 'closed' }}", "open"),
        ("{% if value_json.position == 0 %}closed{% elif value_json.position < 50 %}low{% else %}up{% endif %}", "low"),
        ("{{ value_json.state == 'ON' and not value_json.contact }}", "True"),
        ('{"position": {{ value_json.position }}}', '{"position": 40}'),
        ("{{ value_json.__class__ }}{{ value.__class__.__mro__ }}", ""),
    ],
)
def test_what_devices_use(text: str, rendered: str) -> None:
    assert Template(text).render(Payload(MESSAGE).names) == rendered


@pytest.mark.parametrize(
    "text",
    [
        "{% for i in range(1000000000) %}x{% endfor %}",
        "{{ value_json.items() }}",
        "{{ range(10**9) | list }}",
        "{{ 9 ** 9 ** 9 }}",
        "{{ 'a' ~ 'b' }}",
        "{{ states('light.kitchen') }}",
        "{{ value | tojson }}",
        "{% set x = value %}{{ x }}",
        "{% include '/etc/passwd' %}",
        "{{ value",
        "{{ " + "(" * 400 + " }}",
        "{{ value }}" * 100,
    ],
)
def test_what_needs_more_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        Template(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{{ value * 1000000 }}", "x"),
        ("{{ value_json * 1000000 }}", "[1]"),
        ("{{ value_json * value_json }}", "1e300"),
        ("{{ value_json / 0 }}", "1"),
        ("{{ value_json | round }}", '"x"'),
        ("{{ value_json < 1 }}", '"x"'),
        ("{{ -value_json }}", "Infinity"),
        ("{{ value | round(value) }}", "x"),
        ("{{ value | round(2, 'floor', 3) }}", "x"),
    ],
)
def test_what_has_no_value_is_told_of(text: str, value: Any) -> None:
    with pytest.raises(Unreadable):
        Template(text).render(Payload(value).names)


def test_a_payload_of_nonsense_is_no_json_and_what_is_rendered_is_bounded() -> None:
    for text in ("", "[" * 60_000, "{", "nan", "\x00"):
        assert Template("{{ value_json.a }}").render(Payload(text).names) == ""
    assert len(Template("{{ value }}").render(Payload("x" * 60_000).names)) == 500
