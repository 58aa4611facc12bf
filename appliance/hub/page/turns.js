// Turns: what was heard, done and said last, and where the time went. Drawn like appliance/terminal/picture.py does.

import { box, refresh, watch } from "./box.js";
import { el, put, svg } from "./dom.js";
import { empty, loaded } from "./parts.js";
import { took } from "./times.js";
import { isThere, say } from "./words.js";

export function open(place) {
  const shown = el("div", { class: "cards" });
  place.append(shown);
  let unwatch = () => {};
  loaded(shown, refresh, () => {
    const list = el("div", { class: "cards" });
    unwatch();
    unwatch = watch(() => put(list, box.turns.length ? [...box.turns].reverse().map(drawn) : empty("turns.none")));
    return list;
  });
  return () => unwatch();
}

function drawn(turn) {
  const tools = (turn.steps || []).filter((step) => step.tool).map((step) => `${step.tool}${step.outcome && step.outcome !== "ok" ? ` (${step.outcome})` : ""}`);
  const waited = turn.ms?.first_audio ?? turn.ms?.total;
  const name = say("turns.turn", { turn: turn.turn, channel: isThere(`turns.channel.${turn.channel}`) ? say(`turns.channel.${turn.channel}`) : turn.channel || "" });
  return el("article", { class: "card turn", "aria-label": name },
    el("div", { class: "row spread" },
      el("span", { class: "hint" }, name),
      Number.isFinite(waited) && el("span", { class: "big" }, took(waited))),
    el("dl", { class: "last" },
      words("heard", turn.heard),
      tools.length > 0 && [el("dt", {}, say("did")), el("dd", {}, tools.join(", "))],
      words("said", turn.said),
      turn.outcome && turn.outcome !== "said" && [el("dt", {}, say("ended")), el("dd", {}, turn.outcome)]),
    bars(spans(turn.ms || {})));
}

/** Of a turn that is told without its words there are none. */
function words(key, spoken) {
  return spoken !== undefined && [el("dt", {}, say(key)), el("dd", {}, spoken || say("nothing"))];
}

/** Name, start and length in ms of each stage that ran. Beyond the sum of the others, the wait for sound is the voice's. */
export function spans(ms) {
  const made = [];
  let at = 0;
  for (const name of ["endpoint", "stt", "recall", "plan", "tools"]) {
    if (!Number.isFinite(ms[name])) continue;
    made.push({ name, start: at, length: ms[name] });
    at += ms[name];
  }
  if (ms.first_audio > at) made.push({ name: "voice", start: at, length: ms.first_audio - at });
  return made;
}

function bars(stages) {
  if (!stages.length) return null;
  const end = Math.max(1, ...stages.map((stage) => stage.start + stage.length));
  const percent = (ms) => `${(100 * ms / end).toFixed(2)}%`;
  return el("table", { class: "bars" },
    el("caption", { class: "unseen" }, say("turns.stages")),
    el("tbody", {}, stages.map(({ name, start, length }) => el("tr", {},
      el("th", { scope: "row" }, say(`stage.${name}`)),
      el("td", { class: "bar" }, svg("svg", { "aria-hidden": "true", height: 14 },
        svg("rect", { class: `bar-${name}`, x: percent(start), width: percent(Math.max(length, end / 200)), height: 14, rx: 3 }))),
      el("td", { class: "number" }, took(length))))));
}
