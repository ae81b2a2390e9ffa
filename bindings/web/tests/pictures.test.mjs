// Large pictures, which a worker decodes; bench.mjs explains the variables.
import assert from "node:assert/strict";
import { test } from "node:test";

import { browser, page, server } from "./bench.mjs";

/** More pixels than the page decodes itself. */
const SIDE = 1500;

/** Begins a function in a page: makes large pictures, and loads characters while workers are of a kind. */
const LARGE = `
  const { Character, getWasm, encodePng, Own } = Object.assign({ Own: window.Worker },
    ...await Promise.all(["pchr-player", "wasm", "png"].map((name) => import("/package/" + name + ".js"))));
  const SIDE = ${SIDE};
  const picture = (value) => {
    const pixels = new Uint8Array(4 * SIDE * SIDE);
    for (let at = 0; at < pixels.length; at += 1) pixels[at] = at % 4 === 3 ? 255 : value(at);
    return encodePng(SIDE, SIDE, pixels);
  };
  const skeleton = JSON.stringify({
    skeleton: { spine: "4.2.40" }, bones: [{ name: "root" }], slots: [{ name: "body", bone: "root", attachment: "body" }],
    skins: [{ name: "default", attachments: { body: { body: { width: 80, height: 60 } } } }],
  });
  const atlas = "body.png\\nsize: " + SIDE + "," + SIDE + "\\nbody\\nbounds: 0,0," + SIDE + "," + SIDE + "\\n";
  const withAtlas = { "body.json": skeleton, "body.atlas": atlas };
  // What workers decode, by its length in bytes. It also changes the first byte, which shows who uses it.
  const decoded = [];
  class Watched extends Own {
    constructor(...args) {
      super(...args);
      this.addEventListener("message", ({ data: { result: { made } } }) => {
        if (made.get("0").length > 0) made.get("0")[0] ^= 1;
        decoded.push([...made.values()].map((pixels) => pixels.length));
      });
    }
  }
  class Forbidden { constructor() { throw new DOMException("no worker", "SecurityError"); } }
  class Missing extends Own { constructor() { super("/package/nothing.js", { type: "module" }); } }
  const load = async (files, Kind, options) => {
    window.Worker = Kind;
    const character = await Character.load(new Map(Object.entries(files)), options).finally(() => (window.Worker = Own));
    const pages = character.info.pages.map((_, at) => character.page(at).slice());
    character.close();
    return { pages, findings: character.findings.map(({ code, message }) => code + ": " + message) };
  };
  const different = ([a], [b]) => a.length === b.length ? [...a.keys()].filter((at) => a[at] !== b[at]).slice(0, 9) : "another length";
`;

/** The length of a decoded picture. */
const DECODED = 4 * SIDE * SIDE;

test("large pictures are decoded in a worker, to the same pixels, or in the page if there can be none", async () => {
  for (const policy of ["", "1"]) {
    await page("", policy && { policy });
    await browser.log();
    const found = await browser.js(`${LARGE}
      // Its alpha is a second picture.
      const files = { ...withAtlas, "body.png": await picture((at) => at % 251), "body[alpha].png": await picture((at) => at > SIDE ? at >> 12 : 255) };
      const watched = await load(files, Watched);
      const result = [decoded, different(watched.pages, (await load(files, Forbidden)).pages), different(watched.pages, (await load(files, Missing)).pages)];
      return { result, translucent: watched.pages[0].filter((value, at) => at % 4 === 3 && value < 255).length };`);
    assert.deepEqual(found.result, [[[DECODED, DECODED]], [0], [0]]);
    assert.ok(found.translucent > DECODED / 8, found.translucent);
    const violations = (await browser.log()).filter((message) => /Content Security Policy/.test(message));
    assert.deepEqual(violations, []);
  }
  const before = server.requests.length;
  await page("");
  const alone = await browser.js(`${LARGE}
    const { Character: Inlined } = await import("/package/pchr-spine.inline.js");
    const character = await Inlined.load(new Map(Object.entries({ ...withAtlas, "body.png": await picture((at) => at) })));
    return character.page(0).length;`);
  assert.equal(alone, DECODED);
  assert.deepEqual(server.requests.slice(before).filter((path) => path.includes("worker")), []);
});

test("JPEGs and WebPs are decoded in a worker, too", async () => {
  await page("");
  const found = await browser.js(`${LARGE}
    const canvas = Object.assign(document.createElement("canvas"), { width: SIDE, height: SIDE });
    const context = canvas.getContext("2d");
    context.fillStyle = "red";
    context.fillRect(0, 0, SIDE, SIDE);
    for (const type of ["image/jpeg", "image/webp"]) {
      const files = { "body.json": skeleton, "body.png": await new Promise((done) => canvas.toBlob(done, type)) };
      decoded.push(different((await load(files, Watched)).pages, (await load(files, Forbidden)).pages));
    }
    return decoded;`);
  assert.deepEqual(found, [[DECODED], [0], [DECODED], [0]]);
});

test("a large picture that is broken is the same finding, and does not take the place of the next", async () => {
  await page("");
  const found = await browser.js(`${LARGE}
    const whole = await picture((at) => at);
    const files = { ...withAtlas, "body.atlas": atlas + "\\n" + atlas.replaceAll("body", "next"), "body.png": whole.slice(0, whole.length / 2), "next.png": whole };
    const [watched, forbidden] = [await load(files, Watched), await load(files, Forbidden)];
    return { decoded, differ: different(watched.pages, forbidden.pages), findings: [watched.findings, forbidden.findings] };`);
  assert.deepEqual([found.decoded, found.differ], [[[0, DECODED]], []]);
  assert.match(found.findings[0].join(), /body.png.* is broken/);
  assert.deepEqual(found.findings[0], found.findings[1]);
});

test("decoding stops with its character, and leaves memory flat", async () => {
  await page("<pchr-player></pchr-player>");
  const found = await browser.js(`${LARGE}
    const files = { ...withAtlas, "body.png": await picture((at) => at) };
    let [ended, answered, stop] = [0, 0, () => {}];
    class Stopping extends Own {
      constructor(...args) { super(...args); this.addEventListener("message", () => (answered += 1)); }
      postMessage(...args) { super.postMessage(...args); setTimeout(stop); }
      terminate() { ended += 1; super.terminate(); }
    }
    const controller = new AbortController();
    stop = () => controller.abort();
    const name = await load(files, Stopping, { signal: controller.signal }).catch((error) => error.name);
    const el = document.querySelector("pchr-player");
    let failed = 0;
    el.addEventListener("error", () => (failed += 1));
    stop = () => el.remove();
    window.Worker = Stopping;
    el.load(new Map(Object.entries(files))).catch(() => {});
    for (let at = 0; at < 600 && ended < 2; at += 1) await new Promise((done) => setTimeout(done, 20));
    const stopped = [name, ended, answered, failed, el.character];
    const sizes = [];
    for (let at = 0; at < 8; at += 1) {
      await load(files, Watched);
      sizes.push((await getWasm(true)).buffer.byteLength);
    }
    return { stopped, times: decoded.length, grown: sizes[7] - sizes[3] };`);
  assert.deepEqual(found, { stopped: ["AbortError", 2, 0, 0, null], times: 8, grown: 0 });
});

test("large pages are uploaded in parts, and drawn as by the CPU", async () => {
  await page(["webgl", "cpu"].map((renderer) => `<pchr-player renderer="${renderer}" style="width: 120px; height: 90px"></pchr-player>`).join(""));
  const found = await browser.js(`${LARGE}
    const rows = [];
    const upload = WebGL2RenderingContext.prototype.texSubImage2D;
    WebGL2RenderingContext.prototype.texSubImage2D = function (...args) { rows.push([args[3], args[5]]); return upload.apply(this, args); };
    const shade = await picture((at) => at >> 16);
    const both = [...document.querySelectorAll("pchr-player")];
    for (const el of both) {
      el.load(new Map(Object.entries({ ...withAtlas, "body.png": shade })));
      for (let at = 0; at < 600 && !el.drawnBy; at += 1) await new Promise((done) => setTimeout(done, 20));
    }
    const [a, b] = both.map((el) => {
      const canvas = el.shadowRoot.querySelector("canvas");
      return canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    });
    const most = a.reduce((most, value, at) => Math.max(most, Math.abs(value - b[at])), 0);
    return { by: both.map((el) => el.drawnBy), rows, most, opaque: a.filter((value, at) => at % 4 === 3 && value === 255).length };`);
  assert.deepEqual([found.by, found.rows], [["webgl", "cpu"], [[0, 1399], [1399, 101]]]);
  assert.ok(found.opaque > 5000, found.opaque);
  // Texels are interpolated with other fractions.
  assert.ok(found.most <= 8, found.most);
});
