// Set-up: the first start. A token, then where the box stands and what it is called.

import { get, post, signIn } from "./api.js";
import { el } from "./dom.js";
import { field, form, loaded, section, text, told } from "./parts.js";
import { settingsOf } from "./settings.js";
import { zone } from "./talk.js";
import { say } from "./words.js";

/** For whoever has signed in. */
export function open(place) {
  const shown = el("div");
  loaded(shown, () => get("/api/v0/settings"), (settings, reload) =>
    settingsOf(["place", "timezone", "name"], settings, "setup.save", reload));
  place.append(section(say("setup.where"), el("p", {}, say("setup.browser_zone", { zone: zone() })), shown),
    section(say("setup.next"), el("p", {}, say("setup.try"))));
}

/** For whoever has not: `entered` is called with the session. */
export function openDoor(place, entered) {
  const enter = async (token) => entered(await signIn(token));
  place.append(
    section(say("login"), form("login.enter", ({ token }) => enter(token),
      field("login.token", text("token", { type: "password", required: true, autocomplete: "current-password" })))),
    section(say("pair"), form("pair.enter", async ({ code, name }) => {
      const { token } = await post("/api/v0/pair", { code, name });
      await enter(token);
      told(say("pair.done"));
    }, field("pair.code", text("code", { required: true, inputmode: "numeric", pattern: "[0-9]{8}", maxlength: 8 })),
    field("pair.name", text("name", { required: true, pattern: "[A-Za-z0-9][A-Za-z0-9._\\-]*", maxlength: 40 })))));
}
