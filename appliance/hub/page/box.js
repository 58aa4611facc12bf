// What the page knows of the box: its status, asked for once and kept current by the stream of events.

import { get } from "./api.js";

const AGAIN_MS = 5_000;
const FOLLOW_MS = 400; // several states come at once
const TURNS_KEPT = 30;

export const box = { status: {}, turns: [], online: false, known: false };

const listeners = new Set();
const followers = new Set();
let source = null;
let timer = 0;
let settling = 0;

/** Calls `listener` now and at each change, until what is returned is called. */
export function watch(listener) {
  listeners.add(listener);
  listener();
  return () => listeners.delete(listener);
}

/** Calls `follower` after each turn and each ring, which may have changed what is kept; until what is returned is called. */
export function follow(follower) {
  followers.add(follower);
  return () => followers.delete(follower);
}

/** Asks for the status. Throws a Problem. */
export async function refresh() {
  const { turns, ...status } = await get("/api/v0/status");
  box.turns = merged(turns || []).slice(-TURNS_KEPT);
  changed(status);
}

function nameOf({ conversation, turn }) {
  return `${conversation}/${turn}`;
}

/** The status may lack the words of a turn, and the newest turn: what the events told stays. */
function merged(told) {
  const known = new Map(box.turns.map((turn) => [nameOf(turn), turn]));
  const kept = told.map((turn) => known.get(nameOf(turn)) || turn);
  const others = box.turns.filter((turn) => !kept.includes(turn));
  const isNewer = ({ turn }) => turn > kept.at(-1)?.turn;
  return [...others.filter((turn) => !isNewer(turn)), ...kept, ...others.filter(isNewer)];
}

export function connect() {
  disconnect();
  source = new EventSource("/api/v0/events");
  source.onopen = () => refresh().then(() => reached(true), () => reached(false));
  source.onerror = lost;
  for (const [name, take] of Object.entries(EVENTS)) {
    source.addEventListener(name, (event) => take(JSON.parse(event.data)));
  }
}

export function disconnect() {
  clearTimeout(timer);
  clearTimeout(settling);
  source?.close();
  source = null;
}

/** Nothing of it is left on this screen. */
export function forget() {
  disconnect();
  Object.assign(box, { status: {}, turns: [], online: false, known: false });
  notify();
}

const EVENTS = {
  state: (told) => {
    changed(told);
    soon();
  },
  ring: (told) => {
    changed({ rings: told.rings });
    happened();
  },
  turn: (told) => {
    const record = told.record || told;
    box.turns = [...box.turns.filter((turn) => nameOf(turn) !== nameOf(record)), record].slice(-TURNS_KEPT);
    notify();
    happened();
  },
};

function changed(status) {
  Object.assign(box.status, status);
  box.known = true;
  notify();
}

/** The rest of the status follows a state: trouble, what rings next. */
function soon() {
  clearTimeout(settling);
  settling = setTimeout(() => source && refresh().catch(() => reached(false)), FOLLOW_MS);
}

function reached(online) {
  box.online = online;
  notify();
}

/** The browser tries again by itself after a broken line, but not after a refusal. */
function lost() {
  reached(false);
  if (source?.readyState !== EventSource.CLOSED) return;
  clearTimeout(timer);
  timer = setTimeout(() => source && connect(), AGAIN_MS);
}

function happened() {
  for (const follower of followers) follower();
}

function notify() {
  for (const listener of listeners) listener();
}
