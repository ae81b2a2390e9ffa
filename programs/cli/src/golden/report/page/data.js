// The data of the report. Names and messages come from files: they are only ever shown as text.

const VERDICTS = ["different", "missing", "resized", "unreadable", "updated", "same"];
/** Pictures of a frame, in the order of the data. */
const KINDS = ["reference", "now", "difference"];
/** Steps per second of animations without a rate. */
const DEFAULT_RATE = 30;

const parsed = (id) => JSON.parse(document.getElementById(id).textContent);
const comparison = parsed("data-comparison");
const pictureUrls = parsed("data-pictures");
const reportTitle = parsed("data-title");
const frames = comparison.frames;

/** The frames of each animation of each character, in order of first appearance. */
const sequences = [];
/** By position in `frames`: the sequence, and the place in it. */
const placeOf = groupFrames();

function groupFrames() {
  const found = new Map();
  return frames.map((frame, position) => {
    const key = JSON.stringify([frame.character, frame.animation, frame.name]);
    let sequence = found.get(key);
    if (!sequence) {
      const { character, animation, name } = frame;
      sequence = { character, animation, name, positions: [] };
      found.set(key, sequence);
      sequences.push(sequence);
    }
    sequence.positions.push(position);
    return { sequence, step: sequence.positions.length - 1 };
  });
}

/** The seconds of each step of a sequence, starting at 0; at the default rate unless all steps have a time. */
function timesOf(sequence) {
  const seconds = sequence.positions.map((position) => frames[position].seconds);
  const increase = seconds.every((value, step) =>
    Number.isFinite(value) && (step === 0 || value > seconds[step - 1]));
  const times = seconds.map((value, step) => (increase ? value - seconds[0] : step / DEFAULT_RATE));
  // The last step lasts as long as the one before.
  const last = times[times.length - 1];
  const length = times.length > 1 ? last + (last - times[times.length - 2]) : 1 / DEFAULT_RATE;
  return { times, length };
}

/** The kind of picture that stands for `kind`: a frame that is the same has one picture for both sides. */
function sourceOf(position, kind) {
  return kind === "now" && frames[position].verdict === "same" ? "reference" : kind;
}

function urlOf(position, kind) {
  return pictureUrls[position][KINDS.indexOf(sourceOf(position, kind))];
}

/** Width and height of the largest picture of a frame. */
function sizeOf(position) {
  const { size, reference_size: reference = size } = frames[position];
  return [Math.max(size[0], reference[0], 1), Math.max(size[1], reference[1], 1)];
}

/** The rectangle that differs, or null. */
function rectOf(position) {
  const difference = frames[position].difference;
  return (difference && difference.rect) || null;
}

const CONTROLS = /[\p{Cc}\u061c\u200b\u200e\u200f\ufeff\u2028-\u202e\u2060-\u206f\ufff9-\ufffb]/gu;

/** Text from a file in a form that can be displayed: control characters by code point, and not too long. */
function shown(text, limit = 160) {
  const start = text.length > 4 * limit ? text.slice(0, 4 * limit) : text;
  const letters = Array.from(start);
  const cut = letters.length > limit || start.length < text.length;
  const kept = cut ? letters.slice(0, limit).join("") + "…" : text;
  return kept.replace(CONTROLS, (letter) => `\\u{${letter.codePointAt(0).toString(16)}}`);
}

/** The name of an animation or a character. */
function nameOf(name, limit) {
  if (name === null) return "bind pose";
  return name === "" ? "(empty name)" : shown(name, limit);
}

const NUMBERS = new Intl.NumberFormat("en");

/** A count with its noun. */
function count(number, noun) {
  return `${NUMBERS.format(number)} ${noun}${number === 1 ? "" : "s"}`;
}

function secondsText(seconds) {
  return `${seconds.toFixed(3)} s`;
}

/** One line about how a frame differs. */
function differenceText(frame) {
  const { difference, size, reference_size: reference } = frame;
  if (frame.verdict === "resized" && reference) return `${reference.join(" × ")} → ${size.join(" × ")}`;
  if (!difference) return frame.verdict;
  if (difference.worst === 0) return "identical";
  return `${count(difference.pixels, "pixel")}, worst ${difference.worst}`;
}

