// The overlays over the character: its bones, the weights of the selected one, and the targets of inverse kinematics as rings.
import { placeOf, worldAt } from "./camera.js";
import { changed, follow, get, make, page, player, say, shown } from "./page.js";
import { selectedBone } from "./pick.js";

/** Most rings shown. */
const MOST = 200;
/** Distance from the pointer within which a ring appears, and step of an arrow key, in pixels of the page. */
const [NEAR, STEP] = [40, 4];

const boxes = { bones: get("bones"), weights: get("weights") };

/** Shows what the boxes say. */
function show() {
  const weights = boxes.weights.checked && selectedBone !== null && `weights=#${selectedBone}`;
  player.show = [weights, boxes.bones.checked && "bones"].filter(Boolean).join();
}
boxes.bones.addEventListener("change", changed);
boxes.weights.addEventListener("change", () => {
  if (boxes.weights.checked && selectedBone === null) say("Select a bone to see its weights.");
  changed();
});
page.addEventListener("change", () => player.info && show());

/** The targets that were moved, and where to in the world. @type {Map<string, {x: number, y: number}>} */
export const moved = new Map();
page.addEventListener("open", () => moved.clear());

const rings = get("rings");
/** The names of the bones that have a ring, in order. */
let names = "";
/** Where the pointer is, in the page. */
let pointer = null;

get("targets").addEventListener("change", place);
const wake = follow(place);

function place() {
  const targets = player.ikTargets.slice(0, MOST);
  const area = player.area;
  const known = JSON.stringify(targets.map((target) => target.bone));
  if (known !== names) rings.replaceChildren(...targets.map(ring));
  names = known;
  rings.classList.toggle("shown", get("targets").checked);
  const { left, top } = player.getBoundingClientRect();
  for (const [index, target] of targets.entries()) {
    const [x, y] = placeOf(target, area);
    const it = rings.children[index];
    it.style.transform = `translate(${x}px, ${y}px)`;
    it.classList.toggle("moved", moved.has(target.bone));
    it.classList.toggle("near", pointer !== null && Math.hypot(pointer.x - left - x, pointer.y - top - y) <= NEAR);
  }
}

function ring({ bone: name }) {
  const made = make("button", { type: "button", ariaLabel: `IK target ${shown(name)}` });
  made.title = `IK target ${shown(name)}\nDrag it or use the arrow keys; Escape resets all targets`;
  const at = () => player.ikTargets.find((target) => target.bone === name);
  let offset = null;
  made.addEventListener("pointerdown", (event) => {
    const [target, grip] = [at(), worldAt(event.clientX, event.clientY)];
    if (event.button !== 0 || !target) return;
    made.setPointerCapture(event.pointerId);
    offset = { x: target.x - grip.x, y: target.y - grip.y };
  });
  made.addEventListener("pointermove", (event) => {
    if (!offset) return;
    const { x, y } = worldAt(event.clientX, event.clientY);
    move(name, x + offset.x, y + offset.y);
  });
  for (const type of ["pointerup", "pointercancel"]) made.addEventListener(type, () => (offset = null));
  made.addEventListener("keydown", (event) => {
    const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key] ?? [0, 0];
    const target = at();
    if ((x === 0 && y === 0) || !target || event.shiftKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    const step = (STEP * player.area[2]) / player.clientWidth;
    move(name, target.x + x * step, target.y + y * step);
  });
  return made;
}

function move(name, x, y) {
  moved.set(name, { x, y });
  player.moveBone(name, x, y);
  page.dispatchEvent(new Event("move"));
}

/** Gives all targets back to the animation. Returns false if none was moved. */
export function putBack() {
  if (moved.size === 0) return false;
  moved.clear();
  player.releaseBone();
  page.dispatchEvent(new Event("move"));
  return true;
}

for (const type of ["pointermove", "pointerleave"]) {
  get("stage").addEventListener(type, ({ clientX, clientY, pointerType }) => {
    pointer = type === "pointermove" && pointerType === "mouse" ? { x: clientX, y: clientY } : null;
    if (rings.childElementCount > 0) wake();
  });
}
