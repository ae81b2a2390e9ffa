// Opens characters: files that are picked, dropped or given by the system, samples and links.
import { compare, isComparing } from "./compare.js";
import { isFolder, showGallery } from "./gallery.js";
import { asked, showAsked } from "./links.js";
import { cancel, get, make, opened, page, perform, plain, player, shown } from "./page.js";
import { select } from "./pick.js";
import { cut } from "./sheet.js";

/** At most this many files of a folder are read. */
const MAX_FILES = 4096;

const SAMPLES = [["paper-knight.pchr", "Paper knight"], ["paper-lamp.json", "Paper lamp"], ["ranger.json", "Ranger"]];

/** Counts what was opened: only the last counts. */
let turn = 0;

async function open(source, { name, address = "", wanted = {}, main }) {
  const own = (turn += 1);
  // Another character may not have what is selected.
  select(null);
  for (const attribute of ["animation", "skin"]) player.removeAttribute(attribute);
  Object.assign(opened, { name: "", address: "", main: main ?? "" });
  get("welcome").hidden = true;
  get("failure").hidden = true;
  get("warning").hidden = true;
  let then = () => {};
  try {
    await perform("Loading", (signal) => load(player, source, main, signal));
    if (own !== turn) return;
    Object.assign(opened, { name: stem(player.character.main), address, main: player.character.main });
    then = showAsked(wanted);
  } catch (error) {
    if (own !== turn) return;
    if (error.code === "png-without-grid") return openPicture(await fileOf(source, name));
    if (error.name === "AbortError") {
      close();
      get("welcome").hidden = false;
    } else fail(name, error.message, address);
  }
  page.dispatchEvent(new Event("open"));
  then();
}

/** Empties the player: a changed address is what stops it. */
function close() {
  player.src = "";
  player.removeAttribute("src");
}

/** Loads into an element until `signal` stops it. */
export async function load(element, source, main, signal) {
  const stopped = new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
  await Promise.race([element.load(source, { main }), stopped]);
}

/** The only file of a source. */
async function fileOf(source, name) {
  if (source instanceof Map) return [...source.values()][0];
  return new File([await (await fetch(source)).blob()], stem(name) + ".png");
}

// What is wrong with a character that is shown nevertheless.
player.addEventListener("error", ({ message }) => {
  get("warning").textContent = plain(message);
  get("warning").hidden = !player.info;
});

function fail(name, message, address = "") {
  get("welcome").hidden = true;
  get("failure-title").textContent = `${shown(name.split("/").pop() || name)} cannot be opened`;
  const isElsewhere = address !== "" && new URL(address).origin !== location.origin;
  const advice = "; if it is there, its server has to allow other pages to read it (CORS)";
  get("failure-text").textContent = plain(message) + (isElsewhere && message.endsWith("loaded") ? advice : "");
  get("failure").hidden = false;
}

async function openPicture(file) {
  const files = await cut(file).catch((error) => fail(file.name, error.message));
  if (files) return openFiles(files);
  page.dispatchEvent(new Event("open"));
  if (files === null) get("welcome").hidden = false;
}

export const stem = (path) => path.split("/").pop().replace(/\.[^.]*$/, "") || "character";

/** What may be a character, among several files. */
const CHARACTER = /\.(skel|json|pchr|skf|pachario|sprsh|aseprite|ase|plist|xml|zip)$/i;

/** Opens files: the character called `main`, or else the likeliest. */
export function openFiles(files, main) {
  if (files.size === 0) return;
  opened.files = files;
  if (main === undefined && isFolder()) return openFolder();
  return open(files, { name: main ?? [...files.keys()][0], main });
}

/** Shows the characters of a folder instead of one of them. */
function openFolder() {
  turn += 1;
  cancel();
  close();
  for (const id of ["welcome", "failure", "warning"]) get(id).hidden = true;
  Object.assign(opened, { name: "", address: "", main: "" });
  page.dispatchEvent(new Event("open"));
  showGallery();
}

/** The files that were opened together and may be characters. */
export const others = () => [...opened.files.keys()].filter((path) => CHARACTER.test(path)).sort();

/** Opens an address: of the same origin, or of one that allows it. */
export function openAddress(src, wanted) {
  let url;
  try {
    url = new URL(src, document.baseURI);
  } catch {
    return fail(src, "this is not an address");
  }
  if (!/^https?:$/.test(url.protocol)) return fail(src, "only addresses that begin with https: or http: can be opened");
  opened.files = new Map();
  return open(url, { name: decoded(url.pathname), address: url.href, wanted });
}

function decoded(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const pathOf = (file) => file.webkitRelativePath || file.name;
for (const id of ["files", "folder"]) {
  get(id).addEventListener("change", ({ target }) => {
    openFiles(new Map([...target.files].slice(0, MAX_FILES).map((file) => [pathOf(file), file])));
    target.value = "";
  });
}

/** Whether a drop is to be compared with what is open: on the right of the canvas. */
function isBeside({ clientX }) {
  const { left, width } = get("stage").getBoundingClientRect();
  return player.info !== null && clientX > left + width * (isComparing() ? 1 / 2 : 2 / 3);
}
addEventListener("dragover", (event) => {
  event.preventDefault();
  get("stage").classList.add("over");
  get("stage").classList.toggle("beside", isBeside(event));
  get("drop").hidden = !player.info;
});
const leave = () => {
  get("stage").classList.remove("over", "beside");
  get("drop").hidden = true;
};
addEventListener("dragleave", leave);
addEventListener("drop", async (event) => {
  event.preventDefault();
  leave();
  const then = isBeside(event) ? compare : openFiles;
  // The entries are only there until the first `await`.
  const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const files = new Map();
  if (entries.length === 0) for (const file of event.dataTransfer.files) files.set(file.name, file);
  for (const entry of entries) await collect(entry, files);
  then(files);
});

async function collect(entry, files) {
  if (files.size >= MAX_FILES) return;
  if (entry.isFile) {
    files.set(entry.fullPath.replace(/^\//, ""), await new Promise((resolve, reject) => entry.file(resolve, reject)));
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const children = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (children.length === 0) return;
    for (const child of children) await collect(child, files);
  }
}

for (const [file, name] of SAMPLES) {
  const button = make("button", { type: "button" }, name);
  button.addEventListener("click", () => openAddress(`samples/${file}`, {}));
  get("samples").append(button);
}

// Files that the system opens with the installed page.
globalThis.launchQueue?.setConsumer(async ({ files }) => {
  const given = await Promise.all(files.map((file) => file.getFile()));
  openFiles(new Map(given.map((file) => [file.name, file])));
});

/** Opens what the address of the page asks for, if it does. */
export function start() {
  const { src, ...wanted } = asked();
  if (src) openAddress(src, wanted);
  else page.dispatchEvent(new Event("open"));
}
