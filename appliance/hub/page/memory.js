// Memory: what the box was told. Search, where it comes from, correct, forget.

import { get, post } from "./api.js";
import { el, put } from "./dom.js";
import { button, confirmed, empty, form, loaded, section, text, told } from "./parts.js";
import { day, moment } from "./times.js";
import { isThere, say } from "./words.js";

const MOST = 50; // facts shown at once

export function open(place) {
  const asked = text("query", { type: "search", "aria-label": say("memory.query"), placeholder: say("memory.query") });
  const found = el("div", { "aria-live": "polite" });
  const load = () => get(`/api/v0/memory?limit=${MOST}&query=${encodeURIComponent(asked.value.trim())}`);
  const again = loaded(found, load, ({ facts, rows, said }, reload) => {
    const list = facts || rows || [];
    if (!list.length && said) return [el("p", { class: "words" }, said), el("p", { class: "hint" }, say("memory.told"))];
    if (!list.length) return empty(asked.value.trim() ? "memory.unfound" : "memory.none");
    return [el("ul", { class: "rows facts" }, list.map((fact) => drawn(fact, reload))),
      list.length >= MOST && el("p", { class: "hint" }, say("memory.more", { count: MOST }))];
  });
  const search = form("memory.search", async () => {
    await again();
    return false;
  }, asked);
  search.classList.add("inline");
  search.setAttribute("role", "search");
  asked.addEventListener("search", () => asked.value || again()); // its own cross empties it
  place.append(section(say("memory.known"), search, found));
}

function drawn(fact, reload) {
  const below = el("div", { class: "below" });
  const title = fact.text;
  const kind = isThere(`memory.kind.${fact.kind}`) ? say(`memory.kind.${fact.kind}`) : fact.kind;
  const hints = [kind, fact.at && day(fact.at)].filter(Boolean);
  return el("li", { class: "fact" },
    el("div", { class: "grow" }, el("span", { class: "words" }, title), el("span", { class: "hint" }, hints.join(" · "))),
    el("div", { class: "row" },
      button("memory.why", () => why(fact, below), { label: say("memory.why.label", { title }) }),
      button("memory.correct", () => correct(fact, below, reload), { label: say("memory.correct.label", { title }) }),
      button("memory.forget", () => forget(fact, reload), { kind: "danger", label: say("memory.forget.label", { title }) })),
    below);
}

async function why(fact, below) {
  const { sources = [], history = [], said } = await get(`/api/v0/memory/${fact.id}/why`);
  put(below,
    el("p", { class: "words" }, sources.length ? say("memory.because") : said || say("memory.unsourced")),
    sources.map(({ at, heard, said: answered }) => el("blockquote", {},
      el("p", { class: "hint" }, moment(at)), heard && el("p", {}, say("memory.heard", { heard })), answered && el("p", {}, say("memory.said", { said: answered })))),
    history.length > 0 && [el("p", {}, say("memory.before")),
      el("ul", {}, history.map((earlier) => el("li", {}, `${day(earlier.at)}: ${earlier.text}`)))],
    button("close", () => put(below)));
}

function correct(fact, below, reload) {
  const words = el("textarea", { name: "text", rows: 2, required: true, maxlength: 1000, "aria-label": say("memory.right") }, fact.text);
  put(below, form("memory.save", async (values) => {
    await post(`/api/v0/memory/${fact.id}/correct`, { text: values.text });
    told(say("memory.corrected"));
    await reload();
  }, words), button("close", () => put(below)));
  words.focus();
}

async function forget(fact, reload) {
  if (!(await confirmed(say("memory.question", { fact: fact.text }), "memory.forget"))) return;
  await post(`/api/v0/memory/${fact.id}/forget`);
  told(say("memory.forgotten"));
  await reload();
}
