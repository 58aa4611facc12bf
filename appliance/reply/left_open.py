"""A step that was written with the result of another one left open: "$1"."""

from __future__ import annotations

from collections.abc import Callable

from appliance.reply import prompt
from appliance.reply.plan import Call
from appliance.reply.understanding.patterns import NUMBER
from appliance.reply.work import Work


def closed(call: Call, work: Work, in_digits: Callable[[str], str]) -> Call | None:
    """`call` as it can be run now; None where it is put off until the model has read the results, or left out.

    in_digits: gives a text its numbers in digits.
    """
    found = [*work.results, *work.spoken] if work.waited else ()  # before, the model has not read of any price there
    said = [in_digits(work.record.heard), work.beside, *found]
    numbers = NUMBER.findall(" ".join(said))
    if not call.waits(len(work.calls), numbers):
        return call
    if not work.waited:
        work.waiting.append(call)
        return None
    call = call.put_in(work.gave)
    if call.waits(len(work.calls), numbers):
        work.unread.append(prompt.note("open", call=call.text))
        return None
    return call
