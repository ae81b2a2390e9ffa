// The grid, the ground line and the origin behind the character.
import { panes } from "./camera.js";
import { get, page, player } from "./page.js";

/** Least distance of grid lines, and half the width of the cross at the origin, in pixels. */
const [ROOM, CROSS] = [14, 11];

const canvas = get("guides");
const context = canvas.getContext("2d");

/** The smallest of 1, 2, 5, 10, 20, 50 …, and of their tenths, that is at least `least`. */
export function spacing(least) {
  const power = 10 ** Math.ceil(Math.log10(least) - 1e-9);
  return [power / 5, power / 2].find((step) => step >= least * (1 - 1e-9)) ?? power;
}

function draw() {
  const [grid, ground, origin] = ["grid-lines", "ground", "origin"].map((id) => get(id).checked);
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  canvas.hidden = !player.area || !(grid || ground || origin);
  if (canvas.hidden) return;
  [canvas.width, canvas.height] = [width * devicePixelRatio, height * devicePixelRatio];
  context.scale(devicePixelRatio, devicePixelRatio);
  for (const pane of panes.filter((it) => !it.hidden)) {
    context.save();
    context.translate(pane.offsetLeft, 0);
    context.beginPath();
    context.rect(0, 0, pane.clientWidth, height);
    context.clip();
    paint(pane.clientWidth, height, grid, ground, origin);
    context.restore();
  }
}

/** Draws behind one character. */
function paint(width, height, grid, ground, origin) {
  const [left, bottom, wide, high] = player.area;
  const scale = width / wide;
  const [xOf, yOf] = [(x) => Math.round((x - left) * scale) + 0.5, (y) => Math.round((bottom + high - y) * scale) + 0.5];
  const style = getComputedStyle(canvas);
  const line = (x, y, toX, toY) => {
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(toX, toY);
    context.stroke();
  };
  if (grid) {
    const step = spacing(ROOM / scale);
    context.strokeStyle = style.color;
    const lines = (from, to, paint) => {
      for (let at = Math.ceil(from / step); at * step <= to; at += 1) {
        context.globalAlpha = at === 0 ? 0.34 : at % 10 === 0 ? 0.2 : 0.075;
        paint(at * step);
      }
    };
    lines(left, left + wide, (x) => line(xOf(x), 0, xOf(x), height));
    lines(bottom, bottom + high, (y) => line(0, yOf(y), width, yOf(y)));
    context.globalAlpha = 1;
  }
  context.strokeStyle = style.getPropertyValue("--accent");
  if (ground) line(0, yOf(0), width, yOf(0));
  if (origin) {
    line(xOf(0) - CROSS, yOf(0), xOf(0) + CROSS, yOf(0));
    line(xOf(0), yOf(0) - CROSS, xOf(0), yOf(0) + CROSS);
  }
}
for (const id of ["grid-lines", "ground", "origin"]) get(id).addEventListener("change", draw);
for (const type of ["open", "view"]) page.addEventListener(type, draw);
