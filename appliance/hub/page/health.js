// Health: what the doctor finds, the models, and the release that runs.

import { get } from "./api.js";
import { el } from "./dom.js";
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
  const installed = el("div", { class: "stack" });
  place.append(section(say("health.parts"), checks, button("health.again", again)),
    section(say("health.installed"), installed));
  loaded(installed, () => get("/api/v0/installed"), ({ models, ...release }) => [
    el("dl", { class: "last" }, versions(release)),
    el("p", { class: "hint" }, say("health.update")),
    el("h3", {}, say("health.models")),
    models.length ? el("ul", { class: "rows" }, models.map(model)) : empty("health.models.none")]);
}

function check({ part, fine, found, remedy }) {
  return el("li", { class: "check" },
    mark(fine, say(fine ? "fine" : "ill")),
    el("span", { class: "grow" }, el("strong", {}, part), el("span", { class: "hint" }, found), remedy && el("span", {}, remedy)));
}

function model({ name, role, bytes, state, what, hashed_at: day }) {
  const size = say("model.size", { size: Math.max(1, Math.round(bytes / 1e6)).toLocaleString() });
  const seen = day ? say("model.hashed", { day }) : "";
  return el("li", {},
    mark(state === "here", isThere(`model.${state}`) ? say(`model.${state}`) : state),
    el("span", { class: "grow" }, el("strong", {}, name),
      el("span", { class: "hint" }, [role, size, seen].filter(Boolean).join(" · ")), what && el("span", {}, what)));
}

function mark(fine, words) {
  return el("span", { class: fine ? "mark fine" : "mark trouble" }, words);
}

function versions(release) {
  return Object.entries(release).filter(([, told]) => told).flatMap(([key, told]) => [el("dt", {}, say(`release.${key}`)), el("dd", {}, told)]);
}
