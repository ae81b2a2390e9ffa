// Animated pictures, conversions and archives in a real browser; bench.mjs explains the variables.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { LAMP, PROGRAMS, browser, page, program, server, temporary } from "./bench.mjs";
import { READY, ROOT } from "./browser.mjs";
import { zip } from "./zip.mjs";

/** Compares files of a page, by name, with those of a folder. */
const SAME = `
  const same = async (files, folder, names) => {
    const different = [];
    for (const name of names) {
      const expected = new Uint8Array(await (await fetch(folder + name, { cache: "reload" })).arrayBuffer());
      const found = files.get(name);
      if (!found || found.length !== expected.length || found.some((byte, at) => byte !== expected[at])) different.push([name, found?.length, expected.length]);
    }
    return { different, more: [...files.keys()].filter((name) => !names.includes(name)) };
  };`;

const asset = (name) => readFileSync(join(ROOT, "assets", name));
/** A lamp in a folder of an archive, with what macOS adds. */
const LAMP_FILES = ["paper-lamp.json", "paper-lamp.atlas", "paper-lamp.png"];
const lampZip = () => zip([["__MACOSX/a/._paper-lamp.json", "x"], ...LAMP_FILES.map((name) => [`a/${name}`, asset(name)])]);

test("the tools are loaded only when they are asked for", async () => {
  const before = server.requests.length;
  await page(`<pchr-player src="${LAMP}" autoplay></pchr-player>`);
  await browser.js(`${READY} await until(() => el.currentTime > 0, "it plays"); await el.toBlob();`);
  const asked = () => server.requests.slice(before).filter((path) => /tools/.test(path));
  assert.deepEqual(asked(), []);
  await browser.js(`await document.querySelector("pchr-player").exportAnimation("apng", { width: 20, height: 20, fps: 4 });`);
  assert.ok(asked().includes("/package/pchr_tools.wasm"), asked().join());
});

test("animated pictures are those of pchr-view", async (context) => {
  if (!PROGRAMS) return context.skip("PCHR_PROGRAMS is not set");
  const cases = [
    ["paper-lamp.json", { animation: "hop", fps: 10, area: [-150, -20, 300, 460], width: 60, height: 92 }, "blue"],
    ["paper-knight.pchr", { animation: "walk", loops: 2, speed: 2, area: [-200, -20, 400, 480], width: 50, height: 60 }],
  ];
  for (const [file, options, skin] of cases) {
    const { animation, fps, loops, speed, area, width, height } = options;
    const args = ["-a", animation, "--fit", area.join(","), "-s", `${width}x${height}`, "--force", "--backend", "cpu"];
    for (const [name, value] of Object.entries({ fps, loops, speed, skin })) if (value !== undefined) args.push(`--${name}`, String(value));
    const formats = ["apng", "webp", "gif"];
    for (const format of formats) program("pchr-view", join(ROOT, "assets", file), "-o", join(temporary, `expected.${format}`), ...args);
    await page(`<pchr-player src="/assets/${file}"${skin ? ` skin="${skin}"` : ""}></pchr-player>`);
    const found = await browser.js(`${READY} ${SAME}
      const files = new Map();
      const types = [];
      for (const format of args[1]) {
        const blob = await el.exportAnimation(format, args[0]);
        types.push(blob.type);
        files.set("expected." + format, new Uint8Array(await blob.arrayBuffer()));
      }
      const { different } = await same(files, "/temporary/", [...files.keys()]);
      return { different, sizes: [...files.values()].map((bytes) => bytes.length), types };`,
      options, formats);
    assert.deepEqual(found.different, [], file);
    assert.ok(Math.min(...found.sizes) > 1000, String(found.sizes));
    assert.deepEqual(found.types, ["image/apng", "image/webp", "image/gif"]);
  }
});

test("an animated picture needs a format and an animation that exist, and can be stopped", async () => {
  await page(`<pchr-player src="${LAMP}" animation="hop"></pchr-player>`);
  const found = await browser.js(`${READY}
    const codes = [];
    const attempt = async (run) => { try { await run(); codes.push(null); } catch (error) { codes.push([error.code, error.name, error.message]); } };
    await attempt(() => el.exportAnimation("mp4"));
    await attempt(() => el.exportAnimation("gif", { animation: "hopp" }));
    await attempt(() => el.exportAnimation("gif", { colour: 1 }));
    await attempt(() => el.exportAnimation("gif", { width: 100000, height: 100000 }));
    await attempt(() => el.exportAnimation("apng", { signal: AbortSignal.abort() }));
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    await attempt(() => el.exportAnimation("apng", { width: 2000, height: 2000, fps: 500, signal: stop.signal }));
    return { codes, playing: el.playing.animation };`);
  const [format, animation, option, size, before, during] = found.codes;
  assert.match(format[2], /`mp4` cannot be written/);
  assert.match(animation[2], /hopp.*|no animation/);
  assert.equal(option[0], "bad-request");
  assert.equal(size[0], "picture-too-large");
  assert.equal(before[1], "AbortError");
  assert.equal(during[1], "AbortError");
  assert.equal(found.playing, "hop");
});

test("conversions write the files of pchr convert", async (context) => {
  if (!PROGRAMS) return context.skip("PCHR_PROGRAMS is not set");
  for (const [file, to, extension] of [["paper-lamp.json", "pchr", "pchr"], ["paper-lamp.json", "skelform", "skf"], ["paper-knight.pchr", "pchr-json", "json"], ["paper-lamp-4.2.json", "skel42", "skel"]]) {
    const name = file.replace(/\..*$/, "");
    const stem = file.replace(/\.[^.]*$/, "");
    const folder = join(temporary, `${to}-${name}`);
    mkdirSync(folder, { recursive: true });
    program("pchr", "convert", join(ROOT, "assets", file), "-o", join(folder, `${stem}.${extension}`), "--to", to);
    const names = readdirSync(folder, { recursive: true }).filter((path) => statSync(join(folder, path)).isFile());
    assert.ok(names.length > 0);
    await page(`<pchr-player src="/assets/${file}"></pchr-player>`);
    const found = await browser.js(`${READY} ${SAME}
      const targets = await el.character.targets();
      const { files, losses, to } = await el.convert(args[0]);
      return { ...await same(files, args[1], args[2]), first: [...files.keys()][0], to, losses: losses.length, targets: targets.map(({ name }) => name) };`,
      to, `/temporary/${to}-${name}/`, names);
    assert.deepEqual([found.different, found.more], [[], []], `${file} to ${to}`);
    assert.equal(found.first, `${stem}.${extension}`);
    assert.ok(found.targets.includes(to) && found.targets.length > 5, found.targets.join());
    assert.ok(!found.targets.includes("sheet"), "a skeleton is no sheet");
  }
});

test("a conversion to what does not exist names what does", async () => {
  await page(`<pchr-player src="${LAMP}"></pchr-player>`);
  const message = await browser.js(`${READY} try { await el.convert("fbx"); } catch (error) { return error.message; }`);
  assert.match(message, /no format `fbx`.*pchr/);
});

test("a zip is a folder: as an address, dropped, and among names", async () => {
  writeFileSync(join(temporary, "lamp.zip"), lampZip());
  await page(`<pchr-player src="/temporary/lamp.zip"></pchr-player>`);
  const found = await browser.js(`${READY}
    const seen = () => [el.character.main, el.info.pages.length, el.findings.length];
    const first = seen();
    const bytes = await (await fetch("/temporary/lamp.zip")).arrayBuffer();
    await el.load([new File([bytes], "lamp.zip")]);
    const second = seen();
    await until(() => covered(el) > 500, "drawn");
    const { zip, unzip } = await import("/package/tools.js");
    const packed = await zip(el.character.files);
    const again = await unzip(new Uint8Array(await packed.arrayBuffer()));
    await el.load(again, { main: "a/paper-lamp.json" });
    return [first, second, seen(), [...again.keys()].sort()];`);
  const expected = ["a/paper-lamp.json", 1, 0];
  assert.deepEqual(found, [expected, expected, expected, LAMP_FILES.map((name) => `a/${name}`).sort()]);
});

test("hostile zips are refused, and the page goes on", async () => {
  const bomb = zip([["lamp.json", Buffer.alloc(64 << 20, " ")]]);
  // It promises less than it unpacks to, or far more.
  const lying = (size) => {
    const bytes = Buffer.from(bomb);
    bytes.writeUInt32LE(size, 22);
    bytes.writeUInt32LE(size, bytes.indexOf("PK\x01\x02") + 24);
    return bytes;
  };
  const two = zip([["lamp.json", "{}"], ["lamp.json", "[]"]]);
  const cases = {
    "out.zip": [zip([["lamp.json", "{}"], ["../x.json", "{}"]]), "entry-leads-out"],
    "deep.zip": [zip([["a/../../x.json", "{}"]]), "entry-leads-out"],
    "absolute.zip": [zip([["/etc/x.json", "{}"]]), "entry-leads-out"],
    "drive.zip": [zip([["C:\\x.json", "{}"]]), "entry-leads-out"],
    "backslash.zip": [zip([["..\\x.json", "{}"]]), "entry-leads-out"],
    "short.zip": [lying(100), "bad-zip"],
    "bomb.zip": [lying(0xffff0000), "bad-zip"],
    "twice.zip": [two, "duplicate-entry"],
    "empty.zip": [zip([]), "io"],
    "cut.zip": [lampZip().subarray(0, 300), "bad-zip"],
    "text.zip": [Buffer.from("no zip"), "bad-zip"],
  };
  for (const [name, [bytes]] of Object.entries(cases)) writeFileSync(join(temporary, name), bytes);
  await page("<pchr-player></pchr-player>");
  const found = await browser.js(`
    await customElements.whenDefined("pchr-player");
    const el = document.querySelector("pchr-player");
    const codes = {};
    for (const name of args[0]) {
      try { await el.load("/temporary/" + name); codes[name] = null; } catch (error) { codes[name] = error.code; }
    }
    await el.load("${LAMP}");
    return { codes, format: el.info.format };`, Object.keys(cases));
  assert.deepEqual(found.codes, Object.fromEntries(Object.entries(cases).map(([name, [, code]]) => [name, code])));
  assert.match(found.format, /Spine/);
});

test("the tools work under a strict policy, and without workers", async () => {
  await browser.log();
  for (const prelude of ["", "globalThis.Worker = undefined;"]) {
    await page(`<pchr-player src="${LAMP}" animation="hop"></pchr-player>`, { policy: "1" });
    const size = await browser.js(`${prelude} ${READY} return (await el.exportAnimation("gif", { width: 40, height: 60, fps: 5 })).size;`);
    assert.ok(size > 500, String(size));
  }
  assert.deepEqual((await browser.log()).filter((message) => /Content Security Policy/.test(message)), []);
});

test("the player in one file says that it has no tools", async () => {
  await page(`<pchr-player src="${LAMP}"></pchr-player>`, { script: "/package/pchr-player.inline.js" });
  const code = await browser.js(`${READY} try { await el.exportAnimation("apng"); } catch (error) { return error.code; }`);
  assert.equal(code, "no-tools");
});
