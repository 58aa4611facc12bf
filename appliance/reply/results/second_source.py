"""Where one source has nothing, the other one is asked before the model reads of it.

Which of the two knows of a book or a boiler a small model guesses, and the wrong one has nothing.
"""

from __future__ import annotations

from appliance.reply.calls.grounding import QUERY
from appliance.reply.plan import Call
from appliance.reply.understanding.line import LOOKUP
from appliance.reply.work import Work
from appliance.safety.fence import unfenced

DOCUMENTS = "search_documents"
"""The household's own papers (spec/interface.md); `LOOKUP` is the encyclopedia."""
OTHER = {LOOKUP: DOCUMENTS, DOCUMENTS: LOOKUP}


def elsewhere(call: Call, work: Work) -> Call | None:
    """The same search in the other source, where the one that was just made found nothing; what it gave is forgotten.

    None where the line names the source, or asks about the household's own.
    """
    other, query = OTHER.get(call.tool, ""), call.arguments.get(QUERY)
    tried = any(each.tool == other and each.arguments.get(QUERY) == query for each in work.calls)
    words, tools = work.signs.words, work.signs.tools
    own = (work.signs.personal or call.tool in tools.claimed & {DOCUMENTS}) and other not in tools.due
    named = own or work.signs.conditional or words.shelves.search(work.heard)
    if not query or not other or other not in work.allowed or tried or named or not work.results:
        return None
    if not words.empty.fullmatch(unfenced(work.results[-1]).strip(" .!\n")):
        return None
    work.unread.remove(work.results.pop())
    return Call(other, {QUERY: query})
