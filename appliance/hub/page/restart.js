// What was chosen and does not count yet: the box is started again for it, from here.

import { get, post } from "./api.js";
import { el } from "./dom.js";
import { button, told } from "./parts.js";
import { say } from "./words.js";

const LOOK_MS = 1_000;
const PATIENCE_MS = 240_000; // a start reads its models: minutes on the slowest board

/** What waits for a start, with the button for it; null where nothing does. done: called once it is over. */
export function waiting({ waits, restarts, taken_back: back }, done) {
  const names = waits.map((name) => say(`settings.${name}`)).join(", ");
  return (waits.length > 0 || back) && el("div", { class: "card notice", role: "note" },
    back && el("p", { class: "trouble" }, say("restart.taken_back")),
    waits.length > 0 && el("p", {}, say("restart.waits", { names })),
    waits.length > 0 && (restarts
      ? button("restart", () => restart(done), { kind: "main" })
      : el("p", { class: "hint" }, say("restart.by_hand"))));
}

async function restart(done) {
  await post("/api/v0/restart");
  told(say("restart.begun"));
  await back();
  told(say("restart.done"));
  await done();
}

async function look() {
  const { waits } = await get("/api/v0/settings");
  const { state } = await get("/api/v0/status");
  return { started: !waits.length && state !== "starting" };
}

/** Once the box has loaded all, and nothing waits any more. Throws a Problem where that does not come. */
async function back() {
  const ends = Date.now() + PATIENCE_MS;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const { started, problem } = await look().catch((problem) => ({ problem }));
    if (started) return;
    if (problem?.status === 401 || (problem && Date.now() > ends)) throw problem;
    if (Date.now() > ends) return; // it answers, and shows by itself what still waits
  }
}
