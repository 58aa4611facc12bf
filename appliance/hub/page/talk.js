// Talking to the box by typing: one conversation of this page, whichever view is shown.

import { post, postAloud, randomName } from "./api.js";
import { say } from "./words.js";

const API = "/api/v0";
const KEPT = 40; // lines shown

export const talk = {
  /** Each {who: "you" | "box" | "problem", text, remedy, options, waits, unfinished}. */
  lines: [],
  conversation: "",
  /** Called whenever `lines` are others. */
  changed: () => {},
};

let asks = false; // the box asked something: the next line is the answer
let queue = Promise.resolve();

/** Says a line, or answers what the box asked; after what was said before it. */
export function speak(words) {
  add({ who: "you", text: words });
  const answer = add({ who: "box", text: say("talk.waits"), waits: true, unfinished: true });
  queue = queue.then(async () => {
    const told = await asked(words, (clause) => {
      answer.text = answer.waits ? clause : `${answer.text} ${clause}`;
      answer.waits = false;
      talk.changed();
    }).then(reply, trouble);
    Object.assign(answer, { waits: false, unfinished: false }, told);
    talk.changed();
  });
  return queue;
}

/** Nothing of it is left on this screen. */
export function forget() {
  Object.assign(talk, { lines: [], conversation: "" });
  asks = false;
}

/** The box forgets a conversation that nobody went on with: then a new one begins, with the same line. */
async function asked(words, heard) {
  const key = { "Idempotency-Key": randomName() };
  if (talk.conversation) {
    try {
      return await sent(words, key, heard);
    } catch (problem) {
      if (problem.status !== 404) throw problem;
    }
  }
  asks = false;
  const name = randomName();
  await post(`${API}/conversation/start`, { conversation_id: name, node_context: node(), client_tools: [] });
  talk.conversation = name;
  return sent(words, key, heard);
}

function sent(words, key, heard) {
  const conversation_id = talk.conversation;
  return asks
    ? postAloud(`${API}/voice/command/continue`, { conversation_id, validation_response: words }, key, heard)
    : postAloud(`${API}/voice/command`, { voice_command: words, conversation_id, node_context: node() }, key, heard);
}

function reply(result) {
  asks = result.stop_reason === "validation_required";
  const { question, options } = (asks && result.validation_request) || {};
  return { text: result.assistant_message || question || say("talk.silent"), options };
}

function trouble(problem) {
  asks = false;
  return { who: "problem", text: problem.message, remedy: problem.remedy };
}

function add(line) {
  talk.lines.push(line);
  talk.lines.splice(0, talk.lines.length - KEPT);
  talk.changed();
  return line;
}

function node() {
  return { node_id: "page", room: "", timezone: zone() };
}

/** The time zone of this browser. */
export function zone() {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || "";
}
