"""Text from outside the device, put between two marks that it cannot forge.

A fence lowers the odds that a model obeys such text, no more (ops.md 4): what a turn may do after it has read some is
decided where tools are called.
"""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Callable

CUT = "…"
REMOVED = "(removed)"
"""Stands where a forged mark stood. It holds letters, so that what is left on its two sides cannot join to a mark."""
SOURCE_MAX_CHARS = 40
READ_AHEAD = 4
"""Times the limit that is looked at: cleaning makes text shorter, and 10 MB must not be cleaned for 600 characters."""

_UNSEEN_CATEGORIES = frozenset(("Cc", "Cf", "Cs", "Co", "Cn"))
"""Control, format (bidi, zero width, tags), surrogate, private and unassigned characters."""
_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
"""Blank on the screen although they count as letters, marks or symbols."""
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Variation selectors: 256 of them, enough to hide a whole text behind one letter."""

_LOOKALIKES = {
    twin: letter
    for letter, twins in {
        "<": "‹«⟨⟪〈《≪⋖❬❮❰˂ᐸ⧼",
        ">": "›»⟩⟫〉》≫⋗❭❯❱˃ᐳ⧽",
        "|": "¦∣│ǀ❘",
        "/": "⁄∕╱⧸",
        "a": "аɑα",
        "d": "ԁɗᴅժ",
        "e": "еєɛᴇ℮ҽ",
        "n": "ոηпռɴ",
        "r": "гʀᴦ",
        "s": "ѕꜱʂ",
        "t": "тτᴛ†",
        "u": "υսцᴜʋ∪",
        "y": "уγү",
    }.items()
    for twin in twins
}
"""What NFKC leaves alone and the eye does not, for brackets and the letters of the marks."""

_COMMENT = re.compile(r"< ?! ?--.*?(?:-- ?>|\Z)", re.DOTALL)
_OPENING = r"(?:<|&lt;?|&#0{0,5}60;?|&#x0{0,5}3c;?|\\u003c|[\[({] ?/)"
_FORGED = re.compile(
    rf"{_OPENING}[\W_]{{0,8}}{'[^a-z0-9]{0,3}'.join('untrusted')}"
    r"|< ?/? ?\|[^<>\n]{0,60}> ?"
    r"|\[ ?/? ?(?:inst|sys|system_prompt|available_tools|tool_\w{1,20}) ?\]"
    r"|<{1,2} ?/? ?(?:s|sys|bos|eos|pad|unk|think|invoke|function\w{0,20}|tool_\w{1,20}) ?>{1,2}"
    r"|< ?(?:start|end)_of_\w{1,20} ?>"
)
"""Our own marks in any disguise, then what chat templates are made of. All lower case: it reads folded text."""
_PROTOCOL_LINE = re.compile(
    r"^ *(?:[-=~–—]{1,3} ?>|[>→⇒➜]|\[|say\b|#{2,} ?\w"
    r"|(?:system|user|assistant|human|developer|model|tool) ?:"
    r"|[^\W\d]\w{0,60} ?\( ?(?:\)|[^\W\d]\w{0,60} ?=))",
    re.MULTILINE,
)
"""How a line of ours begins: a tool's answer, words to say, a context, a call; and how other formats name a role."""
_MARK = re.compile(r"^</?untrusted\b.*$", re.MULTILINE)
_BRACKET = re.compile(r"<(?!=? ?\d)")


def new_nonce() -> str:
    """Eight hexadecimal digits that nobody can foretell; one for each result."""
    return secrets.token_hex(4)


def fence(text: str, source: str, limit_chars: int, nonce: str) -> str:
    """`text` without its tricks, between marks that carry `nonce`.

    source: where it comes from, such as a tool's name.  limit_chars: at least 1; of the text between the marks, with
    the ellipsis that marks a cut. The marks themselves are at most 100 characters and never cut.
    """
    inner = harmless(text, limit_chars)
    return f"<untrusted {nonce} source={_name(source)}>\n{inner}\n</untrusted {nonce}>"


def harmless(text: str, limit_chars: int) -> str:
    """`text` without what nobody sees, and without what could pass for a mark of ours; an ellipsis marks a cut."""
    inner = _harmless(text[: limit_chars * READ_AHEAD])
    if len(inner) > limit_chars or len(text) > limit_chars * READ_AHEAD:
        inner = inner[: limit_chars - 1].rstrip() + CUT
    return inner


def unfenced(text: str) -> str:
    """Fenced and other text without the marks: for what only counts and compares."""
    return _MARK.sub("", text)


def encodable(text: str) -> str:
    """`text` with a question mark for what no encoding has, such as half of a surrogate pair in a file's name."""
    return text.encode("utf-8", "replace").decode()


def _name(source: str) -> str:
    """One word: a source is named by the outside world as well."""
    return re.sub(r"[^\w.-]+", "_", seen(source[:200]))[:SOURCE_MAX_CHARS].strip("_") or "unknown"


def _harmless(text: str) -> str:
    """The order matters: characters first, so that no mark hides; lines last, when nothing before them vanishes."""
    text = _replace(_COMMENT, lambda found: "", seen(text))
    text = _replace(_FORGED, lambda found: REMOVED, text)
    text = _BRACKET.sub("‹", text)  # no mark and no template is left to be made of the pieces; "< 5" stays
    return _replace(_PROTOCOL_LINE, lambda found: "| " + found, text).strip()


def seen(text: str) -> str:
    """`text` as a person sees it: every line end a newline, every blank a space, nothing invisible."""
    text = _SELECTORS.sub("", "\n".join(text.splitlines()))
    return text.translate({ord(character): _shown(character) for character in set(text)})


def _shown(character: str) -> str:
    if character == "\n":
        return character
    category = unicodedata.category(character)
    if character == "\t" or category == "Zs":
        return " "
    return "" if category in _UNSEEN_CATEGORIES or character in _UNSEEN else character


def _replace(pattern: re.Pattern[str], replacement: Callable[[str], str], text: str) -> str:
    """`pattern` is sought in the folded text, which is as long as `text`; what it covers is replaced in `text`."""
    parts, done = [], 0
    for found in pattern.finditer(_folded(text)):
        parts += [text[done : found.start()], replacement(text[found.start() : found.end()])]
        done = found.end()
    return "".join(parts) + text[done:]


def _folded(text: str) -> str:
    return text.translate({ord(character): _base(character) for character in set(text)})


def _base(character: str) -> str:
    """The plain lower-case letter or sign that `character` is, or looks like."""
    plain = unicodedata.normalize("NFKD", character)[0].lower()
    return _LOOKALIKES.get(plain, plain) if len(plain) == 1 else character
