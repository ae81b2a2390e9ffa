// The element in a real browser; bench.mjs explains the variables.
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { CONFORMANCE, LAMP, PACKAGE, PROGRAMS, browser, page, program, server, temporary } from "./bench.mjs";
import { READY, ROOT } from "./browser.mjs";

/** At most this much over the wire, gzipped, for a page with Spine and PNGs alone, and for one with any format. */
const BUDGETS = { "pchr_spine.wasm": 512_000, "pchr_web.wasm": 927_000 };

/** At most this many milliseconds without an answer, whatever is opened: the aim is 2 s, also on a busy machine. */
const MAX_SILENCE = 4000;

/** Waits for an error and returns it with what the element shows. */
const ERROR = `
  await customElements.whenDefined("pchr-player");
  const el = document.querySelector("pchr-player");
  const message = () => el.shadowRoot.querySelector("[part=error]");
  for (let at = 0; at < 600 && message().hidden; at += 1) await new Promise((done) => setTimeout(done, 20));
  const shown = message();
  return { text: shown.textContent, isShown: !shown.hidden && shown.getClientRects().length > 0, last: window.lastError ?? null };
`;

/** A PCHR v1 file with one triangle that is drawn `count` times. */
function heavy(count) {
  const text = (name) => [Uint8Array.of(name.length, 0), Buffer.from(name)];
  const numbers = (Kind, ...values) => Buffer.from(new Kind(values).buffer);
  const vertex = ([x, y, u, v]) => [numbers(Float32Array, x, y, u, v), numbers(Uint16Array, 0, 0, 0, 0), numbers(Float32Array, 1, 0, 0, 0)];
  const corners = [[0, 0, 0, 0], [256, 0, 1, 0], [0, 256, 0, 1]];
  const frame = (turn) => Buffer.concat([numbers(Float32Array, 0, 0, turn, 1, 1), Uint8Array.of(1), numbers(Int16Array, 0)]);
  return Buffer.concat([
    Buffer.from("PCHR"), numbers(Uint32Array, 1), numbers(Uint16Array, 24, 0),
    numbers(Uint16Array, 1), ...text("page"), numbers(Uint16Array, 1, 1), Uint8Array.of(1), numbers(Uint32Array, 4), Buffer.alloc(4, 255),
    numbers(Uint16Array, 1), ...text("root"), numbers(Int16Array, -1),
    numbers(Uint16Array, 1), ...text("many"), numbers(Uint16Array, 0, 3), numbers(Uint32Array, 3 * count),
    ...corners.flatMap(vertex), Buffer.from(new Uint16Array(3 * count).map((_, at) => at % 3).buffer),
    numbers(Uint16Array, 1), ...text("spin"), Uint8Array.of(1), numbers(Uint16Array, 2), frame(0), frame(0.1),
  ]);
}

test("a picture that takes long is refused, or drawn without stopping the page", async () => {
  for (const [count, expected] of [[600, "cpu"], [8000, "limit-exceeded"]]) {
    writeFileSync(join(temporary, "heavy.pchr"), heavy(count));
    await page(`<pchr-player style="width: 256px; height: 256px"></pchr-player>`);
    const found = await browser.js(`
      await customElements.whenDefined("pchr-player");
      const el = document.querySelector("pchr-player");
      const settled = new Promise((resolve) => {
        el.addEventListener("error", (event) => resolve(event.code));
        el.addEventListener("renderer", (event) => resolve(event.renderer));
      });
      let longest = 0, last = performance.now();
      const watch = () => { const now = performance.now(); longest = Math.max(longest, now - last); last = now; setTimeout(watch, 5); };
      watch();
      const begin = performance.now();
      el.src = "/temporary/heavy.pchr";
      const result = await settled;
      const message = el.shadowRoot.querySelector("[part=error]");
      return { result, secs: (performance.now() - begin) / 1000, longest, shown: message.hidden ? "" : message.textContent };`);
    console.log(`${count} triangles: ${JSON.stringify(found)}`);
    assert.equal(found.result, expected);
    if (expected === "cpu") assert.equal(found.shown, "");
    else assert.match(found.shown, /work/);
    assert.ok(found.longest < MAX_SILENCE, JSON.stringify(found));
  }
});

test("a character plays, pauses, seeks and reports its events", async () => {
  await page(`<pchr-player src="${LAMP}" animation="hop" speed="4"></pchr-player>`);
  const found = await browser.js(`${READY}
    const seen = [];
    for (const type of ["play", "pause", "loop", "complete", "animationevent"]) el.addEventListener(type, (event) => seen.push(type));
    await until(() => el.drawnBy, "drawn");
    const still = covered(el);
    const names = [el.animationNames, el.skinNames, el.slotNames, el.boneNames];
    const before = [el.paused, el.currentTime];
    el.play("idle", { loop: true });
    await until(() => seen.includes("loop"), "a loop");
    const playing = el.paused;
    el.pause();
    el.currentTime = 0.25;
    return { still, names, before, playing, seen, time: el.currentTime, duration: el.duration, format: el.info.format };`);
  assert.ok(found.still > 1000, `${found.still} pixels`);
  assert.deepEqual(found.before, [true, 0]);
  assert.equal(found.playing, false);
  assert.ok(Math.abs(found.time - 0.25) < 1e-6, found.time);
  assert.ok(found.duration > 0.25);
  assert.ok(found.names.every((names) => names.length > 0), JSON.stringify(found.names));
  assert.match(found.format, /Spine/);
  for (const type of ["play", "pause", "loop", "complete"]) assert.ok(found.seen.includes(type), type);
});

test("a paused character shows enough of itself, and plays from the start", async () => {
  writeFileSync(join(temporary, "grow.json"), JSON.stringify({
    skeleton: { spine: "4.2.40", fps: 10 }, bones: [{ name: "root" }], slots: [{ name: "body", bone: "root", attachment: "body" }],
    skins: [{ name: "default", attachments: { body: { body: { width: 80, height: 60 } } } }],
    animations: {
      hide: { slots: { body: { attachment: [{ name: null }] } } },
      grow: { bones: { root: { scale: [{ x: 0.01, y: 0.01 }, { time: 10 }] } } },
    },
  }));
  await page(`<pchr-player src="/temporary/grow.json"></pchr-player>`);
  const found = await browser.js(`${READY}
    await until(() => el.drawnBy, "drawn");
    const first = [el.playing.animation, el.paused, el.currentTime];
    el.play();
    return { first, next: el.currentTime };`);
  const [animation, paused, time] = found.first;
  assert.deepEqual([animation, paused], ["grow", true]);
  assert.ok(time > 2 && time < 5, time);
  assert.ok(found.next < 1, found.next);
});

test("autoplay plays, and nothing is drawn off screen or after removal", async () => {
  await page(`<pchr-player src="${LAMP}" autoplay></pchr-player><p style="height: 5000px">`);
  const found = await browser.js(`${READY}
    await until(() => el.currentTime > 0, "it plays");
    scrollTo(0, 4000);
    await new Promise((done) => setTimeout(done, 300));
    const before = el.currentTime;
    await new Promise((done) => setTimeout(done, 300));
    const away = el.currentTime - before;
    scrollTo(0, 0);
    await until(() => el.currentTime !== before, "it goes on");
    el.remove();
    await frames(3);
    return { away, character: el.character, time: el.currentTime };`);
  assert.deepEqual(found, { away: 0, character: null, time: 0 });
});

test("pictures of the CPU renderer equal those of pchr-view", async (context) => {
  if (!PROGRAMS) return context.skip("PCHR_PROGRAMS is not set");
  const cases = [
    ["assets/paper-lamp.json", "hop", 0.3, [-150, -20, 300, 460], [150, 230]],
    ["assets/paper-knight.pchr", "walk", 0.21, [-200, -20, 400, 480], [400, 480]],
    ["assets/paper-lamp-4.2.skel", null, 0.5, [-200, -50, 400, 500], [280, 350]],
  ];
  await page("");
  for (const [file, animation, time, area, [width, height]] of cases) {
    const out = join(temporary, "expected.png");
    const args = [join(ROOT, file), "-o", out, "--force", "--backend", "cpu", "-t", String(time), "--fit", area.join(","), "-s", `${width}x${height}`];
    if (animation) args.push("-a", animation);
    program("pchr-view", ...args);
    const found = await browser.js(`
      await customElements.whenDefined("pchr-player");
      const [src, animation, time, area, width, height] = args;
      const el = document.createElement("pchr-player");
      Object.assign(el, { src, renderer: "cpu", ...(animation && { animation }) });
      document.body.append(el);
      await el.ready;
      const blob = await el.toBlob({ time, area, width, height });
      el.remove();
      const decode = async (blob) => {
        const picture = await createImageBitmap(blob, { premultiplyAlpha: "none", colorSpaceConversion: "none" });
        const gl = new OffscreenCanvas(1, 1).getContext("webgl2");
        gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, picture);
        gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
        gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, gl.getParameter(gl.TEXTURE_BINDING_2D), 0);
        const pixels = new Uint8Array(picture.width * picture.height * 4);
        gl.readPixels(0, 0, picture.width, picture.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
        return { size: [picture.width, picture.height], pixels };
      };
      const [ours, expected] = await Promise.all([blob, await (await fetch("/temporary/expected.png", { cache: "reload" })).blob()].map(decode));
      const different = ours.pixels.filter((value, at) => value !== expected.pixels[at]).length;
      return { sizes: [ours.size, expected.size], different, covered: expected.pixels.filter((value, at) => at % 4 === 3 && value).length };`,
      `/${file}`, animation, time, area, width, height);
    assert.deepEqual(found.sizes, [[width, height], [width, height]], file);
    assert.ok(found.covered > 1000, `${file}: ${found.covered} pixels`);
    assert.equal(found.different, 0, file);
  }
});

test("WebGL draws what the CPU draws, at several sizes", async () => {
  const files = [LAMP, "/assets/paper-knight.pchr", "/assets/paper-lamp-4.3.json"];
  for (const file of files) {
    for (const side of [120, 460]) {
      const element = (renderer) => `<pchr-player src="${file}" renderer="${renderer}" style="width: ${side}px; height: ${side}px"></pchr-player>`;
      await page(element("webgl") + element("cpu"));
      const found = await browser.js(`${READY}
        const [a, b] = document.querySelectorAll("pchr-player");
        await b.ready;
        await until(() => a.drawnBy && b.drawnBy && covered(b) > 0, "drawn");
        const [left, right] = [pixels(a), pixels(b)];
        let most = 0, far = 0, any = 0;
        for (let at = 0; at < left.length; at += 4) {
          if (left[at + 3] === 0 && right[at + 3] === 0) continue;
          any += 1;
          // Premultiplied, as both are shown.
          const difference = Math.max(...[0, 1, 2].map((c) => Math.abs(left[at + c] * left[at + 3] - right[at + c] * right[at + 3]) / 255),
            Math.abs(left[at + 3] - right[at + 3]));
          most = Math.max(most, difference);
          if (difference > 24) far += 1;
        }
        return { by: [a.drawnBy, b.drawnBy], most, far: far / any, any };`);
      assert.deepEqual(found.by, ["webgl", "cpu"]);
      assert.ok(found.any > 500, `${found.any} pixels`);
      // Edges are covered by another sample, and texels are interpolated with other fractions.
      assert.ok(found.far < 0.02, `${file} at ${side}: ${JSON.stringify(found)}`);
    }
  }
});

test("64 elements play in one context, and their file is loaded once", async () => {
  const before = server.requests.length;
  const element = `<pchr-player src="${LAMP}" animation="idle" autoplay style="width: 60px; height: 60px"></pchr-player>`;
  await page(element.repeat(64));
  const found = await browser.js(`${READY}
    const all = [...document.querySelectorAll("pchr-player")];
    await Promise.all(all.map((el) => el.ready));
    await until(() => all.every((el) => el.drawnBy && el.currentTime > 0), "all play");
    return { by: [...new Set(all.map((el) => el.drawnBy))], blank: all.filter((el) => covered(el) < 20).length };`);
  assert.deepEqual(found, { by: ["webgl"], blank: 0 });
  assert.equal(server.requests.slice(before).filter((path) => path === LAMP).length, 1);
});

test("a frame asks the page for nothing", async () => {
  await page(`<pchr-player src="${LAMP}" animation="idle" speed="0.01" autoplay></pchr-player>`);
  const counts = await browser.js(`${READY}
    await until(() => el.currentTime > 0, "it plays");
    const counts = { clientWidth: 0, getAttribute: 0, parse: 0, matchMedia: 0 };
    const width = Object.getOwnPropertyDescriptor(Element.prototype, "clientWidth");
    const get = function () { counts.clientWidth += 1; return width.get.call(this); };
    Object.defineProperty(Element.prototype, "clientWidth", { ...width, get });
    for (const [owner, name] of [[Element.prototype, "getAttribute"], [JSON, "parse"], [window, "matchMedia"]]) {
      const own = owner[name];
      owner[name] = function (...args) { counts[name] += 1; return own.apply(this, args); };
    }
    const before = el.currentTime;
    await frames(10);
    return { ...counts, moved: el.currentTime > before };`);
  assert.deepEqual(counts, { clientWidth: 0, getAttribute: 0, parse: 0, matchMedia: 0, moved: true });
});

test("the picture has the size of the element, also after a change of either", async () => {
  await page(`<pchr-player src="${LAMP}" style="width: 101px; height: 57px"></pchr-player>`);
  const sized = (width, height) => browser.js(`${READY}
    const canvas = el.shadowRoot.querySelector("canvas");
    await until(() => canvas.width === args[0] && canvas.height === args[1] && covered(el) > 100, \`\${canvas.width} × \${canvas.height}\`);`, width, height);
  await sized(101, 57);
  await browser.js(`document.querySelector("pchr-player").style.width = "222.4px";`);
  await sized(222, 57);
  await browser.devtools("Emulation.setDeviceMetricsOverride", { width: 800, height: 600, deviceScaleFactor: 2, mobile: false });
  try {
    await browser.js(`document.querySelector("pchr-player").seek(0);`);
    await sized(444, 114);
  } finally {
    await browser.devtools("Emulation.clearDeviceMetricsOverride");
  }
});

test("200 mounts and removals leave memory flat", async () => {
  await page("");
  const found = await browser.js(`
    await customElements.whenDefined("pchr-player");
    const { getWasm } = await import("/package/wasm.js");
    const wasm = await getWasm(true);
    const cycle = async (renderer) => {
      const el = document.createElement("pchr-player");
      el.src = "${LAMP}";
      el.renderer = renderer;
      document.body.append(el);
      await el.ready;
      for (let at = 0; at < 200 && !el.drawnBy; at += 1) await new Promise(requestAnimationFrame);
      if (!el.drawnBy) throw new Error("not drawn");
      el.remove();
      await new Promise(requestAnimationFrame);
    };
    const measure = () => { gc(); gc(); return { wasm: wasm.buffer.byteLength, heap: performance.memory.usedJSHeapSize }; };
    for (let at = 0; at < 20; at += 1) await cycle(at % 2 ? "webgl" : "cpu");
    const before = measure();
    for (let at = 0; at < 200; at += 1) await cycle(at % 2 ? "webgl" : "cpu");
    return { before, after: measure() };`);
  assert.equal(found.after.wasm, found.before.wasm, "WebAssembly memory");
  assert.ok(found.after.heap - found.before.heap < 1_000_000, JSON.stringify(found));
});

test("a page with a strict policy works", async () => {
  await browser.log();
  await page(`<pchr-player src="${LAMP}" background="checker" controls renderer="cpu"></pchr-player><pchr-player src="${LAMP}"></pchr-player>`, { policy: "1" });
  const found = await browser.js(`${READY}
    const all = [...document.querySelectorAll("pchr-player")];
    await all[1].ready;
    await until(() => all.every((el) => el.drawnBy && covered(el) > 500), "drawn");
    const style = getComputedStyle(all[0].shadowRoot.querySelector("canvas"));
    return { by: all.map((el) => el.drawnBy), position: style.position, image: style.backgroundImage };`);
  assert.deepEqual(found.by, ["cpu", "webgl"]);
  assert.equal(found.position, "absolute");
  assert.match(found.image, /gradient/);
  const violations = (await browser.log()).filter((message) => /Content Security Policy/.test(message));
  assert.deepEqual(violations, []);
});

test("a server that sends another type for wasm works", async () => {
  await page(`<pchr-player src="${LAMP}"></pchr-player>`, { script: "/plain-types/pchr-player.js" });
  assert.match(await browser.js(`${READY} return el.info.format;`), /Spine/);
});

test("the inlined build needs no other file", async () => {
  const before = server.requests.length;
  await page(`<pchr-player src="/assets/paper-knight.pchr" renderer="cpu"></pchr-player>`, { script: "/package/pchr-player.inline.js" });
  assert.ok((await browser.js(`${READY} await until(() => covered(el) > 500, "drawn"); return covered(el);`)) > 500);
  const asked = server.requests.slice(before).filter((path) => path.startsWith("/package/"));
  assert.deepEqual(asked, ["/package/pchr-player.inline.js"]);
});

test("a page that is too slow without a GPU averages no pictures that pass, and all that stay", async () => {
  await page(`<pchr-player src="${LAMP}" renderer="cpu"></pchr-player>`);
  const found = await browser.js(`${READY}
    const [{ getGl }, { Character, Player }] = await Promise.all([import("/package/gl.js"), import("/package/pchr.js")]);
    const gl = getGl();
    const player = new Player(await Character.load("${LAMP}"));
    const target = Object.assign(document.createElement("canvas"), { width: 60, height: 80 }).getContext("2d");
    const drawn = (isPassing) => {
      player.setView(60, 80, [-150, -20, 150, 440]);
      gl.draw(player, target, isPassing);
      gl.present();
      return target.getImageData(0, 0, 60, 80).data.join();
    };
    const paced = (count, secs, times) => { for (let at = 0; at < times; at += 1) gl.pace(secs, count); return gl.isHurried; };
    const [passing, staying] = [drawn(true), drawn(false)];
    const isHurried = [paced(16, 0.016, 50), paced(16, 5, 1), paced(16, 0.06, 50), paced(16, 0.016, 50), paced(15, 0.016, 1), paced(16, 0.06, 50)];
    const result = [passing === staying, drawn(true) === staying, drawn(false) === staying];
    return { isHurried: [...isHurried, paced(16, 0, 1)], result };`);
  assert.deepEqual(found, { isHurried: [false, false, true, true, false, true, false], result: [true, false, true] });
});

test("a lost context goes over to the CPU and back", async () => {
  await page(`<pchr-player src="${LAMP}" autoplay></pchr-player>`);
  const found = await browser.js(`${READY}
    const seen = [];
    await until(() => el.drawnBy === "webgl", "webgl");
    el.addEventListener("renderer", (event) => seen.push([event.renderer, event.reason]));
    const { getGl } = await import("/package/gl.js");
    const lose = getGl().gl.getExtension("WEBGL_lose_context");
    lose.loseContext();
    await until(() => el.drawnBy === "cpu", "cpu");
    await until(() => covered(el) > 500, "a picture without WebGL");
    lose.restoreContext();
    await until(() => el.drawnBy === "webgl", "webgl again");
    await frames(2);
    return { seen, covered: covered(el) };`);
  assert.deepEqual(found.seen.map(([renderer]) => renderer), ["cpu", "webgl"]);
  assert.match(found.seen[0][1], /lost/);
  assert.ok(found.covered > 500);
});

test("an atlas is found under the names that exporters give it, and another can be named", async () => {
  const folder = join(temporary, "names");
  mkdirSync(join(folder, "elsewhere"), { recursive: true });
  copyFileSync(join(ROOT, "assets/paper-lamp.json"), join(folder, "lamp-pro.json"));
  copyFileSync(join(ROOT, "assets/paper-lamp.png"), join(folder, "paper-lamp.png"));
  copyFileSync(join(ROOT, "assets/paper-lamp.atlas"), join(folder, "lamp.atlas"));
  copyFileSync(join(ROOT, "assets/paper-lamp.json"), join(folder, "alone.json"));
  copyFileSync(join(ROOT, "assets/paper-lamp.png"), join(folder, "elsewhere/paper-lamp.png"));
  writeFileSync(join(folder, "elsewhere/parts.txt"), readFileSync(join(ROOT, "assets/paper-lamp.atlas")));
  await page(`<pchr-player src="/temporary/names/lamp-pro.json"></pchr-player>`);
  const pages = `${READY} await until(() => covered(el) > 500, "drawn"); return [el.info.pages.length, el.findings.map(({ code }) => code)];`;
  assert.equal((await browser.js(pages))[0], 1);
  await page(`<pchr-player src="/temporary/names/alone.json" atlas="/temporary/names/elsewhere/parts.txt"></pchr-player>`);
  assert.equal((await browser.js(pages))[0], 1);
});

test("what is wrong is an event and a message", async () => {
  copyFileSync(join(ROOT, "assets/paper-lamp.json"), join(temporary, "no-atlas.json"));
  const lamp = JSON.parse(readFileSync(join(ROOT, "assets/paper-lamp.json"), "utf8"));
  lamp.bones[1].parent = "nobody";
  writeFileSync(join(temporary, "damaged.json"), JSON.stringify(lamp));
  const cases = [
    ["/temporary/nothing.json", "io", "", /nothing.json: .*404/],
    ["/temporary/no-atlas.json", "missing-image", null, /atlas|image|picture/],
    ["/temporary/damaged.json", "unknown-bone", "/bones/1/parent", /nobody/],
  ];
  for (const [src, code, path, message] of cases) {
    await page("");
    const found = await browser.js(`
      await customElements.whenDefined("pchr-player");
      const made = document.createElement("pchr-player");
      made.addEventListener("error", ({ code, path, message }) => (window.lastError ??= { code, path, message }));
      made.src = args[0];
      document.body.append(made);
      ${ERROR}`, src);
    assert.ok(found.isShown, src);
    assert.match(found.text, message);
    console.log(JSON.stringify(found.last));
    assert.equal(found.last?.message, found.text);
    if (path !== null) assert.equal(found.last?.path, path, src);
    assert.ok(found.last?.code, src);
  }
});

test("a module that is missing is an event and a message", async () => {
  await page("");
  const found = await browser.js(`
    const { setWasm } = await import("/package/pchr-player.js");
    setWasm("/package/nothing.wasm");
    const made = document.createElement("pchr-player");
    made.addEventListener("error", ({ code, path, message }) => (window.lastError ??= { code, path, message }));
    made.src = "${LAMP}";
    document.body.append(made);
    ${ERROR}`);
  assert.ok(found.isShown);
  assert.equal(found.last.code, "no-wasm");
  assert.match(found.text, /nothing.wasm: HTTP 404/);
});

test("reduced motion shows the first frame until someone plays", async () => {
  await browser.reduceMotion(true);
  try {
    await page(`<pchr-player src="${LAMP}" autoplay></pchr-player>`);
    const found = await browser.js(`${READY}
      await until(() => el.drawnBy, "drawn");
      await new Promise((done) => setTimeout(done, 200));
      const still = [el.paused, el.currentTime];
      el.play();
      await until(() => el.currentTime > 0, "it plays");
      return { still, paused: el.paused };`);
    assert.deepEqual(found, { still: [true, 0], paused: false });
  } finally {
    await browser.reduceMotion(false);
  }
});

test("the controls work with keys and have names", async () => {
  await page(`<pchr-player src="${LAMP}" controls alt="A lamp"></pchr-player>`);
  const names = await browser.js(`${READY}
    await until(() => el.drawnBy, "drawn");
    const root = el.shadowRoot;
    const named = [...root.querySelectorAll("button, input, select")].map((control) => control.getAttribute("aria-label") ?? control.textContent);
    return { named, canvas: root.querySelector("canvas").getAttribute("aria-label") };`);
  assert.deepEqual(names, { named: ["Play", "Position", "Animation", "Skin"], canvas: "A lamp" });
  const [TAB, RIGHT, DOWN] = ["\uE004", "\uE014", "\uE015"];
  await browser.press(TAB, " ");
  assert.equal(await browser.js(`${READY} await until(() => !el.paused, "it plays"); return el.shadowRoot.querySelector("button").textContent;`), "Pause");
  await browser.press(TAB, RIGHT);
  assert.ok(await browser.js(`${READY} await until(() => el.paused, "it is paused"); return el.shadowRoot.activeElement.getAttribute("aria-valuetext");`));
  await browser.press(TAB);
  const before = await browser.js(`${READY} return el.playing.animation;`);
  await browser.press(DOWN);
  assert.notEqual(await browser.js(`${READY} return el.playing.animation;`), before);
});

test("attributes are live properties", async () => {
  await page(`<pchr-player src="${LAMP}" animation="idle"></pchr-player>`);
  const found = await browser.js(`${READY}
    el.animation = "hop";
    const hop = el.playing.animation;
    el.skin = "blue";
    const skins = el.playing.skins;
    el.speed = 2;
    el.setAttribute("loop", "once");
    el.loop = "loop";
    el.controls = true;
    el.background = "#112233";
    const color = getComputedStyle(el.shadowRoot.querySelector("canvas")).backgroundColor;
    el.src = "/assets/paper-knight.pchr";
    el.removeAttribute("animation");
    el.removeAttribute("skin");
    await el.ready;
    return { hop, skins, rate: el.playbackRate, loop: el.getAttribute("loop"), bar: !!el.shadowRoot.querySelector("[role=group]"), color, other: el.info.format };`);
  assert.deepEqual(found, { hop: "hop", skins: ["blue"], rate: 2, loop: "loop", bar: true, color: "rgb(17, 34, 51)", other: found.other });
  assert.match(found.other, /PCHR/);
});

test("the visible area can be set, and fits again", async () => {
  await page(`<pchr-player src="${LAMP}"></pchr-player>`);
  const found = await browser.js(`${READY}
    await until(() => el.drawnBy, "drawn");
    const all = covered(el);
    const [x, y, width, height] = el.area;
    el.area = [x - width, y - height, 3 * width, 3 * height];
    await frames(3);
    const far = [covered(el), el.area];
    el.area = [1, 2, NaN, 0];
    const fitted = el.area;
    return { all, far, start: [x, y, width, height], fitted };`);
  const [x, y, width, height] = found.start;
  assert.deepEqual(found.far[1], [x - width, y - height, 3 * width, 3 * height]);
  assert.ok(found.far[0] > 0 && found.far[0] < found.all / 6, JSON.stringify(found));
  assert.deepEqual(found.fitted, found.start);
});

test("tracks, queues, bones, attachments and hits", async () => {
  await page(`<pchr-player src="${LAMP}" animation="hop"></pchr-player>`);
  const found = await browser.js(`${READY}
    await until(() => el.drawnBy, "drawn");
    el.queue("idle", { loop: true });
    el.play("idle", { track: 1, weight: 0.5, fade: 0.1 });
    el.play("hop", { track: 2, speed: -1, end: 2, range: [0.1, 0.5], attachments: 1, drawOrder: 0.5, events: 1, add: true, hold: true, shortest: true, reverse: true });
    el.queue("", { track: 2, fade: 0.1, delay: 0.5 });
    el.stop({ track: 2, keep: true });
    el.pause();
    const { left, top, width, height } = el.getBoundingClientRect();
    const seen = new Set();
    for (let y = 5; y < height; y += 10) for (let x = 5; x < width; x += 10) seen.add(el.hitTest(left + x, top + y).slot);
    const before = await (await el.toBlob()).arrayBuffer();
    el.moveBone(el.boneNames.at(-1), 200, 300);
    el.releaseBone();
    el.setAttachment("shade", null);
    const after = await (await el.toBlob()).arrayBuffer();
    el.setAttachment("shade");
    const again = await (await el.toBlob()).arrayBuffer();
    const same = (a, b) => a.byteLength === b.byteLength && new Uint8Array(a).every((byte, at) => byte === new Uint8Array(b)[at]);
    const failure = (call) => { try { call(); } catch (error) { return error.message; } };
    const wrong = failure(() => el.play("hopp"));
    const settings = [{ weight: 2 }, { wieght: 1 }, { range: [1, 0] }].map((options) => failure(() => el.play("hop", options)));
    return { seen: [...seen], hidden: !same(before, after), back: same(before, again), wrong, settings };`);
  assert.ok(found.seen.includes(null) && found.seen.includes("shade"), JSON.stringify(found.seen));
  assert.ok(found.hidden && found.back);
  assert.match(found.wrong, /did you mean `hop`/);
  ["weight=2", "wieght=1", "range=1..0"].forEach((text, at) => assert.ok(found.settings[at].startsWith(`invalid setting \`${text}\``), found.settings[at]));
});

test("overlays are drawn as pchr-view draws them, and unknown ones are errors", async () => {
  await page(`<pchr-player src="${LAMP}" animation="hop"></pchr-player>`);
  for (const show of ["bones", "weights=head", "ik,weights=#4", "names,wire,order"]) {
    program("pchr-view", join(ROOT, "assets/paper-lamp.json"), "-o", join(temporary, "overlays.png"), "--force", "--backend", "cpu", "-a", "hop", "-t", "0.25", "--fit", "-100,-20,240,240", "-s", "240x240", "--show", show);
    const found = await browser.js(`${READY}
      el.seek(0.25);
      const pixelsOf = async (blob) => {
        const picture = await createImageBitmap(blob);
        const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
        context.drawImage(picture, 0, 0);
        return context.getImageData(0, 0, picture.width, picture.height).data;
      };
      const shown = async (show) => { el.show = show; return pixelsOf(await el.toBlob({ area: [-100, -20, 240, 240], width: 240, height: 240 })); };
      const expected = await pixelsOf(await (await fetch("/temporary/overlays.png", { cache: "no-store" })).blob());
      const none = await shown("");
      const [seen, differ] = [await shown(args[0]), (a, b) => a.filter((value, at) => value !== b[at]).length];
      return [differ(seen, expected), differ(seen, none) > 100];`, show);
    assert.deepEqual(found, [0, true], show);
  }
  await page(`<pchr-player src="${LAMP}" renderer="cpu"></pchr-player>`);
  const inWorker = await browser.js(`${READY}
    await until(() => el.drawnBy === "cpu", "drawn");
    const before = pixels(el).slice();
    el.show = "weights=head";
    await until(() => pixels(el).filter((value, at) => value !== before[at]).length > 100, "weights");
    return el.drawnBy;`);
  assert.equal(inWorker, "cpu");
  const errors = await browser.js(`${READY}
    const said = [];
    el.addEventListener("error", ({ code, message }) => said.push(code + ": " + message));
    for (const show of ["bonse", "onion", "weights=nobody", "weights=#99", "bones=x", "weights", "weights=", " bones , wire "]) el.show = show;
    return said;`);
  assert.equal(errors.length, 7, JSON.stringify(errors));
  assert.match(errors[0], /^no-overlay: there is no overlay `bonse`; .* lists them$/);
  assert.equal(errors[1], "no-overlay: the player cannot show `onion`");
  assert.match(errors[2], /^unknown-name: the character has no bone `nobody`;/);
  assert.match(errors[3], /^unknown-name: the character has no bone `#99`;/);
  const noBone = "bad-overlay: expected a bone, as in weights=arm or weights=#3";
  assert.deepEqual(errors.slice(4), ["bad-overlay: bones takes no value", noBone, noBone]);
});

test("dropped files and maps open", async () => {
  await page("<pchr-player></pchr-player>");
  const found = await browser.js(`
    await customElements.whenDefined("pchr-player");
    const el = document.querySelector("pchr-player");
    const bytes = async (name) => new Uint8Array(await (await fetch("/assets/" + name)).arrayBuffer());
    const names = ["paper-lamp.png", "paper-lamp.atlas", "paper-lamp.json"];
    const files = await Promise.all(names.map(async (name) => new File([await bytes(name)], name)));
    await el.load(files);
    const first = [el.info.pages.length, el.findings.length];
    await el.load(new Map([["deep/x/lamp.json", await bytes(names[2])], ["deep/x/lamp.atlas", await bytes(names[1])], ["deep/x/paper-lamp.png", await bytes(names[0])]]));
    const deep = [el.info.pages.length, el.findings.length];
    // Of many files, only those that the character needs are read, or all to find an atlas with another name.
    let reads = 0;
    const counted = (file) => Object.assign(file, { arrayBuffer: () => ((reads += 1), Blob.prototype.arrayBuffer.call(file)) });
    const many = new Map(files.map((file) => [file.name, counted(file)]));
    for (let at = 0; at < 9; at += 1) many.set(at + ".png", counted(new File(["x"], at + ".png")));
    many.set("other.json", counted(new File([files[2]], "other.json")));
    const load = async (main) => {
      reads = 0;
      await el.load(many, { main });
      return [el.info.pages.length, reads];
    };
    return [first, deep, await load("paper-lamp.json"), await load("other.json")];`);
  assert.deepEqual(found, [[1, 0], [1, 0], [1, 3], [1, 13]]);
});

test("hostile files give an error or a picture, and the page goes on", async (context) => {
  const hostile = join(CONFORMANCE, "hostile");
  let names = [];
  try {
    names = readdirSync(hostile, { recursive: true }).filter((name) => statSync(join(hostile, name)).isFile() && !/\.(md|txt)$/.test(name));
  } catch {
    return context.skip("there is no corpus beside the project");
  }
  // One page for all of them: what one leaves behind must not harm the next.
  await page(`<button>click</button>`);
  let longest = [0, ""];
  for (const name of names) {
    const found = await browser.js(`
      await customElements.whenDefined("pchr-player");
      let longest = 0, last = performance.now(), is_done = false;
      const watch = () => { const now = performance.now(); longest = Math.max(longest, now - last); last = now; if (!is_done) setTimeout(watch, 5); };
      watch();
      const el = document.createElement("pchr-player");
      const settled = new Promise((resolve) => { el.addEventListener("error", (event) => resolve(event.code)); el.addEventListener("renderer", () => resolve("picture")); });
      el.src = args[0];
      el.autoplay = true;
      document.body.append(el);
      const result = await Promise.race([settled, new Promise((resolve) => setTimeout(() => resolve("nothing"), 60000))]);
      // A few frames more, which it plays.
      for (let at = 0; at < 5; at += 1) await new Promise(requestAnimationFrame);
      await new Promise((resolve) => setTimeout(resolve, 20));
      is_done = true;
      let clicked = false;
      document.querySelector("button").onclick = () => (clicked = true);
      document.querySelector("button").click();
      el.remove();
      return { result, longest, clicked };`, `/conformance/hostile/${name.split("/").map(encodeURIComponent).join("/")}`);
    assert.ok(found.clicked && found.result !== "nothing", `${name}: ${JSON.stringify(found)}`);
    if (found.longest > longest[0]) longest = [found.longest, name, found.result];
  }
  console.log(`${names.length} files, longest time without an answer: ${Math.round(longest[0])} ms (${longest[1]}: ${longest[2]})`);
  assert.ok(longest[0] < MAX_SILENCE, String(longest));
});

test("what a page loads stays within the budget", () => {
  const modules = readdirSync(PACKAGE).filter((name) => name.endsWith(".js") && !/inline|worker|^tools/.test(name));
  const size = (name) => gzipSync(readFileSync(join(PACKAGE, name)), { level: 9 }).length;
  for (const [module, budget] of Object.entries(BUDGETS)) {
    const sum = [...modules, module].reduce((sum, name) => sum + size(name), 0);
    assert.ok(sum < budget, `${module}: ${sum} bytes`);
  }
});

test("Spine has a smaller module, which others do not load", async () => {
  const document = JSON.parse(readFileSync(join(ROOT, "tests/fixtures/pchr-json/description/input.json"), "utf8"));
  const disguised = JSON.stringify({ skeleton: {}, ...document });
  const load = (source) => `const { Character } = await import("/package/pchr-player.js"); return (await Character.load(${source})).info.format;`;
  // The content says what a picture is, not its name.
  for (const name of ["red-blue.jpg", "red-blue.webp"]) {
    mkdirSync(join(temporary, name));
    copyFileSync(join(ROOT, "tests/fixtures/pictures", name), join(temporary, name, "body.png"));
    writeFileSync(join(temporary, name, "body.json"), JSON.stringify({
      skeleton: { spine: "4.2.40" }, bones: [{ name: "root" }], slots: [{ name: "body", bone: "root", attachment: "body" }],
      skins: [{ name: "default", attachments: { body: { body: { width: 80, height: 60 } } } }],
    }));
  }
  const cases = [
    [load(`"${LAMP}"`), /^Spine skeleton \(JSON\)/, ["pchr_spine.wasm"]],
    [load(`"/assets/paper-lamp-4.2.skel"`), /^Spine skeleton \(binary/, ["pchr_spine.wasm"]],
    [load(`"/assets/paper-knight.pchr"`), /^PCHR/, ["pchr_web.wasm"]],
    [load(`new Map([["a.json", ${JSON.stringify(disguised)}]])`), /JSON/, ["pchr_spine.wasm", "pchr_web.wasm"]],
    [load(`"/temporary/red-blue.jpg/body.json"`), /^Spine/, ["pchr_spine.wasm", "pchr_web.wasm"]],
    [load(`"/temporary/red-blue.webp/body.json"`), /^Spine/, ["pchr_spine.wasm", "pchr_web.wasm"]],
  ];
  for (const [script, format, modules] of cases) {
    await page("");
    const before = server.requests.length;
    assert.match(await browser.js(script), format);
    const asked = server.requests.slice(before).filter((path) => path.endsWith(".wasm"));
    assert.deepEqual(asked, modules.map((name) => `/package/${name}`), String(format));
  }
});

test("the package is complete", () => {
  const { exports: exported, types, customElements } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
  const paths = Object.values(exported).flatMap((path) => (typeof path === "string" ? [path] : Object.values(path)));
  for (const path of [...paths, types, customElements, "README.md", "LICENSE-MIT", "LICENSE-APACHE"]) statSync(join(PACKAGE, path));
  const { modules } = JSON.parse(readFileSync(join(PACKAGE, customElements), "utf8"));
  const listed = modules[0].declarations[0].attributes.map(({ name }) => name).sort();
  const source = readFileSync(join(PACKAGE, "pchr-player.js"), "utf8");
  const observed = JSON.parse(`[${source.match(/observedAttributes = \[([^\]]*)\]/)[1].trim().replace(/,$/, "")}]`).sort();
  assert.deepEqual(listed, observed);
});
