// The lists on the left: animations, skins, slots, events, facts and findings, with a filter.
import { LONGEST_MESSAGE, changed, get, icon, make, many, opened, page, plain, player, shown } from "./page.js";
import { choose, place, rate, seek } from "./playback.js";
import { marks } from "./marks.js";
import { openFiles, others } from "./open.js";
import { select, selectBone, selectedBone, selectedSlot } from "./pick.js";

/** Rows of a list that are made: a file may have any number. */
const MOST = 500;

/** Sections about a character. */
const SECTIONS = ["animations", "skins", "slots", "bones-list", "events", "character", "findings"];

/** Slots that were hidden. @type {Set<string>} */
export const hidden = new Set();

page.addEventListener("open", () => {
  hidden.clear();
  get("filter").value = "";
  get("bar-name").textContent = opened.name ? shown(opened.name) : "pchr";
  document.title = opened.name ? `${shown(opened.name)} – pchr` : "pchr: 2D skeletal characters";
});
for (const type of ["open", "change"]) page.addEventListener(type, fill);
get("filter").addEventListener("input", fill);

function fill() {
  const info = player.info;
  const files = others();
  get("side").hidden = !info && files.length < 2;
  list("others", "Files", files.map((name) => ({
    name, isOn: name === opened.main, run: () => openFiles(opened.files, name),
  })), 2);
  for (const id of SECTIONS) get(id).hidden = !info;
  if (!info) return;
  const skins = player.playing.skins;
  list("animations", "Animations", info.animations.map(({ name, duration, frames }, index) => ({
    name, right: duration > 0 ? `${duration.toFixed(2)} s` : frames === 1 ? "pose" : many(frames, "frame"),
    isOn: index === place, run: () => choose(index),
  })), 1);
  list("skins", "Skins", info.skins.map((name) => ({
    name, isOn: skins.includes(name), run: (event) => wear(name, event.shiftKey),
  })), 2);
  list("slots", "Slots", info.slots.map((name) => ({
    name, isOn: name === selectedSlot, run: () => select(name),
    eye: { isOn: !hidden.has(name), run: () => hide(name, !hidden.has(name)) },
  })), 1);
  list("bones-list", "Bones", info.bones.map((name, index) => ({
    name, isOn: index === selectedBone, run: () => selectBone(index),
  })), 1);
  list("events", "Events", marks().map(({ name, secs }) => ({
    name, right: `${secs.toFixed(2)} s`, run: () => seek(secs * rate()),
  })), 1);
  list("findings", "Findings", player.findings.map(({ severity, message }) => ({
    name: plain(message), right: severity, kind: severity,
  })), 0);
  const pages = info.pages.map(({ width, height }) => `${width} × ${height}`);
  const facts = [["Format", info.format], ["Bones", info.bones.length], ["Slots", info.slots.length],
    [pages.length === 1 ? "Atlas page" : "Atlas pages", pages.slice(0, 8).join(", ") || "none"]];
  get("facts").replaceChildren(...facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, String(value))]));
}

/** Fills a list with the rows that match the filter; hides it with fewer than `least` entries. */
function list(id, title, rows, least) {
  const wanted = get("filter").value.toLowerCase();
  const found = rows.filter(({ name }) => name.toLowerCase().includes(wanted));
  const section = get(id);
  section.hidden = rows.length < least;
  section.querySelector("summary").textContent = `${title} (${wanted ? `${found.length} of ` : ""}${rows.length})`;
  const ul = section.querySelector("ul");
  const focus = [...ul.querySelectorAll("button")].indexOf(document.activeElement);
  const more = found.length > MOST ? [make("li", { className: "weak" }, `${found.length - MOST} more: use the filter`)] : [];
  const empty = rows.length === 0 ? [make("li", { className: "weak" }, "Nothing is wrong")] : [];
  ul.replaceChildren(...found.slice(0, MOST).map(row), ...more, ...empty);
  if (focus >= 0) ul.querySelectorAll("button")[focus]?.focus({ preventScroll: true });
}

function row({ name, right = "", isOn, run, eye, kind }) {
  const text = [make("bdi", {}, shown(name, kind ? LONGEST_MESSAGE : undefined)), make("small", { className: kind ?? "" }, right)];
  if (!run) return make("li", { className: "finding" }, ...text);
  const button = make("button", { type: "button", className: "row", onclick: run }, ...text);
  button.dataset.value = name;
  if (isOn !== undefined) button.setAttribute("aria-pressed", String(isOn));
  const made = make("li", {}, button);
  if (eye) {
    const toggle = make("button", { type: "button", className: "eye", onclick: eye.run }, icon(eye.isOn ? "eye" : "eye-off"));
    toggle.setAttribute("aria-label", `Show ${shown(name)}`);
    toggle.setAttribute("aria-pressed", String(eye.isOn));
    made.append(toggle);
  }
  return made;
}

/** Puts a skin on over the others, or takes it off. */
function wear(name, isAlone) {
  const worn = player.playing.skins;
  const names = isAlone ? [name] : worn.includes(name) ? worn.filter((it) => it !== name) : [...worn, name];
  player.setSkins(names.length > 0 ? names : ["none"]);
  changed();
}

export function hide(slot, isHidden) {
  if (isHidden) hidden.add(slot);
  else hidden.delete(slot);
  player.setAttachment(slot, isHidden ? null : undefined);
  changed();
}

export function showAll() {
  for (const slot of [...hidden]) hide(slot, false);
}
