"""The files of the page as they are written: small, from this house alone, and every sentence in words.js."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import appliance

PAGE = Path(appliance.__file__).parent / "hub" / "page"
FILES = {path.name: path.read_text("utf-8") for path in sorted(PAGE.iterdir())}
MODULES = [name for name in FILES if name.endswith(".js")]
TABLES = ("words.js", "words_de.js")
WORDS, GERMAN = (dict(re.findall(r'^  "?([\w.]+)"?: "(.*)",$', FILES[name], re.MULTILINE)) for name in TABLES)
MOST_BYTES = 150_000
MOST_LINES = 300
"""Of a module that is not a table; as tests/test_style.py has it of Python."""
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`([^`]*)`')
COMMENT = re.compile(r"^\s*(?://|/?\*).*$|\s// .*$", re.MULTILINE)


def code(name: str) -> str:
    """Without its comments."""
    return COMMENT.sub("", FILES[name])


def literals(name: str) -> list[str]:
    return [one or other for one, other in LITERAL.findall(code(name))]


def test_the_page_is_small() -> None:
    assert sum(path.stat().st_size for path in PAGE.iterdir()) <= MOST_BYTES
    lines = {name: len(text.splitlines()) for name, text in FILES.items() if name not in (*TABLES, "style.css")}
    assert max(lines.values()) <= MOST_LINES, lines


@pytest.mark.parametrize("name", FILES)
def test_nothing_comes_from_elsewhere_or_stands_inline(name: str) -> None:
    text = FILES[name].replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|(?:src|href)=[\"']?//|@import|url\(", text)
    assert not re.search(r"<style|<script(?! type=\"module\" src=)|\son\w+=\"|\sstyle=", text)


@pytest.mark.parametrize("name", MODULES)
def test_data_cannot_become_markup_or_code(name: str) -> None:
    markup = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|srcdoc|createContextual"
    forbidden = rf"{markup}|\beval\(|new Function"
    assert not re.search(forbidden, code(name))
    makes = re.search(r"createElement", code(name))
    assert not makes or name == "dom.js", "elements are made in dom.js"


@pytest.mark.parametrize("name", [name for name in MODULES if name not in TABLES])
def test_no_sentence_stands_outside_of_words(name: str) -> None:
    """A sentence: two words with a space between, not the class names of an element."""
    classes = re.compile(r'class: (?:\w+ \? )?(?:"[^"]*"(?: : "[^"]*")?|`[^`]*`)')
    told = LITERAL.findall(classes.sub("", code(name)))
    assert [one or other for one, other in told if re.search(r"[A-Za-z]{2,} [a-z]{2,}", one or other)] == []


def test_every_key_that_is_used_is_there() -> None:
    used = {key for name in MODULES for key in re.findall(r'\bsay\("([\w.]+)"', code(name))}
    used |= {key for name in MODULES for key in re.findall(r'\b(?:empty|button|field|form)\("([\w.]+)"', code(name))}
    assert len(used) > 80
    assert used - WORDS.keys() == set()


def test_every_key_that_is_there_is_used() -> None:
    """As it is, or as one of a family: `state.${name}`, or with .hint, .remedy or .asked behind one that is used."""
    every = [literal for name in MODULES if name not in TABLES for literal in literals(name)]
    plain = {literal for literal in every if "${" not in literal}
    families = [
        re.compile(re.sub(r"\\\$\\\{[^}]*\\\}", r"[\\w.]+", re.escape(literal)))
        for literal in every
        if re.fullmatch(r"[\w.]*\$\{\w+(?:\.\w+)?\}[\w.]*", literal)
        and re.search(r"\w{3}", re.sub(r"\$\{[^}]*\}", "", literal))
    ]
    unused = [key for key in WORDS if key not in plain and not any(each.fullmatch(key) for each in families)]
    assert unused == []


def test_what_is_said_in_english_is_said_in_german_with_the_same_gaps() -> None:
    assert [*GERMAN] == [*WORDS]
    gaps = re.compile(r"\{(\w+)\}")
    assert [key for key in WORDS if {*gaps.findall(WORDS[key])} != {*gaps.findall(GERMAN[key])}] == []
    alike = [key for key in WORDS if WORDS[key] == GERMAN[key] and re.search(r"[a-z]{3} [a-z]{3}", WORDS[key])]
    assert alike == [], "not translated"


def test_a_sentence_is_found_wherever_it_stands() -> None:
    assert re.search(r"[A-Za-z]{2,} [a-z]{2,}", "Nothing was found")
    assert len(WORDS) > 200
