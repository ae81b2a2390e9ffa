// The view of the canvas: fit, zoom and pan, by wheel, pinch, drag and keys.
import { get, page, player } from "./page.js";
import { current } from "./playback.js";
import { pick } from "./pick.js";

/** Zoom levels that the keys step through. */
const STEPS = [0.01, 0.02, 0.05, 0.1, 0.16, 0.25, 0.33, 0.5, 0.66, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 32, 64, 128];
const [MIN, MAX] = [1 / 256, 256];
/** Around what is fitted, as a share of the smaller side of the canvas. */
const MARGIN = 0.06;
/** The pointer moves so far, in pixels, before a press is a drag. */
const CLICK = 4;

const stage = get("stage");
/** The character, and the one that it is compared with. */
export const panes = [player, get("other")];
/** What the view is fitted to, in the world: left, bottom, width, height. */
let content = null;
/** The animation that has been looked at for `content`. */
let seen = null;
let isFitted = true;
let [center, scale] = [[0, 0], 1];

/** Pixels of the page per pixel of the world, times this: pixels of the screen. */
const zoom = () => scale * devicePixelRatio;
const size = () => [Math.max(1, player.clientWidth), Math.max(1, player.clientHeight)];

/** What the animations of both players cover. */
function covered() {
  const areas = panes.filter(({ info }) => info).map((pane) => ((pane.area = null), pane.area));
  return areas.reduce(around);
}

/** The smallest area around two. */
function around(one, other) {
  const corner = [Math.min(one[0], other[0]), Math.min(one[1], other[1])];
  return [...corner, Math.max(one[0] + one[2], other[0] + other[2]) - corner[0], Math.max(one[1] + one[3], other[1] + other[3]) - corner[1]];
}

function show() {
  if (!player.info || !content) return;
  const [width, height] = size();
  if (isFitted) {
    const margin = 2 * MARGIN * Math.min(width, height);
    scale = Math.min((width - margin) / content[2], (height - margin) / content[3]);
    center = [content[0] + content[2] / 2, content[1] + content[3] / 2];
  }
  scale = Math.min(MAX, Math.max(MIN, scale));
  player.area = [center[0] - width / scale / 2, center[1] - height / scale / 2, width / scale, height / scale];
  const percent = zoom() * 100;
  get("zoom-value").textContent = `${percent.toFixed(percent < 10 ? 1 : 0)} %`;
  page.dispatchEvent(new Event("view"));
}

/** Where a place of the world is on the canvas that shows `area`. */
export const placeOf = ({ x, y }, [left, bottom, width, height]) => {
  const [wide, high] = size();
  return [((x - left) / width) * wide, ((bottom + height - y) / height) * high];
};

/** The place of the world at a place of the page. */
export function worldAt(clientX, clientY) {
  const [[wide, high], [left, bottom, width, height], box] = [size(), player.area, player.getBoundingClientRect()];
  return { x: left + ((clientX - box.left) / wide) * width, y: bottom + height - ((clientY - box.top) / high) * height };
}

/** Fits the view to what was shown so far; again, to this animation only. */
export function fit(isOnlyThis = false) {
  if (!player.info) return;
  if (isOnlyThis) content = covered();
  isFitted = true;
  show();
}

/** Zooms by a factor, with a point of the canvas in its place: by default the middle. */
export function zoomBy(factor, x, y) {
  const [width, height] = size();
  const [right, up] = [(x ?? width / 2) - width / 2, height / 2 - (y ?? height / 2)];
  const before = scale;
  scale = Math.min(MAX, Math.max(MIN, scale * factor));
  center = [center[0] + right / before - right / scale, center[1] + up / before - up / scale];
  isFitted = false;
  show();
}

export const zoomTo = (wanted) => zoomBy(wanted / zoom());
export function zoomStep(isIn) {
  const found = isIn ? STEPS.find((step) => step > zoom() * 1.01) : STEPS.findLast((step) => step < zoom() * 0.99);
  zoomTo(found ?? (isIn ? MAX : MIN));
}

/** Moves the picture by pixels of the page. */
export function pan(x, y) {
  center = [center[0] - x / scale, center[1] + y / scale];
  isFitted = false;
  show();
}

page.addEventListener("open", () => {
  seen = current;
  content = player.info ? covered() : null;
  isFitted = true;
  show();
});
// An animation that leaves the view makes it grow once; otherwise the ground and the size stay.
page.addEventListener("change", () => {
  if (!player.info || !content || current === seen) return;
  seen = current;
  content = around(content, covered());
  show();
});
new ResizeObserver(show).observe(player);

stage.addEventListener("wheel", (event) => {
  if (!player.info) return;
  event.preventDefault();
  const { left, top } = (panes.find((pane) => pane === event.target) ?? player).getBoundingClientRect();
  // A pinch on a touch pad is a wheel with Ctrl.
  zoomBy(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : event.ctrlKey ? 0.01 : 0.0015)), event.clientX - left, event.clientY - top);
}, { passive: false });

/** The pointers that are down. @type {Map<number, {x: number, y: number}>} */
const pointers = new Map();
let moved = 0;

/** The middle of the pointers, and how far two of them are apart. */
function hand() {
  const [one, other = one] = [...pointers.values()];
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2, apart: Math.hypot(one.x - other.x, one.y - other.y) };
}

for (const pane of panes) {
  pane.addEventListener("pointerdown", (event) => {
    if (!player.info || event.button > 1) return;
    pane.setPointerCapture(event.pointerId);
    if (pointers.size === 0) moved = 0;
    if (pointers.size < 2) pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  pane.addEventListener("pointermove", (event) => {
    if (!pointers.has(event.pointerId)) return;
    const before = hand();
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const now = hand();
    moved += Math.hypot(now.x - before.x, now.y - before.y) + Math.abs(now.apart - before.apart);
    if (moved < CLICK) return;
    pan(now.x - before.x, now.y - before.y);
    const { left, top } = pane.getBoundingClientRect();
    if (before.apart > 0) zoomBy(now.apart / before.apart, now.x - left, now.y - top);
  });
  pane.addEventListener("pointerup", (event) => {
    if (pointers.delete(event.pointerId) && moved < CLICK && event.button === 0 && pane === player) pick(event.clientX, event.clientY);
  });
  pane.addEventListener("pointercancel", (event) => pointers.delete(event.pointerId));
}
