"""Arithmetic: exact fractions all the way, rounded once, when the result is said."""

from __future__ import annotations

import ast
import decimal
import math
import operator
import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any

import simpleeval
from pydantic import Field

from appliance.errors import BadArgument, CannotBeDone
from appliance.ports import Spoken

MOST_BITS = 4_096
"""Of a numerator or denominator on the way: 1,233 digits, still a matter of microseconds."""
MOST_DIGITS = 36
"""Of a number that is said in full; nobody keeps count beyond."""
_DECIMALS = 10
"""A fraction that ends within these is said in full: 1/1024 is 0.0009765625."""

_ROOTS = decimal.Context(
    prec=50,
    Emax=1_000,
    Emin=-1_000,
    traps=[decimal.Overflow, decimal.Underflow, decimal.InvalidOperation, decimal.DivisionByZero],
)
"""For what has no exact value. Its exponents keep 9 ** 9 ** 9 from filling the memory."""
_SHORT = decimal.Context(prec=5)
"""What is said of a number that never ends."""

# What people and models write -> the form that is read back: digits, + - * / ^ %, "of", "mod" and function names.
_NUMBER = r"(?:\d+(?:\.\d*)?|\.\d+)"
_TIDY = (
    (r"^(?:what is|what's|calculate)\s+", ""),
    (r"[?=.\s]+$", ""),
    (r"[$€£]", ""),
    (r"(?<=\d),(?=\d{3}(?!\d))", ""),
    (r"(?<![\d.])0+(?=\d)", ""),
    (r"[−–—]", "-"),
    (r"\bmultiplied by\b|\btimes\b|[×·]|(?<=[\d)%])\s*x\s*(?=[\d(.])", "*"),
    (r"\bdivided by\b|\bover\b|÷", "/"),
    (r"\bplus\b", "+"),
    (r"\bminus\b", "-"),
    (r"\bto the power of\b|\*\*", "^"),
    (r"\bsquared\b|²", "^2"),
    (r"\bcubed\b|³", "^3"),
    (r"\s*\bper\s?cent\b", "%"),
    (r"\bmodulo\b", "mod"),
    (r"(?:\bthe )?\bsquare root of\b|√|\bmath\.sqrt\b", "sqrt "),
    (r"(?:\bthe )?\bcube root of\b", "cbrt "),
    (rf"\b(sqrt|cbrt)\s*\(\s*({_NUMBER})\s*\)", r"\1 \2"),
    (r"π", "pi"),
    (r"(?<=[\w)%!])\s*([-+*/^])\s*", r" \1 "),
    (r"\s+", " "),
)
# That -> Python. A percentage added or taken away is one of the rest, as on a pocket calculator: 80 + 15% is 92.
_CODE = (
    (rf"^(.+) ([-+]) ({_NUMBER}) ?%$", r"(\1) * (1 \2 \3/100)"),
    (rf"({_NUMBER}) ?% off ({_NUMBER})", r"(\2 * (1 - \1/100))"),
    (rf"({_NUMBER}) ?%(?! ?[\d(])", r"(\1/100)"),
    (r"\bof\b", "*"),
    (r"\bmod\b", "%"),
    (rf"\b(sqrt|cbrt) ({_NUMBER})", r"\1(\2)"),
    (rf"({_NUMBER}) ?!", r"factorial(\1)"),
    (r"\^", "**"),
    (rf"(?<![\w.])({_NUMBER}) ?(?=\(|pi\b|sqrt\b|cbrt\b)", r"\1*"),
    (r"\) ?(?=[\d(])", ")*"),
)
_SAFE = re.compile(
    rf"(?:(?>{_NUMBER})|\b(?:sqrt|cbrt|abs|round|floor|ceil|factorial|log|log10|ln|exp|pi|e)\b|[-+*/%(), ])+"
)
"""A number is taken whole: else 36 digits before a word that nobody knows took 100 s to be turned down."""
_READ = (
    (r" \^ 2(?![\d.])", " squared"),
    (r" \^ 3(?![\d.])", " cubed"),
    (r" \^ ", " to the power of "),
    (r" \+ ", " plus "),
    (r" - ", " minus "),
    (r" \* ", " times "),
    (r" / ", " divided by "),
    (r"-", "minus "),
    (r" ?%(?= ?\d)", " mod "),
    (r" ?%", " percent"),
    (r" ?!", " factorial"),
    (r"\bsqrt\b", "the square root of"),
    (r"\bcbrt\b", "the cube root of"),
    (r"\s+", " "),
)
_LONGEST_READ_BACK = 60
"""Characters; whoever said more than that does not want to hear it again."""


def calculate(
    expression: Annotated[
        str, Field(max_length=200, description="numbers, + - * / ^ % and sqrt", json_schema_extra={"said": True})
    ],
) -> Spoken:
    """Work out arithmetic, percentages and roots."""
    asked = _rewrite(expression.lower().strip(), _TIDY).strip()
    code = _rewrite(asked, _CODE)
    if not _SAFE.fullmatch(code):
        raise _not_understood(expression)
    value = _evaluate(code, expression)
    simple = len(asked) <= _LONGEST_READ_BACK and "(" not in asked and "," not in asked
    subject = _rewrite(asked, _READ) if simple else "that"
    return Spoken(f"{subject[:1].upper()}{subject[1:]} {_said(value)}.")


def _rewrite(text: str, rules: tuple[tuple[str, str], ...]) -> str:
    for pattern, replacement in rules:
        text = re.sub(pattern, replacement, text)
    return text


def _not_understood(expression: str) -> BadArgument:
    return BadArgument(
        f"I cannot work out {expression}." if expression else "What should I work out?",
        remedy="write it with numbers, + - * / ^ % and sqrt",
    )


def _evaluate(code: str, expression: str) -> Fraction:
    evaluator = simpleeval.SimpleEval(operators=_OPERATORS, functions=_FUNCTIONS, names=_NAMES)
    nodes = (ast.Expr, ast.BinOp, ast.UnaryOp, ast.Call, ast.Name)
    evaluator.nodes = {node: evaluator.nodes[node] for node in nodes} | {ast.Constant: _literal}
    try:
        return _bounded(evaluator.eval(code))
    except ZeroDivisionError:
        raise CannotBeDone("Nothing can be divided by zero.") from None
    except decimal.InvalidOperation:
        raise _no_answer() from None
    except (decimal.DecimalException, OverflowError):
        raise _too_large() from None
    except (simpleeval.InvalidExpression, SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        raise _not_understood(expression) from None


def _literal(node: ast.Constant) -> Fraction:
    """The number as it was written: 0.1 is a tenth, not the float next to it."""
    return _bounded(Fraction(repr(node.value)))


def _too_large() -> CannotBeDone:
    return CannotBeDone("That number is too large for me.")


def _no_answer() -> CannotBeDone:
    return CannotBeDone("That has no answer in real numbers.")


def _bits(value: Fraction) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def _bounded(value: Fraction) -> Fraction:
    if _bits(value) > MOST_BITS:
        raise _too_large()
    return value


def _within(function: Callable[..., Any]) -> Callable[..., Fraction]:
    """Bounded operands cannot make a result that takes long; bounding that too keeps it so."""
    return lambda *values: _bounded(Fraction(function(*values)))


def _decimal(value: Fraction) -> Decimal:
    return _ROOTS.divide(Decimal(value.numerator), Decimal(value.denominator))


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator == 1 and abs(exponent) * _bits(base) <= MOST_BITS:
        return base ** int(exponent)
    return Fraction(_ROOTS.power(_decimal(base), _decimal(exponent)))


def _root(value: Fraction, degree: int) -> Fraction:
    """Exact where the root is a fraction of up to six digits."""
    if value < 0 and degree % 2:
        return -_root(-value, degree)
    near = _power(value, Fraction(1, degree))
    neat = near.limit_denominator(1_000_000)
    return neat if _bits(neat) * degree <= MOST_BITS and neat**degree == value else near


def _factorial(value: Fraction) -> int:
    if value.denominator != 1 or value < 0:
        raise _no_answer()
    if value > MOST_BITS:
        raise _too_large()
    return math.factorial(int(value))


def _round(value: Fraction, places: Fraction = Fraction(0)) -> Fraction:
    """Halves away from zero, as at school."""
    if abs(places) > _DECIMALS:
        raise _too_large()
    scale = Fraction(10) ** int(places)
    rounded = math.floor(abs(value) * scale + Fraction(1, 2)) / scale
    return -rounded if value < 0 else rounded


def _by_decimal(function: Callable[[Decimal], Decimal]) -> Callable[[Fraction], Fraction]:
    return lambda value: Fraction(function(_decimal(value)))


_OPERATORS = {
    ast.Add: _within(operator.add),
    ast.Sub: _within(operator.sub),
    ast.Mult: _within(operator.mul),
    ast.Div: _within(operator.truediv),
    ast.Mod: _within(operator.mod),
    ast.Pow: _within(_power),
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}
_FUNCTIONS = {
    "sqrt": lambda value: _root(value, 2),
    "cbrt": lambda value: _root(value, 3),
    "abs": abs,
    "round": _within(_round),
    "floor": _within(math.floor),
    "ceil": _within(math.ceil),
    "factorial": _within(_factorial),
    "log": _by_decimal(_ROOTS.log10),
    "log10": _by_decimal(_ROOTS.log10),
    "ln": _by_decimal(_ROOTS.ln),
    "exp": _by_decimal(_ROOTS.exp),
}
_NAMES = {"pi": Fraction("3.14159265358979323846264338327950288419716939937511"), "e": Fraction(_ROOTS.exp(Decimal(1)))}


def _said(value: Fraction) -> str:
    """The verb and the number: in full where it ends and is not endless to hear, else about."""
    sign, size = ("minus " if value < 0 else ""), abs(value)
    scaled = size * 10**_DECIMALS
    if scaled.denominator == 1 and scaled < 10 ** (MOST_DIGITS + _DECIMALS):
        return f"is {sign}{_plain(Decimal(int(scaled)).scaleb(-_DECIMALS, _ROOTS))}"
    if Fraction(1, 10_000) <= size < 1_000:
        return f"is about {sign}{_plain(_SHORT.plus(_decimal(size)))}"
    if 1_000 <= size < 10**15:
        return f"is about {sign}{_plain(Decimal(round(size * 100)).scaleb(-2, _ROOTS))}"
    digits, _, exponent = f"{_SHORT.plus(_decimal(size)):E}".partition("E")
    power = f"minus {exponent[1:]}" if exponent.startswith("-") else exponent[1:]
    return f"is about {sign}{_plain(Decimal(digits))} times 10 to the power of {power}"


def _plain(number: Decimal) -> str:
    """Without an exponent and without trailing zeros."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
