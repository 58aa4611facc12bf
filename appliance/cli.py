"""The verbs. Each parses, calls one function, prints. Text and exit codes stay here."""

from __future__ import annotations

import faulthandler
import json
import logging
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from functools import partial
from types import FrameType

from appliance import __version__, build, settings_file
from appliance.arguments import KEPT, Arguments, parser
from appliance.audio import read_wav
from appliance.errors import ApplianceError, PartMissing, TurnFailed, WrongUse
from appliance.models.registry import Row
from appliance.records import TurnRecord
from appliance.service.turn import Moments
from appliance.settings import Settings
from appliance.terminal import chat, kept
from appliance.terminal.stages import StageLine

log = logging.getLogger(__name__)
_print_flushed = partial(print, flush=True)


def main(argv: list[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    arguments = parser(VERBS, MODELS_VERBS).parse_args(argv)
    logging.basicConfig(
        level=logging.DEBUG if arguments.debug else logging.INFO if arguments.verb == "run" else logging.WARNING,
        format="%(levelname)s %(name)s: %(message)s",
        stream=sys.stderr,
    )
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


def _settings(arguments: Arguments) -> Settings:
    return settings_file.load(arguments.config, arguments.profile, arguments.state)


@contextmanager
def _parts(arguments: Arguments) -> Iterator[build.Parts]:
    chosen = _settings(arguments)
    with build.parts(chosen, build.clock(chosen, arguments.now), _progress(arguments)) as parts:
        yield parts


def _progress(arguments: Arguments) -> Callable[[str], None]:
    """Tells a person at a terminal what takes so long."""
    if arguments.json or not sys.stderr.isatty():
        return chat.quiet
    return lambda note: print(f"\033[2m{note}\033[0m", file=sys.stderr, flush=True)


def _run(arguments: Arguments) -> int:
    chosen, mistake = settings_file.load_or_last_good(arguments.config, arguments.profile, arguments.state)
    if mistake:
        log.error("going on with the settings of the last good start: %s", mistake)

    def started() -> None:
        if not mistake:
            with suppress(OSError):  # a card that takes nothing is told of elsewhere
                settings_file.keep_good(arguments.config, chosen.state)

    def publish(record: TurnRecord, _: Moments) -> None:
        log.info("%s", record.as_json() if chosen.log_words else record.as_log())
        if arguments.json:
            _print_record(record)

    faulthandler.enable()  # a watchdog ends a hung service by SIGABRT: the journal then shows where each thread stood
    tell = _progress(arguments)
    told = build.Started(started, mistake)
    with build.service(chosen, arguments.now, tell, publish, arguments.unmute, told) as (service, supervision):

        def end(signum: int, frame: FrameType | None) -> None:
            supervision.stopping()
            service.stop()

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, end)
        service.run()
    return 0


def _ask(arguments: Arguments) -> int:
    text = (" ".join(arguments.text) or sys.stdin.read()).strip()
    if not text:
        raise WrongUse("there is nothing to answer", remedy='say something: appliance ask "what time is it"')
    with _parts(arguments) as parts:
        for ended in [] if arguments.json else parts.console.ring_due():
            print(ended.said, file=sys.stderr)  # what is on standard output is the answer
        record = parts.console.ask(text, chat.quiet if arguments.json else _print_flushed)
    if arguments.json:
        _print_record(record)
    return _exit_code(record)


def _print_record(record: TurnRecord) -> None:
    _print_flushed(record.as_json())


def _exit_code(record: TurnRecord) -> int:
    return TurnFailed.exit_code if record.outcome == "error" else 0


def _chat(arguments: Arguments) -> int:
    with _parts(arguments) as parts:
        if arguments.json:
            chat.json_lines(parts.console, sys.stdin, _print_flushed)
        else:
            chat.terminal(parts.console, _read_line, _print_flushed)
    return 0


def _read_line() -> str | None:
    try:
        return input("> ")
    except EOFError:
        print()
        return None


PROMPT_COLOURS = {"pinned": "\033[2m", "conversation": "\033[36m", "fresh": "\033[1;33m"}


def _prompts(arguments: Arguments) -> int:
    with _parts(arguments) as parts:
        shown = parts.prompt(" ".join(arguments.text), arguments.after)
    if arguments.json:
        print(json.dumps([part._asdict() for part in shown], ensure_ascii=False))
        return 0
    for part in shown:
        print(f"{PROMPT_COLOURS[part.name]}{part.text}\033[0m" if sys.stdout.isatty() else part.text, end="")
    print(f"\n\n{', '.join(f'{part.name} up to token {part.tokens}' for part in shown)}", file=sys.stderr)
    return 0


def _hear(arguments: Arguments) -> int:
    samples = read_wav(arguments.recording)
    stages = StageLine(lambda line: print(line, file=sys.stderr, flush=True), on=not arguments.json)
    with _parts(arguments) as parts:
        heard = parts.hear(
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
        _print_record(heard.record)
        return _exit_code(heard.record)
    for line in stages.summary(heard.record, arguments.out, arguments.picture):
        print(line)
    return _exit_code(heard.record)


def _say(arguments: Arguments) -> int:
    with _parts(arguments) as parts:
        parts.say(" ".join(arguments.text), arguments.out)
    return 0


def _timers(arguments: Arguments) -> int:
    chosen = _settings(arguments)
    rows = kept.timer_rows(build.timers_on_disk(chosen), build.clock(chosen, arguments.now).now())
    return _print_rows(rows, kept.timer_lines(rows), arguments)


def _items(arguments: Arguments) -> int:
    """Of the skill that is named like the verb."""
    rows = kept.item_rows(build.items_on_disk(_settings(arguments), arguments.verb))
    return _print_rows(rows, kept.item_lines(rows), arguments)


def _print_rows(rows: Sequence[kept.Row], lines: Iterable[str], arguments: Arguments) -> int:
    print(json.dumps(rows, default=str) if arguments.json else "\n".join(lines) or f"no {arguments.verb}")
    return 0


def _calendar(arguments: Arguments) -> int:
    done = build.calendar_sync(_settings(arguments))
    print(json.dumps(asdict(done)) if arguments.json else done)
    return 0


def _simulate(arguments: Arguments) -> int:
    build.simulate(sys.stdin, sys.stdout)
    return 0


def _doctor(arguments: Arguments) -> int:
    checks = build.examine(_settings(arguments), arguments.acoustic)
    if arguments.json:
        print(json.dumps({"version": __version__, "checks": [check.as_dict() for check in checks]}))
    for check in [] if arguments.json else checks:
        print(f"{'fine ' if check.fine else 'WRONG'}  {check.part}: {check.found}")
        if check.remedy:
            print(f"       {check.remedy}")
    return 0 if all(check.fine for check in checks) else PartMissing.exit_code


def _support(arguments: Arguments) -> int:
    chosen, mistake = settings_file.load_or_last_good(arguments.config, arguments.profile, arguments.state)
    if mistake:
        print(
            "the settings cannot be used (appliance doctor says why): those of the last good start are", file=sys.stderr
        )
    journal = sys.stdin.buffer.read().decode(errors="replace") if arguments.journal else None
    made = build.report(chosen, arguments.out, journal)
    if arguments.json:
        print(json.dumps(asdict(made), default=str))
        return 0
    print(f"{made.file}: nothing in it was said or stored by anybody. It holds:")
    for name, what in made.holds.items():
        print(f"  {name:<14} {what}")
    return 0


def _backup(arguments: Arguments) -> int:
    name, content = build.copy_out(_settings(arguments), arguments.folder)
    sys.stdout.buffer.write(content)  # nothing else: root may catch it there, who opens no file of the service's user
    print(name, file=sys.stderr)
    return 0


def _restore(arguments: Arguments) -> int:
    print(f"restored, as of {build.bring_in(_settings(arguments), arguments.copy):%Y-%m-%d at %H:%M}")
    return 0


def _models_list(arguments: Arguments) -> int:
    return _show(build.catalog(_settings(arguments)).rows(), arguments)


def _models_verify(arguments: Arguments) -> int:
    chosen = _settings(arguments)
    models = build.catalog(chosen)
    rows = models.rows(arguments.names or models.wanted(chosen), fully=True)
    _show(rows, arguments)
    return 0 if all(row.state == "here" for row in rows) else PartMissing.exit_code


def _show(rows: Sequence[Row], arguments: Arguments) -> int:
    if arguments.json:
        print(json.dumps([asdict(row) for row in rows]))
        return 0
    for row in rows:
        about = f"{row.role:<9} {row.hashed_at or '-':<10} {row.licence}"
        print(f"{row.state:>8}  {row.name:<22} {row.bytes / 1e6:>8,.1f} MB  {about}")
        if row.state == "damaged":
            print(f"{'':>10}{row.what}")
    return 0


def _models_fetch(arguments: Arguments) -> int:
    chosen = _settings(arguments)
    models = build.catalog(chosen)
    with build.progress() as progress:
        models.fetch(arguments.names or models.wanted(chosen), progress)
    return 0


VERBS = {
    "run": _run,
    "ask": _ask,
    "chat": _chat,
    "prompts": _prompts,
    "hear": _hear,
    "say": _say,
    "simulate": _simulate,
    "timers": _timers,
    **dict.fromkeys(KEPT, _items),
    "calendar": _calendar,
    "doctor": _doctor,
    "support": _support,
    "backup": _backup,
    "restore": _restore,
    "models": _models_list,
}
MODELS_VERBS = {"list": _models_list, "fetch": _models_fetch, "verify": _models_verify}
