// The characters of an opened folder as tiles. Their pictures are made one after the other, when they come into view.
import { openFiles, others, stem } from "./open.js";
import { get, make, opened, page, player, plain, say, shown } from "./page.js";
import { Character, Player } from "./pchr-web/pchr-player.js";

/** Side of a picture, in pixels of the page. */
const SIDE = 132;
/** Tiles that are made: a folder may have any number of files. */
const MOST = 500;
/** What most files are that only look like characters. */
const OTHERS = ["unknown-format", "no-reader"];

const gallery = get("gallery");
/** The files that the tiles show. */
let shows = new Map();
/** The tiles in view without a picture. @type {Set<HTMLElement>} */
const waiting = new Set();
/** The paths of the tiles that have none yet. */
let unknown = new Set();
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
  const paths = others().slice(0, MOST);
  unknown = new Set(paths);
  gallery.replaceChildren(...paths.map((path) => {
    const tile = make("button", { type: "button", className: "tile", title: path, onclick: () => openFiles(shows, path) },
      make("canvas", { ariaHidden: "true" }), make("bdi", {}, shown(stem(path))), make("small"));
    observer.observe(tile);
    return tile;
  }));
}

async function draw() {
  if (isDrawing) return;
  isDrawing = true;
  while (!gallery.hidden && waiting.size > 0) {
    const [tile] = waiting;
    waiting.delete(tile);
    observer.unobserve(tile);
    const [files, note] = [shows, tile.querySelector("small")];
    try {
      note.textContent = await paint(tile);
    } catch (error) {
      note.textContent = plain(error.message);
      note.className = "error";
      if (OTHERS.includes(error.code)) tile.remove();
    }
    if (files !== shows) continue;
    unknown.delete(tile.title);
    // A single character needs no choice.
    if (unknown.size === 0 && tiles().length === 1 && !player.info) tiles()[0].click();
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
  const wanted = get("filter").value.toLowerCase();
  for (const tile of tiles()) tile.hidden = !tile.title.toLowerCase().includes(wanted);
}
get("filter").addEventListener("input", filter);
page.addEventListener("open", () => (gallery.hidden = true));
