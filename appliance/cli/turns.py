"""The verbs that take turns, hear or speak: `run`, `ask`, `chat`, `prompts`, `hear`, `say`, `simulate`."""

from __future__ import annotations

import json
import logging
import signal
import sys
from contextlib import suppress
from types import FrameType

from appliance import build, settings_file
from appliance.arguments import Arguments
from appliance.audio import read_wav
from appliance.cli.common import (
    exit_code,
    in_voice,
    on_hub,
    parts,
    print_flushed,
    print_record,
    progress,
    settings,
    source,
)
from appliance.errors import StoreUnusable, WrongUse
from appliance.records import TurnRecord
from appliance.service.turn import Moments
from appliance.terminal import chat
from appliance.terminal.stages import StageLine

log = logging.getLogger(__name__)

PROMPT_COLOURS = {"pinned": "\033[2m", "conversation": "\033[36m", "fresh": "\033[1;33m"}


def run(arguments: Arguments) -> int:
    own = source(arguments)
    chosen, mistake = settings_file.load_or_last_good(own)
    if not mistake and own.choices.begin():
        log.error("what was last chosen on the page was taken back, for the box did not start well with it")
        chosen = own.load()
    chosen, kept = on_hub(chosen, arguments), own.choices.kept
    if mistake:
        log.error("going on with the settings of the last good start: %s", mistake)

    def started() -> None:
        if not mistake:
            with suppress(OSError, StoreUnusable):  # a card that takes nothing is told of elsewhere
                settings_file.keep_good(arguments.config, chosen.state)
                own.choices.well(kept)

    def publish(record: TurnRecord, _: Moments) -> None:
        log.info("%s", record.as_json() if chosen.log_words and not record.private else record.as_log())
        if arguments.json:
            print_record(record)

    tell = progress(arguments)
    told = build.Started(started, mistake, own)
    with build.service(chosen, arguments.now, tell, publish, arguments.unmute, told) as (service, supervision):

        def end(signum: int, frame: FrameType | None) -> None:
            supervision.stopping()
            service.stop()

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, end)
        service.run()
    return 0


def ask(arguments: Arguments) -> int:
    text = (" ".join(arguments.text) or sys.stdin.read()).strip()
    if not text:
        raise WrongUse("there is nothing to answer", remedy='say something: appliance ask "what time is it"')
    with parts(arguments) as made:
        for ended in [] if arguments.json else made.console.ring_due():
            print(ended.said, file=sys.stderr)  # what is on standard output is the answer
        record = made.console.ask(text, chat.quiet if arguments.json else print_flushed)
    if arguments.json:
        print_record(record)
    return exit_code(record)


def converse(arguments: Arguments) -> int:
    with parts(arguments) as made:
        if arguments.json:
            chat.json_lines(made.console, sys.stdin, print_flushed)
        else:
            chat.terminal(made.console, _read_line, print_flushed)
    return 0


def _read_line() -> str | None:
    try:
        return input("> ")
    except EOFError:
        print()
        return None


def prompts(arguments: Arguments) -> int:
    with parts(arguments) as made:
        shown = made.prompt(" ".join(arguments.text), arguments.after)
    if arguments.json:
        print(json.dumps([part._asdict() for part in shown], ensure_ascii=False))
        return 0
    for part in shown:
        print(f"{PROMPT_COLOURS[part.name]}{part.text}\033[0m" if sys.stdout.isatty() else part.text, end="")
    print(f"\n\n{', '.join(f'{part.name} up to token {part.tokens}' for part in shown)}", file=sys.stderr)
    return 0


def hear(arguments: Arguments) -> int:
    samples = read_wav(arguments.recording)
    stages = StageLine(lambda line: print(line, file=sys.stderr, flush=True), on=not arguments.json)
    with parts(arguments) as made:
        heard = made.hear(
            samples,
            realtime=arguments.realtime,
            wake=not arguments.no_wake,
            out=arguments.out,
            aloud=True,
            watch=stages.watch,
        )
    heard.check()
    if arguments.picture:
        answer = read_wav(arguments.out) if arguments.out and heard.record.said else None
        build.draw(heard, samples, answer, arguments.picture)
    if arguments.json:
        print_record(heard.record)
        return exit_code(heard.record)
    for line in stages.summary(heard.record, arguments.out, arguments.picture):
        print(line)
    return exit_code(heard.record)


def say(arguments: Arguments) -> int:
    chosen = in_voice(settings(arguments), arguments.voice)
    if arguments.list:
        for voice in build.voices(chosen):
            print(voice)
        return 0
    if not arguments.text:
        raise WrongUse("there is nothing to say", remedy='appliance say "dinner is ready", or --list for the voices')
    with build.parts(chosen, build.clock(chosen, arguments.now), progress(arguments)) as made:
        made.say(" ".join(arguments.text), arguments.out)
    return 0


def simulate(arguments: Arguments) -> int:
    build.simulate(sys.stdin, sys.stdout)
    return 0
