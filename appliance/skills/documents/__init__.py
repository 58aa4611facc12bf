"""Documents: what the owner's own files say, by full text; a folder that is read and never written to.

They are read in the background, each in a process that may not take much, and told of by file and page.
"""

from __future__ import annotations

from pathlib import Path

from appliance.ports import Skill, SkillContext
from appliance.skills.documents.index import Index
from appliance.skills.documents.keeper import Keeper
from appliance.skills.documents.tools import DocumentTools
from appliance.skills.schema import tool
from appliance.skills.written import FALLBACK, Words


def make(context: SkillContext) -> Skill:
    here, folder = Path(__file__).parent, context.settings.documents.folder
    words = Words(here, context.settings.words.language)
    index = Index(context.settings.state)
    documents = DocumentTools(index, words)

    def missing() -> str:
        if folder is not None and folder.is_dir():
            return ""
        return words.say("missing" if folder is None else "no_folder")

    return Skill(
        "documents",
        tools=[tool(documents.search_documents, "read", untrusted=True)],
        commands=[tool(documents.list_documents, "read")],
        needs="a folder of documents: documents.folder in the settings",
        missing=missing,
        chore=Keeper(folder, index, Words(here, FALLBACK).phrases["why"]).tend if folder else None,
        erase=index.erase,
        rank=85,
    )
