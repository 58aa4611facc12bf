// Settings: only those with which nobody can lock themselves out.

import { get, put as change, signOut } from "./api.js";
import { el } from "./dom.js";
import { button, empty, field, form, loaded, section, text, told } from "./parts.js";
import { say } from "./words.js";

/** Setting -> its control. What the box does not tell of is not shown. */
const CONTROLS = {
  name: () => text("name", { maxlength: 60 }),
  wake_word: (choices) => chosen("wake_word", choices.wake_word),
  volume: () => el("input", { type: "range", name: "volume", min: 0, max: 100, step: 5 }),
  quiet_from: () => el("input", { type: "time", name: "quiet_from" }),
  quiet_until: () => el("input", { type: "time", name: "quiet_until" }),
  place: () => text("place", { maxlength: 120 }),
  timezone: () => zones(),
  language: (choices) => chosen("language", choices.language),
  cues: () => el("input", { type: "checkbox", name: "cues", role: "switch" }),
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

/** Those of `names` that the box tells of: a form, or a list where they are not changed over the network. */
export function settingsOf(names, { choices = {}, writable, ...settings }, key, done) {
  const here = names.filter((name) => name in settings);
  if (!here.length) return empty("settings.none");
  return writable ? settingsForm(here, choices, settings, key, done) : listed(here, settings);
}

function listed(here, settings) {
  const shown = (setting) => typeof setting === "boolean" ? say(setting ? "settings.on" : "settings.off") : plain(setting) || say("nothing");
  return [
    el("dl", { class: "last" }, here.map((name) => [el("dt", {}, say(`settings.${name}`)), el("dd", {}, shown(settings[name]))])),
    el("p", { class: "hint" }, say("settings.file"))];
}

/** Sends what was changed, then calls `done`. */
function settingsForm(here, choices, settings, key, done) {
  const controls = Object.fromEntries(here.map((name) => [name, CONTROLS[name](choices)]));
  for (const [name, control] of Object.entries(controls)) show(control, settings[name]);
  return form(key, async () => {
    const changed = here.filter((name) => value(controls[name]) !== plain(settings[name]));
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
    told(say(now.restart ? "settings.restart" : "settings.saved"));
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

/** As the box takes it; an emptied time is none. */
function typed(control) {
  if (control.type === "checkbox") return control.checked;
  if (control.type === "range") return Number(control.value);
  return control.type === "time" && !control.value ? null : control.value.trim();
}

/** Of a time the seconds are left out, which a control for times does not show. */
function plain(setting) {
  const written = String(setting ?? "");
  return /^\d\d:\d\d:00$/.test(written) ? written.slice(0, 5) : written;
}

function chosen(name, choices) {
  if (!choices?.length) return text(name);
  return el("select", { name }, choices.map((each) => el("option", { value: each }, each)));
}

function zones() {
  const list = el("datalist", { id: "zones" }, Intl.supportedValuesOf("timeZone").map((zone) => el("option", { value: zone })));
  document.getElementById("zones")?.remove();
  document.body.append(list);
  return text("timezone", { list: "zones" });
}
