// The curves of the selected bone below the timeline: its transform relative to its parent over the animation. Units do not
// share an axis, so each has a plot of its own.
import { follow, get, make, page, plain, player, shown } from "./page.js";
import { loadTools } from "./pchr-web/on-demand.js";
import { selectedBone } from "./pick.js";
import { current, place, position } from "./playback.js";
import { isDark, xOf } from "./timeline.js";

/** Names and units of the values, and the plots in which they are. */
const VALUES = [["Rotation", "°"], ["X", " px"], ["Y", " px"], ["Scale X", " ×"], ["Scale Y", " ×"]];
const PLOTS = [["Rotation", [0]], ["Position", [1, 2]], ["Scale", [3, 4]]];
/** Space between plots, above and below the curves, for the labels, and between the dots of two keys, in pixels. */
const [GAP, ROOM, LABEL, DOTS] = [4, 9, 12, 5];
/** Smaller changes count as constant. */
const STILL = 1e-3;

const canvas = get("curve-canvas");
const context = canvas.getContext("2d");
const legend = VALUES.map(([name]) => {
  const [sample, value] = [make("i"), make("span")];
  get("legend").append(make("span", {}, sample, `${name} `, value));
  return { sample, value };
});

let [of, drawn] = ["", ""];
const NONE = { points: [], keys: [] };
let curves = NONE;
/** Stops the last request. @type {AbortController | null} */
let asking = null;

/** Asks for the curves of what is selected and plays, once. */
async function ask() {
  const { skins } = player.playing;
  const now = JSON.stringify([place, selectedBone, skins]);
  if (now === of) return;
  asking?.abort();
  asking = new AbortController();
  [of, drawn, curves] = [now, "", NONE];
  if (selectedBone === null) return note("Select a bone to see its curves");
  if (!current) return note("Nothing plays");
  const [{ signal }, name] = [asking, shown(player.info.bones[selectedBone])];
  try {
    const options = { animation: current.name, bone: selectedBone, skins: skins.length > 0 ? skins : ["none"] };
    const found = await (await loadTools()).curves(player.character, options, signal);
    if (of !== now) return;
    curves = found;
  } catch (error) {
    return of === now && note(plain(error.message));
  }
  const isStill = extents(VALUES.keys()).every(([low, high]) => high - low <= STILL);
  const why = curves.keys.some((keys) => keys.length > 0) ? "" : isStill ? ", not animated" : ", no keys";
  note(curves.points.length > 0 ? `Curves of ${name}${why}` : "The bone is not active");
  wake();
}
const note = (text) => (get("curve-note").textContent = text);

/** The smallest and the largest of each of these values. */
const extents = (which) => [...which].map((value) => {
  const found = curves.points.map(([, values]) => values[value]);
  return [found.reduce((a, b) => Math.min(a, b), Infinity), found.reduce((a, b) => Math.max(a, b), -Infinity)];
});

function draw() {
  get("curves").hidden = !get("show-curves").checked;
  if (!player.info || get("curves").hidden) return;
  ask();
  canvas.hidden = get("legend").hidden = curves.points.length === 0;
  if (canvas.hidden) return;
  const [width, height, now] = [canvas.clientWidth, canvas.clientHeight, position()];
  const state = [of, now, width, height, devicePixelRatio, isDark.matches].join();
  if (state === drawn) return;
  drawn = state;
  [canvas.width, canvas.height] = [width, height].map((side) => Math.round(side * devicePixelRatio));
  context.scale(devicePixelRatio, devicePixelRatio);
  const high = (height - GAP * (PLOTS.length - 1)) / PLOTS.length;
  for (const [row, [name, values]] of PLOTS.entries()) paint(name, values, row * (high + GAP), high);
  context.fillStyle = getComputedStyle(canvas).getPropertyValue("--accent");
  context.fillRect(xOf(now) - 1, 0, 2, height);
  const [, here] = at(now);
  for (const [value, [, unit]] of VALUES.entries()) legend[value].value.textContent = `${text(here[value])}${unit}`;
}

const text = (value) => value.toFixed(2).replace(/^-(?=[0.]+$)/, "").replace("-", "−");
/** The point at or before a position. */
const at = (now) => curves.points.findLast(([frame]) => frame <= now + 1e-6) ?? curves.points[0];

/** Paints the plot of some values between two heights. */
function paint(name, values, top, high) {
  const style = getComputedStyle(canvas);
  context.fillStyle = style.getPropertyValue("--line");
  context.fillRect(xOf(0), top, canvas.clientWidth - 2 * xOf(0), high);
  context.fillStyle = style.getPropertyValue("--sunken");
  context.fillRect(xOf(0) + 1, top + 1, canvas.clientWidth - 2 * xOf(0) - 2, high - 2);
  const ends = extents(values);
  const [low, most] = [Math.min(...ends.map(([low]) => low)), Math.max(...ends.map(([, most]) => most))];
  // A constant is in the middle.
  const isStill = most - low <= STILL;
  const yOf = (value) => (isStill ? top + high / 2 : top + high - ROOM - ((high - 2 * ROOM) * (value - low)) / (most - low));
  for (const value of values) {
    context.strokeStyle = context.fillStyle = getComputedStyle(legend[value].sample).color;
    context.lineWidth = 1.6;
    context.setLineDash(value === 2 || value === 4 ? [6, 3] : []);
    context.beginPath();
    for (const [frame, it] of curves.points) context.lineTo(xOf(frame), yOf(it[value]));
    context.stroke();
    let last = -Infinity;
    for (const frame of curves.keys[value]) {
      if (xOf(frame) - last < DOTS) continue;
      last = xOf(frame);
      context.beginPath();
      context.arc(last, yOf(at(frame)[1][value]), 2.5, 0, 2 * Math.PI);
      context.fill();
    }
  }
  context.setLineDash([]);
  context.fillStyle = style.color;
  context.font = `11px ${style.fontFamily}`;
  context.textBaseline = "middle";
  const unit = VALUES[values[0]][1];
  // Curves may be behind them.
  context.strokeStyle = style.getPropertyValue("--sunken");
  context.lineWidth = 4;
  const label = (words, y, align) => {
    context.textAlign = align;
    for (const draw of ["strokeText", "fillText"]) context[draw](words, align === "left" ? xOf(0) + 5 : canvas.clientWidth - xOf(0) - 5, y);
  };
  label(name, top + LABEL - 2, "left");
  if (isStill) return label(`${text(low)}${unit}`, top + high / 2 - LABEL / 2, "right");
  label(`${text(most)}${unit}`, top + LABEL - 2, "right");
  label(`${text(low)}${unit}`, top + high - LABEL + 3, "right");
}

page.addEventListener("open", () => {
  of = "";
  asking?.abort();
});
const wake = follow(draw);
get("show-curves").addEventListener("change", wake);
isDark.addEventListener("change", wake);
new ResizeObserver(wake).observe(canvas);
