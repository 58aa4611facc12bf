"""The state table: what must hold for all of it."""

from __future__ import annotations

from inspect import isclass

import pytest

from appliance import events as ev
from appliance.service.states import TABLE, TOLD, Action, State, next_step

LISTENS = {Action.AWAIT_WAKE, Action.AWAIT_COMMAND, Action.AWAIT_FOLLOW_UP, Action.OVERHEAR}
CLOSED = (State.MUTED, State.RESETTING)
"""Their microphone is closed."""
AWAKE = [state for state in State if state not in (State.STARTING, *CLOSED)]
EVENTS = {kind for kind in vars(ev).values() if isclass(kind) and issubclass(kind, ev.Event)} - {ev.Event}


@pytest.mark.parametrize("state", [state for state in State if state not in CLOSED])
@pytest.mark.parametrize("event", [ev.MuteToggled(), ev.MuteAsked()])
def test_mute_closes_the_microphone_whatever_happens(state: State, event: ev.Event) -> None:
    if state is State.STARTING:  # nobody is heard yet: a press says how the box will start, and who asks, that it is so
        assert next_step(state, ev.MuteAsked()) == (state, (Action.STAY_MUTED,))
        return
    step = next_step(state, event)
    assert step is not None
    after, actions = step
    assert after is State.MUTED
    assert Action.CLOSE_MICROPHONE in actions
    assert not LISTENS & set(actions)


def test_only_unmuting_opens_the_microphone_again() -> None:
    opens = [pair for pair, (_, actions) in TABLE.items() if Action.OPEN_MICROPHONE in actions]
    assert opens == [(State.MUTED, ev.MuteToggled)]
    leaves = {event for (state, event), (after, _) in TABLE.items() if state in CLOSED and after not in CLOSED}
    assert leaves == {ev.MuteToggled}


@pytest.mark.parametrize("state", CLOSED)
def test_who_says_mute_and_presses_as_well_does_not_open_it(state: State) -> None:
    assert next_step(state, ev.MuteAsked()) is None


@pytest.mark.parametrize("state", [state for state in State if state not in (State.STARTING, State.RESETTING)])
def test_reset_that_is_refused_is_told_and_changes_nothing(state: State) -> None:
    assert next_step(state, ev.ResetRefused()) == (state, (Action.TELL,))
    assert ev.ResetRefused in TOLD


@pytest.mark.parametrize("state", [state for state in State if state not in (State.STARTING, State.RESETTING)])
def test_letting_devices_in_is_told_and_opens_no_microphone(state: State) -> None:
    step = next_step(state, ev.PairingAsked())
    assert step is not None
    after, actions = step
    assert after is (state if state in (State.MUTED, State.FAULTED) else State.IDLE)
    assert Action.TELL in actions
    assert Action.OPEN_MICROPHONE not in actions


@pytest.mark.parametrize("state", [state for state in State if state not in (State.STARTING, State.RESETTING)])
def test_reset_is_warned_of_in_every_state_with_the_microphone_closed(state: State) -> None:
    step = next_step(state, ev.ResetWarned())
    assert step is not None
    after, actions = step
    assert after is State.RESETTING
    assert {Action.CLOSE_MICROPHONE, Action.TELL} <= set(actions)


def test_only_a_button_held_to_the_end_erases() -> None:
    erases = [pair for pair, (_, actions) in TABLE.items() if Action.ERASE in actions]
    assert erases == [(State.RESETTING, ev.ResetConfirmed)]
    assert next_step(State.RESETTING, ev.ResetCancelled()) == (State.MUTED, (Action.NEW_TURN, Action.TELL))


def test_all_that_is_told_has_words() -> None:
    assert {event for (_, event), (_, actions) in TABLE.items() if Action.TELL in actions} == set(TOLD)


@pytest.mark.parametrize("state", [State.THINKING, State.SPEAKING, State.RINGING])
@pytest.mark.parametrize("event", [ev.StopHeard(), ev.ButtonPressed()])
def test_stop_always_works(state: State, event: ev.Event) -> None:
    step = next_step(state, event)
    assert step is not None
    after, actions = step
    assert after is State.IDLE
    hush = Action.DISMISS if state is State.RINGING else Action.SILENCE
    assert actions == (Action.NEW_TURN, hush, Action.AWAIT_WAKE)


@pytest.mark.parametrize("state", [state for state in State if state not in (State.STARTING, State.LISTENING)])
def test_a_timer_rings_in_every_state_but_while_somebody_speaks(state: State) -> None:
    step = next_step(state, ev.TimerRang())
    assert step is not None
    assert Action.RING in step[1]


@pytest.mark.parametrize("state", [State.IDLE, State.THINKING, State.SPEAKING, State.FOLLOW_UP, State.RINGING])
def test_the_wake_word_interrupts_everything(state: State) -> None:
    step = next_step(state, ev.WakeHeard())
    assert step is not None
    after, actions = step
    assert after is State.LISTENING
    assert actions.index(Action.NEW_TURN) < actions.index(Action.AWAIT_COMMAND), "the new turn's number comes first"


@pytest.mark.parametrize("state", AWAKE)
@pytest.mark.parametrize("event", [ev.PartLost(), ev.LoopBroke()])
def test_a_lost_part_never_ends_the_service(state: State, event: ev.Event) -> None:
    step = next_step(state, event)
    answering = state in (State.THINKING, State.SPEAKING) and not isinstance(event, ev.LoopBroke)
    assert (step is None) is (state is State.FAULTED or answering), "an answer is heard out"
    assert step is None or step[0] is State.FAULTED
    assert next_step(State.FAULTED, ev.PartRecovered()) == (State.IDLE, (Action.AWAIT_WAKE,))


def test_only_somebody_at_the_box_stops_what_rings() -> None:
    """What ends by itself or at the other end leaves an alarm to ring on."""
    alone = {ev.CallEnded, ev.NothingHeard, ev.CallBegan, ev.CallCame, ev.CallMade, ev.CallSounds, ev.CallQuiet}
    stops = {Action.SILENCE, Action.DISMISS}
    assert [pair for pair, (_, actions) in TABLE.items() if pair[1] in alone and stops & set(actions)] == []


def test_every_action_is_used() -> None:
    assert {action for _, actions in TABLE.values() for action in actions} == set(Action)


def test_every_event_means_something_somewhere() -> None:
    assert {event for _, event in TABLE} == EVENTS


def test_every_state_is_reached_and_left() -> None:
    reached = {State.STARTING}
    while more := {after for (state, _), (after, _) in TABLE.items() if state in reached} - reached:
        reached |= more
    assert reached == set(State)
    assert {state for (state, _), (after, _) in TABLE.items() if after is not state} == set(State)


def test_whoever_may_be_overheard_can_judge_what_was_said() -> None:
    overhearing = {after for after, actions in TABLE.values() if Action.OVERHEAR in actions}
    assert overhearing
    for state in overhearing:
        assert (state, ev.Overheard) in TABLE
        assert (state, ev.StopHeard) in TABLE
        assert (state, ev.StopSounded) in TABLE


def test_the_box_hears_again_whenever_it_comes_to_rest() -> None:
    """Every way into idle from elsewhere waits for the wake word: otherwise the box would be deaf."""
    for (state, event), (after, actions) in TABLE.items():
        if after is State.IDLE and state is not State.IDLE:
            assert actions[-1] is Action.AWAIT_WAKE, (state, event)


def test_a_pair_outside_the_table_means_nothing() -> None:
    assert next_step(State.IDLE, ev.ReplyEnded()) is None
