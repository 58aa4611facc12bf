"""What the appliance does next: one table from (state, event) to (state, actions). No clock, no input, no output.

A pair that is not in the table changes nothing: the service logs it and goes on.
"""

from __future__ import annotations

from enum import Enum, auto

from appliance import events as ev


class State(Enum):
    STARTING = auto()
    IDLE = auto()
    LISTENING = auto()
    THINKING = auto()
    SPEAKING = auto()
    FOLLOW_UP = auto()
    RINGING = auto()
    CALLING = auto()
    """Another box rings."""
    CALLED = auto()
    """Another box calls this one, and nobody has answered yet: nothing that is heard leaves this box."""
    TALKING = auto()
    """In a call: what is said here goes to the other box."""
    PLAYING = auto()
    """In a call: what was said at the other box sounds; nothing that is heard leaves this box."""
    MUTED = auto()
    FAULTED = auto()
    RESETTING = auto()
    """The button is held: at its end everything is erased. Nobody is listened to."""


class Action(Enum):
    """Something for the service to start. The order in a tuple is the order in which they are done."""

    NEW_TURN = auto()
    """Raise the turn number: all work of the turn before goes stale."""
    AWAIT_WAKE = auto()
    AWAIT_COMMAND = auto()
    AWAIT_FOLLOW_UP = auto()
    OVERHEAR = auto()
    """Listen for the wake word and for a bare "stop" only."""
    REPLY = auto()
    APOLOGISE = auto()
    CHECK_STOP = auto()
    """Find out whether what was overheard is "stop", and not the box's own word; if it is, say so."""
    PREPARE = auto()
    """Transcribe ahead of the end of the turn."""
    RING = auto()
    SILENCE = auto()
    """Stop the ringing; the timers that were heard are done with, the others ring once the box is at rest."""
    DISMISS = auto()
    """Stop the ringing that is all the box does: its timers are done with."""
    GIVE_UP = auto()
    """Stop the ringing that nobody stopped; its timers are told of once somebody is there."""
    CLOSE_MICROPHONE = auto()
    """And keep it closed, over restarts, until it is opened."""
    OPEN_MICROPHONE = auto()
    TOGGLE_MUTE = auto()
    """While the models load: whether the box will start with a closed microphone."""
    STAY_MUTED = auto()
    """While the models load: the box will start with a closed microphone."""
    BEGIN = auto()
    """Serve: with an open microphone, or muted as before."""
    TELL = auto()
    """Say what the button has begun or ended."""
    ERASE = auto()
    """Everything that was remembered; the service ends."""
    AWAIT_ANSWER = auto()
    """Listen for a yes or no to a call."""
    AWAIT_CALLED_ANSWER = auto()
    """The same behind the wake word."""
    AWAIT_TALK = auto()
    """Listen for what is to go to the other box."""
    RING_CALL = auto()
    """Say who calls."""
    CHECK_CALL = auto()
    """Find out whether what was heard takes the call, refuses or ends it."""
    ACCEPT = auto()
    HANG_UP = auto()
    PASS_ON = auto()
    """What was said goes to the other box."""
    PLAY = auto()
    """What came from there."""


QUIET = (State.IDLE, State.MUTED, State.FAULTED)
"""States in which nobody is being served."""
SERVING = (State.LISTENING, State.THINKING, State.SPEAKING)
"""States in which the box is busy with somebody."""
REST = (State.IDLE, State.FOLLOW_UP)
"""States in which it could begin something by itself."""
IN_CALL = (State.CALLING, State.CALLED, State.TALKING, State.PLAYING)
"""States of a call with another box."""

OF_CALL = (
    Action.AWAIT_ANSWER, Action.AWAIT_CALLED_ANSWER, Action.AWAIT_TALK, Action.RING_CALL, Action.CHECK_CALL,
    Action.ACCEPT, Action.HANG_UP, Action.PASS_ON, Action.PLAY,
)  # fmt: skip
"""What is done for a call (call_turns.py)."""

S, A = State, Action
_HEAR = (A.NEW_TURN, A.SILENCE, A.AWAIT_COMMAND)
"""A wake word or the button: drop everything and listen."""
_REST = (A.NEW_TURN, A.SILENCE, A.AWAIT_WAKE)
"""Stop: drop everything and wait."""
_SORRY = (A.NEW_TURN, A.OVERHEAR, A.APOLOGISE)
"""The ears follow into the new turn, or "stop" would be of the old one."""
_DISMISS = (A.NEW_TURN, A.DISMISS, A.AWAIT_WAKE)
_MUTE = (A.NEW_TURN, A.SILENCE, A.CLOSE_MICROPHONE)
_HANG_UP = (A.NEW_TURN, A.SILENCE, A.HANG_UP, A.AWAIT_WAKE)
_OVER = (A.NEW_TURN, A.AWAIT_WAKE)
"""A call that nobody here ended: what rings goes on, for nobody has stopped it."""
_PLAY = (A.NEW_TURN, A.OVERHEAR, A.PLAY)

TABLE: dict[tuple[State, type[ev.Event]], tuple[State, tuple[Action, ...]]] = {
    (S.STARTING, ev.TimerRang): (S.STARTING, (A.RING,)),
    (S.STARTING, ev.ButtonPressed): (S.STARTING, (A.DISMISS,)),
    (S.STARTING, ev.RingEnded): (S.STARTING, (A.GIVE_UP,)),
    (S.STARTING, ev.MuteToggled): (S.STARTING, (A.TOGGLE_MUTE,)),
    (S.STARTING, ev.MuteAsked): (S.STARTING, (A.STAY_MUTED,)),
    (S.STARTING, ev.Loaded): (S.STARTING, (A.BEGIN,)),
    (S.STARTING, ev.Started): (S.IDLE, (A.AWAIT_WAKE,)),
    (S.STARTING, ev.StartedMuted): (S.MUTED, _MUTE),
    #
    (S.IDLE, ev.WakeHeard): (S.LISTENING, _HEAR),
    (S.IDLE, ev.ButtonPressed): (S.LISTENING, _HEAR),
    (S.IDLE, ev.TimerRang): (S.RINGING, (A.RING, A.OVERHEAR)),
    (S.IDLE, ev.NewsBegan): (S.IDLE, (A.OVERHEAR,)),
    (S.IDLE, ev.Overheard): (S.IDLE, (A.CHECK_STOP,)),
    (S.IDLE, ev.StopHeard): (S.IDLE, ()),  # which the news watch for
    (S.IDLE, ev.NewsEnded): (S.IDLE, (A.AWAIT_WAKE,)),
    #
    (S.LISTENING, ev.SpeechPaused): (S.LISTENING, (A.PREPARE,)),
    (S.LISTENING, ev.UtteranceEnded): (S.THINKING, (A.OVERHEAR, A.REPLY)),
    (S.LISTENING, ev.NothingHeard): (S.IDLE, (A.AWAIT_WAKE,)),
    (S.LISTENING, ev.ButtonPressed): (S.IDLE, _REST),
    #
    (S.THINKING, ev.ReplyStarted): (S.SPEAKING, ()),
    (S.THINKING, ev.ReplyEnded): (S.IDLE, (A.AWAIT_WAKE,)),
    (S.THINKING, ev.HostReplyEnded): (S.IDLE, (A.AWAIT_WAKE,)),
    (S.THINKING, ev.HostLost): (S.THINKING, (A.REPLY,)),
    (S.THINKING, ev.ReplyFailed): (S.THINKING, _SORRY),
    (S.THINKING, ev.WakeHeard): (S.LISTENING, _HEAR),
    (S.THINKING, ev.ButtonPressed): (S.IDLE, _REST),
    (S.THINKING, ev.Overheard): (S.THINKING, (A.CHECK_STOP,)),
    (S.THINKING, ev.StopHeard): (S.IDLE, _REST),
    (S.THINKING, ev.TimerRang): (S.THINKING, (A.RING,)),
    #
    (S.SPEAKING, ev.ReplyEnded): (S.FOLLOW_UP, (A.AWAIT_FOLLOW_UP,)),
    (S.SPEAKING, ev.HostReplyEnded): (S.IDLE, (A.AWAIT_WAKE,)),
    (S.SPEAKING, ev.ReplyFailed): (S.THINKING, _SORRY),
    (S.SPEAKING, ev.WakeHeard): (S.LISTENING, _HEAR),
    (S.SPEAKING, ev.ButtonPressed): (S.IDLE, _REST),
    (S.SPEAKING, ev.Overheard): (S.SPEAKING, (A.CHECK_STOP,)),
    (S.SPEAKING, ev.StopHeard): (S.IDLE, _REST),
    (S.SPEAKING, ev.TimerRang): (S.SPEAKING, (A.RING,)),
    #
    (S.FOLLOW_UP, ev.SpeechPaused): (S.FOLLOW_UP, (A.PREPARE,)),
    (S.FOLLOW_UP, ev.UtteranceEnded): (S.THINKING, (A.OVERHEAR, A.REPLY)),
    (S.FOLLOW_UP, ev.NothingHeard): (S.IDLE, (A.AWAIT_WAKE,)),
    (S.FOLLOW_UP, ev.WakeHeard): (S.LISTENING, _HEAR),
    (S.FOLLOW_UP, ev.ButtonPressed): (S.LISTENING, _HEAR),
    (S.FOLLOW_UP, ev.TimerRang): (S.RINGING, (A.RING, A.OVERHEAR)),
    #
    (S.RINGING, ev.TimerRang): (S.RINGING, (A.RING,)),
    (S.RINGING, ev.WakeHeard): (S.LISTENING, _HEAR),
    (S.RINGING, ev.ButtonPressed): (S.IDLE, _DISMISS),
    (S.RINGING, ev.Overheard): (S.RINGING, (A.CHECK_STOP,)),
    (S.RINGING, ev.StopHeard): (S.IDLE, _DISMISS),
    (S.RINGING, ev.RingEnded): (S.IDLE, (A.GIVE_UP, A.AWAIT_WAKE)),
    #
    (S.IDLE, ev.CallMade): (S.CALLING, (A.NEW_TURN, A.OVERHEAR)),
    (S.FOLLOW_UP, ev.CallMade): (S.CALLING, (A.NEW_TURN, A.OVERHEAR)),
    (S.IDLE, ev.CallCame): (S.CALLED, (A.NEW_TURN, A.OVERHEAR, A.RING_CALL)),
    (S.IDLE, ev.CallBegan): (S.PLAYING, _PLAY),
    (S.FOLLOW_UP, ev.CallBegan): (S.PLAYING, _PLAY),
    #
    (S.CALLING, ev.CallBegan): (S.PLAYING, _PLAY),
    (S.CALLING, ev.Overheard): (S.CALLING, (A.CHECK_CALL,)),
    (S.CALLING, ev.WakeHeard): (S.LISTENING, _HEAR),
    #
    (S.CALLED, ev.CallTold): (S.CALLED, (A.AWAIT_ANSWER,)),
    (S.CALLED, ev.CallCame): (S.CALLED, (A.NEW_TURN, A.OVERHEAR, A.RING_CALL)),
    (S.CALLED, ev.NothingHeard): (S.CALLED, (A.NEW_TURN, A.OVERHEAR, A.RING_CALL)),
    (S.CALLED, ev.WakeHeard): (S.CALLED, (A.NEW_TURN, A.AWAIT_CALLED_ANSWER)),
    (S.CALLED, ev.UtteranceEnded): (S.CALLED, (A.OVERHEAR, A.CHECK_CALL)),
    (S.CALLED, ev.Overheard): (S.CALLED, (A.CHECK_CALL,)),
    (S.CALLED, ev.ButtonPressed): (S.CALLED, (A.ACCEPT,)),
    (S.CALLED, ev.CallBegan): (S.PLAYING, _PLAY),
    #
    (S.TALKING, ev.TalkHeard): (S.TALKING, (A.PASS_ON,)),
    (S.TALKING, ev.UtteranceEnded): (S.TALKING, (A.PASS_ON, A.CHECK_CALL)),
    (S.TALKING, ev.NothingHeard): (S.IDLE, (A.NEW_TURN, A.HANG_UP, A.AWAIT_WAKE)),
    (S.TALKING, ev.WakeHeard): (S.LISTENING, _HEAR),
    (S.TALKING, ev.CallSounds): (S.PLAYING, (A.OVERHEAR, A.PLAY)),
    #
    (S.PLAYING, ev.CallQuiet): (S.TALKING, (A.AWAIT_TALK,)),
    (S.PLAYING, ev.Overheard): (S.PLAYING, (A.CHECK_CALL,)),
    #
    (S.MUTED, ev.MuteToggled): (S.IDLE, (A.OPEN_MICROPHONE, A.AWAIT_WAKE)),
    (S.MUTED, ev.TimerRang): (S.MUTED, (A.RING,)),
    (S.MUTED, ev.ButtonPressed): (S.MUTED, (A.DISMISS,)),
    (S.MUTED, ev.RingEnded): (S.MUTED, (A.GIVE_UP,)),
    #
    (S.FAULTED, ev.PartRecovered): (S.IDLE, (A.AWAIT_WAKE,)),
    (S.FAULTED, ev.TimerRang): (S.FAULTED, (A.RING,)),
    (S.FAULTED, ev.ButtonPressed): (S.FAULTED, (A.DISMISS,)),
    (S.FAULTED, ev.RingEnded): (S.FAULTED, (A.GIVE_UP,)),
    (S.FAULTED, ev.MuteToggled): (S.MUTED, _MUTE),
    #
    (S.RESETTING, ev.ResetCancelled): (S.MUTED, (A.NEW_TURN, A.TELL)),
    (S.RESETTING, ev.ResetConfirmed): (S.RESETTING, (A.ERASE,)),
    (S.RESETTING, ev.TimerRang): (S.RESETTING, (A.RING,)),
    (S.RESETTING, ev.RingEnded): (S.RESETTING, (A.GIVE_UP,)),
}

for _state in IN_CALL:
    TABLE[_state, ev.StopHeard] = (S.IDLE, _HANG_UP)
    TABLE.setdefault((_state, ev.ButtonPressed), (S.IDLE, _HANG_UP))
    TABLE[_state, ev.CallEnded] = (S.IDLE, _OVER)
    TABLE[_state, ev.TimerRang] = (_state, (A.RING,))
    TABLE[_state, ev.RingEnded] = (_state, (A.GIVE_UP,))
for _state in State:
    if _state not in (S.STARTING, S.MUTED, S.FAULTED, S.RESETTING):
        TABLE[_state, ev.MuteToggled] = (S.MUTED, _MUTE)
        TABLE[_state, ev.LoopBroke] = (S.FAULTED, (A.NEW_TURN,))
    if _state not in (S.STARTING, S.MUTED, S.RESETTING):
        TABLE[_state, ev.WakeMissed] = (_state, ())  # which is counted
        TABLE[_state, ev.MuteAsked] = (S.MUTED, _MUTE)
    if (_state, ev.Overheard) in TABLE:
        TABLE[_state, ev.StopSounded] = TABLE[_state, ev.Overheard]
    if _state in (*REST, *IN_CALL, S.LISTENING, S.RINGING):  # an answer is heard out, and the next attempt tells
        TABLE[_state, ev.PartLost] = (S.FAULTED, (A.NEW_TURN,))
    if _state not in (S.STARTING, S.RESETTING):
        TABLE[_state, ev.PairingAsked] = (S.IDLE, (A.NEW_TURN, A.SILENCE, A.TELL, A.AWAIT_WAKE))
        TABLE[_state, ev.ResetWarned] = (S.RESETTING, (*_MUTE, A.TELL))
        TABLE[_state, ev.ResetRefused] = (_state, (A.TELL,))

for _state in IN_CALL:
    TABLE[_state, ev.PairingAsked] = (S.IDLE, (A.NEW_TURN, A.SILENCE, A.HANG_UP, A.TELL, A.AWAIT_WAKE))
for _state in (S.MUTED, S.FAULTED):
    TABLE[_state, ev.PairingAsked] = (_state, (A.TELL,))


def next_step(state: State, event: ev.Event) -> tuple[State, tuple[Action, ...]] | None:
    """What `event` means in `state`; None where it means nothing."""
    return TABLE.get((state, type(event)))


TOLD: dict[type[ev.Event], str] = {
    ev.PairingAsked: "pairing_open",
    ev.ResetRefused: "reset_refused",
    ev.ResetWarned: "reset_warned",
    ev.ResetCancelled: "reset_cancelled",
}
"""What the button's long holds are answered with: names in wording/."""
