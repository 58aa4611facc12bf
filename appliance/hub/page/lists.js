// Lists and notes.

import { command } from "./api.js";
import { follow } from "./box.js";
import { el } from "./dom.js";
import { busy, button, confirmed, empty, field, form, loaded, section, text, told } from "./parts.js";
import { moment } from "./times.js";
import { capital, say } from "./words.js";

export function open(place) {
  const lists = el("div", { class: "cards" });
  const load = async (skill) => (await command(skill)).rows || [];
  const again = loaded(lists, () => load("lists"), (rows, reload) =>
    rows.length ? rows.map((row) => list(row, order("lists", reload))) : empty("lists.none"));
  const create = form("lists.create", ({ name }) => order("lists", again)(["create", name]),
    field("lists.name", text("name", { required: true, maxlength: 60 })));
  const { shown, again: reread } = notes(load);
  place.append(lists, section(say("lists.new"), create), shown);
  return follow(() => {
    if (!isTyped(lists)) again();
    reread();
  });
}

/** Whether somebody has begun to write there, which is not to be lost. */
function isTyped(place) {
  return [...place.querySelectorAll("input[type=text]")].some((each) => each.value);
}

/** What carries out a command, tells how it ended and shows what there is then. */
function order(skill, reload) {
  return async (words, yes = false) => {
    try {
      told((await command(skill, words, yes)).said);
    } finally {
      await reload();
    }
  };
}

function list({ name, entries }, act) {
  const title = capital(name);
  const add = form("lists.add", ({ item }) => act(["add", name, item]),
    text("item", { required: true, maxlength: 300, "aria-label": say("lists.item", { list: title }), placeholder: say("lists.item", { list: title }) }));
  add.classList.add("inline");
  const clear = async () => {
    if (await confirmed(say("lists.clear.question", { list: title, count: entries.length }), "lists.clear")) await act(["clear", name], true);
  };
  return section(title,
    entries.length ? el("ul", { class: "rows" }, entries.map((entry) => item(name, entry, act))) : el("p", { class: "hint" }, say("lists.empty")),
    add, entries.length > 0 && button("lists.clear", clear, { kind: "danger", label: say("lists.clear.label", { list: title }) }));
}

function item(list, { text: words, done }, act) {
  const box = el("input", { type: "checkbox", checked: done });
  box.addEventListener("change", () => busy(box, () => act([box.checked ? "done" : "add", list, words])));
  return el("li", {},
    el("label", { class: done ? "grow done" : "grow" }, box, el("span", {}, words)),
    button("remove", () => act(["remove", list, words]), { label: say("remove.label", { title: words }) }));
}

function notes(load) {
  const kept = el("div");
  const again = loaded(kept, () => load("notes"), (rows, reload) =>
    rows.length ? el("ul", { class: "rows" }, [...rows].reverse().map((row) => note(row, order("notes", reload)))) : empty("notes.none"));
  const words = el("textarea", { name: "words", rows: 2, maxlength: 1000, required: true });
  const shown = section(say("notes"), kept, form("notes.add", (values) => order("notes", again)(["add", values.words]), field("notes.words", words)));
  return { shown, again };
}

function note({ text: words, at }, act) {
  const remove = async () => {
    if (await confirmed(say("notes.question", { note: words }), "delete")) await act(["delete", words], true);
  };
  return el("li", {},
    el("span", { class: "grow" }, el("span", { class: "words" }, words), el("span", { class: "hint" }, moment(at))),
    button("delete", remove, { kind: "danger", label: say("delete.label", { title: words }) }));
}
