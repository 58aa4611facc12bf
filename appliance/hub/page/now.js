// Now: what the box hears and does, and talking to it by typing.

import { post } from "./api.js";
import { box, watch } from "./box.js";
import { el, put } from "./dom.js";
import { canRecord, Recorder } from "./microphone.js";
import { button, busy, form, section, text, told } from "./parts.js";
import { speak, talk } from "./talk.js";
import { moment } from "./times.js";
import { isThere, say } from "./words.js";

/** Line of the talk -> how it is shown. */
const items = new WeakMap();

export function open(place) {
  const state = el("div", { class: "stack" });
  const mute = button("mute", close);
  const log = el("ol", { class: "talk" });
  const line = text("line", { "aria-label": say("talk.line"), placeholder: say("talk.example"), enterkeyhint: "send" });
  const typed = form("talk.send", (values) => values.line && void speak(values.line), line);
  typed.classList.add("inline");
  put(place,
    el("div", { class: "card" }, state, el("div", { class: "row" }, button("stop", stop, { kind: "main" }), mute)),
    section(say("talk"), el("div", { role: "log", "aria-label": say("talk") }, log), typed, canRecord() && microphone()));
  talk.changed = () => {
    if (talk.lines.some((each) => each.unfinished)) log.parentElement.setAttribute("aria-busy", "true");
    update(log, talk.lines.length ? talk.lines.map(itemOf) : [el("li", { class: "hint" }, say("talk.none"))]);
    if (!talk.lines.some((each) => each.unfinished)) log.parentElement.removeAttribute("aria-busy");
    if (talk.lines.length) log.lastElementChild.scrollIntoView({ block: "nearest" });
  };
  talk.changed();
  return watch(() => {
    put(state, status());
    mute.hidden = box.status.state === "muted";
  });
}

function status() {
  const { state = "starting", trouble, rings } = box.status;
  const name = isThere(`state.${state}`) ? state : "starting";
  return [
    el("div", { class: "row" },
      el("span", { class: "light", "data-state": trouble && name === "idle" ? "faulted" : name, "aria-hidden": "true" }),
      el("div", { class: "grow" }, el("h2", {}, say(`state.${name}`)), el("p", { class: "hint" }, say(`state.${name}.hint`)))),
    trouble && name !== "starting" && el("p", { class: "trouble" }, say("trouble", { trouble })),
    rings && el("p", { class: "trouble" }, say("rings")),
    next(),
    last(),
  ];
}

function next() {
  const { next_ring_s: seconds } = box.status;
  return Number.isFinite(seconds) && el("p", {}, say("next_ring", { time: moment(Date.now() + seconds * 1_000) }));
}

function last() {
  const turn = box.turns.at(-1);
  if (!turn?.heard && !turn?.said) return null;
  return el("dl", { class: "last" },
    el("dt", {}, say("heard")), el("dd", {}, turn.heard || say("nothing")),
    el("dt", {}, say("said")), el("dd", {}, turn.said || say("nothing")));
}

/** What the box itself says or rings, and the answer to what was typed here. */
async function stop() {
  await post("/api/v0/stop", { conversation_id: talk.conversation });
  told(say("stopped"));
}

/** Nobody opens it from here: a page in the network is not to turn a microphone on. */
async function close() {
  await post("/api/v0/mute");
  told(say("muted"));
}

/** Leaves in place what is the same, so that a screen reader reads only what is new. */
function update(log, items) {
  items.forEach((item, at) => {
    if (!log.children[at]) log.append(item);
    else if (log.children[at] !== item) log.children[at].replaceWith(item);
  });
  while (log.children.length > items.length) log.lastElementChild.remove();
}

function itemOf(line, at, { length }) {
  const isLast = at === length - 1;
  const as = JSON.stringify([line, isLast]);
  if (items.get(line)?.as !== as) items.set(line, { as, item: drawn(line, isLast) });
  return items.get(line).item;
}

function drawn({ who, text: words, remedy, options, waits }, isLast) {
  return el("li", { class: waits ? `${who} waits` : who },
    el("span", { class: "who" }, say(`talk.${who}`)), el("span", { class: "words" }, words),
    remedy && el("span", { class: "hint" }, remedy),
    isLast && options?.length > 0 && el("div", { class: "row" },
      options.map((option) => button("talk.option", () => void speak(option), { values: { option } }))));
}

function microphone() {
  const recorder = new Recorder();
  const made = el("button", { type: "button", "aria-pressed": "false" }, say("talk.record"));
  const shows = (on) => {
    made.setAttribute("aria-pressed", String(on));
    put(made, say(on ? "talk.recorded" : "talk.record"));
  };
  recorder.onended = (heard) => busy(made, async () => {
    shows(false);
    const words = (await heard).trim();
    if (words) speak(words);
    else told(say("talk.unheard"));
  });
  made.addEventListener("click", async () => {
    if (recorder.runs) recorder.stop();
    else await busy(made, async () => {
      await recorder.start();
      shows(true);
    });
  });
  return made;
}
