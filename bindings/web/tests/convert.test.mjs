// Pages of `pchr convert` in a real browser; player.test.mjs explains the variables.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { Browser, READY, ROOT } from "./browser.mjs";

const PLAYER = join(process.env.PCHR_WEB ?? join(ROOT, "target/web"), "package/pchr-player.inline.js");
const PROGRAMS = process.env.PCHR_PROGRAMS;

let browser, temporary;

before(async () => {
  temporary = mkdtempSync(join(tmpdir(), "pchr-web-"));
  browser = await Browser.start();
});

after(async () => {
  await browser?.stop();
  rmSync(temporary, { recursive: true, force: true });
});

test("a page of pchr convert plays from disk, without requests", async (context) => {
  if (!PROGRAMS) return context.skip("PCHR_PROGRAMS is not set");
  for (const name of ["paper-lamp.atlas", "paper-lamp.png"]) copyFileSync(join(ROOT, "assets", name), join(temporary, name));
  // A name that would end the script that contains it.
  const lamp = readFileSync(join(ROOT, "assets/paper-lamp.json"), "utf8");
  const hostile = "</script><script>window.isHacked = true</script>";
  const file = join(temporary, "paper-lamp.json");
  writeFileSync(file, lamp.replace('"hop":', `${JSON.stringify(hostile)}:`));
  const out = join(temporary, "lamp.html");
  const args = ["convert", file, "-o", out, "--animation", hostile, "--player", PLAYER];
  const run = spawnSync(join(PROGRAMS, "pchr"), args, { encoding: "utf8" });
  assert.equal(run.status, 0, run.stderr);
  await browser.log();
  await browser.open(`file://${out}`);
  const found = await browser.js(`${READY}
    await until(() => covered(el) > 1000 && el.currentTime > 0, "it plays");
    return { title: document.title, names: el.animationNames, playing: el.playing.animation, isHacked: window.isHacked ?? false, findings: el.findings };`);
  assert.deepEqual(found, { title: "paper-lamp", names: found.names, playing: hostile, isHacked: false, findings: [] });
  assert.deepEqual(await browser.log(), []);
});
