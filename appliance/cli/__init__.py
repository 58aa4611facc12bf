"""The verbs. Each parses, calls one function, prints. Text and exit codes stay in this package."""

from __future__ import annotations

import logging
import sys

from appliance.arguments import OF_SKILLS, parser
from appliance.cli import bridge, care, discord, hub, kept, library, models, node, speaker, turns, wyoming
from appliance.errors import ApplianceError


def main(argv: list[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    arguments = parser(VERBS, ACTIONS).parse_args(argv)
    logging.basicConfig(
        level=logging.DEBUG if arguments.debug else logging.INFO if arguments.run in SERVICES else logging.WARNING,
        format="%(levelname)s %(name)s: %(message)s",
        stream=sys.stderr,
    )
    logging.getLogger("httpx").setLevel(logging.WARNING)  # it has a line for each request
    try:
        return int(arguments.run(arguments))
    except ApplianceError as error:
        print(f"appliance: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()  # whoever read our output has gone: nothing is left to say
        return 0


VERBS = {
    "run": turns.run,
    "ask": turns.ask,
    "chat": turns.converse,
    "prompts": turns.prompts,
    "hear": turns.hear,
    "say": turns.say,
    "simulate": turns.simulate,
    "node": node.run,
    **dict.fromkeys(OF_SKILLS, kept.of_skill),
    "calendar": kept.calendar,
    "memory": kept.memory,
    "announce": kept.announce,
    "do": kept.any_skill,
    "doctor": care.doctor,
    "support": care.support,
    "backup": care.backup,
    "restore": care.restore,
    "models": models.list_,
    "library": library.list_,
    "speaker": speaker.list_,
    "bridge": bridge.check,
    "wyoming": wyoming.check,
    "discord": discord.check,
    "hub": hub.check,
}
ACTIONS = {
    "node": {"run": node.run, "test": node.test},
    "models": {"list": models.list_, "fetch": models.fetch, "verify": models.verify},
    "library": {"list": library.list_, "add": library.add, "remove": library.remove},
    "speaker": {"list": speaker.list_, "enroll": speaker.enroll, "forget": speaker.forget},
    "bridge": {"run": bridge.run, "check": bridge.check, "key": bridge.key},
    "wyoming": {"run": wyoming.run, "check": wyoming.check},
    "discord": {"run": discord.run, "check": discord.check},
    "hub": {"run": hub.run, "check": hub.check, "pair": hub.pair, "token": hub.token},
}
SERVICES = (turns.run, bridge.run, discord.run, hub.run, node.run, wyoming.run)
"""Whose log tells what happens, in the journal."""
