// Times and lengths as people read them, in the way of this browser.

import { say } from "./words.js";

const DAY = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "short" });
const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });
const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

/** A moment as the box writes it; one without a zone is of the box's own clocks, and shown as it is. */
export function moment(written) {
  const at = new Date(written);
  return Number.isNaN(at.getTime()) ? String(written) : `${DAY.format(at)}, ${CLOCK.format(at)}`;
}

export function day(written) {
  const at = new Date(written);
  return Number.isNaN(at.getTime()) ? String(written) : DATE.format(at);
}

/** 3725 is 1:02:05. */
export function countdown(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  return shown.map((part, at) => (at ? String(part).padStart(2, "0") : String(part))).join(":");
}

/** Milliseconds: short ones as they are, longer ones in seconds. */
export function took(ms) {
  return ms < 1_000 ? say("ms", { ms }) : say("seconds", { seconds: (ms / 1_000).toFixed(1) });
}
