// The viewer page in a real browser; bench.mjs explains the variables.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { browser, server, temporary } from "./bench.mjs";
import { READY, ROOT } from "./browser.mjs";
import { zip } from "./zip.mjs";

const FILES = ["paper-lamp.json", "paper-lamp.atlas", "paper-lamp.png"];
const OPENING = READY.replace("await el.ready;", "");

/** Runs in the viewer page, as wide as a phone, with downloads in a folder of their own. */
async function viewer(run) {
  const folder = join(temporary, `downloads-${readdirSync(temporary).length}`);
  mkdirSync(folder);
  await browser.log();
  await browser.devtools("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
  await browser.devtools("Emulation.setDeviceMetricsOverride", { width: 390, height: 844, deviceScaleFactor: 2, mobile: true });
  try {
    await browser.open(`${server.url}/viewer/index.html`);
    await run(folder);
    assert.deepEqual(await browser.log(), []);
  } finally {
    await browser.devtools("Emulation.clearDeviceMetricsOverride");
  }
}

/** Gives files to the page as a visitor drops them. */
const DROP = `
  const drop = (files) => {
    const dataTransfer = new DataTransfer();
    files.forEach((file) => dataTransfer.items.add(file));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  };
  const text = (id) => document.getElementById(id).textContent;
`;

/** Waits for a complete download and returns its bytes. */
async function downloaded(folder, name) {
  for (let at = 0; at < 600; at += 1) {
    if (existsSync(join(folder, name))) return readFileSync(join(folder, name));
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`${name} was not saved, only ${readdirSync(folder).join(", ") || "nothing"}`);
}

test("the viewer page shows dropped files, on a phone and with keys", async () => {
  await viewer(async () => {
    const found = await browser.js(`${OPENING}
      const names = ["paper-lamp.json", "paper-lamp.atlas", "paper-lamp.png"];
      const files = await Promise.all(names.map(async (name) => new File([await (await fetch("/assets/" + name)).arrayBuffer()], name)));
      const transfer = new DataTransfer();
      files.forEach((file) => transfer.items.add(file));
      const input = document.getElementById("files");
      input.files = transfer.files;
      input.dispatchEvent(new Event("change"));
      await until(() => covered(el) > 1000, "a picture");
      const text = (id) => document.getElementById(id).textContent;
      const before = pixels(el).slice();
      el.pause();
      document.getElementById("bones").click();
      await frames(3);
      const bones = pixels(el).some((value, at) => value !== before[at]);
      return { animations: document.querySelectorAll("#animations button").length, skins: document.querySelectorAll("#skins button").length,
        format: text("format"), findings: text("findings"), bones, hint: document.getElementById("hint").hidden,
        wide: document.documentElement.scrollWidth, privacy: text("privacy") };`);
    assert.ok(found.wide <= 390, `${found.wide} pixels wide`);
    assert.ok(found.animations >= 2 && found.skins >= 2 && found.bones && found.hint, JSON.stringify(found));
    assert.equal(found.findings, "none");
    assert.match(found.format, /Spine.*bones/);
    assert.match(found.privacy, /Nothing leaves this machine/);
    await browser.js(`document.querySelectorAll("#animations button")[1].focus();`);
    await browser.press(" ");
    const played = await browser.js(`const el = document.querySelector("pchr-player");
      return [el.playing.animation, el.paused, document.querySelector("#animations [aria-pressed=true]").dataset.value];`);
    assert.deepEqual(played, [played[2], false, played[0]]);
    const bad = await browser.js(`
      const transfer = new DataTransfer();
      transfer.items.add(new File(["nothing"], "x.json"));
      const input = document.getElementById("files");
      input.files = transfer.files;
      input.dispatchEvent(new Event("change"));
      for (let at = 0; at < 100 && !document.getElementById("status").textContent.includes("cannot"); at += 1) await new Promise((done) => setTimeout(done, 20));
      return [document.getElementById("status").textContent, document.querySelectorAll("#animations button").length, document.getElementById("save").disabled];`);
    assert.deepEqual(bad, ["It cannot be opened.", 0, true]);
  });
});

test("the viewer page opens a dropped zip, and says what is wrong with others", async () => {
  const good = zip(FILES.map((name) => [`lamp/${name}`, readFileSync(join(ROOT, "assets", name))]));
  const bad = zip([["lamp.json", "{}"], ["../../evil.json", "{}"]]);
  await viewer(async () => {
    const found = await browser.js(`${OPENING} ${DROP}
      const file = (base64) => new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], "lamp.zip");
      drop([file(args[0])]);
      await until(() => el.info && covered(el) > 1000, "a picture");
      const good = [text("name"), text("findings")];
      drop([file(args[1])]);
      await until(() => text("status") !== "" && text("status") !== "Loading…", "an error");
      return { good, bad: [text("status"), text("name"), document.getElementById("save").disabled], shown: el.shadowRoot.querySelector("[part=error]").textContent };`,
      good.toString("base64"), bad.toString("base64"));
    assert.deepEqual(found.good, ["lamp/paper-lamp.json", "none"]);
    assert.deepEqual(found.bad, ["It cannot be opened.", "", true]);
    assert.match(found.shown, /leads outside the archive/);
  });
});

test("the viewer page saves pictures, animations and conversions, with keys", async () => {
  const files = Object.fromEntries(FILES.map((name) => [name, readFileSync(join(ROOT, "assets", name)).toString("base64")]));
  const before = server.requests.length;
  await viewer(async (folder) => {
    await browser.js(`${OPENING} ${DROP}
      drop(Object.entries(args[0]).map(([name, base64]) => new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name)));
      await until(() => el.info && covered(el) > 1000, "a picture");
      el.pause();
      document.getElementById("png").focus();`, files);
    await browser.press(" ");
    const png = await downloaded(folder, "paper-lamp.png");
    assert.equal(png.subarray(1, 4).toString(), "PNG");
    assert.ok(png.length > 1000 && !png.includes("acTL"));
    for (const [format, magic] of [["gif", "GIF89a"], ["webp", "RIFF"], ["apng", "\x89PNG"]]) {
      await browser.js(`
        document.getElementById("format-of-animation").value = args[0];
        document.getElementById("width").value = "40";
        document.getElementById("animation").focus();`, format);
      await browser.press("\uE007");
      const bytes = await downloaded(folder, `paper-lamp-${await browser.js(`return document.querySelector("pchr-player").playing.animation;`)}.${format}`);
      assert.equal(bytes.subarray(0, magic.length).toString("latin1"), magic);
    }
    // Until now, nothing about conversions was asked.
    assert.equal(await browser.js(`return document.getElementById("target").length;`), 0);
    await browser.js(`document.querySelector("#conversion summary").focus();`);
    await browser.press("\uE007");
    await browser.js(`${OPENING}
      const target = document.getElementById("target");
      await until(() => !target.closest("fieldset").disabled, "the formats");
      target.value = "spine42";
      if (!target.value) throw new Error([...target.options].map(({ value }) => value).join());
      document.getElementById("convert").focus();`);
    await browser.press(" ");
    const packed = await downloaded(folder, "paper-lamp.zip");
    assert.ok(packed.includes("paper-lamp.json") && packed.includes("paper-lamp.atlas"));
    await browser.js(`document.getElementById("target").value = "skelform"; document.getElementById("convert").click();`);
    assert.equal((await downloaded(folder, "paper-lamp.skf")).subarray(0, 2).toString(), "PK");
    const found = await browser.js(`
      return { status: document.getElementById("status").textContent, wide: document.documentElement.scrollWidth, cancel: document.getElementById("cancel").hidden, privacy: document.getElementById("privacy").textContent };`);
    assert.deepEqual(found, { status: "", wide: found.wide, cancel: true, privacy: found.privacy });
    assert.ok(found.wide <= 390, `${found.wide} pixels wide`);
    assert.match(found.privacy, /Nothing leaves this machine/);
  });
  // Everything that was asked for is the page itself.
  const asked = server.requests.slice(before).filter((path) => !path.startsWith("/viewer/") && path !== "/favicon.ico");
  assert.deepEqual(asked, []);
});
