"""Private mode in a whole running service: nothing is kept, it outlives a restart, and its end is said."""

from __future__ import annotations

from pathlib import Path

from typed_service import running


def test_nothing_is_kept_until_it_ends_and_a_restart_does_not_end_it(tmp_path: Path) -> None:
    with running(tmp_path) as box:
        assert box.vitals.status()[1]["private"] is False
        box.type("what is 17 times 23")
        assert box.says("391")
        box.type("private mode on")
        assert box.says("Private mode is on.")
        box.type("what is 18 times 23")
        assert box.says("414")
    with running(tmp_path) as box:
        box.type("are you in private mode")
        assert box.says("Private mode is on.")
        assert box.vitals.status()[1]["private"] is True
        box.type("remember something for me")
        assert box.says("What shall I remember?")
        box.type("my boat is red")
        assert box.says("I am in private mode and keep nothing.")
        box.type("private mode off")
        assert box.says("Private mode is off.")
        box.type("what did we talk about today")
        assert box.says("What is 17 times 23.")
        assert "18 times" not in " ".join(box.said)
    assert b"18 times" not in (tmp_path / "appliance.db").read_bytes()
    assert b"boat" not in (tmp_path / "appliance.db").read_bytes()


def test_where_a_time_was_named_its_end_is_said(tmp_path: Path) -> None:
    with running(tmp_path) as box:
        box.type("don't remember anything for the next two seconds")
        assert box.says("Private mode is on, and ends")
        assert box.says("Private mode has ended.")
        assert box.vitals.status()[1]["private"] is False
        assert box.comes(lambda: not box.parts.private.ran_out), "it is said once"
