// What every view is made of: fields, buttons, the states of something that is loaded, and telling how an order ended.

import { el, put } from "./dom.js";
import { isThere, say } from "./words.js";

const TOLD_MS = 8_000;

let fields = 0;
let timer = 0;

/** Fills `place` with what `draw` makes of what `load` gives: loading, then that, or what is wrong with its remedy.
 * Returns a function that loads it again, and leaves what is there until the new has come. */
export function loaded(place, load, draw) {
  let newest = 0;
  async function again() {
    const mine = ++newest;
    place.setAttribute("aria-busy", "true");
    if (!place.hasChildNodes()) put(place, el("p", { class: "loading" }, say("loading")));
    const drawn = await load().then((data) => draw(data, again), (problem) => failure(problem, again));
    if (mine !== newest) return;
    const hadFocus = place.contains(document.activeElement);
    put(place, drawn);
    if (hadFocus) focusOn(place);
    place.removeAttribute("aria-busy");
  }
  again();
  return again;
}

/** Whoever uses the keys goes on from here, and not from the top of the page. */
function focusOn(place) {
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
}

/** What is wrong, what to do, and a button to try again. */
export function failure(problem, again) {
  return el("div", { class: "card failure" },
    el("p", { class: "what" }, problem.message), problem.remedy && el("p", {}, problem.remedy),
    again && button("again", again));
}

export function empty(key) {
  return el("div", { class: "card empty" }, el("p", { class: "what" }, say(key)), el("p", {}, say(`${key}.hint`)));
}

/** A section with its heading; `more` stands beside the heading. */
export function section(title, ...children) {
  const id = `part-${++fields}`;
  return el("section", { class: "card", "aria-labelledby": id }, el("h2", { id }, title), ...children);
}

/** key: of the button's words. work: what a click starts; while it runs the button takes no second one. */
export function button(key, work, { kind = "", label = null, values = {} } = {}) {
  const made = el("button", { type: "button", class: kind, "aria-label": label }, say(key, values));
  made.addEventListener("click", () => busy(made, work));
  return made;
}

/** A control under its label, with a hint below. */
export function field(key, control, values = {}) {
  const id = `field-${++fields}`;
  control.id = id;
  const hint = isThere(`${key}.hint`) && say(`${key}.hint`, values);
  if (hint) control.setAttribute("aria-describedby", `${id}-hint`);
  return el("div", { class: "field" }, el("label", { for: id }, say(key, values)), control,
    hint && el("p", { class: "hint", id: `${id}-hint` }, hint));
}

export const text = (name, more = {}) => el("input", { type: "text", name, autocomplete: "off", maxlength: 1000, ...more });

/** A form; `send` is called with what its fields say, trimmed, and the form is emptied once that has gone well. */
export function form(key, send, ...children) {
  const submit = el("button", { type: "submit", class: "main" }, say(key));
  const made = el("form", { class: "form" }, ...children, submit);
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    const values = Object.fromEntries([...new FormData(made)].map(([name, value]) => [name, value.trim()]));
    busy(submit, async () => {
      if ((await send(values)) !== false) made.reset();
    });
  });
  return made;
}

/** A question before what cannot be taken back. Gives whether it is to be done. */
export function confirmed(question, key) {
  return new Promise((resolve) => {
    const id = `part-${++fields}`;
    const dialog = el("dialog", { "aria-labelledby": id }, el("p", { id }, question),
      el("div", { class: "row" },
        el("button", { type: "button", onclick: () => dialog.close() }, say("keep")),
        el("button", { type: "button", class: "danger", onclick: () => dialog.close("yes") }, say(key))));
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Runs `work` while `control` is busy; a Problem is told where everybody sees and hears it. */
export async function busy(control, work) {
  if (control.getAttribute("aria-disabled") === "true") return;
  control.setAttribute("aria-disabled", "true");
  try {
    await work();
  } catch (problem) {
    if (!("remedy" in problem)) throw problem;
    failed(problem);
  } finally {
    control.removeAttribute("aria-disabled");
  }
}

/** How an order ended, for some seconds. */
export function told(sentence) {
  const place = document.getElementById("told");
  put(document.getElementById("failed"));
  put(place, sentence || say("done"));
  clearTimeout(timer);
  timer = setTimeout(() => put(place), TOLD_MS);
}

/** What was not done, until it is closed. */
export function failed(problem) {
  const place = document.getElementById("failed");
  put(document.getElementById("told"));
  put(place, el("p", {}, [problem.message, problem.remedy].filter(Boolean).join(" – ")),
    button("close", () => put(place)));
}
