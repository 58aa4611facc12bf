"""What a small model is not left to decide: the one tool that its next pass can only call."""

from __future__ import annotations

from appliance.thought.catalogue import Catalogue
from appliance.thought.conversation import Carried
from appliance.thought.corrections import RECALL, REMEMBER
from appliance.thought.recollect import Recollection
from appliance.thought.tool_signs import ToolSigns
from appliance.thought.work import Work


def duty(work: Work, carried: Carried, recollection: Recollection, catalogue: Catalogue) -> str:
    """Its name, or empty when there is none, or it may not run.  carried: what the turn before left."""
    signs = work.signs
    if signs.keeping or (signs.correcting and _about_told(work, carried, recollection)):
        name = REMEMBER
    elif signs.personal and _only_recall(signs.tools) and recollection.lacks(work.heard):
        name = RECALL  # left alone, the model invents what nobody has told it
    else:
        name = catalogue.certain(work)
    return name if name in work.allowed else ""


def _only_recall(tools: ToolSigns) -> bool:
    """It may be meant, and no other tool is that the words speak for too: "what have I got running"."""
    return RECALL in tools.meant and not tools.called_for & tools.meant - {RECALL}


def _about_told(work: Work, carried: Carried, recollection: Recollection) -> bool:
    """Whether the line is about what was just told, or about a stored fact."""
    return (work.signs.retelling and carried.told) or (work.signs.bare and recollection.contradicts(work.heard))
