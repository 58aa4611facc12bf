"""What a fetch shows, in a terminal and in a log."""

from __future__ import annotations

import io

from rich.console import Console

from appliance.terminal.progress import drawn


def shown(*, terminal: bool) -> str:
    out = io.StringIO()
    with drawn(Console(file=out, force_terminal=terminal, width=100)) as progress:
        for done in range(101):
            progress("wake/[a]", done * 1_000_000, 100_000_000, "")
        progress("wake/[a]", 100_000_000, 100_000_000, "from a-package==1.0")
        progress("models", 0, 0, "waiting for another fetch to finish")
    return out.getvalue()


def test_a_log_gets_a_few_plain_lines() -> None:
    assert shown(terminal=False).splitlines() == [
        "wake/[a]: 20 of 100 MB",
        "wake/[a]: 40 of 100 MB",
        "wake/[a]: 60 of 100 MB",
        "wake/[a]: 80 of 100 MB",
        "wake/[a]: from a-package==1.0",
        "models: waiting for another fetch to finish",
    ]


def test_a_terminal_gets_bars_with_notes_above() -> None:
    text = shown(terminal=True)
    assert "wake/[a]: from a-package==1.0" in text
    assert "100.0/100.0 MB" in text
    assert "\x1b[" in text
