// Server-sent events out of an answer. EventSource only asks with GET, and cannot send a line.

/** Each {name, data}, its data read as JSON; comments are passed over. Ends early where the line breaks. */
export async function* eventsOf(answer) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => ({ done: true }));
      if (done) return;
      const parts = (rest + value).replaceAll("\r\n", "\n").split("\n\n");
      rest = parts.pop();
      for (const event of parts.map(read)) if (event) yield event;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function read(part) {
  const fields = part.split("\n").map((line) => line.split(/: ?(.*)/s));
  const all = (wanted) => fields.filter(([name]) => name === wanted).map(([, value]) => value).join("\n");
  const data = all("data");
  return data && { name: all("event") || "message", data: JSON.parse(data) };
}
