// Wi-Fi: the networks that the box hears, and one of them joined. It goes back by itself where this page does not reach it.

import { get, post, Problem } from "./api.js";
import { el } from "./dom.js";
import { button, empty, field, form, loaded, section, told } from "./parts.js";
import { say } from "./words.js";

const LOOK_MS = 2_000;
const JOIN_MS = 60_000; // until a network is joined whose answer was lost on the way
const KEEP_MS = 55_000; // shorter than the minute after which the box goes back

export function wifi() {
  const shown = el("div");
  const again = loaded(shown, () => get("/api/v0/wifi"), ({ networks }) =>
    networks.length ? joining(networks, () => again()) : empty("wifi.none"));
  return section(say("wifi"), el("p", {}, say("wifi.told")), shown, button("wifi.again", again));
}

function joining(networks, done) {
  const network = el("select", { name: "network" }, networks.map(({ name, signal, kind, joined }) =>
    el("option", { value: name, disabled: kind === "other" },
      say("wifi.network", { name, signal, kind: say(joined ? "wifi.joined" : `wifi.kind.${kind}`) }))));
  const password = el("input", { type: "password", name: "password", autocomplete: "off", maxlength: 64 });
  return form("wifi.join", async () => {
    await join(network.value, password.value); // as they are: a space may be a part of either
    await done();
  }, field("wifi.which", network), field("wifi.password", password),
  !window.isSecureContext && el("p", { class: "hint" }, say("wifi.clear")));
}

/** Throws a Problem. */
async function join(network, password) {
  told(say("wifi.joining", { network }));
  let patience = KEEP_MS;
  await post("/api/v0/wifi/join", { network, password }).catch((problem) => {
    if (problem.status) throw problem;
    patience += JOIN_MS; // the box has left the network of this page, perhaps for the other one
  });
  await keep(network, Date.now() + patience);
  told(say("wifi.kept", { network }));
}

/** Once the box is reached where it is now. */
async function keep(network, ends) {
  for (let lost = false; ;) {
    const problem = await post("/api/v0/wifi/keep").then(() => null, (problem) => problem);
    if (!problem) return;
    const late = Date.now() > ends;
    if (!late && lost && problem.kind === "wifi_nothing" && await isIn(network)) return; // the answer to that was lost
    lost ||= !problem.status;
    if (problem.status === 401 || late) throw new Problem(say("wifi.back"), say("wifi.back.remedy"));
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Whether the box is in that network now. */
async function isIn(network) {
  const { networks } = await get("/api/v0/wifi").catch(() => ({ networks: [] }));
  return networks.some(({ name, joined }) => joined && name === network);
}
