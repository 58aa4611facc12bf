"""The templates that stand in discovery, read without running them: they come from anybody who may write to the broker.

Jinja only parses. What is understood is the part of its language that devices use: the value, what its JSON holds,
arithmetic, comparisons and a few filters. There are no loops, calls or assignments, so none takes long.
"""

from __future__ import annotations

import json
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

from jinja2 import Environment, TemplateError, nodes

MOST_TEXT = 500
"""Characters of a template; Zigbee2MQTT's longest have some 300."""
MOST_KEPT = 200
"""Templates that are kept parsed, some 100 kB each at most; the devices of a house share a few dozen."""
MOST_RENDERED = 500
"""Characters of what comes out."""
_environment = Environment(autoescape=False)

Filter = Callable[..., Any]
FILTERS: Mapping[str, Filter] = {
    "int": lambda value, default=0: _number(value, int, default),
    "float": lambda value, default=0.0: _number(value, float, default),
    "round": lambda value, digits=0: round(float(value), int(digits)) if digits else round(float(value)),
    "default": lambda value, other="": other if value is None else value,
    "lower": lambda value: str(value).lower(),
    "upper": lambda value: str(value).upper(),
    "is_defined": lambda value: value,
}
ARITHMETIC: Mapping[type[nodes.BinExpr], Callable[[float, float], float]] = {
    nodes.Add: operator.add,
    nodes.Sub: operator.sub,
    nodes.Mul: operator.mul,
    nodes.Div: operator.truediv,
    nodes.FloorDiv: operator.floordiv,
    nodes.Mod: operator.mod,
}
COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "lteq": operator.le,
    "gt": operator.gt,
    "gteq": operator.ge,
}
KNOWN: tuple[type[nodes.Node], ...] = (
    nodes.Template, nodes.Output, nodes.TemplateData, nodes.If, nodes.CondExpr, nodes.Compare, nodes.Operand, nodes.And,
    nodes.Or, nodes.Not, nodes.Neg, nodes.Filter, nodes.Getattr, nodes.Getitem, nodes.Name, nodes.Const, *ARITHMETIC,
)  # fmt: skip


class Unreadable(ValueError):
    """A template that needs more than is understood here, or has no value."""


class Payload:
    """Of one message, read as JSON when it is first asked for."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def json(self) -> Any:
        """None for what is none."""
        try:
            return json.loads(self.text)
        except (ValueError, RecursionError):
            return None

    @property
    def names(self) -> dict[str, Any]:
        """As templates call it."""
        return {"value": self.text, "value_json": self.json}


class Template:
    def __init__(self, text: str) -> None:
        """Raises Unreadable."""
        self._source = text
        _parsed(text)

    def render(self, names: Mapping[str, Any]) -> str:
        """names: what each name stands for. Raises Unreadable where that does not fit."""
        try:
            return "".join(_text(node, names) for node in _parsed(self._source).body).strip()[:MOST_RENDERED]
        except (TypeError, ValueError, ArithmeticError, RecursionError) as error:
            raise Unreadable(str(error)) from None


@lru_cache(MOST_KEPT)
def _parsed(text: str) -> nodes.Template:
    """Raises Unreadable."""
    if len(text) > MOST_TEXT:
        raise Unreadable("too long")
    try:
        tree = _environment.parse(text)
        known = all(isinstance(node, KNOWN) for node in tree.find_all(nodes.Node))
        filters = {node.name for node in tree.find_all(nodes.Filter)}
    except (TemplateError, RecursionError) as error:
        raise Unreadable(str(error)) from None
    if not known or not filters <= FILTERS.keys():
        raise Unreadable("more than is understood")
    return tree


def _text(node: nodes.Node, names: Mapping[str, Any]) -> str:
    match node:
        case nodes.TemplateData():
            return node.data
        case nodes.Output():
            return "".join(_text(each, names) for each in node.nodes)
        case nodes.If():
            branches = [(node.test, node.body), *((each.test, each.body) for each in node.elif_)]
            body = next((body for test, body in branches if _value(test, names)), node.else_)
            return "".join(_text(each, names) for each in body)
    value = _value(node, names)
    return "" if value is None else json.dumps(value) if isinstance(value, dict | list) else str(value)


def _value(node: nodes.Node | None, names: Mapping[str, Any]) -> Any:
    match node:
        case nodes.Const():
            return node.value
        case nodes.Name():
            return names.get(node.name)
        case nodes.Getattr():
            return _item(_value(node.node, names), node.attr)
        case nodes.Getitem():
            return _item(_value(node.node, names), _value(node.arg, names))
        case nodes.Filter():
            return FILTERS[node.name](_value(node.node, names), *(_value(each, names) for each in node.args))
        case nodes.CondExpr():
            return _value(node.expr1 if _value(node.test, names) else node.expr2, names)
        case nodes.Compare():
            return _compared(node, names)
    return _operated(node, names)


def _operated(node: nodes.Node | None, names: Mapping[str, Any]) -> Any:
    match node:
        case nodes.And():
            return _value(node.left, names) and _value(node.right, names)
        case nodes.Or():
            return _value(node.left, names) or _value(node.right, names)
        case nodes.Not():
            return not _value(node.node, names)
        case nodes.Neg():
            return -_finite(_value(node.node, names))
        case nodes.BinExpr() if type(node) in ARITHMETIC:
            left, right = _finite(_value(node.left, names)), _finite(_value(node.right, names))
            return ARITHMETIC[type(node)](left, right)
    raise Unreadable(f"a {type(node).__name__}")


def _compared(node: nodes.Compare, names: Mapping[str, Any]) -> bool:
    left, operands = _value(node.expr, names), node.ops
    for each in operands:
        if each.op not in COMPARISONS:
            raise Unreadable(each.op)
        right = _value(each.expr, names)
        if not COMPARISONS[each.op](left, right):
            return False
        left = right
    return True


def _item(of: Any, key: Any) -> Any:
    """None for what is not there."""
    if isinstance(of, dict) and isinstance(key, str):
        return of.get(key)
    if isinstance(of, Sequence) and not isinstance(of, str) and isinstance(key, int) and -len(of) <= key < len(of):
        return of[key]
    return None


def _finite(value: Any) -> float:
    """Of arithmetic there are numbers only: a text times a number could be of any length."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or abs(value) > 1e15:
        raise Unreadable("no number")
    return value


def _number(value: Any, kind: type[int] | type[float], default: Any) -> Any:
    try:
        return kind(_finite(float(value)))
    except (TypeError, ValueError):
        return default
