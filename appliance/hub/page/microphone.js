// The microphone of the browser: records a line and has the box transcribe it. Browsers allow it on secure pages only.

import { post, Problem } from "./api.js";
import { say } from "./words.js";

const RATE_HZ = 16_000; // what the box hears
const LONGEST_MS = 20_000; // below the longest utterance of the box, 27 s (ears.utterance_max_s)
const HEADER = 44; // bytes of a WAV's

export function canRecord() {
  return window.isSecureContext && Boolean(navigator.mediaDevices?.getUserMedia) && "MediaRecorder" in window;
}

export class Recorder {
  /** Called with a promise of the words once a recording has ended. */
  onended = () => {};
  #recorder = null;

  get runs() {
    return this.#recorder !== null;
  }

  /** Throws a Problem where the browser does not give its microphone. */
  async start() {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true }).catch((error) => {
      throw new Problem(say("microphone.refused", { why: error.name }), say("microphone.refused.remedy"));
    });
    const recorder = new MediaRecorder(stream);
    const parts = [];
    const timer = setTimeout(() => this.stop(), LONGEST_MS);
    recorder.ondataavailable = (event) => parts.push(event.data);
    recorder.onstop = () => {
      clearTimeout(timer);
      stream.getTracks().forEach((track) => track.stop());
      this.onended(transcribed(new Blob(parts, { type: recorder.mimeType })));
    };
    recorder.start();
    this.#recorder = recorder;
  }

  stop() {
    this.#recorder?.stop();
    this.#recorder = null;
  }
}

async function transcribed(recording) {
  const sent = new FormData();
  sent.append("file", new Blob([wav(await samples(recording))], { type: "audio/wav" }), "line.wav");
  sent.append("model", "whisper-1"); // the box takes its own, whatever is asked for
  return (await post("/v1/audio/transcriptions", sent)).text || "";
}

/** Mono, RATE_HZ, -1 to 1. */
async function samples(recording) {
  const context = new AudioContext();
  try {
    const heard = await context.decodeAudioData(await recording.arrayBuffer());
    const offline = new OfflineAudioContext(1, Math.max(1, Math.ceil(heard.duration * RATE_HZ)), RATE_HZ);
    const source = new AudioBufferSourceNode(offline, { buffer: heard });
    source.connect(offline.destination);
    source.start();
    return (await offline.startRendering()).getChannelData(0);
  } catch (error) {
    throw new Problem(say("microphone.unread", { why: error.name }), say("microphone.unread.remedy"));
  } finally {
    context.close();
  }
}

/** 16-bit PCM. */
function wav(sound) {
  const bytes = new DataView(new ArrayBuffer(HEADER + 2 * sound.length));
  const mark = (at, letters) => [...letters].forEach((letter, each) => bytes.setUint8(at + each, letter.charCodeAt(0)));
  mark(0, "RIFF");
  bytes.setUint32(4, bytes.byteLength - 8, true);
  mark(8, "WAVEfmt ");
  bytes.setUint32(16, 16, true);
  bytes.setUint16(20, 1, true);
  bytes.setUint16(22, 1, true);
  bytes.setUint32(24, RATE_HZ, true);
  bytes.setUint32(28, 2 * RATE_HZ, true);
  bytes.setUint16(32, 2, true);
  bytes.setUint16(34, 16, true);
  mark(36, "data");
  bytes.setUint32(40, 2 * sound.length, true);
  sound.forEach((value, at) => bytes.setInt16(HEADER + 2 * at, Math.max(-1, Math.min(1, value)) * 32_767, true));
  return bytes.buffer;
}
