// Music: what plays, and the buttons of a player.

import { command } from "./api.js";
import { el } from "./dom.js";
import { button, empty, field, form, loaded, section, text, told } from "./parts.js";
import { say } from "./words.js";

const BUTTONS = ["previous", "pause", "resume", "next", "quieter", "louder"];
const SETTLE_MS = 700; // until the player knows the next song

export function open(place) {
  const playing = el("div", { "aria-live": "polite" });
  const again = loaded(playing, () => command("music", ["playing"]), ({ said }) =>
    said ? el("p", { class: "words big" }, said) : empty("music.none"));
  let timer = 0;
  const act = async (...words) => {
    told((await command("music", words)).said);
    clearTimeout(timer);
    timer = setTimeout(again, SETTLE_MS);
  };
  place.append(
    section(say("music.playing"), playing,
      el("div", { class: "row" }, BUTTONS.map((name) => button(`music.${name}`, () => act(name))))),
    section(say("music.choose"),
      form("music.play", ({ what }) => act("play", what), field("music.what", text("what", { required: true }))),
      form("music.queue", ({ what }) => act("queue", what), field("music.then", text("what", { required: true })))));
  return () => clearTimeout(timer);
}
