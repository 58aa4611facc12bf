"""The OpenAPI document, made of the table of routes and the models that it names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from appliance.hub.gate import Route
from appliance.hub.problems import MEDIA_TYPE
from appliance.hub.running import HEADER, LONGEST_KEY
from appliance.hub.shapes import ProblemDetail

TOKEN: list[dict[str, list[str]]] = [{"token": []}, {"session": []}]
EVENTS = "text/event-stream"
EVENT: dict[str, Any] = {
    "type": "object",
    "required": ["data"],
    "properties": {"event": {"type": "string"}, "data": {"type": "string"}},
}
"""Of such a stream, each for itself; `data` is JSON, or "[DONE]"."""
FORM = {
    "type": "object",
    "properties": {
        "file": {"type": "string", "format": "binary", "description": "A PCM WAV file of at most 24 s."},
        "model": {"type": "string"},
        "response_format": {"enum": ["json", "text"], "default": "json"},
    },
    "required": ["file"],
}


def document(routes: Iterable[Route], version: str) -> dict[str, Any]:
    listed = [*routes]
    models = {each for route in listed for each in (route.takes, route.gives) if each} | {ProblemDetail}
    ordered = sorted(models, key=lambda each: each.__name__)
    _, schemas = models_json_schema(
        [(each, "validation") for each in ordered], ref_template="#/components/schemas/{model}"
    )
    paths: dict[str, dict[str, Any]] = {}
    for route in listed:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Voice appliance", "version": version},
        "paths": paths,
        "components": {
            "schemas": schemas["$defs"],
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "session": {"type": "apiKey", "in": "cookie", "name": "va_session"},
            },
        },
    }


def _operation(route: Route) -> dict[str, Any]:
    made: dict[str, Any] = {"summary": route.summary, "responses": _responses(route)}
    made["security"] = [] if route.who is None else TOKEN
    if route.who is not None:
        made["description"] = f"For: {', '.join(sorted(route.who))}."
    if parameters := _parameters(route):
        made["parameters"] = parameters
    if route.takes:
        made["requestBody"] = {"required": True, "content": {"application/json": {"schema": _of(route.takes)}}}
    elif route.uploads:
        made["requestBody"] = {"required": True, "content": {"multipart/form-data": {"schema": FORM}}}
    return made


def _parameters(route: Route) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
        for name in re.findall(r"\{(\w+)\}", route.path)
    ]
    if route.changes and route.who is not None:
        text = "The same key gives the same answer, and has nothing done twice."
        schema = {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY, "pattern": "^[!-~]+$"}
        made.append({"name": HEADER, "in": "header", "description": text, "schema": schema})
    return made


def _responses(route: Route) -> dict[str, Any]:
    schema = _of(route.gives) if route.gives else {"type": "string"}
    content = {route.media: {"schema": schema}} if route.gives or route.media != "application/json" else {}
    if route.present:
        content[EVENTS] = {"schema": EVENT}
    if route.uploads:
        content["text/plain"] = {"schema": {"type": "string"}}
    if route.media == "audio/wav":
        content["audio/pcm"] = {"schema": {"type": "string"}}
    made = {"200": {"description": "Done", "content": content}}
    for status in sorted({*_problems(route)}):
        told = {"schema": {"$ref": "#/components/schemas/ProblemDetail"}}
        made[str(status)] = {"description": HTTPStatus(status).phrase, "content": {MEDIA_TYPE: told}}
    if route.path == "/readyz":
        made["503"]["content"] = content
    return made


def _problems(route: Route) -> Iterable[int]:
    yield from (408, 413, 421, 429, 500, 503, *route.problems)
    if route.who is not None:
        yield from (401, 403, 504)
    elif route.takes:
        yield from (401, 403)
    if route.takes or route.uploads:
        yield from (415, 422)
    if route.changes:
        yield from (409, 422)


def _of(model: type[BaseModel]) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{model.__name__}"}
