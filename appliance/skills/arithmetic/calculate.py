"""Arithmetic: exact fractions all the way, rounded once, when the result is said."""

from __future__ import annotations

import ast
import decimal
import math
import operator
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import simpleeval
from babel.numbers import get_decimal_symbol
from pydantic import Field

from appliance.errors import BadArgument, CannotBeDone
from appliance.language.lists import capital
from appliance.language.numbers import written_number
from appliance.language.words import tidy
from appliance.ports import Spoken
from appliance.skills.written import FALLBACK, Words

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
_READ = {
    "discount": rf"(?P<percent>{_NUMBER}) ?% off (?P<amount>{_NUMBER})",
    "squared": r" \^ 2(?![\d.])",
    "cubed": r" \^ 3(?![\d.])",
    "power": r" \^ ",
    "plus": r" \+ ",
    "minus": r" - ",
    "times": r" \* ",
    "over": r" / ",
    "negative": r"-",
    "mod": r" ?%(?= ?\d)| mod ",
    "percent": r" ?%",
    "factorial": r" ?!",
    "of": r"\bof\b",
    "sqrt": r"\bsqrt\b",
    "cbrt": r"\bcbrt\b",
    "pi": r"\bpi\b",
}
"""What is read back by the phrase of that name, one after the other."""
_LONGEST_READ_BACK = 60
"""Characters; whoever said more than that does not want to hear it again."""


class Calculator:
    def __init__(self, language: str = FALLBACK) -> None:
        self._words = Words(Path(__file__).parent, language)
        self._comma = get_decimal_symbol(self._words.language) == ","
        signs: Mapping[str, str] = self._words.phrases["signs"]
        self._signs = tuple((rf"\b{word}\b", signs[word]) for word in sorted(signs, key=len, reverse=True))

    def calculate(
        self,
        expression: Annotated[
            str, Field(max_length=200, description="numbers, + - * / ^ % and sqrt", json_schema_extra={"said": True})
        ],
    ) -> Spoken:
        """Work out arithmetic, percentages and roots."""
        plain = tidy(expression) if self._comma else expression.lower().strip()
        asked = _rewrite(_rewrite(plain, self._signs), _TIDY).strip()
        code = _rewrite(asked, _CODE)
        if not _SAFE.fullmatch(code):
            raise self._not_understood(expression)
        value = self._evaluate(code, expression)
        simple = len(asked) <= _LONGEST_READ_BACK and "(" not in asked and "," not in asked
        what = self._read(asked) if simple else self._words.phrases["that"]
        number, exact = self._said(value)
        return self._words.say("exact" if exact else "about", what=capital(what), number=number)

    def _evaluate(self, code: str, expression: str) -> Fraction:
        evaluator = simpleeval.SimpleEval(operators=_OPERATORS, functions=_FUNCTIONS, names=_NAMES)
        nodes = (ast.Expr, ast.BinOp, ast.UnaryOp, ast.Call, ast.Name)
        evaluator.nodes = {node: evaluator.nodes[node] for node in nodes} | {ast.Constant: _literal}
        try:
            return _bounded(evaluator.eval(code))
        except ZeroDivisionError:
            raise CannotBeDone(self._words.say("by_zero")) from None
        except decimal.InvalidOperation:
            raise CannotBeDone(self._words.say("no_answer")) from None
        except (decimal.DecimalException, OverflowError):
            raise CannotBeDone(self._words.say("too_large")) from None
        except (simpleeval.InvalidExpression, SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
            raise self._not_understood(expression) from None

    def _not_understood(self, expression: str) -> BadArgument:
        said = self._words.say("not_understood" if expression else "nothing", sum=expression)
        return BadArgument(said, remedy="write it with numbers, + - * / ^ % and sqrt")

    def _read(self, asked: str) -> str:
        """A sum in words, its numbers in digits."""
        for name, pattern in _READ.items():
            form = f" {self._words.phrases['read'][name]} "
            asked = re.sub(pattern, lambda found, form=form: form.format_map(found.groupdict()), asked)  # type: ignore[misc]
        return written_number(" ".join(asked.split()), self._words.language)

    def _said(self, value: Fraction) -> tuple[str, bool]:
        """The number, and whether it is all of it: where it ends and is not endless to hear."""
        size = abs(value)
        scaled = size * 10**_DECIMALS
        exact = scaled.denominator == 1 and scaled < 10 ** (MOST_DIGITS + _DECIMALS)
        if exact:
            number = self._digits(Decimal(int(scaled)).scaleb(-_DECIMALS, _ROOTS))
        elif Fraction(1, 10_000) <= size < 1_000:
            number = self._digits(_SHORT.plus(_decimal(size)))
        elif 1_000 <= size < 10**15:
            number = self._digits(Decimal(round(size * 100)).scaleb(-2, _ROOTS))
        else:
            number = self._scientific(size)
        return self._signed(number, value < 0), exact

    def _scientific(self, size: Fraction) -> str:
        digits, _, exponent = f"{_SHORT.plus(_decimal(size)):E}".partition("E")
        power = self._signed(exponent[1:], exponent.startswith("-"))
        return self._words.say("scientific", digits=self._digits(Decimal(digits)), power=power)

    def _signed(self, number: str, negative: bool) -> str:
        return self._words.say("minus", number=number) if negative else number

    def _digits(self, number: Decimal) -> str:
        """Without an exponent and without trailing zeros."""
        text = f"{number:f}"
        return written_number(text.rstrip("0").rstrip(".") if "." in text else text, self._words.language)


def _rewrite(text: str, rules: tuple[tuple[str, str], ...]) -> str:
    for pattern, replacement in rules:
        text = re.sub(pattern, replacement, text)
    return text


def _literal(node: ast.Constant) -> Fraction:
    """The number as it was written: 0.1 is a tenth, not the float next to it."""
    return _bounded(Fraction(repr(node.value)))


def _bits(value: Fraction) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def _bounded(value: Fraction) -> Fraction:
    """Raises OverflowError for a number that would take too long to go on with."""
    if _bits(value) > MOST_BITS:
        raise OverflowError
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
        raise decimal.InvalidOperation
    if value > MOST_BITS:
        raise OverflowError
    return math.factorial(int(value))


def _round(value: Fraction, places: Fraction = Fraction(0)) -> Fraction:
    """Halves away from zero, as at school."""
    if abs(places) > _DECIMALS:
        raise OverflowError
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
