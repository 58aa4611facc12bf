"""What may stand behind `appliance` on a command line."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

from appliance import __version__, boards

Arguments = argparse.Namespace
Verb = Callable[[Arguments], int]
"""Does what was asked for; returns the exit code."""

KEPT = {
    "timers": "the timers that are set",
    "alarms": "the alarms that are set",
    "reminders": "the reminders that are set",
    "lists": "the lists, and what is on them",
    "notes": "the notes",
    "later": "the orders that wait for their time",
    "memory": "what is remembered; export, import FILE: all of it as JSON lines",
}
"""Skill -> what its items are."""
OF_SKILLS = KEPT | {
    "music": "the music: what is playing",
    "calendar": "the calendar: what is next; sync: with its server, beside `models fetch` the only use of a network",
    "documents": "the documents: which there are, and why one is not read",
}
"""Verb, which is the name of a skill -> what it tells without an ACTION."""
HELP = {
    "run": "be the appliance: listen, answer, ring",
    "ask": "one turn: answer TEXT",
    "chat": "a conversation in the terminal; with --json a turn a line",
    "prompts": "what the model would read for TEXT: pinned, conversation, fresh",
    "hear": "one spoken turn from a recording",
    "say": "say TEXT aloud",
    "simulate": "button and light in this terminal, on the real state machine",
    "node": "be the appliance with its thought on a hub: run; test: prove that hub",
    **OF_SKILLS,
    "announce": "say TEXT aloud in the room, as the box would if it were told to",
    "do": "a command to any skill: SKILL ACTION WORDs; an ACTION may be the name of a tool",
    "doctor": "check every part and say what to do",
    "support": "write a report for whoever helps you, with nothing personal in it",
    "backup": "copy the newest good copy of the memory out of this machine's card",
    "restore": "put such a copy in the place of a memory that is not there",
    "models": "the models: list, fetch, verify",
    "library": "the ZIM files of the encyclopedia: list, add, remove",
    "speaker": "the voices that the box tells from each other: list, enroll, forget",
    "bridge": "what reaches things in the network: check, run",
    "wyoming": "the box's ear and voice for Home Assistant: check, run",
    "discord": "the door to Discord, an extra that needs the internet: check, run",
    "hub": "what programs and people in the home reach the box by: check, run, pair, and its tokens",
}
ACTIONS_HELP = {
    "node": {
        "run": "listen, ring and speak here, and think there",
        "test": "prove the hub: registration (of a tool), calling (it), or all",
    },
    "models": {
        "list": "what there is, and what is here",
        "fetch": "fetch what the profile needs, or NAMEs",
        "verify": "hash what the profile needs, or NAMEs, again",
    },
    "library": {
        "list": "what there is: size, articles, licence, source, sha256",
        "add": "check FILE and bring it into the folder encyclopedia.folder",
        "remove": "delete NAME from that folder",
    },
    "speaker": {
        "list": "whose voices it knows",
        "enroll": "learn the voice of NAME: from three sentences that it asks for, or from three WAVs",
        "forget": "delete the voice print of NAME",
    },
    "bridge": {
        "check": "whether each thing in the settings can be reached, and if not what to do",
        "run": "be the bridge: connect, and answer the appliance",
        "key": "make a house key, for all boxes of the house, in FILE",
    },
    "wyoming": {
        "check": "whether it answers as Home Assistant would ask it, and if not what to do",
        "run": "be it: listen at wyoming.port",
    },
    "discord": {
        "check": "whether Discord and the hub let it in, and if not what to do",
        "run": "be it: answer those whom the settings name",
    },
    "hub": {
        "check": "whether it runs, and whether the appliance answers it",
        "run": "be the hub: serve the page and the programs in the home",
        "pair": "for five minutes, let one client get its token by a code",
        "token": "the tokens: add NAME, remove NAME, list",
    },
}
"""Verb -> its actions; the first stands for the verb alone."""


def parser(verbs: Mapping[str, Verb], actions: Mapping[str, Mapping[str, Verb]]) -> argparse.ArgumentParser:
    """`verbs`: a function for each of HELP. `actions`: for each of ACTIONS_HELP."""
    made = argparse.ArgumentParser("appliance", description="An offline voice appliance.", parents=[_common()])
    common = _common()  # its own: the defaults set below would count as given after the verb
    made.add_argument("--version", action="version", version=__version__)
    made.set_defaults(config=None, state=None, profile=None, now=None, json=False, debug=False, hub="")
    takers = made.add_subparsers(dest="verb", required=True, metavar="VERB")
    each = {name: takers.add_parser(name, help=text, description=text, parents=[common]) for name, text in HELP.items()}
    for name, taker in each.items():
        taker.set_defaults(run=verbs[name])
    for name in ("ask", "prompts", "say", "announce"):
        each[name].add_argument("text", nargs="*" if name in ("ask", "say") else "+", metavar="TEXT")
    each["prompts"].add_argument(
        "--after", action="append", default=[], metavar="TEXT", help="said before it; may be repeated"
    )
    each["run"].add_argument("--unmute", action="store_true", help="start with an open microphone, though it was muted")
    _say(each["say"])
    each["doctor"].add_argument("--acoustic", action="store_true", help="play a chirp, and listen for it")
    each["support"].add_argument("--out", type=Path, metavar="OUT.tar.gz", help="where, instead of the state folder")
    each["support"].add_argument(
        "--journal", action="store_true", help="read the service's journal from standard input"
    )
    each["backup"].add_argument("folder", metavar="FOLDER", help="or -: standard output, and the name to the other")
    each["restore"].add_argument("copy", type=Path, metavar="COPY")
    _hear(each["hear"])
    takers_of = {name: _actions(each[name], texts, actions[name], common) for name, texts in ACTIONS_HELP.items()}
    _node(each["node"], takers_of["node"])
    each["models"].set_defaults(names=[])
    for name in ("fetch", "verify"):
        takers_of["models"][name].add_argument("names", nargs="*", metavar="NAME")
    takers_of["library"]["add"].add_argument("file", type=Path, metavar="FILE.zim")
    takers_of["library"]["remove"].add_argument("name", metavar="NAME.zim")
    for action in ("enroll", "forget"):
        takers_of["speaker"][action].add_argument("name", metavar="NAME")
    takers_of["speaker"]["enroll"].add_argument("recordings", type=Path, nargs="*", metavar="WAV")
    takers_of["bridge"]["key"].add_argument("file", type=Path, metavar="FILE")
    for name in ("pair", "token"):
        _given_out(takers_of["hub"][name])
    takers_of["hub"]["token"].add_argument("action", choices=("list", "add", "remove"), metavar="ACTION")
    takers_of["hub"]["token"].add_argument("name", nargs="?", default="", metavar="NAME")
    each["announce"].set_defaults(yes=False)
    each["do"].add_argument("skill", metavar="SKILL")
    for name in (*OF_SKILLS, "do"):
        _command(each[name])
    each["memory"].add_argument("--out", type=Path, metavar="FILE", help="where `export` writes to")
    return made


def _given_out(taker: argparse.ArgumentParser) -> None:
    roles = ("owner", "household", "satellite", "guest")
    taker.add_argument("--as", dest="role", choices=roles, default="", help="what whoever has it may do")
    taker.add_argument("--person", default="", metavar="P", help="who has it, as the box calls them")
    taker.add_argument("--room", default="", metavar="R", help="where it is used")


def _command(taker: argparse.ArgumentParser) -> None:
    words = "an ACTION, and what it is to be done with; a wrong one names those that there are"
    taker.add_argument("words", nargs="*", metavar="ACTION", help=words)
    taker.add_argument("--yes", action="store_true", help="do also what cannot be undone")


def _node(taker: argparse.ArgumentParser, actions: Mapping[str, argparse.ArgumentParser]) -> None:
    for each in (taker, *actions.values()):
        text = "its name, or its address (node.hub)"
        each.add_argument("--hub", default=argparse.SUPPRESS, metavar="NAME_OR_URL", help=text)
    for each in (taker, actions["run"]):
        each.set_defaults(unmute=False)
    actions["test"].add_argument("what", choices=["registration", "calling", "all"], nargs="?", default="all")


def _say(taker: argparse.ArgumentParser) -> None:
    taker.add_argument("--out", type=Path, metavar="OUT.wav", help="where to keep it as well")
    taker.add_argument("--voice", default="", metavar="NAME", help="in this voice, instead of that of the settings")
    taker.add_argument("--list", action="store_true", help="the voices that there are, and what is here")


def _hear(taker: argparse.ArgumentParser) -> None:
    taker.add_argument("recording", type=Path, metavar="IN.wav")
    taker.add_argument("--out", type=Path, metavar="OUT.wav", help="where to keep the answer")
    taker.add_argument("--realtime", action="store_true", help="at the pace of a microphone; needed for waiting times")
    taker.add_argument("--no-wake", action="store_true", help="the recording begins after the wake word")
    taker.add_argument("--picture", type=Path, metavar="OUT.png", help="draw the turn")


def _actions(
    taker: argparse.ArgumentParser, texts: Mapping[str, str], verbs: Mapping[str, Verb], common: argparse.ArgumentParser
) -> dict[str, argparse.ArgumentParser]:
    """The taker of each."""
    actions = taker.add_subparsers(metavar="ACTION")
    made = {
        name: actions.add_parser(name, help=text, description=text, parents=[common]) for name, text in texts.items()
    }
    for name, action in made.items():
        action.set_defaults(run=verbs[name])
    return made


def _common() -> argparse.ArgumentParser:
    """Options every verb takes, before or after it."""
    common = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    common.add_argument("--config", type=Path, metavar="FILE", help="settings file")
    common.add_argument("--state", type=Path, metavar="DIR", help="folder of the database and the model snapshots")
    common.add_argument("--profile", metavar="NAME", help=f"board profile: {', '.join(boards.profiles())}")
    common.add_argument("--now", type=_moment, metavar="ISO8601", help="start the clock at this time")
    common.add_argument("--json", action="store_true", help="machine-readable output")
    common.add_argument("--debug", action="store_true", help="log everything but what was said")
    return common


def _moment(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time such as 2026-05-04T07:30") from None
