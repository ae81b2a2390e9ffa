// The squares behind the character: dark, grey or light, whichever gives enough contrast, as the window chooses them.
import { get, page, player } from "./page.js";
import { current } from "./playback.js";

/** Longer side of the sampled pictures, and their number. */
const [SIDE, SAMPLES] = [96, 4];
/** The usual squares are kept if half of the character has this contrast against them; of others a fifth may have less. */
const [MIN_CONTRAST, USUAL_LOW, LOW] = [1.5, 2, 5];

/** The colours of both squares in a light and in a dark page. */
export const SQUARES = {
  dark: [["#2a2d34", "#30343c"], ["#2a2d34", "#30343c"]],
  grey: [["#80848a", "#8a8e95"], ["#80848a", "#8a8e95"]],
  light: [["#ffffff", "#ebedf0"], ["#ced1d6", "#c2c6cc"]],
};
const isDark = matchMedia("(prefers-color-scheme: dark)");

const linear = (share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4);
const luminance = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
const contrast = (one, other) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
const bytes = (color) => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));

/** The level of a colour. */
export const levelOf = (color) => Math.floor(Math.sqrt(luminance(color)) * 255);

/** How bright the character is, at a few instants: shares of 256 levels, by the square root of the luminance. */
async function tones() {
  const shares = new Float64Array(256);
  const [x, y, width, height] = player.area;
  const longer = Math.max(width, height);
  const view = { width: Math.ceil((SIDE * width) / longer), height: Math.ceil((SIDE * height) / longer), area: [x, y, width, height] };
  const context = new OffscreenCanvas(view.width, view.height).getContext("2d", { willReadFrequently: true });
  for (let at = 0; at < SAMPLES; at += 1) {
    const instant = current ? { animation: current.name, time: (current.duration * at) / SAMPLES } : {};
    const picture = await createImageBitmap(await player.toBlob({ ...view, ...instant }));
    context.clearRect(0, 0, view.width, view.height);
    context.drawImage(picture, 0, 0);
    const { data } = context.getImageData(0, 0, view.width, view.height);
    for (let pixel = 0; pixel < data.length; pixel += 4) {
      if (data[pixel + 3] >= 32) shares[levelOf(data.subarray(pixel, pixel + 3))] += data[pixel + 3];
    }
  }
  return shares;
}

/** The contrast that the character has at least against squares, except for `1 / low` of it. */
function contrastOf(shares, [one, other], low) {
  const behind = [one, other].map((color) => luminance(bytes(color)));
  const levels = [...shares].map((share, level) => [Math.min(...behind.map((it) => contrast((level / 255) ** 2, it))), share]);
  levels.sort(([a], [b]) => a - b);
  let left = shares.reduce((sum, share) => sum + share, 0) / low;
  for (const [found, share] of levels) {
    if (share > left) return found;
    left -= share;
  }
  return 1;
}

/** Chooses squares for shares of levels, in a dark or light page. */
export function chosen(shares, inDark) {
  const of = (name, low = LOW) => contrastOf(shares, SQUARES[name][Number(inDark)], low);
  const usual = inDark ? "dark" : "light";
  if (shares.every((share) => share === 0) || of(usual, USUAL_LOW) >= MIN_CONTRAST) return usual;
  return ["grey", "light", "dark"].reduce((best, name) => (of(name) > of(best) ? name : best), usual);
}

let shares = new Float64Array(256);

function show() {
  const [one, other] = SQUARES[chosen(shares, isDark.matches)][Number(isDark.matches)];
  get("stage").style.setProperty("--square", one);
  get("stage").style.setProperty("--square-other", other);
}
page.addEventListener("open", () => {
  shares = new Float64Array(256);
  show();
});
// What WebGL cannot draw at once would stop the page for longer than squares are worth.
player.addEventListener("renderer", async ({ renderer }) => {
  const { character } = player;
  if (renderer !== "webgl" || !character) return;
  const found = await tones().catch(() => null);
  if (player.character !== character || !found) return;
  shares = found;
  show();
});
isDark.addEventListener("change", show);
