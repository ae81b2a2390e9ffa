// The viewer page: files that the visitor drops or picks, shown by <pchr-player>. Nothing is sent anywhere.
import "./pchr-web/pchr-player.js";

const get = (id) => document.getElementById(id);
const player = document.querySelector("pchr-player");
/** The name of what is open, for saved files. */
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
  for (const id of ["png", "apng"]) get(id).disabled = !info;
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

async function save(make, extension) {
  try {
    const link = document.createElement("a");
    const url = URL.createObjectURL(await make());
    link.href = url;
    link.download = `${name}.${extension}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  } catch (error) {
    get("status").textContent = error.message;
  }
}

get("png").addEventListener("click", () => save(() => player.toBlob(), "png"));
get("apng").addEventListener("click", () => save(() => player.exportAnimation("apng"), "apng"));
