// What is selected, a slot or a bone, and what is known about it.
import { changed, get, opened, page, player, shown } from "./page.js";

/** The name of the selected slot. @type {string | null} */
export let selected = null;
/** The name of the selected bone, or of the one that the selected slot is on. @type {string | null} */
export let bone = null;

page.addEventListener("open", () => select(null));
get("inspector-close").addEventListener("click", () => select(null));

/** Selects a slot; `at` is the place of the pick in the world. Returns false if nothing was and is selected. */
export function select(slot, at) {
  const before = selected ?? bone;
  selected = slot;
  bone = slot === null ? null : player.info.slotBones[player.info.slots.indexOf(slot)] || null;
  const place = at ? [at.x, at.y].map((it) => it.toFixed(2)) : ["–", "–"];
  if (slot !== null) describe("Slot", slot, `Bone ${bone === null ? "–" : shown(bone)}\nX ${place[0]}   Y ${place[1]}`);
  else if (before !== null) describe("", null, "");
  return slot !== null || before !== null;
}

export function selectBone(name) {
  [selected, bone] = [null, name];
  describe("Bone", name, "");
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
