"""What is to be remembered, as it was told, and in the place of what it corrects."""

from __future__ import annotations

from collections.abc import Callable

from appliance.ports import Known
from appliance.reply.plan import Call
from appliance.reply.understanding.corrections import KEEPERS, UPDATE, as_told, invented
from appliance.reply.understanding.replacing import as_update
from appliance.reply.work import Work


def as_kept(call: Call, work: Work, memory: Known, in_digits: Callable[[str], str]) -> Call:
    """`call`, if it is to remember something; any other as it is.  in_digits: gives a text its numbers in digits."""
    heard, signs = work.record.heard, work.signs
    if signs.keeping and not signs.correcting:  # a line that corrects itself is no fact as it stands
        call = as_told(call, heard, "\n".join(message.text for message in work.known), signs.words)
    if signs.correcting or work.changing:
        told = [str(each.arguments.get("fact", "")) for each in work.earlier if each.tool in KEEPERS]
        done = [each.arguments.get("id") for each in work.calls if each.tool == UPDATE and each not in work.in_vain]
        call = as_update(call, heard, memory, signs.words, signs.retelling, in_digits, told, done)
    said = " ".join([heard, *work.background, work.before, work.beside, *work.results])
    wrong = signs.words.misnamed.search(heard) and not signs.keeping
    made_up = wrong and invented(str(call.arguments.get("fact", "")), said, signs.words)
    return call.without({"fact"}) if made_up else call
