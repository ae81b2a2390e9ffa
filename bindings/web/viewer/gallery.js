// The characters of an opened folder as tiles. Their pictures are made one after the other, when they come into view.
import { openFiles, others, stem } from "./open.js";
import { get, make, opened, page, player, plain, say, shown } from "./page.js";
import { Character, Player } from "./pchr-web/pchr-player.js";

/** Side of a picture, in pixels of the page. */
const SIDE = 132;
/** Most tiles: a folder may have any number of files. */
const MOST = 500;
/** Error codes of files that are not characters. */
const OTHERS = ["unknown-format", "no-reader"];

const gallery = get("gallery");
/** The files that the tiles show. */
let shows = new Map();
/** The tiles in view without a picture. @type {Set<HTMLElement>} */
const waiting = new Set();
/** The paths of the files that are characters, as far as known. */
let candidates = new Set();
/** Those of them without a picture yet. */
let unknown = new Set();
/** The tiles by path, made when they are first shown. @type {Map<string, HTMLElement>} */
const made = new Map();
let isDrawing = false;
const observer = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) waiting[isIntersecting ? "add" : "delete"](target);
  draw();
}, { root: gallery, rootMargin: "50%" });

/** Whether a folder with several characters is open. */
export const isFolder = () => [...opened.files.keys()].some((path) => path.includes("/")) && others().length > 1;

/** Shows the tiles of the open folder. Returns false if they are shown already, or no folder is open. */
export function showGallery() {
  if (!gallery.hidden || !isFolder()) return false;
  player.pause();
  if (shows !== opened.files) fill();
  gallery.hidden = false;
  filter();
  (tiles().find(({ title }) => title === opened.main) ?? tiles()[0])?.focus();
  return true;
}

/** Shows the tiles, or the character that was opened from them. */
export function toggleGallery() {
  if (showGallery()) return;
  if (gallery.hidden) say("Open a folder to see its characters.");
  else if (player.info) gallery.hidden = true;
}

const tiles = () => [...gallery.querySelectorAll("button")];

function fill() {
  shows = opened.files;
  observer.disconnect();
  waiting.clear();
  made.clear();
  candidates = new Set(others());
  unknown = new Set(candidates);
}

function tileOf(path) {
  if (!made.has(path)) {
    const tile = make("button", { type: "button", className: "tile", title: path, onclick: () => openFiles(shows, path) },
      make("canvas", { ariaHidden: "true" }), make("bdi", {}, shown(stem(path))), make("small"));
    observer.observe(tile);
    made.set(path, tile);
  }
  return made.get(path);
}

async function draw() {
  if (isDrawing) return;
  isDrawing = true;
  while (!gallery.hidden && waiting.size > 0) {
    const [tile] = waiting;
    waiting.delete(tile);
    observer.unobserve(tile);
    const [files, note] = [shows, tile.querySelector("small")];
    let isOther = false;
    try {
      note.textContent = await paint(tile);
    } catch (error) {
      note.textContent = plain(error.message);
      note.className = "error";
      isOther = OTHERS.includes(error.code);
    }
    if (files !== shows) continue;
    unknown.delete(tile.title);
    if (isOther) {
      candidates.delete(tile.title);
      filter();
    }
    // A single character needs no choice.
    if (unknown.size === 0 && candidates.size === 1 && !player.info) tileOf([...candidates][0]).click();
    // The page answers between two of them.
    await new Promise((done) => setTimeout(done));
  }
  isDrawing = false;
}

/** Paints the first picture of a character. Returns its format. */
async function paint(tile) {
  const [path, canvas, side] = [tile.title, tile.querySelector("canvas"), Math.round(SIDE * devicePixelRatio)];
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const character = await Character.load(new Map([...shows].filter(([name]) => name.startsWith(folder))), { main: path });
  let view;
  try {
    view = new Player(character);
    const { defaultAnimation, format } = character.info;
    if (defaultAnimation !== null) view.play(defaultAnimation);
    view.update(0);
    view.seekStill();
    view.setView(side, side, view.covered("frame"));
    canvas.width = canvas.height = side;
    canvas.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(view.paint()), side), 0, 0);
    return format;
  } finally {
    view?.free();
    character.close();
  }
}

function filter() {
  const [wanted, focused] = [get("filter").value.toLowerCase(), document.activeElement];
  const found = [...candidates].filter((path) => path.toLowerCase().includes(wanted));
  const note = (text) => make("p", { className: "weak" }, text);
  const more = found.length > MOST ? [note(`${found.length - MOST} more: use the filter`)] : [];
  const none = candidates.size === 0 ? [note("This folder contains no characters.")] : [];
  gallery.replaceChildren(...found.slice(0, MOST).map(tileOf), ...more, ...none);
  if (focused !== document.activeElement && gallery.contains(focused)) focused.focus({ preventScroll: true });
}
get("filter").addEventListener("input", filter);
page.addEventListener("open", () => (gallery.hidden = true));
