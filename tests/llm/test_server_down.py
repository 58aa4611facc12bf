"""A model server that dies, in a process of its own: the model on board then answers in its own, small way."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from lan_server import HELLO, Serve, hung_up, says
from rig import NOW, Rig, outcomes

from appliance import settings_file
from appliance.audio import Stale, never
from appliance.build.adapters import Adapters
from appliance.errors import ModelMissing
from appliance.llm.fallback import Fallback
from appliance.llm.lan import LanModel
from appliance.llm.pool import Pair, Pool, pairs_of, patience_s
from appliance.ports import Grammar, Message, Tool, Usage
from appliance.reply import prompt
from appliance.reply.grammar import PlanGrammar
from appliance.reply.phrases import phrases
from appliance.reply.sentence import SentenceGrammar
from appliance.settings import ModelServer
from appliance.simulated import CannedModel, HandSetClock
from appliance.skills.schema import tool

SERVER = """
import json, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with open(sys.argv[1], "ab") as file:
            file.write(body + b"\\n")
        if sys.argv[2] == "refuses" and b'"tools"' in body:
            self.send_response(400)
            self.end_headers()
            self.wfile.write(b"tools are not supported")
            return
        self.send_response(200)
        self.end_headers()
        delta = json.loads(sys.argv[3])
        for part in ({"choices": [{"index": 0, "delta": delta, "finish_reason": None}]},):
            self.wfile.write(f"data: {json.dumps(part)}\\n\\n".encode())
        self.wfile.write(b"data: [DONE]\\n\\n")

    def log_message(self, *_):
        pass

server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
"""
WORDS = {"content": "say The server speaks."}
CALLS = {"tool_calls": [{"index": 0, "id": "1", "type": "function", "function": {"name": "shelf", "arguments": "{}"}}]}
SMALL_TALK, QUESTION = "my boss was in a foul mood all morning", "why do geese fly in a wedge"
ORDER = "five minutes for the eggs would be good"
SMALL, LARGE = ("Reply to each line in one of two ways", "Use tools freely")


class Local(CannedModel):
    """Is unsure of all that it writes, and keeps what was pinned."""

    def __init__(self, *writes: str) -> None:
        super().__init__(writes)
        self.pinned: list[str] = []

    def pin(self, heads: Sequence[Sequence[Message]]) -> None:
        self.pinned = [head[0].text for head in heads]

    def generate(
        self, prompt: Sequence[Message], grammar: Grammar | None, limit: int, usage: Usage, stale: Stale
    ) -> Iterator[str]:
        for piece in super().generate(prompt, grammar, limit, usage, stale):
            usage.doubt = 9.0
            yield piece


class Lan:
    """The server's process, and a box that asks it."""

    def __init__(
        self,
        folder: Path,
        *local: str,
        answers: dict[str, Any] = WORDS,
        refuses: bool = False,
        tools: Sequence[Tool] = (),
    ) -> None:
        self._asked, mode = folder / "asked", "refuses" if refuses else "takes"
        command = [sys.executable, "-c", SERVER, str(self._asked), mode, json.dumps(answers)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout
        url = f"http://127.0.0.1:{self.process.stdout.readline().strip()}/v1"
        self.local, self._server = Local(*local), LanModel(url, "big", "", 5)
        self.box = Rig(model=Fallback(Pool([Pair(self._server)]), self.local), without={"lookup"}, more_tools=tools)

    @property
    def heads(self) -> list[str]:
        """What the server was given first, of each request."""
        return [json.loads(line)["messages"][0]["content"] for line in self._asked.read_text().splitlines()]

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def __enter__(self) -> Lan:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        assert self.process.stdout
        self.process.stdout.close()
        self._server.close()


def test_servers_of_the_settings_think_in_turn_beside_a_box_that_has_no_model(serve: Serve, tmp_path: Path) -> None:
    """The first as it was set before there were several."""
    config = tmp_path / "config.toml"
    config.write_text(f"""[thought]
server = "{serve(says("One."))}"
servers = [{{url = "{serve(says("Two."))}"}}]
""")
    settings = settings_file.load(config, state=tmp_path)
    with ExitStack() as stack:
        adapters = Adapters(settings, HandSetClock(NOW), print, stack)
        adapters._no_llm = ModelMissing("it is not here", remedy="fetch it")
        said = ["".join(adapters.llm.generate(HELLO, None, 8, Usage(), never)) for _ in range(3)]
    assert said == ["One.", "Two.", "One."]


def test_a_server_that_is_silent_leaves_the_local_model_its_time_for_a_plan(serve: Serve) -> None:
    """It once took all of it, and of each turn that followed."""
    plan_s, asked = 3.0, list[str]()

    def handle(request: BaseHTTPRequestHandler) -> None:
        asked.append(request.path)
        hung_up(request, 60)

    servers = [ModelServer(url=serve(handle), model="big")]
    pool = Pool(pairs_of(servers, patience_s(servers, plan_s)))
    box = Rig(model=Fallback(pool, Local("say So it goes.", "say And on.")), reply={"plan_timeout_s": plan_s})
    record = box.say(SMALL_TALK)
    assert (record.said, record.lane) == ("So it goes.", "plan"), "the lane is loop where no plan came in time"
    assert box.say("and what did she say then").said == "And on."
    assert len(asked) == 1
    pool.close()


@pytest.mark.parametrize("refuses", [False, True], ids=["native calls", "text protocol"])
def test_the_next_turn_is_the_local_models_in_its_own_way(tmp_path: Path, refuses: bool) -> None:
    writes = ("say So it goes.", "say They save strength.", "set_timer(minutes=5)")
    with Lan(tmp_path, *writes, refuses=refuses) as lan:
        assert lan.box.say(ORDER).said == "The server speaks."
        assert all(LARGE in head for head in lan.heads)
        lan.kill()

        assert lan.box.say(SMALL_TALK).said == "So it goes."
        assert lan.local.prompts[0][0] == prompt.talk_head("Jarvis")[0]
        talk = lan.local.grammars[0]
        assert isinstance(talk, PlanGrammar)
        assert set(phrases("en").promises) <= set(talk.unsaid)

        assert lan.box.say(QUESTION).said != "They save strength.", "it was in doubt"
        assert lan.local.prompts[1][0] == prompt.world_head()[0]
        assert isinstance(lan.local.grammars[1], SentenceGrammar)

        assert outcomes(lan.box.say(ORDER)) == [("set_timer", "ok")]
        assert SMALL in lan.local.prompts[2][0].text
        plan = lan.local.grammars[2]
        assert isinstance(plan, PlanGrammar)
        offered = {name for name, _ in plan.tools}
        assert "set_timer" in offered
        assert not {"get_weather", "analyse"} & offered


def test_standing_rules_are_read_beside_the_line_once_the_small_model_answers(tmp_path: Path) -> None:
    with Lan(tmp_path, "say Aye.") as lan:
        lan.box.knows("Address the user as captain.", "rule")
        lan.kill()
        lan.box.say(ORDER)
        assert "[as the user wishes: Address the user as captain.]" in lan.local.prompts[0][-1].text


def test_a_turn_that_a_server_began_is_ended_behind_the_local_models_head(tmp_path: Path) -> None:
    def shelf(topic: str = "") -> str:
        """Look into the books about a topic."""
        lan.kill()
        return "Tea is a drink."

    with Lan(tmp_path, "say It is a drink.", answers=CALLS, tools=[tool(shelf, "read")]) as lan:
        assert lan.box.say("tell me all about tea please").said == "It is a drink."
        assert LARGE in lan.heads[0]
        assert SMALL in lan.local.prompts[0][0].text
        assert lan.local.prompts[0][-1].text.endswith("with its numbers: tell me all about tea please]")


def test_the_local_model_keeps_its_own_heads_while_the_server_answers(tmp_path: Path) -> None:
    with Lan(tmp_path) as lan:
        lan.box.engine.warm_up()
        plan, talk, world = lan.local.pinned
        assert SMALL in plan
        assert (talk, world) == (prompt.talk_head("Jarvis")[0].text, prompt.world_head()[0].text)
