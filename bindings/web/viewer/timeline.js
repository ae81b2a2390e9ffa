// The timeline: frames, events, in and out points, and the playhead, which follows the pointer.
import { follow, get, player } from "./page.js";
import { marks } from "./marks.js";
import { current, frame, last, length, position, range, rate, seek, setRange } from "./playback.js";

const timeline = get("timeline");
const canvas = timeline.querySelector("canvas");
const context = canvas.getContext("2d");
/** Space at both sides, height of the numbers and of the cells, in pixels. */
const [SIDE, NUMBERS, CELLS] = [12, 20, 26];
/** Minimum distance of two ticks, and distance at which a finger holds an in or out point. */
const [TICKS, NEAR] = [6, 12];

let drawn = "";

/** The smallest of 1, 2, 5, 10, 20, 50 … that is at least `least`. */
export function niceStep(least) {
  for (let unit = 1; unit < 1e9; unit *= 10) {
    for (const step of [unit, 2 * unit, 5 * unit]) if (step >= least) return step;
  }
  return 1e9;
}

const track = () => Math.max(1, canvas.clientWidth - 2 * SIDE);
/** Where a position in frames is. */
export const xOf = (frames) => SIDE + (track() * frames) / Math.max(1, length());

function draw() {
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  const ratio = devicePixelRatio;
  const now = position();
  const state = [width, height, ratio, now, current?.name, player.info && current?.frames, range, marks().length, isDark.matches].join();
  if (state === drawn || width === 0) return;
  drawn = state;
  [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
  context.scale(ratio, ratio);
  paint(width, now);
  tell();
}

function paint(width, now) {
  const style = getComputedStyle(timeline);
  const color = (name) => style.getPropertyValue(`--${name}`);
  const box = (x, y, wide, high, fill, radius = 0) => {
    context.fillStyle = color(fill);
    context.beginPath();
    context.roundRect(x, y, wide, high, radius);
    context.fill();
  };
  const bottom = NUMBERS + CELLS;
  box(SIDE, NUMBERS, width - 2 * SIDE, CELLS, "line", 4);
  box(SIDE + 1, NUMBERS + 1, width - 2 * SIDE - 2, CELLS - 2, "sunken", 3);
  context.font = `11px ${style.fontFamily}`;
  context.textAlign = "center";
  context.textBaseline = "top";
  if (last() === 0) {
    context.fillStyle = color("text-weak");
    context.fillText(current ? "one frame" : "no frames", width / 2, NUMBERS + 8);
    return;
  }
  box(SIDE + 1, NUMBERS + 1, Math.max(0, xOf(now) - SIDE - 1), CELLS - 2, "accent-faint", 3);
  const wide = xOf(1) - xOf(0);
  const step = niceStep(TICKS / wide);
  const labelled = Math.max(step, niceStep((context.measureText(String(last())).width + 18) / wide));
  for (let at = 0; at <= last(); at += step) {
    const isLabelled = at % labelled === 0;
    box(xOf(at) - 0.5, bottom - (isLabelled ? 10 : 5), 1, isLabelled ? 9 : 4, isLabelled ? "text-weak" : "line");
    if (isLabelled) context.fillText(String(at), xOf(at), 3);
  }
  context.fillStyle = color("accent");
  for (const { secs } of marks()) {
    const x = xOf(secs * rate());
    context.fill(new Path2D(`M${x - 4} ${NUMBERS}h8l-4 7z`));
  }
  for (const [x, inwards] of ends()) {
    context.globalAlpha = 0.72;
    if (inwards > 0) box(SIDE + 1, NUMBERS + 1, x - SIDE - 1, CELLS - 2, "panel");
    else box(x, NUMBERS + 1, width - SIDE - 1 - x, CELLS - 2, "panel");
    context.globalAlpha = 1;
    box(x - 1, NUMBERS - 8, 2, CELLS + 8, "warning");
    context.fill(new Path2D(`M${x} ${NUMBERS - 11}l${7 * inwards} 4l${-7 * inwards} 4z`));
  }
  const x = xOf(now);
  box(x - 1, NUMBERS - 4, 2, CELLS + 8, "accent");
  box(x - 5.5, NUMBERS - 8, 11, 9, "accent", 3);
}

/** Says where the playhead is, in the fields and to screen readers. */
function tell() {
  const [at, most] = [frame(), last()];
  timeline.setAttribute("aria-valuemax", String(most));
  timeline.setAttribute("aria-valuenow", String(at));
  timeline.setAttribute("aria-valuetext", `frame ${at} of ${most}, ${player.currentTime.toFixed(2)} seconds`);
  const field = get("frame");
  if (document.activeElement !== field) field.value = String(at);
  field.max = String(most);
  get("frames").textContent = `/ ${most}`;
  get("seconds").textContent = `${player.currentTime.toFixed(2)} s`;
}

export const isDark = matchMedia("(prefers-color-scheme: dark)");

/** Goes to the frame under the pointer; with Shift, between frames. */
function go(event) {
  if (!current || last() === 0) return;
  const at = ((event.clientX - canvas.getBoundingClientRect().left - SIDE) / track()) * length();
  seek(Math.max(0, Math.min(last(), event.shiftKey ? at : Math.round(at))));
}

/** The in and the out point, on the timeline, and the direction of the range from there; none without a range. */
const ends = () => (range ? [[xOf(range[0]), 1], [Math.min(xOf(range[1] + 1), xOf(length())), -1]] : []);
/** Which of the two is dragged. */
let held = -1;

/** Takes hold of a point near the pointer, in the row of the numbers. */
function hold({ clientX, clientY }) {
  const { left, top } = canvas.getBoundingClientRect();
  const away = ends().map(([x]) => Math.abs(clientX - left - x));
  const nearest = away[0] < away[1] ? 0 : 1;
  return clientY - top < NUMBERS && away[nearest] <= NEAR ? nearest : -1;
}

/** Moves the held point to the frame under the pointer, up to the other one. */
function drag(event) {
  const [first, end] = range ?? [0, last()];
  const at = Math.round(((event.clientX - canvas.getBoundingClientRect().left - SIDE) / track()) * length());
  const moved = held === 0 ? [Math.max(0, Math.min(at, end)), end] : [first, Math.max(first, Math.min(at - 1, last()))];
  if (String(moved) !== String(range) && (moved[0] > 0 || moved[1] < last())) setRange(...moved);
}

timeline.addEventListener("pointerdown", (event) => {
  timeline.setPointerCapture(event.pointerId);
  held = hold(event);
  if (held < 0) go(event);
});
timeline.addEventListener("pointermove", (event) => {
  if (timeline.hasPointerCapture(event.pointerId)) (held < 0 ? go : drag)(event);
  const near = current ? marks().filter(({ secs }) => Math.abs(xOf(secs * rate()) - event.offsetX) <= 5).slice(0, 6) : [];
  timeline.title = near.map(({ secs, text }) => `${secs.toFixed(3)} s: ${text}`).join("\n");
});
get("frame").addEventListener("input", ({ target }) => target.value !== "" && seek(Math.min(last(), Math.max(0, Math.floor(Number(target.value))))));
const wake = follow(draw);
isDark.addEventListener("change", wake);
new ResizeObserver(wake).observe(timeline);
