"""Several model servers as one: whose turn it is, what a failure leads to, and what is known of each."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import httpx
import pytest
from lan_server import HELLO, KEY, TIMER, Server, Text, events, lan, piece, refused, spoken
from rig import Rig, outcomes

from appliance.audio import never
from appliance.errors import BadSettings, ModelChanged, PromptTooLong, ToolsRefused, TurnFailed
from appliance.llm.fallback import Fallback
from appliance.llm.lan import Known
from appliance.llm.pool import LONGEST_REST_S, REST_S, Pair, Pool, pairs_of, patience_s
from appliance.ports import Usage
from appliance.reply import prompt
from appliance.settings import ModelServer, Thought
from appliance.simulated import CannedModel

TOO_LONG = refused(400, {"error": {"message": "This model's maximum context length is 2048 tokens."}})
NO_TOOLS = refused(400, {"error": {"message": "big does not support tools"}})
FAILED = refused(500, {"error": "hello"})


class Off(httpx.MockTransport):
    """Nobody is there."""

    def __init__(self) -> None:
        super().__init__(self._refuse)
        self.asked = 0

    def _refuse(self, request: httpx.Request) -> httpx.Response:
        self.asked += 1
        raise httpx.ConnectError("refused", request=request)


@dataclass
class Lan:
    """A pool of servers, each with as many keys as are given, and a clock that is set by hand."""

    servers: dict[str, Server | Off]
    keys: Sequence[str] = ("",)
    now_s: float = 0
    pairs: list[Pair] = field(default_factory=list)

    def __post_init__(self) -> None:
        known = {name: Known() for name in self.servers}
        for key in self.keys:
            for name, server in self.servers.items():
                model = lan(server, key, f"http://{name}/v1", known[name])
                self.pairs.append(Pair(model, Path(f"/etc/{name}-{key}") if key else None))
        self.pool = Pool(self.pairs, lambda: self.now_s)

    def say(self) -> str:
        return "".join(self.pool.generate(HELLO, None, 16, Usage(), never))

    def asked(self, *names: str) -> list[int]:
        return [len(self.of(name).requests) for name in names or self.servers]

    def of(self, name: str) -> Server:
        server = self.servers[name]
        assert isinstance(server, Server)
        return server


def test_servers_and_their_keys_are_asked_in_turn() -> None:
    order: list[tuple[str, str]] = []

    class Noted(Server):
        def __call__(self, request: httpx.Request) -> httpx.Response:
            order.append((request.url.host, request.headers["authorization"][-1]))
            return super().__call__(request)

    box = Lan({"a": Noted(spoken("A")), "b": Noted(spoken("B"))}, ("1", "2"))
    for _ in range(5):
        box.say()
    assert order == [("a", "1"), ("b", "1"), ("a", "2"), ("b", "2"), ("a", "1")]


def test_tools_too_are_offered_in_turn() -> None:
    box = Lan({"a": Server(spoken("A")), "b": Server(spoken("B"))})
    assert [box.pool.converse(HELLO, [TIMER], 16, Usage(), never).text for _ in range(3)] == ["A", "B", "A"]


@pytest.mark.parametrize(
    ("retry_after", "rest_s"),
    [
        ("7", 7),
        ("0", 1),
        ("100000", LONGEST_REST_S),
        ("9" * 5_000, LONGEST_REST_S),
        ("-3", REST_S),
        ("soon", REST_S),
        ("\xb2", REST_S),
        (format_datetime(datetime.now(UTC) - timedelta(hours=1)), 1),
        ("Sat, 28 Nov 2126 12:00:00 GMT", LONGEST_REST_S),
        ("Sat, 28 Nov 2126 12:00:00 -0000", LONGEST_REST_S),
    ],
)
def test_server_with_too_much_to_do_is_left_alone_as_long_as_it_asks(retry_after: str, rest_s: float) -> None:
    busy = httpx.Response(429, headers=[(b"retry-after", retry_after.encode("latin-1"))])
    box = Lan({"a": Server(busy, spoken("A")), "b": Server(spoken("B"))})
    assert box.say() == "B"
    box.now_s = rest_s - 0.5
    assert box.say() == "B"
    box.now_s = rest_s + 0.5
    assert box.say() == "A"


def test_pair_that_fails_again_is_left_alone_for_longer_and_forgiven_once_it_answers() -> None:
    box = Lan({"a": Server(*[FAILED] * 6, spoken("A"), FAILED, spoken("A"))})
    for rest_s in (30, 60, 120, 240, 480, 600):
        with pytest.raises(ModelChanged):
            box.say()
        box.now_s += rest_s - 1
        assert not box.pool.up
        box.now_s += 1
        assert box.pool.up
    assert box.say() == "A"
    with pytest.raises(ModelChanged):
        box.say()
    box.now_s += REST_S
    assert box.say() == "A"


def test_status_is_one_keys_and_silence_is_the_servers() -> None:
    box = Lan({"a": Server(refused(429, ""), spoken("A"))}, ("1", "2"))
    assert box.say() == "A"
    assert box.pool.up

    off = Off()
    box = Lan({"a": off}, ("1", "2"))
    with pytest.raises(ModelChanged, match="cannot be reached"):
        box.say()
    assert (off.asked, box.pool.up) == (1, False)


@pytest.mark.parametrize("status", [401, 403])
def test_refused_key_is_not_used_again_and_told_once(caplog: pytest.LogCaptureFixture, status: int) -> None:
    box = Lan({"a": Server(refused(status, {"error": f"key {KEY} is wrong"}), spoken("A"))}, (KEY, "other"))
    for _ in range(4):
        assert box.say() == "A"
        box.now_s += 10 * LONGEST_REST_S
    keys = [request.headers["authorization"] for request in box.of("a").requests]
    assert keys == [f"Bearer {KEY}", *["Bearer other"] * 4]
    (line,) = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert f"/etc/a-{KEY}" in line, "the file, whose name this test made of the key"
    assert "refused the key" in line
    assert "restart the service" in line
    assert KEY not in line.replace(f"/etc/a-{KEY}", "")


def test_same_failure_is_one_line_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    box = Lan({"a": Server(FAILED)})
    for _ in range(5):
        with pytest.raises(ModelChanged):
            box.say()
        box.now_s += LONGEST_REST_S
    assert len([record for record in caplog.records if record.name == "appliance.llm.pool"]) == 1


def test_prompt_that_is_too_long_for_one_is_asked_of_another_and_nobody_rests() -> None:
    box = Lan({"a": Server(TOO_LONG), "b": Server(spoken("B"))}, ("1", "2"))
    assert [box.say() for _ in range(3)] == ["B", "B", "B"]
    assert box.pool.up
    box = Lan({"a": Server(TOO_LONG), "b": Server(TOO_LONG)}, ("1", "2"))
    with pytest.raises(PromptTooLong):
        box.say()
    assert box.asked() == [1, 1], "a second key gives no more room"
    with pytest.raises(PromptTooLong):
        box.pool.converse(HELLO, [TIMER], 16, Usage(), never)


def test_what_one_server_refuses_is_still_sent_to_another() -> None:
    box = Lan({"a": Server(refused(400, "unknown field: grammar"), spoken("A")), "b": Server(spoken("B"))}, ("1", "2"))
    for _ in range(4):
        list(box.pool.generate(HELLO, Text(), 16, Usage(), never))
    assert ["grammar" in body for body in box.of("a").bodies] == [True, False, False]
    assert ["grammar" in body for body in box.of("b").bodies] == [True, True]


def test_field_that_nothing_was_gained_by_leaving_out_is_sent_again() -> None:
    bad = refused(400, "bad request")
    box = Lan({"a": Server(bad, bad, spoken("A"))})
    with pytest.raises(ModelChanged):
        list(box.pool.generate(HELLO, Text(), 16, Usage(), never))
    box.now_s += REST_S
    list(box.pool.generate(HELLO, Text(), 16, Usage(), never))
    assert ["grammar" in body for body in box.of("a").bodies] == [True, False, True]


def test_tools_are_refused_by_one_server_and_not_by_another() -> None:
    box = Lan({"a": Server(NO_TOOLS, spoken("A")), "b": Server(spoken("B"))}, ("1", "2"))
    with pytest.raises(ToolsRefused):
        box.pool.converse(HELLO, [TIMER], 16, Usage(), never)
    assert (box.pool.native, box.say()) == (False, "A")
    assert (box.pool.native, box.pool.converse(HELLO, [TIMER], 16, Usage(), never).text) == (True, "B")
    assert (box.pool.native, box.say()) == (False, "A"), "with the other key the server is the same"


def test_failure_within_an_answer_is_the_turns_and_the_pair_rests() -> None:
    half = httpx.Response(200, text=events({"choices": [{"delta": {"content": "Hel"}}]}))
    box = Lan({"a": Server(half), "b": Server(spoken("B"))})
    said = list[str]()
    with pytest.raises(TurnFailed, match="broke off"):
        said.extend(box.pool.generate(HELLO, None, 16, Usage(), never))
    assert [box.say(), box.say()] == ["B", "B"]
    box.now_s = REST_S
    with pytest.raises(TurnFailed, match="broke off"):
        box.say()
    box.now_s += 2 * REST_S - 1
    assert [box.say(), box.say()] == ["B", "B"]


# --- whole turns

CALL = httpx.Response(200, text=events(piece('{"query": "tea"}', index=0, id="1", name="lookup"), "[DONE]"))
DRINK = "what is tea"


def turns(box: Lan, *local: str) -> Rig:
    return Rig(model=Fallback(box.pool, CannedModel(local)))


def test_turn_goes_from_a_server_with_tools_to_one_without_and_then_to_the_small_way() -> None:
    """Three ways of asking in one turn."""
    model = CannedModel(["say I am here."])
    box = Lan({"a": Server(FAILED), "b": Server(FAILED)})
    box.pairs[1].model.known.native = False
    rig = Rig(model=Fallback(box.pool, model), without={"lookup"})
    assert rig.say("my boss was in a foul mood all morning").said == "I am here."
    assert box.asked() == [1, 1]
    assert ["tools" in server.bodies[0] for server in (box.of("a"), box.of("b"))] == [True, False]
    assert model.prompts[0][0] == prompt.talk_head("Jarvis")[0]


def test_results_of_one_servers_calls_are_read_by_the_next() -> None:
    box = Lan({"a": Server(CALL), "b": Server(spoken("A drink."))})
    record = turns(box).say(DRINK)
    assert (outcomes(record)[0], record.said) == (("lookup", "ok"), "A drink.")


def test_turn_whose_second_server_fails_is_ended_by_the_first() -> None:
    box = Lan({"a": Server(CALL, spoken("A drink.")), "b": Server(FAILED)})
    assert turns(box).say(DRINK).said == "A drink."


# --- what the settings say


@pytest.fixture
def key_file(tmp_path: Path) -> Callable[[str, int], Path]:
    def made(key: str, mode: int = 0o600) -> Path:
        path = tmp_path / f"key{len(list(tmp_path.iterdir()))}"
        path.write_text(key)
        path.chmod(mode)
        return path

    return made


def test_one_server_is_set_as_ever_and_more_beside_it(key_file: Callable[..., Path]) -> None:
    first, *others = (key_file(f"sk-{number}") for number in range(3))
    thought = Thought(
        server="http://a:1/v1",
        server_model="big",
        server_key_file=first,
        servers=[ModelServer(url="http://b:1/v1", key_files=others), ModelServer(url="http://c:1/v1")],
    )
    pairs = pairs_of(thought.pool, 5)
    assert [(pair.model.address[7:8], pair.key_file) for pair in pairs] == [
        ("a", first),
        ("b", others[0]),
        ("c", None),
        ("b", others[1]),
    ]
    assert pairs[1].model.known is pairs[3].model.known
    assert pairs[0].model.known is not pairs[1].model.known
    assert Thought(server_model="big").pool == []


def test_key_that_others_may_read_is_told_by_its_file(key_file: Callable[..., Path]) -> None:
    server = ModelServer(url="http://a/v1", key_files=[key_file(KEY), key_file("sk-other", 0o644)])
    with pytest.raises(BadSettings, match=r"key1 can be read by others; run: chmod 600") as told:
        pairs_of([server], 5)
    assert KEY not in str(told.value)


def test_all_may_be_silent_and_the_model_on_board_still_has_its_share() -> None:
    for count in range(1, 7):
        servers = [ModelServer(url="http://a/v1")] * count
        assert 20 - count * patience_s(servers, 20) >= 20 / 7
