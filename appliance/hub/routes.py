"""Every route, who may use it, what it takes and gives: the table that the server and its document are made of."""

from __future__ import annotations

from functools import partial

from appliance.hub import chat, conversing, house, openai_shapes, owning, shapes, signing_in, sound, wifi
from appliance.hub.access import ANYBODY, LIVING, OWNER, PEOPLE, TALKING
from appliance.hub.gate import Route, wants_events
from appliance.hub.metrics import MEDIA_TYPE
from appliance.ports import owner

_Line = partial(
    Route,
    "POST",
    who=TALKING,
    gives=shapes.CommandResult,
    changes=True,
    wants_stream=wants_events,
    present=conversing.present,
    problems=(404, 409),
)
"""Of the conversation; it is streamed for who accepts text/event-stream."""
_Post = partial(Route, "POST", changes=True)
_Get = partial(Route, "GET")
V0 = "/api/v0"

OWNING: tuple[Route, ...] = (
    _Get(f"{V0}/doctor", owning.doctor, OWNER, "Whether each part works", gives=shapes.Checks),
    _Get(f"{V0}/installed", owning.installed, OWNER, "The release and its models", gives=shapes.Installed),
    _Get(f"{V0}/settings", owning.settings, OWNER, "What is chosen", gives=owner.OwnSettings),
    Route("PUT", f"{V0}/settings", owning.choose, OWNER, "Choose", owner.Change, owner.OwnSettings, changes=True),
    _Get(f"{V0}/skills", owning.skills, OWNER, "The skills, and which are on", gives=owner.OwnSkills),
    Route(
        "PUT",
        f"{V0}/skills/{{skill}}",
        owning.switch,
        OWNER,
        "Switch one on or off",
        shapes.SwitchSkill,
        owner.OwnSkills,
        changes=True,
        problems=(404,),
    ),
    _Get(f"{V0}/wifi", wifi.networks, OWNER, "The Wi-Fi networks", gives=wifi.Networks, problems=(409,)),
    _Post(f"{V0}/wifi/join", wifi.join, OWNER, "Join one, for a minute", wifi.JoinNetwork, wifi.Joined),
    _Post(f"{V0}/wifi/keep", wifi.keep, OWNER, "Keep the one that was joined", gives=shapes.Done),
    _Post(f"{V0}/restart", owning.restart, OWNER, "Start the box again, as it is chosen now", gives=shapes.Done),
)
"""What is the owner's of the box itself."""

ROUTES: tuple[Route, ...] = (
    _Post(
        f"{V0}/conversation/start",
        conversing.start,
        TALKING,
        "Begin a conversation, with tools of the client's own",
        shapes.ConversationStart,
        shapes.Started,
    ),
    _Post(
        f"{V0}/conversation/stop",
        conversing.stop,
        TALKING,
        "Stop the answer that is being made",
        shapes.ConversationEnd,
        shapes.Done,
        problems=(404,),
    ),
    _Post(
        f"{V0}/conversation/end",
        conversing.end,
        TALKING,
        "Forget a conversation",
        shapes.ConversationEnd,
        shapes.Done,
        problems=(404,),
    ),
    _Line(f"{V0}/voice/command", conversing.command, summary="One line", takes=shapes.VoiceCommand),
    _Line(
        f"{V0}/voice/command/continue",
        conversing.go_on,
        summary="Results of tool calls, or the answer to a question",
        takes=shapes.VoiceContinue,
    ),
    _Get(f"{V0}/status", house.status, LIVING, "How the box is", gives=shapes.BoxStatus),
    _Post(f"{V0}/stop", conversing.stop_any, LIVING, "Stop the box, and the answer", shapes.Stop, shapes.Stopped),
    _Post(f"{V0}/mute", house.mute, LIVING, "Close the box's microphone", gives=shapes.Done),
    *OWNING,
    _Get(f"{V0}/events", house.events, PEOPLE, "What happens on the box, as it happens", media="text/event-stream"),
    _Post(
        f"{V0}/commands",
        house.commands,
        LIVING,
        "What a skill keeps, or a change of it",
        shapes.SkillCommand,
        shapes.SkillAnswer,
    ),
    _Post(f"{V0}/announce", house.announce, LIVING, "Say a text aloud", shapes.Announcement, shapes.Done),
    _Get(f"{V0}/memory", house.memory, OWNER, "Stored facts, or those about ?query=", gives=shapes.SkillAnswer),
    _Get(
        f"{V0}/memory/{{fact}}/why",
        house.why,
        OWNER,
        "Where a fact comes from",
        gives=shapes.SkillAnswer,
        problems=(404,),
    ),
    _Post(
        f"{V0}/memory/{{fact}}/correct",
        house.correct,
        OWNER,
        "Have a fact say something else",
        shapes.Correction,
        shapes.SkillAnswer,
        problems=(404,),
    ),
    _Post(
        f"{V0}/memory/{{fact}}/forget", house.forget, OWNER, "Forget a fact", gives=shapes.SkillAnswer, problems=(404,)
    ),
    Route("POST", f"{V0}/login", signing_in.login, ANYBODY, "Sign in with a token", shapes.Login, shapes.SignedIn),
    _Get(f"{V0}/session", signing_in.session, TALKING, "Who is signed in", gives=shapes.SignedIn),
    _Post(f"{V0}/logout", signing_in.logout, TALKING, "Sign out", gives=shapes.Done),
    _Get(f"{V0}/door", signing_in.door, ANYBODY, "How one may get in", gives=shapes.Door),
    Route(
        "POST",
        f"{V0}/pair/first",
        signing_in.read_out,
        ANYBODY,
        "Have the box read out a code, while it has no owner",
        gives=shapes.Done,
        problems=(403,),
    ),
    Route(
        "POST",
        f"{V0}/pair",
        signing_in.pair,
        ANYBODY,
        "Get a token, once, while the owner lets you",
        shapes.PairRequest,
        shapes.Paired,
        problems=(403, 409),
    ),
    Route(
        "POST",
        f"{V0}/pair/button",
        signing_in.admit,
        ANYBODY,
        "Get a token, while the button of the box lets one in",
        shapes.AdmissionRequest,
        shapes.Paired,
        problems=(403, 409, 504),
    ),
    Route(
        "POST",
        "/v1/chat/completions",
        chat.complete,
        LIVING,
        "OpenAI's chat",
        openai_shapes.ChatRequest,
        openai_shapes.ChatCompletion,
        changes=True,
        wants_stream=chat.wants_stream,
        present=chat.present,
        problems=(409,),
    ),
    _Get("/v1/models", chat.models, LIVING, "OpenAI's list of models", gives=openai_shapes.ModelList),
    _Get("/v1/models/{id}", chat.model, LIVING, "One of them", gives=openai_shapes.Model, problems=(404,)),
    Route(
        "POST",
        "/v1/audio/transcriptions",
        sound.transcribe,
        LIVING,
        "A recording (WAV) to text",
        gives=openai_shapes.Transcription,
        uploads=True,
    ),
    Route(
        "POST",
        "/v1/audio/speech",
        sound.speak,
        LIVING,
        "A text as sound (wav or pcm)",
        openai_shapes.SpeechRequest,
        media="audio/wav",
    ),
    _Get("/healthz", house.alive, ANYBODY, "Whether the hub runs", gives=shapes.Health),
    _Get("/readyz", house.ready, ANYBODY, "Whether a question would be answered", gives=shapes.Readiness),
    _Get("/metrics", house.metrics, PEOPLE, "For Prometheus", media=MEDIA_TYPE.partition(";")[0]),
)
