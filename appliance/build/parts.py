"""The appliance in parts, and what can be done with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from appliance import events as ev
from appliance.audio import Samples, Stale, Utterance, never
from appliance.build import beside, pins
from appliance.build.behind import Late, LateEars, LateSynthesizer, LateThinker
from appliance.build.hubbed import Hubbed
from appliance.build.late import await_model
from appliance.build.shown import PromptPart, prompt_parts
from appliance.errors import ApplianceError, ModelLost
from appliance.ports import Microphone, Speaker, ValueStore
from appliance.service.chores import Chores
from appliance.service.cues import Cues
from appliance.service.ducking import Ducking, hushing
from appliance.service.heap import Slack
from appliance.service.light import LitMicrophone, StateLight
from appliance.service.loading import Loading
from appliance.service.loop import Service
from appliance.service.muting import MUTED
from appliance.service.news import News
from appliance.service.own_words import OwnWords
from appliance.service.ringing import Ringing
from appliance.service.satellite import Play
from appliance.service.states import QUIET, State
from appliance.service.turn import Publish, SpokenTurns
from appliance.service.vitals import Part, Vitals
from appliance.service.watcher import Watcher, all_of, nobody
from appliance.terminal.chat import Console
from appliance.terminal.recording_run import Heard

if TYPE_CHECKING:
    from appliance.tts.speak import Voice

Post = Callable[[ev.Event], None]

TAIL_S = 2.0
"""Silence heard after a recording, beyond the time in which speech may still start."""


class Parts(Hubbed):
    """The appliance, ready to listen, to answer in writing, or to say something."""

    def hear(
        self,
        samples: Samples,
        *,
        realtime: bool = False,
        wake: bool = True,
        out: Path | None = None,
        aloud: bool = False,
        clean: Samples | None = None,
        watch: Watcher = nobody,
    ) -> Heard:
        """One spoken turn from a recording, through the very service that listens to a microphone.

        samples: shape (n,), 16 000 Hz.  realtime: at the pace of a microphone.  aloud: play the answer if there is a
        speaker.  clean: the recording before noise was added to it, in which the end of speech is found.
        """
        from appliance.body.recording import NullSpeaker, RecordedMicrophone, WavSpeaker
        from appliance.simulated import MemoryValues

        heard = Heard()
        microphone = RecordedMicrophone(samples, realtime, self.settings.ears.start_timeout_s + TAIL_S)
        device = self.speaker(self.volume) if aloud else NullSpeaker()
        speaker = WavSpeaker(out, device, realtime) if out else device
        both = all_of(heard.watch, watch)
        with self._service(microphone, speaker, MemoryValues(), heard.take, both, paced=realtime) as service:
            rest = (State.IDLE, State.FAULTED)
            first = () if wake else (ev.ButtonPressed(),)
            service.run(lambda: heard.taken is not None or (service.microphone_ended and service.state in rest), *first)
        heard.started_s = microphone.opened_s
        if realtime:
            heard.time(samples if clean is None else clean)
        return heard

    def prompt(self, line: str, after: Sequence[str]) -> list[PromptPart]:
        """What the local model would read for `line`, once the lines in `after` have been said."""
        for earlier in after:
            self.console.ask(earlier)
        return prompt_parts(self.engine.prompt_parts(line), self.local_llm.shown)

    def say(self, text: str, out: Path | None) -> None:
        """Say `text` aloud, into `out`, or both; also beside a service. Raises DeviceMissing, BadAudio."""
        from appliance.body.recording import WavSpeaker
        from appliance.body.soundcard import PyAudioSpeaker

        loud = beside.volume(self.settings)
        speaker = WavSpeaker(out, self.speaker(loud)) if out else PyAudioSpeaker(self.settings.sound.speaker, loud)
        failures: list[ApplianceError | None] = []
        with self._voice(speaker, failures.append, Vitals()) as voice:
            mouth = voice.begin(never, lambda at_s: None)
            mouth.say(text)
            mouth.finish()
        if error := next(filter(None, failures), None):
            raise error

    @contextmanager
    def service(
        self,
        publish: Publish,
        vitals: Vitals,
        each_round: Callable[[], None] = lambda: None,
        unmute: bool = False,
        watch: Watcher = nobody,
    ) -> Iterator[Service]:
        """The appliance itself, on the sound card and the pins. `each_round`: see Service. `unmute`: though muted."""
        from appliance.body.presses import SECOND, Presses
        from appliance.memory.store import State as StoreState
        from appliance.memory.upkeep import Upkeep

        if unmute:
            self.mute.set(MUTED, "")
        microphone, speaker, vitals.devices = self.sound_card()
        device, slack = self.device, Slack(lambda: vitals.state in QUIET)
        news: News | None = None
        follow: Watcher = nobody

        def tell_news(voice: OwnWords, post: Post) -> None:
            nonlocal news, follow
            news = self.news(voice, vitals, post)
            cue = Cues(lambda cue: None if self.quiet_hours.now() else voice.cue(cue))
            announcer = self.announcer(voice, post)
            follow = all_of(news.watch, announcer.watch, *([cue.watch] if self.settings.voice.cues else []))
            if not self.quiet_hours.now():
                news.tell()

        def look() -> None:
            self.clock.keep()
            slack.each_round()
            vitals.timers = len(self.rings.alarms.all())
            vitals.store = {state.name.lower(): state is self._store.state for state in StoreState}
            light.dim(self.brightness)
            light.pairs(bool(self.pairing and self.pairing.open))
            if news and vitals.settled:  # before that nobody may ask for the model: it is being loaded
                light.ails(bool(vitals.ailment()))
                light.private(self.private.on)
                self.due_orders.each_round()
                news.each_round()
            if device:
                device.look(vitals.state)
            from_others()
            each_round()

        with (
            pins.opened(self.settings.body, self.settings.state) as (lamp, button),
            StateLight(lamp, self.brightness) as light,
            Ducking(self.skills.ducks) as ducking,
            self.with_others(vitals) as from_others,
            self._service(
                LitMicrophone(microphone, light),
                speaker,
                self.mute,
                publish,
                all_of(
                    light.watch,
                    watch,
                    pins.felt(self.values),
                    ducking.watch,
                    hushing(self.volume.hush),
                    *([device.watch] if device else []),
                    lambda event, state: follow(event, state),
                ),
                paced=True,
                first=tell_news,
                vitals=vitals,
                each_round=look,
                anyway=True,
            ) as service,
            Presses(service.post, second=SECOND if self.has_page else ()) as presses,
            Upkeep(self._store, self.clock, lambda: vitals.state in QUIET) as upkeep,
            Chores(
                [*self.skills.chores, self.memory.fill_vectors, self.reflecting(vitals)], lambda: vitals.state in QUIET
            ) as chores,
            device or nullcontext(),
        ):
            self._stop_upkeep, self._stop_chores = upkeep.close, chores.close
            button.listen(presses.changed)
            self._mute = pins.if_felt(self._mute, self.values, button, self.settings.words.language)
            if device:
                self.obey(device, service.post, vitals)
            yield service

    @cached_property
    def console(self) -> Console:
        """Turns in writing, through the same engine, timers and clock."""
        from appliance.tts.text import TextMouth

        return Console(
            self.engine, self.conversation, self.rings.alarms, self.rings.telling, self.clock, self.memory, TextMouth,
            self.skills.orders, self.settings.words.language,
        )  # fmt: skip

    def _voice(self, speaker: Speaker, failed: Callable[[ApplianceError | None], None], vitals: Vitals) -> Voice:
        from appliance.tts.speak import Voice

        beat, at_work = partial(vitals.beat, Part.PLAYBACK), partial(vitals.at_work, Part.VOICE)
        language, ring = self.settings.words.language, self.settings.voice.ring_sound
        return Voice(LateSynthesizer(self._late_voice), speaker, failed, language, beat, at_work, ring)

    @contextmanager
    def _service(
        self,
        microphone: Microphone,
        speaker: Speaker,
        kept: ValueStore,
        publish: Publish,
        watch: Watcher,
        paced: bool,
        first: Callable[[OwnWords, Post], None] = lambda voice, post: None,
        vitals: Vitals | None = None,
        each_round: Callable[[], None] = lambda: None,
        anyway: bool = False,
    ) -> Iterator[Service]:
        """anyway: timers ring before any model is loaded, and without those that cannot be used."""
        vitals = vitals or Vitals()
        vitals.speaking = lambda: self.voices.told
        vitals.thinking = lambda: next(map(str, list(self._lacks.values())), self.llm.trouble)
        vitals.keeping = lambda: self._store.trouble
        vitals.private = lambda: self.private.on
        self._anyway = anyway
        if not anyway:
            self._warm_up()
        with self._voice(speaker, vitals.sounded, vitals) as sounds:
            voice = OwnWords(sounds)

            def load() -> None:
                self._warm_up()
                self._await_llm()
                self.started.well()
                first(voice, service.post)

            rings, longest_s = self.rings, self.settings.voice.ring_max_s
            late = LateEars(self._late_ears)
            ears = self.shared(self._tapped(late), vitals) if anyway else late
            service = Service(
                microphone,
                ears,
                lambda post: self._turns(voice, sounds.play, post, publish, paced, vitals),
                Ringing(rings.alarms, rings.telling, voice, longest_s, rings.plays, self.skills.wakes),
                self.settings,
                kept,
                all_of(watch, self._follow_host),
                erase=self._erase,
                vitals=vitals,
                each_round=each_round,
                loading=Loading(load) if anyway else None,
                in_call=self.in_call,
            )
            self._silence, self._end = lambda: service.post(ev.StopHeard()), service.stop
            self._mute, self._muted = service.mute, service.muted
            if anyway:
                self.open_calls(voice, sounds.play, ears, service.post, vitals)
            yield service

    def _turns(
        self, voice: OwnWords, play: Play, post: Post, publish: Publish, paced: bool, vitals: Vitals
    ) -> SpokenTurns:
        from appliance.reply.understanding.fastlane import FastLane

        def hear(utterance: Utterance, stale: Stale) -> str:
            with vitals.at_work(Part.WORDS):
                names = (*self.settings.words.names, *self.skills.known(remembered=not utterance.for_another))
                return self._late_words.get().transcribe(utterance, stale, self.skills.expected(), names).text

        thinker, language = LateThinker(self._late_engine), self.settings.words.language
        lane = Late(lambda: FastLane(language, name=self.name))

        known = self._who if self.settings.speaker.on else None
        turns = (hear, thinker, voice, lambda text: lane.get().is_stop(text), post, publish, paced, language, known)
        self._turned = self._spoken_turns(post, play, vitals, *turns)
        return self._turned

    def _await_llm(self) -> None:
        """Where the model was lost in its first start: think with it once it has come late."""
        if isinstance(self._no_llm, ModelLost):
            await_model(lambda: self.local_llm.facts, self._use_llm)

    def _use_llm(self) -> None:
        self.renew_llm()
        if self._turned:
            self._turned.thinker = self.engine

    def _erase(self) -> None:
        """What the owner said and what was made of it; models and settings stay."""
        from appliance.memory.erase import erase

        self._stop_upkeep()  # or one that is being made would outlive this
        self._stop_chores()  # likewise
        self.skills.erase()
        erase(*self._memories)
