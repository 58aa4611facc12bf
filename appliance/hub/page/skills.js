// Skills: which the box has, which are on, and what the others lack.

import { get, put as change } from "./api.js";
import { el } from "./dom.js";
import { busy, empty, loaded, section, told } from "./parts.js";
import { capital, say } from "./words.js";

export function open(place) {
  const list = el("div");
  loaded(list, asked, ({ skills }) =>
    skills?.length ? el("ul", { class: "rows" }, skills.map(skill)) : empty(skills ? "skills.none" : "skills.elsewhere"));
  place.append(section(say("skills.all"), list));
}

/** A hub that does not switch skills has no such address. */
async function asked() {
  return get("/api/v0/skills").catch((problem) => {
    if (problem.status === 404) return {};
    throw problem;
  });
}

function skill({ name, about, on, missing }) {
  const box = el("input", { type: "checkbox", role: "switch", checked: on });
  box.addEventListener("change", () => busy(box, async () => {
    const wanted = box.checked;
    box.checked = !wanted; // until the box has said that it is done
    const now = await change(`/api/v0/skills/${encodeURIComponent(name)}`, { on: wanted });
    box.checked = now.on ?? wanted;
    told(say(now.restart ? "skills.restart" : "skills.changed", { name: capital(name) }));
  }));
  return el("li", {}, el("label", { class: "grow" }, box, el("span", {}, el("strong", {}, capital(name)),
    about && el("span", { class: "hint" }, about), missing && el("span", { class: "trouble" }, missing))));
}
