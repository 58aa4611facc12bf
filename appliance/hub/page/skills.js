// Skills: which the box has, which are on, and what the others lack.

import { get, put as change } from "./api.js";
import { el } from "./dom.js";
import { busy, empty, loaded, section, told } from "./parts.js";
import { waiting } from "./restart.js";
import { capital, say } from "./words.js";

export function open(place) {
  const list = el("div", { class: "stack" });
  const load = async () => ({ ...await get("/api/v0/skills"), settings: await get("/api/v0/settings") });
  loaded(list, load, ({ skills, settings }, reload) => skills.length
    ? [waiting(settings, reload), el("ul", { class: "rows" }, skills.map((each) => skill(each, reload)))]
    : empty("skills.none"));
  place.append(section(say("skills.all"), list));
}

function skill({ name, about, on, missing, fixed, waits }, reload) {
  const box = el("input", { type: "checkbox", role: "switch", checked: on, disabled: fixed });
  box.addEventListener("change", () => busy(box, async () => {
    const wanted = box.checked;
    box.checked = !wanted; // until the box has said that it is done
    await change(`/api/v0/skills/${encodeURIComponent(name)}`, { on: wanted });
    told(say("skills.restart", { name: capital(name) }));
    await reload();
  }));
  return el("li", {}, el("label", { class: "grow" }, box, el("span", {}, el("strong", {}, capital(name)),
    about && el("span", { class: "hint" }, about), missing && el("span", { class: "trouble" }, missing),
    fixed && el("span", { class: "hint" }, say("skills.fixed")),
    waits && el("span", { class: "hint" }, say(on ? "skills.will.on" : "skills.will.off")))));
}
