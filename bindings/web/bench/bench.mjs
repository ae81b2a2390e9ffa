// Bytes over the wire, time to the first picture and script time per frame, beside spine-player from npm. By hand:
//
//   scripts/build-web && node bindings/web/bench/bench.mjs SKELETON.json ATLAS ANIMATION
//
// SKELETON is a character of Spine 4.2, such as spineboy-pro.json. spine-player is installed below target/web/bench.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";

import { Browser, ROOT, serve } from "../tests/browser.mjs";

const [skeleton, atlas, animation] = process.argv.slice(2);
const WEB = process.env.PCHR_WEB ?? join(ROOT, "target/web");
const NPM = join(WEB, "bench");
const THEIRS = "@esotericsoftware/spine-player@4.2.116";
const SECONDS = 4;

mkdirSync(NPM, { recursive: true });
if (!existsSync(join(NPM, "node_modules"))) {
  writeFileSync(join(NPM, "package.json"), '{ "private": true }');
  const run = spawnSync("npm", ["install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", THEIRS], { cwd: NPM, stdio: "inherit" });
  if (run.status !== 0) process.exit(1);
}
const server = await serve({ package: join(WEB, "package"), npm: join(NPM, "node_modules"), art: dirname(resolve(skeleton)) });
const browser = await Browser.start();
const SPINE = "/npm/@esotericsoftware/spine-player/dist";

// Adds up the time of the callbacks of frames.
const COUNT = `
  window.script = { ms: 0, frames: 0 };
  const request = window.requestAnimationFrame.bind(window);
  let last = -1;
  window.requestAnimationFrame = (run) => request((now) => {
    const start = performance.now();
    run(now);
    script.ms += performance.now() - start;
    if (now !== last) script.frames += 1;
    last = now;
  });`;
const WAIT = `
  await new Promise((done) => setTimeout(done, 1000));
  script.ms = script.frames = 0;
  await new Promise((done) => setTimeout(done, ${SECONDS * 1000}));
  const { ms, frames } = script;`;
const STYLE = "width: 120px; height: 120px; display: inline-block";

async function ours(count) {
  await browser.open(`${server.url}/page/?script=/nothing.js`);
  return browser.js(`${COUNT}
    const start = performance.now();
    await import("/package/pchr-player.js");
    const made = [];
    for (let at = 0; at < args[0]; at += 1) {
      const el = document.createElement("pchr-player");
      Object.assign(el, { src: "/art/${basename(skeleton)}", atlas: "/art/${basename(atlas)}", animation: "${animation}", autoplay: true, loop: "loop" });
      el.style.cssText = "${STYLE}";
      made.push(el);
      document.body.append(el);
    }
    await Promise.all(made.map((el) => el.drawnBy || new Promise((done) => el.addEventListener("renderer", done, { once: true }))));
    const first = performance.now() - start;
    ${WAIT}
    return { first, perFrame: ms / frames, rate: frames / ${SECONDS}, drawn: made.filter((el) => el.drawnBy === "webgl" && el.currentTime > 0).length, lost: 0 };`, count);
}

async function theirs(count) {
  await browser.open(`${server.url}/page/?script=/nothing.js`);
  return browser.js(`${COUNT}
    const start = performance.now();
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: "${SPINE}/spine-player.css" });
    document.head.append(link);
    await new Promise((done, fail) => document.head.append(Object.assign(document.createElement("script"), { src: "${SPINE}/iife/spine-player.min.js", onload: done, onerror: fail })));
    let lost = 0;
    addEventListener("webglcontextlost", () => (lost += 1), true);
    const made = [];
    for (let at = 0; at < args[0]; at += 1) {
      const box = document.createElement("div");
      box.style.cssText = "${STYLE}";
      document.body.append(box);
      made.push(new Promise((done) => {
        new spine.SpinePlayer(box, { skeleton: "/art/${basename(skeleton)}", atlas: "/art/${basename(atlas)}", animation: "${animation}", showControls: false,
          alpha: true, backgroundColor: "#00000000", preserveDrawingBuffer: false, success: () => requestAnimationFrame(() => requestAnimationFrame(() => done(true))), error: () => done(false) });
      }));
    }
    const ready = await Promise.race([Promise.all(made), new Promise((done) => setTimeout(() => done([]), 30000))]);
    const first = performance.now() - start;
    ${WAIT}
    return { first, perFrame: ms / frames, rate: frames / ${SECONDS}, drawn: ready.filter(Boolean).length, lost };`, count);
}

const gzip = (path) => gzipSync(readFileSync(path), { level: 9 }).length;
const names = ["wasm", "pchr", "files", "gl", "cpu", "controls", "style", "ticker", "pchr-player"].map((name) => `${name}.js`);
const ourBytes = [...names, "pchr_web.wasm"].reduce((sum, name) => sum + gzip(join(WEB, "package", name)), 0);
const dist = join(NPM, "node_modules/@esotericsoftware/spine-player/dist");
const theirBytes = gzip(join(dist, "iife/spine-player.min.js")) + gzip(join(dist, "spine-player.css"));
console.log(`| player | gzip | elements | first picture of all | script per frame | frames per second | started | lost contexts |
|---|---:|---:|---:|---:|---:|---:|---:|`);
for (const [name, bytes, run] of [["pchr-web", ourBytes, ours], [THEIRS, theirBytes, theirs]]) {
  for (const count of [1, 16, 64]) {
    const { first, perFrame, rate, drawn, lost } = await run(count);
    console.log(`| ${name} | ${Math.round(bytes / 1000)} KB | ${count} | ${Math.round(first)} ms | ${perFrame.toFixed(2)} ms | ${rate.toFixed(0)} | ${drawn} | ${lost} |`);
  }
}
await browser.stop();
server.stop();
