from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.errors import BadArgument, CannotBeDone, ToolError
from appliance.skills.arithmetic.calculate import Calculator

calculate = Calculator().calculate


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("17 * 23", "17 times 23 is 391."),
        ("0.1 + 0.2", "0.1 plus 0.2 is 0.3."),
        ("1/3*3", "1 divided by 3 times 3 is 1."),
        ("10 / 3", "10 divided by 3 is about 3.3333."),
        ("1 / 1024", "1 divided by 1024 is 0.0009765625."),
        ("1000000/7", "1000000 divided by 7 is about 142857.14."),
        ("2**100", "2 to the power of 100 is 1267650600228229401496703205376."),
        ("2^1000", "2 to the power of 1000 is about 1.0715 times 10 to the power of 301."),
        ("123456789 * 987654321", "123456789 times 987654321 is 121932631112635269."),
        ("15% of 80", "15 percent of 80 is 12."),
        ("80 + 15%", "80 plus 15 percent is 92."),
        ("100 - 20 percent", "100 minus 20 percent is 80."),
        ("20% off 50", "20 percent off 50 is 40."),
        ("12% of 42.50", "12 percent of 42.50 is 5.1."),
        ("17 % 5", "17 mod 5 is 2."),
        ("sqrt(2)", "The square root of 2 is about 1.4142."),
        ("the square root of 144", "The square root of 144 is 12."),
        ("√0.25", "The square root of 0.25 is 0.5."),
        ("cbrt(27)", "The cube root of 27 is 3."),
        ("1,234,567 x 2", "1234567 times 2 is 2469134."),
        ("12 × 3 ÷ 4", "12 times 3 divided by 4 is 9."),
        ("what is 7 times 8?", "7 times 8 is 56."),
        ("$5 * 3 =", "5 times 3 is 15."),
        ("-5 + 3", "Minus 5 plus 3 is minus 2."),
        ("5 − 8", "5 minus 8 is minus 3."),
        ("-2^2", "Minus 2 squared is minus 4."),
        ("5!", "5 factorial is 120."),
        ("(1+2)*3", "That is 9."),
        ("2(3+4)", "That is 14."),
        ("(1+2)(3+4)", "That is 21."),
        ("round(2.5)", "That is 3."),
        ("round(-3.14159, 2)", "That is minus 3.14."),
        ("log(1000)", "That is 3."),
        ("pi * 2", "Pi times 2 is about 6.2832."),
        ("007 + 1", "7 plus 1 is 8."),
        ("1/3^20", "1 divided by 3 to the power of 20 is about 2.868 times 10 to the power of minus 10."),
    ],
)
def test_the_result_is_exact_and_read_back(expression: str, said: str) -> None:
    assert calculate(expression) == said


@pytest.mark.parametrize(
    ("expression", "because"),
    [
        ("1/0", "Nothing can be divided by zero."),
        ("5 % 0 + 1", "Nothing can be divided by zero."),
        ("0^-1", "Nothing can be divided by zero."),
        ("9**9**9", "That number is too large for me."),
        ("9^9^9^9^9^9", "That number is too large for me."),
        ("10^4000", "That number is too large for me."),
        ("600!", "That number is too large for me."),
        ("99999999999!", "That number is too large for me."),
        ("factorial(factorial(100))", "That number is too large for me."),
        ("exp(9999)", "That number is too large for me."),
        ("2^-99999", "That number is too large for me."),
        ("sqrt(-4)", "That has no answer in real numbers."),
        ("(-8)^(1/3)", "That has no answer in real numbers."),
        ("ln(-1)", "That has no answer in real numbers."),
        ("2.5!", "That has no answer in real numbers."),
    ],
)
def test_what_has_no_answer_says_so_at_once(expression: str, because: str) -> None:
    begun = time.monotonic()
    with pytest.raises(CannotBeDone) as caught:
        calculate(expression)
    assert caught.value.what == because
    assert time.monotonic() - begun < 0.5


@pytest.mark.parametrize(
    "expression",
    ["", "   ", "five plus 3", "1.5.2", "1,5", "3 +", "()", "[1]*9", "'a'*9", "__import__('os')", "().__class__", "x"],
)
def test_what_is_no_arithmetic_is_not_evaluated(expression: str) -> None:
    with pytest.raises(BadArgument):
        calculate(expression)


ALPHABET = st.sampled_from([*"0123456789.+-*/^%()!, xe", "**", "sqrt(", "factorial(", "pi", "9999", " of "])


@settings(max_examples=400, deadline=1_000)
@given(st.lists(ALPHABET, max_size=40).map("".join))
def test_nothing_that_can_be_written_hangs_or_escapes(expression: str) -> None:
    try:
        said = calculate(expression[:200])
    except ToolError:
        return
    assert said.endswith(".")
    assert len(said) < 200


@given(st.integers(-(10**15), 10**15), st.integers(-(10**15), 10**15))
def test_whole_numbers_are_exact(left: int, right: int) -> None:
    product = left * right
    assert calculate(f"({left}) * ({right})") == f"That is {'minus ' if product < 0 else ''}{abs(product)}."
