"""Which skills there are, and what becomes of one that cannot be used."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import yaml

import appliance
from appliance.errors import CannotBeDone
from appliance.ports import Skill
from appliance.settings import Settings
from appliance.settings import Skills as Chosen
from appliance.simulated import ListedTool, skill_context
from appliance.skills.loader import load
from appliance.skills.skillset import Skills
from appliance.skills.written import Offers
from bench import cases

BOARD = load(skill_context())
WRITTEN = sorted(Path(appliance.__file__).parent.rglob("*.yaml"))
SKILL = "from appliance.ports import Skill\nfrom appliance.simulated import ListedTool\ndef make(context):\n    return "


def with_own(own: Path, **files: str) -> Skills:
    """`files`: folder -> its `__init__.py`."""
    for name, text in files.items():
        (own / name).mkdir()
        (own / name / "__init__.py").write_text(text)
    return load(skill_context(settings=Settings(skills=Chosen(own=own))))


def test_the_skills_on_board_are_found_in_their_order() -> None:
    assert [skill.name for skill in BOARD.on] == [
        "clock",
        "timers",
        "alarms",
        "reminders",
        "arithmetic",
        "sound",
        "memory",
        "country",
        "lists",
        "notes",
        "later",
        "announcements",
        "about",
        "care",
        "help",
    ]
    assert all(skill.folder and skill.folder.name == skill.name for skill in BOARD.on)


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: "/".join(path.parts[-3:]))
def test_every_table_can_be_read_by_any_yaml_reader(path: Path) -> None:
    assert yaml.load(path.read_text(), Loader=yaml.SafeLoader)


def test_offers_are_for_tools_that_are_there_and_lines_of_text() -> None:
    for skill in BOARD.on:
        assert skill.folder
        offers = Offers(skill.folder, "en")
        assert offers.keys() <= {tool.name for tool in skill.all_tools}
        assert all(isinstance(line, str) and line.strip() for lines in offers.values() for line in lines)


def test_each_skill_has_cases_and_half_of_them_are_near_misses() -> None:
    for skill in BOARD.on:
        tools = {tool.name for tool in skill.all_tools}
        assert skill.folder
        own = [case for case in cases.load(cases.SKILLS) if case.kind == skill.name]
        called = [
            {name for turn in case.turns for each in turn.tools or () for name in each.split("|")} for case in own
        ]
        missed = sum(not (tools & names) for names in called)
        assert 6 <= len(own) <= 12, skill.name
        assert missed >= len(own) // 2, skill.name


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("def make(context", "SyntaxError"),
        ("import no_such_package", "no_such_package"),
        ("x = 1", "make"),
        ("raise SystemError('boom')", "boom"),
        (SKILL + "Skill('clock', '')", "there is a skill clock already"),
        (SKILL + "Skill('bad', '', tools=[ListedTool('set_timer')])", "timers has a tool set_timer already"),
        (SKILL + "None", "left out"),
    ],
)
def test_one_that_cannot_be_used_is_left_out_and_told(
    tmp_path: Path, text: str, told: str, caplog: pytest.LogCaptureFixture
) -> None:
    skills = with_own(tmp_path, bad=text, good=SKILL + "Skill('good', 'be good')")
    assert "good" in {skill.name for skill in skills.on}
    assert "bad" not in {skill.name for skill in skills.on}
    assert told in caplog.text
    assert str(tmp_path / "bad") in caplog.text


def test_offers_for_no_tool_leave_it_out(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "bad" / "offer").mkdir(parents=True)
    (tmp_path / "bad" / "offer" / "en.yaml").write_text("nothing: [do nothing]")
    (tmp_path / "bad" / "__init__.py").write_text(SKILL + "Skill('bad', '')")
    assert "bad" not in {skill.name for skill in with_own(tmp_path).on}
    assert "nothing" in caplog.text


def test_a_folder_that_is_not_there_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert len(load(skill_context(settings=Settings(skills=Chosen(own=tmp_path / "gone")))).on) == len(BOARD.on)
    assert "skills.own" in caplog.text


def test_a_name_that_is_none_is_told(caplog: pytest.LogCaptureFixture) -> None:
    load(skill_context(settings=Settings(skills=Chosen(off=["timer"]))))
    assert "timer, which is no skill here" in caplog.text


def test_without_timers_nothing_rings() -> None:
    skills = load(skill_context(settings=Settings(skills=Chosen(off=["timers"]))))
    assert (skills.rings.alarms.due(), skills.rings.alarms.next_due_in(), skills.rings.telling.missed([])) == (
        [],
        None,
        "",
    )
    with pytest.raises(CannotBeDone, match="My timers skill is switched off"):
        next(tool for tool in skills.commands() if tool.name == "set_timer").call({"minutes": 5})


def test_a_tool_whose_needs_are_missing_refuses_and_is_not_ready() -> None:
    lacks = ["The network is not there."]
    skill = Skill("radio", "play", tools=[ListedTool("play")], needs="the network", missing=lambda: lacks[0])
    (tool,) = Skills((skill,)).for_model()
    assert not tool.ready()
    with pytest.raises(CannotBeDone, match="network"):
        tool.call({})
    lacks[0] = ""
    assert tool.ready()


def test_a_skill_that_fails_to_erase_keeps_no_other_from_it() -> None:
    erased: list[str] = []

    def fail() -> None:
        raise OSError("read only")

    one, two = (replace(BOARD.on[0], erase=erase) for erase in (fail, lambda: erased.append("two")))
    Skills((one, two)).erase()
    assert erased == ["two"]
