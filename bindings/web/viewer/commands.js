// What commands do, for keys, menus and buttons.
import { fit, pan, zoomStep, zoomTo } from "./camera.js";
import { end as endComparison, isComparing } from "./compare.js";
import { showGallery, toggleGallery } from "./gallery.js";
import { KEYS, MOUSE, OWN, REPEATING, caps, commandOf, keyOf, labelOf } from "./keys.js";
import { copyEmbed, copyLink } from "./links.js";
import { hidden, hide, showAll } from "./lists.js";
import { attempt, cancel, download, get, make, opened, page, player, say } from "./page.js";
import { putBack } from "./overlays.js";
import { select, selectedSlot } from "./pick.js";
import * as playback from "./playback.js";
import { exportDialog } from "./save.js";

const flip = (box) => get(box).click();

function findings() {
  document.body.classList.remove("bare");
  get("findings").open = true;
  get("findings").scrollIntoView();
  get("findings").querySelector("summary").focus();
}

function showTracks() {
  get("tracks").hidden = !get("tracks").hidden;
  get("tracks-button").setAttribute("aria-expanded", String(!get("tracks").hidden));
}

const screenshot = () => attempt("Drawing", async () => download(await player.toBlob(), `${opened.name}.png`));

/** The browser wants a promise of the picture while the key is being handled. */
const copyPicture = () => attempt("Drawing", async () => {
  await navigator.clipboard.write([new ClipboardItem({ "image/png": player.toBlob() })]);
  say("Picture copied.");
});

export const RUN = {
  PlayPause: playback.toggle,
  StepBack: () => playback.step(-1),
  StepForward: () => playback.step(1),
  TenBack: () => playback.step(-10),
  TenForward: () => playback.step(10),
  First: () => playback.seek(0),
  Last: () => playback.seek(playback.last()),
  Slower: () => playback.stepSpeed(false),
  Faster: () => playback.stepSpeed(true),
  LoopMode: playback.nextLoop,
  Physics: () => flip("physics"),
  SetIn: () => playback.setPoint(true),
  SetOut: () => playback.setPoint(false),
  ClearRange: () => playback.setRange(),
  Curves: () => flip("show-curves"),
  PreviousAnimation: () => playback.next(-1),
  NextAnimation: () => playback.next(1),
  ...Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`Animation(${index})`, () => playback.choose(index)])),
  ZoomFit: () => fit(),
  FitAnimation: () => fit(true),
  ZoomActual: () => zoomTo(1),
  ZoomDouble: () => zoomTo(2),
  ZoomHalf: () => zoomTo(0.5),
  ZoomIn: () => zoomStep(true),
  ZoomOut: () => zoomStep(false),
  "Show(Overlay::Bones)": () => flip("bones"),
  Targets: () => flip("targets"),
  Grid: () => flip("grid-lines"),
  Ground: () => flip("ground"),
  HideSelected: () => selectedSlot !== null && hide(selectedSlot, !hidden.has(selectedSlot)),
  ShowAll: showAll,
  PutBack: () => closeMenus() || cancel() || putBack() || select(null) || endComparison() || showGallery(),
  Open: () => get("files").click(),
  OpenFolder: () => get("folder").click(),
  Gallery: toggleGallery,
  Compare: () => (isComparing() ? endComparison() : get("second").click()),
  Findings: findings,
  Export: exportDialog,
  Screenshot: screenshot,
  CopyPicture: copyPicture,
  CopyLink: copyLink,
  CopyEmbed: copyEmbed,
  Tracks: showTracks,
  Panels: () => document.body.classList.toggle("bare"),
  Help: () => get("help").showModal(),
};
/** What can be done without a character. */
const ALWAYS = ["Open", "OpenFolder", "Gallery", "PutBack", "Help"];
/** Keys that a focused control has itself. */
const OF_BUTTONS = ["PlayPause"];

function closeMenus(but) {
  const open = [...document.querySelectorAll(".menu[open]")].filter((menu) => menu !== but);
  for (const menu of open) {
    if (menu.contains(document.activeElement)) menu.querySelector("summary").focus();
    menu.open = false;
  }
  return open.length > 0;
}

function run(command) {
  if (!player.info && !ALWAYS.includes(command)) return;
  RUN[command]();
}

for (const button of document.querySelectorAll("[data-command]")) {
  const { command } = button.dataset;
  const [label, key] = [labelOf(command), keyOf(command)];
  if (button.closest(".items")) {
    if (button.textContent === "") button.append(label);
    if (key) button.append(make("kbd", {}, caps(key)));
  } else if (button.textContent.trim() === "") {
    button.setAttribute("aria-label", label);
    button.title = `${label}  (${caps(key)})`;
  }
  button.addEventListener("click", () => {
    closeMenus();
    run(command);
  });
}

addEventListener("keydown", (event) => {
  const { target } = event;
  if (document.querySelector("dialog[open]") || event.defaultPrevented || event.isComposing) return;
  const command = commandOf(event);
  if (!command || (event.repeat && !REPEATING.includes(command))) return;
  const isField = target.matches?.("input:not([type=checkbox], [type=radio]), select, textarea");
  if (isField && command !== "PutBack" && !event.ctrlKey && !event.metaKey) return;
  // Selected text is what someone wants to copy.
  if (command === "CopyPicture" && String(getSelection()) !== "") return;
  if (OF_BUTTONS.includes(command) && target.matches?.("button, summary, input")) return;
  event.preventDefault();
  run(command);
});

const STEP = 40;
get("stage").addEventListener("keydown", (event) => {
  const [x, y] = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key] ?? [0, 0];
  if (event.target !== get("stage") || (x === 0 && y === 0) || event.shiftKey || event.ctrlKey || event.altKey) return;
  event.preventDefault();
  pan(x * STEP, y * STEP);
});
// With the mouse, keys go on to move the playhead.
player.addEventListener("mousedown", (event) => {
  event.preventDefault();
  document.activeElement?.blur();
});
addEventListener("pointerdown", (event) => closeMenus(event.target.closest?.(".menu")));
for (const menu of document.querySelectorAll(".menu")) menu.addEventListener("toggle", () => menu.open && closeMenus(menu));

get("physics").addEventListener("change", ({ target }) => playback.setPhysics(target.checked));
function update() {
  get("physics").checked = playback.hasPhysicsOn();
  get("physics").disabled = !player.info?.physics;
  for (const button of document.querySelectorAll("[data-command]")) {
    button.disabled = !player.info && !ALWAYS.includes(button.dataset.command);
  }
  get("view").hidden = !player.info;
}
for (const type of ["open", "change"]) page.addEventListener(type, update);

for (const button of document.querySelectorAll("[data-close]")) {
  button.addEventListener("click", () => button.closest("dialog").close(""));
}

const lines = new Map();
for (const [, group, label, ...keys] of KEYS) {
  const text = label === "Animation 1 to 9" ? "1 – 9" : keys.map(caps).join("  or  ");
  lines.set(group, (lines.get(group) ?? new Map()).set(label, text));
}
lines.set("Mouse and touch", new Map([...MOUSE, ...OWN].map(([keys, label]) => [`${label}`, keys])));
for (const [group, entries] of lines) {
  get("help-rows").append(make("h3", {}, group), ...[...entries].flatMap(([label, keys]) => [make("kbd", {}, keys), make("span", {}, label)]));
}
