// Sprite sheets: frames in a grid, described by JSON as Aseprite writes it, and PNGs that are cut into such frames.
import { fileName, get, player, shown } from "./page.js";

/** Describes a picture of equal frames, row by row. */
export function described({ image, width, height, columns, rows, count, fps, tag }) {
  const [w, h] = [Math.floor(width / columns), Math.floor(height / rows)];
  const frames = Array.from({ length: count }, (_, at) => ({
    filename: `${tag} ${at}`, frame: { x: (at % columns) * w, y: Math.floor(at / columns) * h, w, h }, rotated: false, trimmed: false,
    spriteSourceSize: { x: 0, y: 0, w, h }, sourceSize: { w, h }, duration: Math.max(1, Math.round(1000 / fps)),
  }));
  const frameTags = [{ name: tag, from: 0, to: count - 1, direction: "forward" }];
  return JSON.stringify({ frames, meta: { app: "pchr", image, size: { w: width, h: height }, scale: "1", frameTags } });
}

/** Longest side of a sheet, and most frames in it. */
const [SIDE, MOST] = [8192, 1024];

/** Draws the frames of an animation into one picture. Returns the files. */
export async function sheetOf({ name, animation, fps, width, height, area, signal, report }) {
  const count = Math.max(1, Math.min(animation.frames, Math.round(animation.duration * fps) || 1));
  const columns = Math.ceil(Math.sqrt((count * height) / width));
  const rows = Math.ceil(count / columns);
  if (count > MOST || columns * width > SIDE || rows * height > SIDE) {
    throw new Error(`${count} frames of ${width} × ${height} pixels do not fit into a sheet: make them smaller or fewer`);
  }
  const canvas = Object.assign(document.createElement("canvas"), { width: columns * width, height: rows * height });
  const context = canvas.getContext("2d");
  for (let at = 0; at < count; at += 1) {
    signal.throwIfAborted();
    const frame = await createImageBitmap(await player.toBlob({ animation: animation.name, time: at / fps, width, height, area }));
    context.drawImage(frame, (at % columns) * width, Math.floor(at / columns) * height);
    frame.close();
    report(at / count);
    await new Promise((done) => setTimeout(done));
  }
  const picture = await new Promise((resolve) => canvas.toBlob(resolve));
  const size = { width: canvas.width, height: canvas.height, columns, rows, count };
  const text = described({ image: `${name}.png`, ...size, fps, tag: animation.name });
  return new Map([[`${name}.json`, new TextEncoder().encode(text)], [`${name}.png`, new Uint8Array(await picture.arrayBuffer())]]);
}

const number = (id) => Math.max(1, Math.floor(Number(get(id).value)) || 1);

/** Asks how a PNG is cut into frames. Returns its files with a description, or nothing. */
export async function cut(file) {
  const picture = await createImageBitmap(file);
  const { width, height } = picture;
  const isStrip = width > height && width % height === 0;
  get("grid-name").textContent = `${shown(file.name)}: ${width} × ${height} pixels`;
  for (const [id, most, value] of [["columns", width, isStrip ? width / height : 1], ["rows", height, 1], ["count", width * height, isStrip ? width / height : 1]]) {
    Object.assign(get(id), { max: String(most), value: String(value) });
  }
  paint(picture);
  const dialog = get("grid");
  const follow = ({ target }) => {
    if (target.id === "columns" || target.id === "rows") get("count").value = String(number("columns") * number("rows"));
    paint(picture);
  };
  dialog.addEventListener("input", follow);
  dialog.returnValue = "";
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  dialog.removeEventListener("input", follow);
  picture.close();
  if (dialog.returnValue !== "play") return null;
  const [columns, rows] = [Math.min(width, number("columns")), Math.min(height, number("rows"))];
  const count = Math.min(columns * rows, number("count"), 65536);
  const image = fileName(file.name);
  const json = described({ image, width, height, columns, rows, count, fps: number("grid-fps"), tag: image.replace(/\.[^.]*$/, "") });
  return new Map([[image.replace(/(\.[^.]*)?$/, ".json"), json], [image, file]]);
}

/** Draws the picture, with the frames outlined. */
function paint(picture) {
  const canvas = get("grid-canvas");
  const fitting = Math.min(800 / picture.width, 600 / picture.height);
  const scale = fitting < 1 ? fitting : Math.floor(fitting);
  [canvas.width, canvas.height] = [picture.width, picture.height].map((side) => Math.max(1, Math.round(side * scale)));
  const context = canvas.getContext("2d");
  context.imageSmoothingEnabled = scale < 1;
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  context.strokeStyle = getComputedStyle(canvas).getPropertyValue("--accent");
  const [columns, rows] = [Math.min(picture.width, number("columns")), Math.min(picture.height, number("rows"))];
  if (columns + rows > 512) return;
  for (let x = 0; x <= columns; x += 1) context.strokeRect((x * canvas.width) / columns, 0, 0, canvas.height);
  for (let y = 0; y <= rows; y += 1) context.strokeRect(0, (y * canvas.height) / rows, canvas.width, 0);
}
