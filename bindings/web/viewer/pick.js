// The selected slot, and what is known about it.
import { changed, get, opened, page, player, shown } from "./page.js";

/** The name of the selected slot. @type {string | null} */
export let selected = null;

page.addEventListener("open", () => select(null));
get("inspector-close").addEventListener("click", () => select(null));

/** Selects a slot; `at` is the place of the pick in the world. Returns false if nothing was and is selected. */
export function select(slot, at) {
  if (slot === null && selected === null) return false;
  selected = slot;
  get("inspector").hidden = slot === null;
  if (slot !== null) {
    get("inspector-name").textContent = shown(slot);
    const [x, y] = at ? [at.x, at.y].map((it) => it.toFixed(2)) : ["–", "–"];
    get("inspector-place").textContent = `X ${x}   Y ${y}`;
  }
  if (opened.name) changed();
  return true;
}

/** Selects what is at a place of the page. */
export function pick(clientX, clientY) {
  if (!player.info) return;
  const { slot, x, y } = player.hitTest(clientX, clientY);
  select(slot, { x, y });
}
