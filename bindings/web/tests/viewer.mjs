// What the tests of the viewer page share: opening it, dropping files, waiting for downloads.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { browser, server, temporary } from "./bench.mjs";
import { READY, ROOT } from "./browser.mjs";

export const LAMP_FILES = ["paper-lamp.json", "paper-lamp.atlas", "paper-lamp.png"];
export const LATER_LAMP_FILES = ["paper-lamp-4.2.json", "paper-lamp-4.2.atlas", "paper-lamp-4.2.png", "paper-lamp.png"];

/** Runs in the page, by default as wide as a phone, with downloads in a folder of their own. */
export async function viewer(run, { width = 390, height = 844, scheme = "dark", query = "", url = server.url } = {}) {
  const folder = join(temporary, `downloads-${readdirSync(temporary).length}`);
  mkdirSync(folder);
  await browser.log();
  await browser.devtools("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
  await browser.devtools("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: width < 700 ? 2 : 1, mobile: width < 700 });
  await browser.devtools("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
  try {
    await browser.open(`${url}/viewer/index.html${query}`);
    await run(folder);
    assert.deepEqual(await browser.log(), []);
  } finally {
    await browser.devtools("Emulation.clearDeviceMetricsOverride");
    await browser.devtools("Emulation.setEmulatedMedia", { features: [] });
  }
}

/** Begins a function in the page: helpers, and how a visitor drops files, given as a map of names to base64. */
export const PAGE = `${READY.replace("await el.ready;", "")}
  const get = (id) => document.getElementById(id);
  const text = (id) => get(id).textContent;
  const file = (name, base64) => new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name);
  const drop = (contents, at = {}) => {
    const dataTransfer = new DataTransfer();
    Object.entries(contents).forEach(([name, base64]) => dataTransfer.items.add(file(name, base64)));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true, ...at }));
  };
  const shows = () => until(() => el.info && covered(el) > 1000, "a picture");
  const key = (key, more = {}) => (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));
  const animation = () => el.playing.animation;
  const row = (list, name) => [...document.querySelectorAll("#" + list + " .row")].find((it) => it.dataset.value === name);
`;

/** Files of the repository, as `drop` takes them. */
export const contents = (names, folder = "assets") =>
  Object.fromEntries(names.map((name) => [name, readFileSync(join(ROOT, folder, name)).toString("base64")]));

/** Waits for a complete download and returns its bytes. */
export async function downloaded(folder, name) {
  for (let at = 0; at < 600; at += 1) {
    if (existsSync(join(folder, name))) return readFileSync(join(folder, name));
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`${name} was not saved, only ${readdirSync(folder).join(", ") || "nothing"}`);
}
