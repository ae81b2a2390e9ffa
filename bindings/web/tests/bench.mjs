// What the tests share: one browser, one server and a folder for files. PCHR_WEB is the folder in which scripts/build-web made
// the package and the viewer page, PCHR_PROGRAMS that of pchr and pchr-view, and PCHR_CONFORMANCE that of real characters, if
// there is one. PCHR_AXE is axe.min.js of the npm package axe-core, if accessibility is to be checked with that, too.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";

import { Browser, ROOT, serve } from "./browser.mjs";

export const WEB = process.env.PCHR_WEB ?? join(ROOT, "target/web");
export const PACKAGE = join(WEB, "package");
export const PROGRAMS = process.env.PCHR_PROGRAMS;
export const CONFORMANCE = process.env.PCHR_CONFORMANCE ?? join(ROOT, "../shared/conformance");
export const LAMP = "/assets/paper-lamp.json";

/** @type {Browser} */
export let browser;
/** @type {Awaited<ReturnType<typeof serve>>} */
export let server;
/** A folder that is served as /temporary/. */
export let temporary;

before(async () => {
  temporary = mkdtempSync(join(tmpdir(), "pchr-web-"));
  server = await serve({
    package: PACKAGE, "plain-types": PACKAGE, viewer: join(WEB, "viewer"), assets: join(ROOT, "assets"),
    fixtures: join(ROOT, "tests/fixtures"), conformance: CONFORMANCE, temporary,
  });
  browser = await Browser.start();
});

after(async () => {
  await browser?.stop();
  server?.stop();
  rmSync(temporary, { recursive: true, force: true });
});

/** Opens a page with this body. `policy` and `script` are explained at `serve`. */
export async function page(body, options = {}) {
  await browser.open(`${server.url}/page/?${new URLSearchParams({ body, ...options })}`);
}

/** Runs one of the programs, which must succeed. */
export function program(name, ...args) {
  const run = spawnSync(join(PROGRAMS, name), args, { encoding: "utf8" });
  assert.equal(run.status, 0, `${name} ${args.join(" ")}: ${run.stderr}`);
}
