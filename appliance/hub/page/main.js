// The page of the box: who is let in, which view is shown, and the frame around it.

import { get, resume } from "./api.js";
import { box, connect, disconnect, forget, watch } from "./box.js";
import * as calendar from "./calendar.js";
import { el, put } from "./dom.js";
import * as health from "./health.js";
import * as lists from "./lists.js";
import * as memory from "./memory.js";
import * as music from "./music.js";
import * as now from "./now.js";
import { failure } from "./parts.js";
import * as rings from "./rings.js";
import * as settings from "./settings.js";
import * as setup from "./setup.js";
import * as skills from "./skills.js";
import * as talk from "./talk.js";
import * as turns from "./turns.js";
import { isThere, say, speak } from "./words.js";

/** In the order of the menu; the first is where one begins. */
const VIEWS = { now, rings, lists, calendar, music, memory, turns, skills, settings, health, setup };
const HOME = "now";

const [top, menu, main] = ["top", "views", "main"].map((id) => document.getElementById(id));
let close = null; // of the view that is shown
let inside = false;
let leads = false; // to the set-up, where the status says that there was none

function frame() {
  const light = el("span", { class: "light small", "aria-hidden": "true" });
  const state = el("span", { class: "grow", id: "state" });
  const toggle = el("button", { type: "button", id: "menu", "aria-expanded": "false", "aria-controls": "views", onclick: () => unfold(menu.dataset.open !== "yes") }, say("menu"));
  put(top, el("button", { type: "button", class: "skip", onclick: () => main.focus() }, say("skip")), light, state, toggle);
  menu.setAttribute("aria-label", say("menu"));
  put(menu, el("ul", {}, Object.keys(VIEWS).map((name) => el("li", {}, el("a", { href: `#${name}` }, say(`view.${name}`))))));
  watch(() => {
    const name = isThere(`state.${box.status.state}`) ? box.status.state : "starting";
    light.dataset.state = box.online ? name : "";
    const seen = !inside ? say("title") : box.online ? say(`state.${name}`) : box.known ? say("offline") : say("loading");
    if (state.textContent !== seen) state.textContent = seen;
  });
}

function unfold(opens) {
  menu.dataset.open = opens ? "yes" : "no";
  document.getElementById("menu").setAttribute("aria-expanded", String(opens));
}

/** Shows what the address names. moved: by whoever uses the page, so that a reader begins at the heading. */
function show(moved) {
  const name = location.hash.slice(1) in VIEWS ? location.hash.slice(1) : HOME;
  for (const link of menu.querySelectorAll("a")) {
    if (link.hash === `#${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  fill(say(`view.${name}`), (place) => VIEWS[name].open(place), moved);
}

function fill(title, draw, moved) {
  close?.();
  const place = el("div", { class: "view" });
  const heading = el("h1", { tabindex: -1 }, title);
  document.title = `${title} – ${say("title")}`;
  put(main, heading, place);
  close = draw(place) || null;
  unfold(false);
  if (moved) heading.focus();
}

/** A box that was never set up shows its owner how, once. */
function lead() {
  if (!leads || !("set_up" in box.status)) return;
  leads = false;
  if (!box.status.set_up) location.hash = "setup";
}

/** Of a session: who has signed in. */
function enter({ role }) {
  inside = true;
  leads = role === "owner";
  menu.hidden = document.getElementById("menu").hidden = false;
  connect();
  show(true);
}

function leave() {
  inside = leads = false;
  forget();
  talk.forget();
  menu.hidden = document.getElementById("menu").hidden = true;
  fill(say("view.door"), (place) => setup.openDoor(place, enter), false);
}

async function begin() {
  try {
    enter(await resume());
  } catch (problem) {
    if (problem.status === 401) leave();
    else fill(say("title"), (place) => place.append(failure(problem, begin)), false);
  }
}

// What is typed here is for the box, so the page is in its language: the examples are, too.
await get("/api/v0/door").then(({ language }) => speak(language)).catch(() => {});
frame();
watch(lead);
window.addEventListener("hashchange", () => inside && show(true));
window.addEventListener("signed-out", () => inside && leave());
// A browser has six connections to a box for all its tabs, and keeps those of a page that was left for going back to it.
document.addEventListener("visibilitychange", () => inside && (document.hidden ? disconnect() : connect()));
document.addEventListener("keydown", (event) => event.key === "Escape" && unfold(false));
begin();
