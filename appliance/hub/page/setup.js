// Set-up: the first start. A code or a token, then where the box stands and what it is called.

import { get, post, signIn } from "./api.js";
import { el } from "./dom.js";
import { button, field, form, loaded, section, text, told } from "./parts.js";
import { settingsOf } from "./settings.js";
import { zone } from "./talk.js";
import { wifi } from "./wifi.js";
import { say } from "./words.js";

/** For whoever has signed in. */
export function open(place) {
  const shown = el("div");
  loaded(shown, () => get("/api/v0/settings"), (settings, reload) => [
    !settings.set_up && el("p", { class: "trouble" }, say("setup.unset")),
    settingsOf(["language", "place", "timezone", "wake_word"], settings, "setup.save", reload, { timezone: zone() })]);
  place.append(section(say("setup.where"), el("p", {}, say("setup.browser_zone", { zone: zone() })), shown),
    section(say("setup.next"), el("p", {}, say("setup.try")), el("p", {}, say("setup.more"))), wifi());
}

const deviceName = () =>
  field("pair.name", text("name", { required: true, pattern: "[A-Za-z0-9][A-Za-z0-9._\\-]*", maxlength: 40 }));

/** For whoever has not: `entered` is called with the session. */
export function openDoor(place, entered) {
  const enter = async (token) => entered(await signIn(token));
  const first = el("div");
  place.append(first,
    section(say("login"), form("login.enter", ({ token }) => enter(token),
      field("login.token", text("token", { type: "password", required: true, autocomplete: "current-password" })))),
    section(say("pair"), form("pair.enter", async ({ code, name }) => {
      const { token } = await post("/api/v0/pair", { code, name });
      await enter(token);
      told(say("pair.done"));
    }, field("pair.code", text("code", { required: true, inputmode: "numeric", pattern: "[0-9]{8}", maxlength: 8 })),
    deviceName())),
    section(say("button"), el("p", {}, say("button.told")), form("button.enter", async ({ name }) => {
      told(say("button.asked"));
      const { token } = await post("/api/v0/pair/button", { name });
      await enter(token);
      told(say("pair.done"));
    }, deviceName())));
  loaded(first, () => get("/api/v0/door"), ({ owned }) => owned ? [] : section(say("first"),
    el("p", {}, say("first.told")), button("first.read_out", async () => {
      await post("/api/v0/pair/first");
      told(say("first.said"));
    }, { kind: "main" })));
}
