// Pages of `pchr convert` in a real browser; bench.mjs explains the variables.
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { PROGRAMS, browser, program, temporary } from "./bench.mjs";
import { READY, ROOT } from "./browser.mjs";

test("a page of pchr convert plays from disk, without requests", async (context) => {
  if (!PROGRAMS) return context.skip("PCHR_PROGRAMS is not set");
  const folder = join(temporary, "page");
  mkdirSync(folder);
  for (const name of ["paper-lamp.atlas", "paper-lamp.png"]) copyFileSync(join(ROOT, "assets", name), join(folder, name));
  // A name that would end the script that contains it.
  const lamp = readFileSync(join(ROOT, "assets/paper-lamp.json"), "utf8");
  const hostile = "</script><script>window.isHacked = true</script>";
  const file = join(folder, "paper-lamp.json");
  writeFileSync(file, lamp.replace('"hop":', `${JSON.stringify(hostile)}:`));
  const out = join(folder, "lamp.html");
  program("pchr", "convert", file, "-o", out, "--animation", hostile);
  await browser.log();
  await browser.open(`file://${out}`);
  const found = await browser.js(`${READY}
    await until(() => covered(el) > 1000 && el.currentTime > 0, "it plays");
    return { title: document.title, names: el.animationNames, playing: el.playing.animation, isHacked: window.isHacked ?? false, findings: el.findings };`);
  assert.deepEqual(found, { title: "paper-lamp", names: found.names, playing: hostile, isHacked: false, findings: [] });
  assert.deepEqual(await browser.log(), []);
});

test("a page of another format than Spine plays, too", async (context) => {
  if (!PROGRAMS) return context.skip("PCHR_PROGRAMS is not set");
  const out = join(temporary, "knight.html");
  program("pchr", "convert", join(ROOT, "assets/paper-knight.pchr"), "-o", out);
  await browser.open(`file://${out}`);
  const found = await browser.js(`${READY}
    await until(() => covered(el) > 1000 && el.currentTime > 0, "it plays");
    return { format: el.info.format, findings: el.findings };`);
  assert.match(found.format, /^PCHR/);
  assert.deepEqual(found.findings, []);
});

test("names with colons and commas work in a page", async (context) => {
  if (!PROGRAMS) return context.skip("PCHR_PROGRAMS is not set");
  const folder = join(temporary, "names-of-a-page");
  mkdirSync(folder);
  copyFileSync(join(ROOT, "assets/paper-lamp.png"), join(folder, "paper-lamp.png"));
  copyFileSync(join(ROOT, "assets/paper-lamp.atlas"), join(folder, "the:lamp.atlas"));
  const lamp = readFileSync(join(ROOT, "assets/paper-lamp.json"), "utf8");
  writeFileSync(join(folder, "the:lamp.json"), lamp.replaceAll('"blue"', '"dark, blue "'));
  const out = join(folder, "lamp.html");
  program("pchr", "convert", join(folder, "the:lamp.json"), "-o", out, "--skin", "dark, blue ");
  await browser.open(`file://${out}`);
  const found = await browser.js(`${READY}
    await until(() => covered(el) > 1000 && el.playing.skins.length === 1, "it wears the skin");
    return { skins: el.playing.skins, findings: el.findings, message: el.shadowRoot.querySelector("[part=error]").hidden };`);
  assert.deepEqual(found, { skins: ["dark, blue "], findings: [], message: true });
});
