"""The size of what is written, and what is caught: each limit holds for the whole of appliance/."""

from __future__ import annotations

import ast
import statistics
from collections.abc import Iterator
from pathlib import Path

import pytest

import appliance

ROOT = Path(appliance.__file__).parent
SOURCES = {str(file.relative_to(ROOT)): file.read_text(encoding="utf-8") for file in sorted(ROOT.rglob("*.py"))}
MEDIAN_LINES, MOST_LINES = 100, 300
"""Of a module."""
BRANCHES, OVER = 10, 0.02
"""Of a function, and the most of all functions that may have more; ruff's C901 counts no comprehension and no `and`."""
MOST_BOOLEANS = 6
"""Operators in one expression."""
MOST_BROAD = 8
BROAD = {"Exception", "BaseException"}
Function = ast.FunctionDef | ast.AsyncFunctionDef
BRANCH = (ast.If, ast.IfExp, ast.For, ast.While, ast.AsyncFor, ast.ExceptHandler, ast.comprehension, ast.match_case)


def branches(function: Function) -> int:
    return sum(isinstance(node, BRANCH) for node in ast.walk(function)) + booleans(function)


def booleans(node: ast.AST) -> int:
    """Each `and`, `or` and `not` within."""
    found = sum(len(each.values) - 1 for each in ast.walk(node) if isinstance(each, ast.BoolOp))
    return found + sum(isinstance(each, ast.UnaryOp) and isinstance(each.op, ast.Not) for each in ast.walk(node))


def expressions(node: ast.AST) -> Iterator[ast.expr]:
    """The outermost ones."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield child
        else:
            yield from expressions(child)


def broad(tree: ast.AST) -> Iterator[ast.ExceptHandler]:
    """Those that catch whatever it is and do not raise it again, as one that only cleans up does."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler):
            kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            catches = any(kind is None or (isinstance(kind, ast.Name) and kind.id in BROAD) for kind in kinds)
            last = node.body[-1]
            if catches and not (isinstance(last, ast.Raise) and last.exc is None):
                yield node


def test_modules_are_short() -> None:
    lines = {name: len(text.splitlines()) for name, text in SOURCES.items()}
    assert statistics.median(lines.values()) <= MEDIAN_LINES
    assert {name: count for name, count in lines.items() if count > MOST_LINES} == {}


def test_hardly_a_function_has_many_branches() -> None:
    trees = [ast.parse(text) for text in SOURCES.values()]
    counts = {node: branches(node) for tree in trees for node in ast.walk(tree) if isinstance(node, Function)}
    many = sorted(f"{node.name}: {count}" for node, count in counts.items() if count > BRANCHES)
    assert len(counts) > 1_000
    assert len(many) <= OVER * len(counts), many


@pytest.mark.parametrize("name", SOURCES)
def test_no_expression_has_many_operators(name: str) -> None:
    long = {each.lineno: booleans(each) for each in expressions(ast.parse(SOURCES[name]))}
    assert {line: count for line, count in long.items() if count > MOST_BOOLEANS} == {}


def test_little_is_caught_whatever_it_is_and_each_time_for_a_reason() -> None:
    """Whoever needs it has `explained` and `logged` in errors.py."""
    found = {f"{name}:{each.lineno}": each for name, text in SOURCES.items() for each in broad(ast.parse(text))}
    assert len(found) <= MOST_BROAD, sorted(found)
    for place, each in found.items():
        line = SOURCES[place.partition(":")[0]].splitlines()[each.lineno - 1]
        assert "  # " in line, f"{place} does not say why it catches all"
