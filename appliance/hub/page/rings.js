// Timers, alarms, reminders, and what is to be done later.

import { command } from "./api.js";
import { follow } from "./box.js";
import { el } from "./dom.js";
import { button, confirmed, empty, field, form, loaded, section, text, told } from "./parts.js";
import { countdown, moment } from "./times.js";
import { say } from "./words.js";

const TICK_MS = 500;

/** fields: of the form, in the order in which the command takes them; name -> its words. */
const SECTIONS = [
  { skill: "timers", fields: { length: "timers.length", label: "timers.label" }, row: timer },
  { skill: "alarms", fields: { when: "alarms.when" }, row: entry },
  { skill: "reminders", fields: { what: "reminders.what", when: "reminders.when" }, row: entry },
  { skill: "later", fields: { order: "later.order", when: "later.when" }, row: entry },
];
const OPTIONAL = ["label"];

export function open(place) {
  const parts = SECTIONS.map(part);
  place.append(...parts.map(({ shown }) => shown));
  const ticking = setInterval(() => tick(place), TICK_MS);
  const leave = follow(() => parts.forEach(({ again }) => again()));
  return () => {
    clearInterval(ticking);
    leave();
  };
}

function part({ skill, fields, row }) {
  const list = el("div");
  const load = async () => (await command(skill)).rows || [];
  const again = loaded(list, load, (rows, reload) => {
    const act = async (action, words) => {
      told((await command(skill, [action, ...words])).said);
      await reload();
    };
    return rows.length ? el("ul", { class: "rows" }, rows.map((each) => row(skill, each, rows, act))) : empty(`${skill}.none`);
  });
  const add = form(`${skill}.add`, async (values) => {
    const words = Object.keys(fields).map((name) => values[name]).filter(Boolean);
    told((await command(skill, ["add", ...words])).said);
    await again();
  }, Object.entries(fields).map(([name, key]) => field(key, text(name, { required: !OPTIONAL.includes(name) }))));
  return { shown: section(say(skill), list, add), again };
}

function timer(skill, row, rows, act) {
  const isPaused = row.paused_s !== null;
  const left = isPaused ? row.paused_s : row.left_s;
  const title = row.label || say("timers.unnamed", { length: lengthOf(row) });
  const name = timerName(row, rows);
  return el("li", {},
    el("span", { class: "grow" }, el("strong", {}, title),
      el("span", { class: "hint" }, isPaused ? say("timers.paused") : row.left_s > 0 ? say("timers.runs") : say("timers.over"))),
    el("span", { class: "clock", role: "timer", "data-ends": isPaused ? null : performance.now() + left * 1_000 }, countdown(left)),
    el("span", { class: "row" },
      button(isPaused ? "timers.resume" : "timers.pause", () => act(isPaused ? "resume" : "pause", name),
        { label: say(isPaused ? "timers.resume.label" : "timers.pause.label", { title }) }),
      button("cancel", () => cancel(skill, title, name, act), { kind: "danger", label: say("cancel.label", { title }) })));
}

/** What the box finds it by: its name, or its length. Where two have the same it asks, and nothing is done. */
function timerName(row, rows) {
  if (row.label) return [row.label];
  return rows.length > 1 ? [lengthOf(row)] : [];
}

function lengthOf({ seconds }) {
  const units = [["hours", 3600], ["minutes", 60], ["seconds", 1]];
  let left = Math.round(seconds);
  const told = units.map(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count && say(count === 1 ? `length.${unit}.1` : `length.${unit}`, { count });
  });
  return told.filter(Boolean).join(" ");
}

function entry(skill, row, rows, act) {
  const title = row.text || row.said || moment(row.at);
  const hints = [moment(row.at), row.rule && say("repeats", { said: row.said || "" }), row.plays && say("plays", { what: row.plays }),
    row.missed_from && say("missed"), row.unsure && say("unsure")];
  return el("li", {},
    el("span", { class: "grow" }, el("strong", {}, title), el("span", { class: "hint" }, hints.filter(Boolean).join(" · "))),
    button("cancel", () => cancel(skill, title, [row.text || row.said || row.at], act), { kind: "danger", label: say("cancel.label", { title }) }));
}

async function cancel(skill, title, name, act) {
  if (await confirmed(say("cancel.question", { title }), "cancel.yes")) await act("cancel", name);
}

function tick(place) {
  for (const clock of place.querySelectorAll("[data-ends]")) {
    clock.textContent = countdown((clock.dataset.ends - performance.now()) / 1_000);
  }
}
