// Requests to the hub. Whatever goes wrong becomes a Problem: one line, and what to do about it.

import { eventsOf } from "./stream.js";
import { say } from "./words.js";

const PATIENCE_MS = 60_000; // longer than the deadline of a turn on the slowest board

let csrf = "";

export class Problem extends Error {
  /** status: of HTTP; 0 where no answer came. field: name of the setting that is wrong, where the box names one.
      kind: a word for programs, where the box has one. */
  constructor(what, remedy = "", status = 0, field = "", kind = "") {
    super(what);
    Object.assign(this, { remedy, status, field, kind });
  }
}

export const get = (path) => request("GET", path);
export const post = (path, body = {}, headers = {}) => request("POST", path, body, headers);
export const put = (path, body) => request("PUT", path, body);

/** What a skill is to do: see `appliance alarms` and the like. Gives {said, rows}. */
export const command = (skill, words = [], yes = false) => post("/api/v0/commands", { skill, words, yes });

/** Takes up the session of this browser. Throws a Problem of status 401 where there is none. */
export async function resume() {
  return opened(await get("/api/v0/session"));
}

export async function signIn(token) {
  return opened(await post("/api/v0/login", { token }));
}

export async function signOut() {
  await post("/api/v0/logout");
  csrf = "";
}

function opened(session) {
  csrf = session.csrf;
  return session;
}

/** Letters that nobody guesses. `crypto.randomUUID` is missing where the page comes over plain HTTP. */
export function randomName() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Like `post`, for what is answered in pieces: `heard` is called with each, and the whole comes at the end. */
export async function postAloud(path, body, more, heard) {
  const answer = await answered("POST", path, body, { Accept: "text/event-stream, application/json", ...more });
  if (!answer.headers.get("Content-Type").startsWith("text/event-stream")) return answer.json();
  for await (const { name, data } of eventsOf(answer)) {
    if (name === "text") heard(data.text);
    if (name === "done") return data;
    if (name === "error") throw problemOf(data, data.status);
  }
  throw new Problem(say("error.gone"), say("error.late.remedy"));
}

async function request(method, path, body, more = {}) {
  const answer = await answered(method, path, body, { Accept: "application/json", ...more });
  return answer.json().catch(() => ({}));
}

/** Throws a Problem for an answer that is none. */
async function answered(method, path, body, more) {
  const isForm = body instanceof FormData;
  const headers = { ...more };
  if (method !== "GET") headers["X-CSRF"] = csrf;
  if (body && !isForm) headers["Content-Type"] = "application/json";
  const options = { method, headers, body: isForm || !body ? body : JSON.stringify(body) };
  const answer = await sent(path, { ...options, signal: AbortSignal.timeout(PATIENCE_MS) });
  if (answer.ok) return answer;
  if (answer.status === 401) window.dispatchEvent(new Event("signed-out"));
  throw problemOf(await answer.json().catch(() => ({})), answer.status);
}

function problemOf(told, status) {
  const what = first(told.detail, told.title) || say("error.status", { status });
  return new Problem(what, first(told.remedy), status, first(told.field), first(told.kind));
}

async function sent(path, options) {
  try {
    return await fetch(path, options);
  } catch (error) {
    const key = error.name === "TimeoutError" ? "error.late" : "error.gone";
    throw new Problem(say(key), say(`${key}.remedy`));
  }
}

function first(...values) {
  return values.find((value) => typeof value === "string" && value) || "";
}
