// The calendar, in the words of the box.

import { command } from "./api.js";
import { el } from "./dom.js";
import { confirmed, empty, field, form, loaded, section, text, told } from "./parts.js";
import { say } from "./words.js";

const PERIODS = ["today", "tomorrow", "week", "next_week", "month"];

export function open(place) {
  const period = el("select", { name: "period" }, PERIODS.map((name) => el("option", { value: name }, say(`calendar.${name}`))));
  const shown = el("div", { "aria-live": "polite" });
  const again = loaded(shown, () => command("calendar", ["show", say(`calendar.${period.value}.asked`)]), ({ said }) =>
    said ? el("p", { class: "words" }, said) : empty("calendar.none"));
  period.addEventListener("change", again);
  place.append(
    section(say("calendar.shown"), field("calendar.period", period), shown),
    section(say("calendar.search"), finder()),
    section(say("calendar.new"), form("calendar.add", async ({ what, when }) => {
      told((await command("calendar", ["add", what, when])).said);
      again();
    }, field("calendar.what", text("what", { required: true })), field("calendar.when", text("when", { required: true })))),
    section(say("calendar.old"), form("calendar.delete", async ({ what, when }) => {
      if (!(await confirmed(say("calendar.question", { what, when }), "delete"))) return false;
      told((await command("calendar", ["delete", what, when].filter(Boolean), true)).said);
      return again();
    }, field("calendar.what", text("what", { required: true })), field("calendar.which", text("when")))));
}

function finder() {
  const found = el("p", { class: "words", "aria-live": "polite" });
  const asks = form("calendar.find", async ({ what }) => {
    found.textContent = (await command("calendar", ["find", what])).said;
    return false;
  }, field("calendar.what", text("what", { required: true })));
  return [asks, found];
}
