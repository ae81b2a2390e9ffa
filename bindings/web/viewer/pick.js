// What is selected, a slot or a bone, and what is known about it.
import { changed, get, opened, page, player, shown } from "./page.js";

/** The name of the selected slot. @type {string | null} */
export let selectedSlot = null;
/** The index of the selected bone, or of the selected slot's bone. @type {number | null} */
export let selectedBone = null;

page.addEventListener("open", () => select(null));
get("inspector-close").addEventListener("click", () => select(null));

/** Selects a slot; `at` is the place of the pick in the world. Returns false if nothing was and is selected. */
export function select(slot, at) {
  const before = selectedSlot ?? selectedBone;
  selectedSlot = slot;
  selectedBone = slot === null ? null : (player.info.slotBones[player.info.slots.indexOf(slot)] ?? null);
  const place = at ? [at.x, at.y].map((it) => it.toFixed(2)) : ["–", "–"];
  if (slot !== null) describe("Slot", slot, `Bone ${selectedBone === null ? "–" : shown(player.info.bones[selectedBone])}\nX ${place[0]}   Y ${place[1]}`);
  else if (before !== null) describe("", null, "");
  return slot !== null || before !== null;
}

/** Selects a bone by its index. */
export function selectBone(index) {
  [selectedSlot, selectedBone] = [null, index];
  describe("Bone", player.info.bones[index], "");
}

function describe(kind, name, text) {
  get("inspector").hidden = name === null;
  get("inspector-kind").textContent = kind;
  get("inspector-name").textContent = name === null ? "" : shown(name);
  get("inspector-place").textContent = text;
  if (opened.name) changed();
}

/** Selects what is at a place of the page. */
export function pick(clientX, clientY) {
  if (!player.info) return;
  const { slot, x, y } = player.hitTest(clientX, clientY);
  select(slot, { x, y });
}
