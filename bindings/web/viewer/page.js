// What all parts of the page share: the player, its elements and texts. Nothing is sent anywhere.
import "./pchr-web/pchr-player.js";

export const get = (id) => document.getElementById(id);
export const player = document.querySelector("pchr-player");
/**
 * Fires `open` after a character was opened, or could not be, `change` after anything that the page shows has changed, but `move`
 * after only the time or a target has, and `view` after only the view has.
 */
export const page = new EventTarget();
export const changed = () => page.dispatchEvent(new Event("change"));

/**
 * Calls `run` in the next animation frame after any change, and in every frame while the character plays. Returns a function that
 * requests a call.
 */
export function follow(run) {
  let request = 0;
  const wake = () => (request ||= requestAnimationFrame(frame));
  function frame() {
    request = 0;
    if (!player.paused) wake();
    run();
  }
  for (const type of ["open", "change", "move", "view"]) page.addEventListener(type, wake);
  for (const type of ["play", "pause"]) player.addEventListener(type, wake);
  return wake;
}

/** The open character: a name for files, its address if it has one, its path, and the files that it was opened with. */
export const opened = { name: "", address: "", main: "", files: new Map() };

/** Makes an element with properties and children, which may be text: names from files are never parsed as HTML. */
export function make(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** An icon of icons.svg. */
export function icon(name) {
  const [svg, use] = ["svg", "use"].map((tag) => document.createElementNS("http://www.w3.org/2000/svg", tag));
  svg.setAttribute("aria-hidden", "true");
  use.setAttribute("href", `icons.svg#${name}`);
  svg.append(use);
  return svg;
}

/** Shows another icon in a button, and names what a press does now. */
export function face(button, name, label) {
  button.querySelector("use").setAttribute("href", `icons.svg#${name}`);
  button.setAttribute("aria-label", label);
  button.title = label;
}

/** Most characters of a name that are shown, and of a message. */
const LONGEST = 200;
export const LONGEST_MESSAGE = 2000;

/** A name for display: without characters that change the text around it. */
export function shown(name, most = LONGEST) {
  if (name === "") return "(no name)";
  const escaped = name.slice(0, most).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (it) => `\\u{${it.codePointAt(0).toString(16)}}`);
  return name.length > most ? `${escaped}…` : escaped;
}

/** A number of things, such as `2 frames`. */
export const many = (count, one) => `${count} ${one}${count === 1 ? "" : "s"}`;

/** A message without advice about options of the command line, which a page does not have. */
export function plain(message) {
  return message
    .replace(/; use `--atlas FILE`[^;]*/g, "; open it together with its atlas and pictures")
    .replace(/[;,.] [^;.]*`--[a-z][^`]*`[^;.]*/g, "");
}

let fading = 0;

/** Shows a short notice over the canvas, which screen readers read. */
export function say(text) {
  clearTimeout(fading);
  get("status").textContent = text;
  if (text) fading = setTimeout(() => (get("status").textContent = ""), 6000);
}

/** A name that a file can have on any system. */
export const fileName = (text) => text.replace(/[/\\:*?"<>|\p{Cc}]/gu, "_");

export function download(blob, name) {
  const url = URL.createObjectURL(blob);
  make("a", { href: url, download: fileName(name) }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** What stops what is being done. */
let stopping = null;

/** Stops what is being done, if anything is. */
export function cancel() {
  const isBusy = stopping !== null;
  stopping?.abort();
  return isBusy;
}

/**
 * Does something that takes a while, which another one or a button stops. `run` gets a signal, and reports its progress from 0
 * to 1. Rejects with what `run` rejects with.
 */
export async function perform(what, run) {
  cancel();
  const stop = (stopping = new AbortController());
  const bar = get("progress");
  bar.removeAttribute("value");
  get("working").textContent = `${what}…`;
  get("busy").hidden = false;
  say("");
  try {
    await run(stop.signal, (share) => (bar.value = share));
  } catch (error) {
    if (stop === stopping && stop.signal.aborted) say("Cancelled.");
    throw error;
  } finally {
    if (stop === stopping) {
      stopping = null;
      get("busy").hidden = true;
    }
  }
}
get("cancel").addEventListener("click", cancel);

/** Does something that takes a while, and says what is wrong with it. */
export function attempt(what, run) {
  return perform(what, run).catch((error) => error.name !== "AbortError" && say(plain(error.message)));
}
