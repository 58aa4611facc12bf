// Settings: only those with which nobody can lock themselves out.

import { get, put as change, signOut } from "./api.js";
import { el } from "./dom.js";
import { button, empty, field, form, loaded, section, text, told } from "./parts.js";
import { waiting } from "./restart.js";
import { isThere, say } from "./words.js";

/** Setting -> its control. What the box does not tell of is not shown. */
const CONTROLS = {
  language: (choices) => chosen("language", choices.language),
  place: () => text("place", { maxlength: 80 }),
  timezone: () => zones(),
  wake_word: (choices) => chosen("wake_word", choices.wake_word),
  volume: () => range("volume", 0, 100, 5),
  speed: () => range("speed", 0.5, 2, 0.1),
  quiet_from: () => el("input", { type: "time", name: "quiet_from" }),
  quiet_until: () => el("input", { type: "time", name: "quiet_until" }),
  cues: () => el("input", { type: "checkbox", name: "cues", role: "switch" }),
  ring_sound: (choices) => chosen("ring_sound", choices.ring_sound),
  follow_up_s: () => el("input", { type: "number", name: "follow_up_s", min: 0, max: 60, step: "any" }),
};

export function open(place) {
  const shown = el("div");
  loaded(shown, () => get("/api/v0/settings"), (settings, reload) => settingsOf(Object.keys(CONTROLS), settings, "settings.save", reload));
  place.append(section(say("settings.all"), shown), section(say("session"),
    el("p", {}, say("session.told")), button("sign_out", async () => {
      await signOut();
      window.dispatchEvent(new Event("signed-out"));
    })));
}

/** Those of `names` that the box tells of: a form; a list of those that the settings file makes; and what waits for a
 * start. suggested: in place of what is empty. */
export function settingsOf(names, settings, key, done, suggested = {}) {
  const here = names.filter((name) => name in settings.values);
  if (!here.length) return empty("settings.none");
  const free = here.filter((name) => !settings.fixed.includes(name));
  const fixed = here.filter((name) => settings.fixed.includes(name));
  return el("div", { class: "stack" },
    waiting(settings, done),
    free.length > 0 && settingsForm(free, settings, key, done, suggested),
    fixed.length > 0 && listed(fixed, settings.values));
}

function listed(here, values) {
  const shown = (setting) => typeof setting === "boolean" ? say(setting ? "settings.on" : "settings.off") : plain(setting) || say("nothing");
  return [
    el("dl", { class: "last" }, here.map((name) => [el("dt", {}, say(`settings.${name}`)), el("dd", {}, shown(values[name]))])),
    el("p", { class: "hint" }, say("settings.file"))];
}

/** Sends what was changed, then calls `done`. */
function settingsForm(here, { values, choices }, key, done, suggested) {
  const controls = Object.fromEntries(here.map((name) => [name, CONTROLS[name](choices)]));
  for (const [name, control] of Object.entries(controls)) show(control, values[name] || suggested[name] || values[name]);
  return form(key, async () => {
    const changed = here.filter((name) => value(controls[name]) !== shownAs(controls[name], values[name]));
    if (changed.length) await send(controls, changed);
    else told(say("settings.same"));
    await done();
    return false;
  }, here.map((name) => field(`settings.${name}`, controls[name])));
}

async function send(controls, changed) {
  for (const name of changed) controls[name].removeAttribute("aria-invalid");
  try {
    const now = await change("/api/v0/settings", Object.fromEntries(changed.map((name) => [name, typed(controls[name])])));
    told(say(changed.some((name) => now.waits.includes(name)) ? "settings.restart" : "settings.saved"));
  } catch (problem) {
    controls[problem.field]?.setAttribute("aria-invalid", "true");
    controls[problem.field]?.focus();
    throw problem;
  }
}

function show(control, setting) {
  if (control.type === "checkbox") control.checked = Boolean(setting);
  else control.value = plain(setting);
}

function value(control) {
  return control.type === "checkbox" ? String(control.checked) : control.value.trim();
}

/** What a control says that shows it: 1 and 1.0 are the same number. */
function shownAs(control, setting) {
  return isNumber(control) ? String(Number(setting)) : plain(setting);
}

const isNumber = (control) => control.type === "range" || control.type === "number";

/** As the box takes it; an emptied time is none. */
function typed(control) {
  if (control.type === "checkbox") return control.checked;
  if (isNumber(control)) return Number(control.value);
  return control.type === "time" && !control.value ? null : control.value.trim();
}

/** Of a time the seconds are left out, which a control for times does not show. */
function plain(setting) {
  const written = String(setting ?? "");
  return /^\d\d:\d\d:00$/.test(written) ? written.slice(0, 5) : written;
}

function range(name, min, max, step) {
  return el("input", { type: "range", name, min, max, step });
}

function chosen(name, choices) {
  if (!choices?.length) return text(name);
  const shown = (each) => isThere(`choice.${each}`) ? say(`choice.${each}`) : each;
  return el("select", { name }, choices.map((each) => el("option", { value: each }, shown(each))));
}

function zones() {
  const list = el("datalist", { id: "zones" }, Intl.supportedValuesOf("timeZone").map((zone) => el("option", { value: zone })));
  document.getElementById("zones")?.remove();
  document.body.append(list);
  return text("timezone", { list: "zones" });
}
