// Health: what the doctor finds, the models, and the release that runs.

import { get } from "./api.js";
import { box, refresh, watch } from "./box.js";
import { el, put } from "./dom.js";
import { button, empty, loaded, section } from "./parts.js";
import { isThere, say } from "./words.js";

export function open(place) {
  const checks = el("div");
  const again = loaded(checks, () => get("/api/v0/doctor"), ({ checks: found = [] }) => {
    const ill = found.filter((check) => !check.fine);
    const rest = found.filter((check) => check.fine);
    return found.length
      ? [el("p", { class: ill.length ? "trouble" : "fine" }, ill.length ? say("health.ill", { count: ill.length }) : say("health.well")),
        el("ul", { class: "rows" }, [...ill, ...rest].map(check))]
      : empty("health.none");
  });
  const models = el("div");
  const release = el("dl", { class: "last" });
  place.append(section(say("health.parts"), checks, button("health.again", again)),
    section(say("health.release"), release), section(say("health.models"), models));
  loaded(models, refresh, () => {
    const list = box.status.models || [];
    return list.length ? el("ul", { class: "rows" }, list.map(model)) : empty("health.models.none");
  });
  return watch(() => put(release, versions()));
}

function check({ part, fine, found, remedy }) {
  return el("li", { class: "check" },
    mark(fine, say(fine ? "fine" : "ill")),
    el("span", { class: "grow" }, el("strong", {}, part), el("span", { class: "hint" }, found), remedy && el("span", {}, remedy)));
}

function model({ name, state, what }) {
  return el("li", {},
    mark(state === "here", isThere(`model.${state}`) ? say(`model.${state}`) : state),
    el("span", { class: "grow" }, el("strong", {}, name), what && el("span", { class: "hint" }, what)));
}

function mark(fine, words) {
  return el("span", { class: fine ? "mark fine" : "mark trouble" }, words);
}

function versions() {
  const { version, release, update } = box.status;
  const facts = { version, release, previous: update?.previous, update: updateState(update) };
  return Object.entries(facts).filter(([, told]) => told).flatMap(([key, told]) => [el("dt", {}, say(`release.${key}`)), el("dd", {}, told)]);
}

function updateState(update) {
  if (!update) return say("update.unknown");
  return update.rolled_back ? say("update.back", { why: update.why || say("update.why") }) : say("update.fine");
}
