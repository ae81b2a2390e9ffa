// Bytes over the wire, time to the first picture and script time per frame, beside two players from npm. By hand:
//
//   scripts/build-web && node bindings/web/bench/bench.mjs SKELETON.json ATLAS ANIMATION
//
// SKELETON is a character of Spine 4.2, such as spineboy-pro.json. The others are installed below target/web/bench.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";

import { Browser, ROOT, serve } from "../tests/browser.mjs";

const [skeleton, atlas, animation] = process.argv.slice(2);
const WEB = process.env.PCHR_WEB ?? join(ROOT, "target/web");
const NPM = process.env.PCHR_BENCH_NPM ?? join(WEB, "bench");
const OTHERS = ["@esotericsoftware/spine-player@4.2.116", "@esotericsoftware/spine-webcomponents@4.2.96"];
const SECONDS = 4;
/** Each is measured this often, in turn, since other programs of the machine disturb. */
const RUNS = 3;

mkdirSync(NPM, { recursive: true });
if (!existsSync(join(NPM, "node_modules"))) {
  writeFileSync(join(NPM, "package.json"), '{ "private": true }');
  const run = spawnSync("npm", ["install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", ...OTHERS], { cwd: NPM, stdio: "inherit" });
  if (run.status !== 0) process.exit(1);
}
const server = await serve({ package: join(WEB, "package"), npm: join(NPM, "node_modules"), art: dirname(resolve(skeleton)) });
const browser = await Browser.start();

// Adds up the time of the callbacks of frames, and counts lost contexts.
const COUNT = `
  window.script = { ms: 0, frames: 0 };
  window.lost = 0;
  addEventListener("webglcontextlost", () => (lost += 1), true);
  const request = window.requestAnimationFrame.bind(window);
  let last = -1;
  window.requestAnimationFrame = (run) => request((now) => {
    const start = performance.now();
    run(now);
    script.ms += performance.now() - start;
    if (now !== last) script.frames += 1;
    last = now;
  });
  const files = { skeleton: "/art/${basename(skeleton)}", atlas: "/art/${basename(atlas)}", animation: "${animation}" };
  const load = (src) => new Promise((done, fail) => document.head.append(Object.assign(document.createElement("script"), { src, onload: done, onerror: fail })));
  const place = (el) => {
    el.style.cssText = "width: 120px; height: 120px; display: inline-block";
    document.body.append(el);
    return el;
  };
  const many = (make) => Array.from({ length: args[0] }, make);`;

/** Each as a visitor of a page uses it: `make` resolves when all of them are drawn. */
const PLAYERS = [
  {
    name: "pchr-web",
    files: () => ["wasm", "pchr", "files", "gl", "cpu", "controls", "style", "ticker", "on-demand", "pchr-player"].map((name) => `package/${name}.js`).concat("package/pchr_spine.wasm"),
    make: `
      await import("/package/pchr-player.js");
      const made = many(() => {
        const el = document.createElement("pchr-player");
        Object.assign(el, { src: files.skeleton, atlas: files.atlas, animation: files.animation, autoplay: true, loop: "loop" });
        return place(el);
      });
      await Promise.all(made.map((el) => el.drawnBy || new Promise((done) => el.addEventListener("renderer", done, { once: true }))));`,
  },
  {
    name: "spine-player",
    files: () => ["iife/spine-player.min.js", "spine-player.css"].map((name) => `npm/@esotericsoftware/spine-player/dist/${name}`),
    make: `
      document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/npm/@esotericsoftware/spine-player/dist/spine-player.css" }));
      await load("/npm/@esotericsoftware/spine-player/dist/iife/spine-player.min.js");
      const all = many(() => new Promise((done) => {
        new spine.SpinePlayer(place(document.createElement("div")), { ...files, showControls: false, alpha: true, backgroundColor: "#00000000",
          preserveDrawingBuffer: false, success: () => requestAnimationFrame(() => requestAnimationFrame(done)), error: done });
      }));
      // Players whose context was taken away never succeed.
      await Promise.race([Promise.all(all), new Promise((done) => setTimeout(done, 30000))]);`,
  },
  {
    name: "spine-webcomponents",
    files: () => ["npm/@esotericsoftware/spine-webcomponents/dist/iife/spine-webcomponents.min.js"],
    make: `
      await load("/npm/@esotericsoftware/spine-webcomponents/dist/iife/spine-webcomponents.min.js");
      const made = many(() => {
        const el = document.createElement("spine-skeleton");
        for (const [name, value] of Object.entries(files)) el.setAttribute(name, value);
        return place(el);
      });
      await Promise.race([Promise.all(made.map((el) => el.whenReady)), new Promise((done) => setTimeout(done, 30000))]);
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));`,
  },
];

async function measure({ make }, count) {
  await browser.open(`${server.url}/page/?script=/nothing.js`);
  return browser.js(`${COUNT}
    const start = performance.now();
    ${make}
    const first = performance.now() - start;
    await new Promise((done) => setTimeout(done, 1000));
    script.ms = script.frames = 0;
    await new Promise((done) => setTimeout(done, ${SECONDS * 1000}));
    return { first, perFrame: script.ms / script.frames, rate: script.frames / ${SECONDS}, lost };`, count);
}

const roots = { package: join(WEB, "package"), npm: join(NPM, "node_modules") };
const gzip = (path) => gzipSync(readFileSync(join(roots[path.split("/")[0]], path.slice(path.indexOf("/")))), { level: 9 }).length;
const middle = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];
console.log(`the middle of ${RUNS} runs, with a load of ${loadavg()[0].toFixed(1)}\n`);
console.log(`| player | gzip | elements | first picture of all | script per frame | frames per second | lost contexts |
|---|---:|---:|---:|---:|---:|---:|`);
for (const count of [1, 16, 64]) {
  const runs = PLAYERS.map(() => []);
  for (let run = 0; run < RUNS; run += 1) for (const [index, player] of PLAYERS.entries()) runs[index].push(await measure(player, count));
  for (const [index, player] of PLAYERS.entries()) {
    const of = (field) => middle(runs[index].map((run) => run[field]));
    const bytes = player.files().reduce((sum, path) => sum + gzip(path), 0);
    console.log(`| ${player.name} | ${Math.round(bytes / 1000)} KB | ${count} | ${Math.round(of("first"))} ms | ${of("perFrame").toFixed(2)} ms | ${of("rate").toFixed(0)} | ${of("lost")} |`);
  }
}
await browser.stop();
server.stop();
