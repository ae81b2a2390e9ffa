// The export dialog: pictures, animations, sheets and conversions.
import { loadTools } from "./pchr-web/on-demand.js";
import { attempt, download, get, make, opened, plain, player, say } from "./page.js";
import { current } from "./playback.js";
import { sheetOf } from "./sheet.js";

const FORMATS = [
  ["png", "Picture (PNG)"], ["apng", "Animated PNG (APNG)"], ["webp", "Animated WebP"], ["gif", "Animated GIF"],
  ["sheet", "Sprite sheet (PNG and JSON)"], ["convert", "Another format"],
];
for (const [value, label] of FORMATS) get("format").add(new Option(label, value));

const number = (id) => Number(get(id).value);
const side = (id) => Math.max(1, Math.min(4096, Math.round(number(id)) || 512));
let known = null;

export function exportDialog() {
  get("losses").replaceChildren();
  const { width, height } = player.getBoundingClientRect();
  get("height").value = String(Math.max(1, Math.round((side("width") * height) / width)));
  get("export").showModal();
  follow();
}

/** Shows what the format needs. The tools are loaded only if someone asks what they can write. */
async function follow() {
  const format = get("format").value;
  const isConversion = format === "convert";
  get("target-row").hidden = !isConversion;
  for (const id of ["area", "width", "height"]) get(id).closest("label").hidden = isConversion;
  get("fps").closest("label").hidden = format === "png";
  if (!isConversion || known === player.character) return;
  const { character } = player;
  get("target").replaceChildren(new Option("Loading…", ""));
  try {
    const targets = await character.targets();
    if (player.character !== character) return;
    known = character;
    get("target").replaceChildren(...targets.map(({ name, about }) => new Option(`${name}: ${about}`, name)));
  } catch (error) {
    get("target").replaceChildren(new Option(plain(error.message), ""));
  }
}
get("format").addEventListener("change", follow);

/** The area of the animation, in the shape of the picture. */
const area = () => {
  const shown = player.area;
  if (get("area").value === "window") return shown;
  player.area = null;
  const whole = player.area;
  player.area = shown;
  return whole;
};

get("export").addEventListener("submit", (event) => {
  event.preventDefault();
  get("export").close();
  const format = get("format").value;
  const [width, height] = [side("width"), side("height")];
  const fps = number("fps") > 0 ? { fps: number("fps") } : {};
  const stem = `${opened.name}-${current?.name ?? "rest"}`;
  if (format === "convert") return convert(fps);
  const view = { width, height, area: area() };
  attempt("Exporting", async (signal, report) => {
    if (format === "png") download(await player.toBlob(view), `${opened.name}.png`);
    else if (!current) throw new Error("there is no animation: choose Picture (PNG)");
    else if (format === "sheet") {
      const files = await sheetOf({ name: opened.name, animation: current, fps: current.fps, ...fps, ...view, signal, report });
      download(await (await loadTools()).zip(files), `${stem}.zip`);
    } else download(await player.exportAnimation(format, { ...view, ...fps, signal }), `${stem}.${format}`);
    say("Saved.");
  });
});

function convert(fps) {
  const to = get("target").value;
  if (!to) return;
  get("losses").replaceChildren();
  attempt("Converting", async (signal) => {
    const { files, losses } = await player.convert(to, { ...fps, signal });
    get("losses").replaceChildren(...losses.map(({ message }) => make("li", {}, plain(message))));
    const [[first, bytes]] = files;
    if (files.size === 1) download(new Blob([bytes]), first.split("/").pop());
    else download(await (await loadTools()).zip(files), `${first.split("/").pop().replace(/\.[^.]*$/, "")}.zip`);
    if (losses.length > 0) get("export").showModal();
    say(losses.length > 0 ? "Saved, with losses." : "Saved.");
  });
}
