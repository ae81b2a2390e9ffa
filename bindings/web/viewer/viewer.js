// The viewer page: files that the visitor drops or picks, shown by <pchr-player>. Nothing is sent anywhere.
import "./pchr-web/pchr-player.js";
import { loadTools } from "./pchr-web/on-demand.js";

const get = (id) => document.getElementById(id);
const player = document.querySelector("pchr-player");
/** Name of the open character, for saved files. */
let name = "character";

async function open(files) {
  if (files.size === 0) return;
  get("hint").hidden = true;
  get("status").textContent = "Loading…";
  for (const attribute of ["animation", "skin"]) player.removeAttribute(attribute);
  try {
    await player.load(files);
    get("status").textContent = "";
  } catch (error) {
    get("status").textContent = "It cannot be opened.";
  }
  describe();
  await listTargets();
}

function describe() {
  const info = player.info;
  const main = player.character?.main ?? "";
  name = main.split("/").pop().replace(/\.[^.]*$/, "") || "character";
  get("name").textContent = info ? main : "";
  get("format").textContent = info
    ? `${info.format}: ${count(info.bones, "bone")}, ${count(info.slots, "slot")}, ${count(info.pages, "page")}`
    : "";
  choices("animations", info?.animations.map(({ name, duration }) => [name, `${name} (${duration.toFixed(2)} s)`]) ?? [], (choice) => {
    player.animation = choice;
    player.play();
  });
  choices("skins", info?.skins.map((skin) => [skin, skin]) ?? [], (choice) => (player.skin = choice));
  get("findings").replaceChildren(...player.findings.map(({ severity, message }) => item(`${severity}: ${message}`)));
  if (info && player.findings.length === 0) get("findings").append(item("none"));
  get("save").disabled = !info;
  get("losses").replaceChildren();
  mark();
}

const count = (list, what) => `${list.length} ${what}${list.length === 1 ? "" : "s"}`;

function item(content) {
  const made = document.createElement("li");
  made.append(content);
  return made;
}

function choices(id, entries, choose) {
  get(id).replaceChildren(...entries.map(([value, label]) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.dataset.value = value;
    button.addEventListener("click", () => {
      choose(value);
      mark();
    });
    return item(button);
  }));
}

/** Marks the animation and the skins that are shown. */
function mark() {
  const playing = player.playing;
  const shown = { animations: [playing?.animation], skins: playing?.skins ?? [] };
  for (const [id, values] of Object.entries(shown)) {
    for (const button of get(id).querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(values.includes(button.dataset.value)));
    }
  }
}

// ---- Files ----

const pathOf = (file) => file.webkitRelativePath || file.name;
for (const id of ["files", "folder"]) {
  get(id).addEventListener("change", ({ target }) => {
    open(new Map([...target.files].map((file) => [pathOf(file), file])));
    target.value = "";
  });
}

addEventListener("dragover", (event) => {
  event.preventDefault();
  get("stage").classList.add("over");
});
addEventListener("dragleave", () => get("stage").classList.remove("over"));
addEventListener("drop", async (event) => {
  event.preventDefault();
  get("stage").classList.remove("over");
  // The entries are only there until the first `await`.
  const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const files = new Map();
  if (entries.length === 0) for (const file of event.dataTransfer.files) files.set(file.name, file);
  for (const entry of entries) await collect(entry, files);
  open(files);
});

/** At most this many files of a folder are read. */
const MAX_FILES = 4096;

async function collect(entry, files) {
  if (files.size >= MAX_FILES) return;
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    files.set(entry.fullPath.replace(/^\//, ""), file);
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const children = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (children.length === 0) return;
    for (const child of children) await collect(child, files);
  }
}

// ---- Settings ----

get("bones").addEventListener("change", ({ target }) => (player.show = target.checked ? "bones" : ""));
get("physics").addEventListener("change", ({ target }) => (player.physics = target.checked ? "on" : "off"));
get("speed").addEventListener("change", ({ target }) => (player.speed = Number(target.value) || 1));

// ---- Saving ----

function download(blob, file) {
  const link = document.createElement("a");
  const url = URL.createObjectURL(blob);
  link.href = url;
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** What stops what is being done. */
let stopping = null;

/** Does something that takes a while, which another one or the button stops. */
async function perform(what, run) {
  stopping?.abort();
  const stop = (stopping = new AbortController());
  get("status").textContent = `${what}…`;
  get("cancel").hidden = false;
  try {
    await run(stop.signal);
    if (stop === stopping) get("status").textContent = "";
  } catch (error) {
    if (stop === stopping) get("status").textContent = stop.signal.aborted ? "Cancelled." : error.message;
  } finally {
    if (stop === stopping) get("cancel").hidden = true;
  }
}

get("cancel").addEventListener("click", () => stopping?.abort());
get("png").addEventListener("click", () => perform("Drawing", async () => download(await player.toBlob(), `${name}.png`)));
get("animation").addEventListener("click", () => perform("Drawing", async (signal) => {
  const format = get("format-of-animation").value;
  const width = Math.max(1, Math.min(4096, Number(get("width").value) || 256));
  const { width: across, height: down } = player.getBoundingClientRect();
  const height = Math.max(1, Math.round((width * down) / across));
  const blob = await player.exportAnimation(format, { width, height, signal });
  download(blob, `${name}-${player.playing.animation ?? "rest"}.${format}`.replace(/[/\\:*?"<>|\0]/g, "_"));
}));

const conversion = get("conversion");
conversion.addEventListener("toggle", listTargets);

/** Offers the formats that the character can be converted to. The tools are loaded only if someone wants to know them. */
async function listTargets() {
  const { character } = player;
  const choices = conversion.querySelector("fieldset");
  choices.disabled = true;
  if (!character || !conversion.open) return;
  try {
    const targets = await character.targets();
    if (player.character !== character) return;
    get("target").replaceChildren(...targets.map(({ name, about }) => new Option(`${name}: ${about}`, name)));
    choices.disabled = false;
  } catch (error) {
    get("status").textContent = error.message;
  }
}

get("convert").addEventListener("click", () => perform("Converting", async (signal) => {
  get("losses").replaceChildren();
  const { files, losses } = await player.convert(get("target").value, { signal });
  get("losses").replaceChildren(...losses.map(({ message }) => item(message)));
  const [[first, bytes]] = files;
  if (files.size === 1) download(new Blob([bytes]), first);
  else download(await (await loadTools()).zip(files), `${first.replace(/\.[^.]*$/, "")}.zip`);
}));
