// The viewer page: its face, and what it opens. bench.mjs explains the variables.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { COMMANDS } from "../commands.mjs";
import { WEB, browser, server } from "./bench.mjs";
import { ROOT, serve } from "./browser.mjs";
import { LAMP_FILES, LATER_LAMP_FILES, PAGE, contents, viewer } from "./viewer.mjs";
import { zip } from "./zip.mjs";

const WINDOW = join(ROOT, "programs/window/src");
const VIEWER = join(ROOT, "bindings/web/viewer");
const read = (...path) => readFileSync(join(...path), "utf8");

test("the page has the colours and sizes of the window", () => {
  const rust = read(WINDOW, "widgets/theme.rs");
  const css = read(VIEWER, "theme.css");
  const hex = (bytes) => `#${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  const palette = (name) => {
    const rows = rust.match(new RegExp(`const ${name}: Palette = Palette \\{([^}]*)\\}`))[1];
    const found = [...rows.matchAll(/(\w+): Color32::from_rgb\(0x(..), 0x(..), 0x(..)\)/g)];
    return Object.fromEntries(found.map(([, field, ...bytes]) => [field.replace("_", "-"), bytes.map((byte) => parseInt(byte, 16))]));
  };
  const [light, dark] = [palette("LIGHT"), palette("DARK")];
  assert.ok(Object.keys(dark).length >= 10);
  const wanted = new Map(Object.keys(dark).map((name) => [name, [hex(light[name]), hex(dark[name])]]));
  const lifted = (field) => Number(rust.match(new RegExp(`\\b${field}: state\\((\\d+),`))[1]);
  for (const [name, field] of [["button", "inactive"], ["hover", "hovered"], ["pressed", "active"]]) {
    const by = lifted(field);
    wanted.set(name, [hex(light.panel.map((byte) => byte - by)), hex(dark.panel.map((byte) => byte + by))]);
  }
  for (const [name, [inLight, inDark]] of wanted) assert.match(css, new RegExp(`--${name}: light-dark\\(${inLight}, ${inDark}\\);`), name);
  const pairs = [...wanted.values()].map((pair) => String(pair));
  const ofElement = [...read(ROOT, "bindings/web/js/style.js").matchAll(/light-dark\((#\w+), (#\w+)\)/g)].map(([, ...pair]) => String(pair));
  assert.ok(ofElement.length > 8);
  assert.deepEqual(ofElement.filter((pair) => !pairs.includes(pair)), ["#ffffff,#2a2d34", "#ebedf0,#30343c"], "of the squares");
  for (const [name, style] of [["small", "Small"], ["body", "Body"], ["heading", "Heading"]]) {
    assert.match(css, new RegExp(`--${name}: ${Number(rust.match(new RegExp(`TextStyle::${style}, ([\\d.]+)`))[1])}px`), name);
  }
  for (const [name, field] of [["round", "\\bcorner_radius"], ["round-menu", "menu_corner_radius"], ["round-window", "window_corner_radius"]]) {
    assert.match(css, new RegExp(`--${name}: ${rust.match(new RegExp(`${field}: CornerRadius::same\\((\\d+)\\)`))[1]}px`), name);
  }
});

test("text has enough contrast in both schemes", () => {
  const css = read(VIEWER, "theme.css");
  const luminance = (color) => {
    const [r, g, b] = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16) / 255).map((it) => (it <= 0.04045 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const pairs = [
    ...["panel", "sunken", "button", "hover", "pressed", "accent-faint", "error-faint"].map((ground) => ["text", ground]),
    ["text-weak", "panel"], ["text-weak", "sunken"], ["panel", "accent"], ["error", "panel"], ["warning", "panel"],
  ];
  for (const [ink, ground] of pairs) for (const scheme of [1, 2]) {
    const [one, other] = [ink, ground].map((name) => luminance(css.match(new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`))[scheme]) + 0.05);
    const contrast = Math.max(one, other) / Math.min(one, other);
    assert.ok(contrast >= 4.5, `${ink} on ${ground}, ${scheme === 1 ? "light" : "dark"}: ${contrast.toFixed(2)}`);
  }
});

test("the page has the squares of the window, chosen by the same rule", async () => {
  const rust = read(WINDOW, "scene/checkerboard.rs");
  const row = (pattern) => [...rust.match(new RegExp(`Self::${pattern} => \\[(\\[.*\\])\\]`))[1].matchAll(/\[0x(..), 0x(..), 0x(..)\]/g)].map(([, ...bytes]) => `#${bytes.join("")}`);
  await viewer(async () => {
    const found = await browser.js(`
      const { SQUARES, chosen, levelOf } = await import("/viewer/squares.js");
      const tones = (...colors) => colors.reduce((sum, [color, share]) => ((sum[levelOf(color)] += share), sum), new Float64Array(256));
      const cases = [[], [[[220, 120, 60], 80], [[240, 230, 220], 20]], [[[30, 32, 40], 100]], [[[250, 250, 252], 100]], [[[36, 38, 44], 60], [[250, 250, 250], 40]], [[[36, 38, 44], 40], [[250, 250, 250], 60]]];
      return [SQUARES, cases.map((colors) => [true, false].map((inDark) => chosen(tones(...colors), inDark)).join())];`);
    assert.deepEqual(found[0], { dark: [row("Dark"), row("Dark")], grey: [row("Grey"), row("Grey")], light: [row("Light"), row("Light if is_dark")] });
    // Nothing, colours, dark, white, and black with white, each in a dark and in a light page: the window's own tests.
    assert.deepEqual([found[1][0], found[1][1].split(",")[0], found[1][2].split(",")[1], ...found[1].slice(3)], ["dark,light", "dark", "light", "dark,dark", "grey,light", "dark,grey"]);
  });
});

test("the page has the keys and words of the window", async () => {
  const { BOUND, KEYS, MOUSE, REPEATING } = await import(join(WEB, "viewer/keys.js"));
  const held = { plain: "", shift: "Shift+", ctrl: "Ctrl+", ctrl_shift: "Ctrl+Shift+" };
  const keysOf = (text) => [...text.matchAll(/(\w+)\(Key::(\w+)\)/g)].map(([, with_, key]) => held[with_] + key);
  // The page has no stage, whose keys only count in the window while a character of several is selected.
  const rows = COMMANDS.filter(({ group }) => group !== "Stage").map((row) => ({ ...row, keys: keysOf(row.keys) }));
  const inWindow = new Map(rows.map((row) => [row.command, row]));
  assert.equal(KEYS.length, BOUND.size);
  assert.ok(inWindow.size > 100 && KEYS.length > 40 && REPEATING.includes("StepBack"));
  for (const [command, group, label, ...keys] of KEYS) {
    const row = inWindow.get(command);
    assert.deepEqual([group, label], [row.group, row.label], command);
    for (const key of keys) {
      const others = rows.filter((other) => other !== row && other.keys.includes(key)).map((other) => other.command);
      assert.ok(row.keys.includes(key) || row.keys.includes(`Ctrl+${key}`), `${command}: ${key}, in the window ${row.keys}`);
      assert.deepEqual(others, [], `${key} of ${command}`);
    }
  }
  const table = read(ROOT, "docs/window.md");
  for (const [keys, label] of MOUSE) assert.ok(table.includes(`| \`${keys}\` | ${label}`), keys);
});

/** What axe-core finds in the page, if it is there. */
async function violations() {
  if (!process.env.PCHR_AXE) return "[]";
  await browser.devtools("Page.setBypassCSP", { enabled: true });
  const expression = `${readFileSync(process.env.PCHR_AXE, "utf8")}; axe.run().then(({ violations }) => JSON.stringify(violations.map(({ id, nodes }) => [id, nodes[0].target])))`;
  const { result } = await browser.devtools("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
  return result.value;
}

test("every control of the page has a name, and nothing is wider than a phone", async () => {
  for (const [width, height] of [[390, 844], [1280, 720]]) for (const scheme of ["dark", "light"]) {
    await viewer(async () => {
      await browser.devtools("Accessibility.enable");
      await browser.js(`${PAGE} 
        await shows();
        get("tracks-button").click();
        document.querySelectorAll("aside details").forEach((it) => (it.open = true));
        for (const id of ["targets", "show-curves", "weights"]) get(id).click();
        row("bones-list", "head").click();
        drop(args[0], { clientX: innerWidth - 10 });
        await until(() => !get("other").hidden && covered(get("other")) > 1000, "a comparison");`, contents(LATER_LAMP_FILES));
      for (const open of ["", "menu", "export", "grid", "help", "copy"]) {
        if (open) await browser.js(`const it = document.getElementById(args[0]); it.showModal ? it.showModal() : (it.open = true);`, open);
        const { nodes } = await browser.devtools("Accessibility.getFullAXTree");
        const controls = nodes.filter(({ ignored, role, properties }) => !ignored && role?.value !== "RootWebArea" && properties?.some(({ name, value }) => name === "focusable" && value.value));
        assert.ok(controls.length >= (open && open !== "menu" ? 1 : 30), `${open}: ${controls.length} controls`);
        assert.deepEqual(controls.filter(({ name }) => !name?.value).map(({ role }) => role.value), [], open);
        assert.equal(await violations(), "[]", `${width} ${scheme} ${open}`);
        if (open) await browser.js(`const it = document.getElementById(args[0]); it.close ? it.close() : (it.open = false);`, open);
      }
      assert.ok((await browser.js(`return document.documentElement.scrollWidth;`)) <= width);
    }, { width, height, scheme, query: "?src=samples/paper-lamp.json" });
  }
});

test("the page opens picked files on a phone, shows the first animation of the window, and says what is wrong with others", async () => {
  await viewer(async () => {
    const found = await browser.js(`${PAGE}
      const pick = (contents) => {
        const transfer = new DataTransfer();
        Object.entries(contents).forEach(([name, base64]) => transfer.items.add(file(name, base64)));
        get("files").files = transfer.files;
        get("files").dispatchEvent(new Event("change"));
      };
      const start = [get("welcome").hidden, text("privacy"), get("transport").hidden];
      pick(args[0]);
      await shows();
      const before = pixels(el).slice();
      el.pause();
      get("bones").click();
      await frames(3);
      const bones = pixels(el).some((value, at) => value !== before[at]);
      const names = (id) => [...document.querySelectorAll("#" + id + " .row")].map((row) => row.dataset.value);
      const good = { name: text("bar-name"), animations: names("animations"), skins: names("skins"), slots: names("slots").length, playing: el.playing, facts: text("facts"), findings: text("findings"), bones, hint: get("welcome").hidden, wide: document.documentElement.scrollWidth };
      pick({ "x.json": btoa("nothing") });
      await until(() => !get("failure").hidden, "an error");
      const bad = [text("failure-title"), text("failure-text"), get("side").hidden, get("transport").hidden, text("bar-name")];
      return { start, good, bad };`, contents(LAMP_FILES));
    assert.deepEqual(found.start, [false, "Nothing leaves this machine: files are read, drawn and converted in this page.", true]);
    const { good, bad } = found;
    assert.equal(good.name, "paper-lamp");
    assert.equal(good.playing.animation, "idle");
    assert.ok(good.animations.length >= 2 && good.skins.length >= 2 && good.slots > 3 && good.bones && good.hint, JSON.stringify(good));
    assert.match(good.findings, /Nothing is wrong/);
    assert.match(good.facts, /Spine/);
    assert.ok(good.wide <= 390, `${good.wide} pixels wide`);
    assert.equal(bad[0], "x.json cannot be opened");
    assert.ok(bad[1].length > 10);
    assert.deepEqual(bad.slice(2), [true, true, "pchr"]);
  });
});

test("a dropped zip opens, a bad one says what is wrong, and no message names an option of the command line", async () => {
  const good = zip(LAMP_FILES.map((name) => [`lamp/${name}`, readFileSync(join(ROOT, "assets", name))]));
  const bad = zip([["lamp.json", "{}"], ["../../evil.json", "{}"]]);
  await viewer(async () => {
    const found = await browser.js(`${PAGE}
      drop({ "lamp.zip": args[0] });
      await shows();
      const good = text("bar-name");
      drop({ "lamp.zip": args[1] });
      await until(() => !get("failure").hidden, "an error");
      const bad = text("failure-text");
      drop({ "lamp.json": args[2] });
      await until(() => !get("warning").hidden, "a warning");
      const { plain } = await import("/viewer/page.js");
      const others = args[3].map(plain);
      return { others, good, bad, warning: text("warning"), findings: text("findings"), body: document.body.innerText };`,
      good.toString("base64"), bad.toString("base64"), contents(["paper-lamp.json"])["paper-lamp.json"], [
        "the frames need 3 pages of 64 pixels, but SkelForm has only one; `--repack --sheet-max-size N` allows a larger page",
        "edges are too dark; `--page-alpha straight` overrides this", "the atlas is `x.atlas`: it has all regions; use `--atlas FILE` for another",
      ]);
    assert.equal(found.good, "paper-lamp");
    assert.match(found.bad, /leads outside the archive/);
    assert.match(found.warning, /no atlas.*open it together with its atlas/);
    assert.match(found.findings, /open it together with its atlas/);
    assert.deepEqual(found.others, [
      "the frames need 3 pages of 64 pixels, but SkelForm has only one", "edges are too dark",
      "the atlas is `x.atlas`: it has all regions; open it together with its atlas and pictures",
    ]);
    assert.doesNotMatch(found.body + found.findings, /`--/);
  });
});

test("several characters opened together are listed, and each can be chosen", async () => {
  await viewer(async () => {
    const found = await browser.js(`${PAGE}
      drop({ ...args[0], "bad.json": btoa("{") });
      await shows();
      const rows = () => [...document.querySelectorAll("#others .row")].map((row) => [row.dataset.value, row.getAttribute("aria-pressed")].join());
      const seen = [text("bar-name"), rows()];
      const choose = (name) => [...document.querySelectorAll("#others .row")].find((row) => row.dataset.value === name).click();
      choose("bad.json");
      await until(() => !get("failure").hidden, "an error");
      seen.push([text("failure-title"), rows()]);
      choose("paper-knight.pchr");
      await until(() => el.info && text("bar-name") === "paper-knight", "the knight");
      return [...seen, text("bar-name"), rows(), get("failure").hidden];`, contents([...LAMP_FILES, "paper-knight.pchr"]));
    assert.deepEqual(found, [
      "paper-knight", ["bad.json,false", "paper-knight.pchr,true", "paper-lamp.json,false"],
      ["bad.json cannot be opened", ["bad.json,true", "paper-knight.pchr,false", "paper-lamp.json,false"]],
      "paper-knight", ["bad.json,false", "paper-knight.pchr,true", "paper-lamp.json,false"], true,
    ]);
  });
});

test("a character dropped on the right, or picked, is compared: it follows the animation, the time, the skins and the view of the first", async () => {
  const other = contents(LATER_LAMP_FILES);
  await viewer(async () => {
    const found = await browser.js(`${PAGE}
      drop(args[0]);
      await shows();
      const other = get("other");
      const wide = el.clientWidth;
      const log = { before: [other.hidden, get("captions").hidden] };
      drop(args[1], { clientX: innerWidth - 20 });
      await until(() => !other.hidden && covered(other) > 1000, "the second");
      await frames(3);
      log.names = [text("first-name"), text("second-name"), text("bar-name"), text("second-note")];
      log.widths = [el.clientWidth, other.clientWidth].map((it) => Math.abs(2 * it - wide) <= 2);
      row("animations", "hop").click();
      await frames(20);
      const clocks = [];
      for (let at = 0; at < 20; at += 1) { await frames(1); clocks.push(Math.abs(el.currentTime - other.currentTime)); }
      log.clocks = clocks.filter((apart) => apart > 1e-3).length <= 2;
      log.plays = [other.playing.animation, other.paused, other.currentTime > 0];
      key(" ");
      key("Home"); key("ArrowRight"); key("ArrowRight");
      await frames(3);
      log.paused = [other.paused, Math.abs(other.currentTime - el.currentTime) < 1e-6 && el.currentTime > 0];
      key(" ");
      await frames(4);
      log.resumed = [el.paused, other.paused];
      key(" ");
      const skin = el.skinNames.find((name) => !el.playing.skins.includes(name) && name !== "default");
      row("skins", skin).click();
      log.skins = other.playing.skins.includes(skin);
      key("+");
      log.areas = String(other.area) === String(el.area);
      get("targets").click();
      await frames(2);
      document.querySelector("#rings button").focus();
      key("ArrowUp");
      await frames(2);
      const of = (player) => player.ikTargets.find(({ bone }) => bone === el.ikTargets[0].bone);
      log.moved = Math.abs(of(other).y - of(el).y) < 1e-3;
      key("b");
      log.show = other.show;
      // The others in turn: targets, selection, comparison.
      key("Escape"); key("Escape");
      await frames(3);
      log.ended = [other.hidden, get("captions").hidden, other.info, el.clientWidth === wide];
      const transfer = new DataTransfer();
      Object.entries(args[2]).forEach(([name, base64]) => transfer.items.add(file(name, base64)));
      // The last one counts.
      drop(args[1], { clientX: innerWidth - 20 });
      get("second").files = transfer.files;
      get("second").dispatchEvent(new Event("change"));
      await until(() => !other.hidden && text("second-name") === "paper-knight" && covered(other) > 1000, "the knight");
      log.lacks = [text("second-note"), other.playing.animation];
      drop({ "bad.json": btoa("{") }, { clientX: innerWidth - 20 });
      await until(() => other.hidden, "the end");
      log.bad = [text("status").startsWith("bad.json cannot be opened: "), text("bar-name"), get("failure").hidden];
      return log;`, contents(LAMP_FILES), other, contents(["paper-knight.pchr"]));
    assert.deepEqual(found, {
      before: [true, true], names: ["paper-lamp", "paper-lamp-4.2", "paper-lamp", ""], widths: [true, true], clocks: true, plays: ["hop", false, true],
      paused: [true, true], resumed: [false, false], skins: true, areas: true, moved: true, show: "bones", ended: [true, true, null, true],
      lacks: ["has no hop", null], bad: [true, "paper-lamp", true],
    });
  }, { width: 1280, height: 720 });
});

test("a folder is a gallery: its characters are tiles with pictures, one opens, and Escape returns", async () => {
  const files = {
    ...Object.fromEntries(Object.entries(contents(LAMP_FILES)).map(([name, bytes]) => [`all/lamp/${name}`, bytes])),
    ...Object.fromEntries(Object.entries(contents(["paper-knight.pchr"])).map(([name, bytes]) => [`all/${name}`, bytes])),
    "all/broken.json": Buffer.from('{"skeleton":{"spine":"4.2.40"},"bones":5}').toString("base64"), "all/package.json": Buffer.from('{"name":"x"}').toString("base64"),
  };
  const pick = `
      const pick = (contents) => {
        // A copy of a file would not have its path.
        const files = Object.entries(contents).map(([name, base64]) => Object.defineProperty(file(name.split("/").pop(), base64), "webkitRelativePath", { value: name }));
        Object.defineProperty(get("folder"), "files", { value: files, configurable: true });
        get("folder").dispatchEvent(new Event("change"));
      };
      const tiles = () => [...document.querySelectorAll(".tile")];
      const inked = (tile) => { const it = tile.querySelector("canvas"); return it.getContext("2d").getImageData(0, 0, it.width, it.height).data.filter((value, at) => at % 4 === 3 && value > 0).length > 500; };`;
  await viewer(async () => {
    const found = await browser.js(`${PAGE} ${pick}
      pick(args[0]);
      await until(() => tiles().length === 3 && tiles().every((tile) => tile.textContent.length > tile.querySelector("bdi").textContent.length), "the tiles");
      const log = { tiles: tiles().map((tile) => [tile.title, tile.querySelector("bdi").textContent, inked(tile), tile.querySelector("small").className]) };
      log.open = [get("gallery").hidden, get("transport").hidden, get("welcome").hidden, el.info];
      log.error = tiles()[0].querySelector("small").textContent.length > 10;
      return log;`, files);
    assert.equal(await violations(), "[]");
    assert.ok((await browser.js(`return document.documentElement.scrollWidth;`)) <= 390);
    const later = await browser.js(`${PAGE} ${pick}
      const log = {};
      get("filter").value = "LAMP/";
      get("filter").dispatchEvent(new Event("input"));
      log.filtered = tiles().map((tile) => tile.title);
      get("filter").value = "";
      get("filter").dispatchEvent(new Event("input"));
      tiles()[2].click();
      await shows();
      log.opened = [text("bar-name"), get("gallery").hidden, el.info.pages.length];
      key("Escape");
      log.back = [get("gallery").hidden, document.activeElement.title, el.paused];
      document.querySelector("[data-command=Gallery]").click();
      log.again = get("gallery").hidden;
      // A folder with one character needs no choice.
      pick({ "one/lamp.json": args[0]["all/lamp/paper-lamp.json"], "one/paper-lamp.atlas": args[0]["all/lamp/paper-lamp.atlas"], "one/package.json": btoa('{"name":"x"}') });
      await until(() => el.info && text("bar-name") === "lamp", "the only one");
      log.only = get("gallery").hidden;
      pick({ "none/a.json": btoa('{"name":"x"}'), "none/b.json": btoa('{"name":"y"}') });
      await until(() => text("gallery") !== "" && tiles().length === 0, "no tiles");
      log.none = text("gallery");
      pick({ ...Object.fromEntries(Array.from({ length: 501 }, (_, at) => ["many/" + String(at).padStart(3, "0") + ".json", btoa("{")])) });
      log.most = [tiles().length, text("gallery").endsWith("1 more: use the filter")];
      get("filter").value = "500";
      get("filter").dispatchEvent(new Event("input"));
      log.last = tiles().map((tile) => tile.title);
      return log;`, files);
    assert.deepEqual({ ...found, ...later }, {
      tiles: [["all/broken.json", "broken", false, "error"], ["all/lamp/paper-lamp.json", "paper-lamp", true, ""], ["all/paper-knight.pchr", "paper-knight", true, ""]],
      open: [false, true, true, null], error: true, filtered: ["all/lamp/paper-lamp.json"], opened: ["paper-knight", true, 1],
      back: [false, "all/paper-knight.pchr", true], again: true, only: true,
      none: "This folder contains no characters.", most: [500, true], last: ["many/500.json"],
    });
  });
});

test("a PNG opens with a grid that is asked for", async () => {
  await viewer(async () => {
    const found = await browser.js(`${PAGE}
      const canvas = Object.assign(document.createElement("canvas"), { width: 240, height: 60 });
      const context = canvas.getContext("2d");
      for (let at = 0; at < 4; at += 1) { context.fillStyle = "hsl(" + at * 90 + " 100% 50%)"; context.fillRect(at * 60 + 4, 4, 52, 52); }
      const png = canvas.toDataURL().split(",")[1];
      drop({ "strip <b>.png": png });
      await until(() => get("grid").open, "the question");
      const guessed = [get("columns").value, get("rows").value, get("count").value, text("grid-name")];
      get("columns").value = "4";
      get("grid").close("play");
      await shows();
      const opened = [el.info.animations, text("bar-name"), el.info.pages[0].width];
      drop({ "strip.png": png });
      await until(() => get("grid").open, "the question");
      get("grid").close("");
      await until(() => !get("welcome").hidden, "the start");
      return { guessed, opened };`);
    await browser.open(`${server.url}/viewer/?src=/assets/paper-lamp.png`);
    await browser.js(`${PAGE} await until(() => get("grid").open, "the question"); get("grid").close("play"); await shows();`);
    assert.deepEqual(found.guessed, ["4", "1", "4", "strip <b>.png: 240 × 60 pixels"]);
    assert.equal(found.opened[0][0].frames, 4);
    assert.equal(found.opened[2], 240);
  });
});

test("names from files are text, wherever they are shown", async () => {
  const evil = `<img src=x onerror="window.evil=1">\u202e\u0007`;
  const spine = JSON.stringify({
    skeleton: { spine: "4.2.40" }, bones: [{ name: "root" }], slots: [{ name: evil, bone: "root", attachment: evil }],
    skins: [{ name: "default", attachments: { [evil]: { [evil]: { width: 80, height: 60, path: "body" } } } }, { name: evil, attachments: {} }],
    events: { [evil]: { string: evil } },
    animations: { [evil]: { bones: { root: { rotate: [{ value: 0 }, { time: 1, value: 90 }] } }, events: [{ time: 0.01, name: evil }] } },
  });
  await viewer(async () => {
    const found = await browser.js(`${PAGE}
      drop({ [args[1]]: args[0] });
      await until(() => el.info, "loaded");
      document.querySelectorAll("details").forEach((it) => (it.open = true));
      let fired = "";
      await until(() => (fired = text("fired")) !== "", "the event");
      document.querySelector("#slots .row").click();
      get("tracks-button").click();
      await frames(3);
      const good = [text("animations"), text("slots"), text("events"), fired, text("inspector-name"), text("bar-name")];
      drop({ [args[1]]: btoa("{") });
      await until(() => !get("failure").hidden, "an error");
      return { good, bad: text("failure-title"), images: document.images.length, evil: window.evil ?? null };`,
      Buffer.from(spine).toString("base64"), "<img src=x onerror=evil=2>.json");
    for (const text of found.good.slice(0, 5)) assert.ok(text.includes("<img src=x") && text.includes("\\u{202e}\\u{7}"), JSON.stringify(found.good));
    assert.match(found.bad, /<img/);
    assert.deepEqual([found.images, found.evil], [0, null]);
  });
});

test("a link opens a character with its animation, skin and time; samples and other origins open, errors are text", async () => {
  const other = await serve({ assets: join(ROOT, "assets") }, { "access-control-allow-origin": "*" });
  const closed = await serve({ assets: join(ROOT, "assets") });
  try {
    const state = `${PAGE} await shows(); el.pause(); return { playing: el.playing, time: el.currentTime, paused: el.paused, name: text("bar-name") };`;
    const link = (src) => `?${new URLSearchParams({ src, animation: "hop", skin: "robot", t: "0.25" })}`;
    for (const src of ["/assets/paper-lamp.json", `${other.url}/assets/paper-lamp.json`, "samples/paper-lamp.json"]) {
      await viewer(async () => {
        const skin = await browser.js(`${PAGE} await shows(); return [el.skinNames, text("status")];`);
        assert.match(skin[1], /does not have the skin robot/);
        const found = await browser.js(state);
        assert.equal(found.playing.animation, "hop");
        assert.ok(Math.abs(found.time - 0.25) < 1e-6 && found.name === "paper-lamp", JSON.stringify(found));
      }, { query: link(src) });
    }
    const bad = [[`/assets/<b>none.json`, /none\.json cannot be opened.*HTTP 404/], ["javascript:alert(1)", /begin with https/], ["data:text/plain,x", /begin with https/], [`${closed.url}/assets/paper-knight.pchr`, /cannot be loaded; if it is there, its server has to allow/]];
    for (const [src, expected] of bad) {
      await viewer(async () => {
        const found = await browser.js(`${PAGE} await until(() => !get("failure").hidden, "an error"); return [text("failure-title") + " " + text("failure-text"), document.querySelectorAll("#failure b").length];`);
        assert.match(found[0], expected);
        assert.equal(found[1], 0);
        // The browser says in the console that the answer was refused.
        await browser.log();
      }, { query: `?${new URLSearchParams({ src })}` });
    }
    await viewer(async () => {
      const found = await browser.js(`${PAGE}
        const copied = [];
        Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => copied.push(text) } });
        document.querySelector("#samples button").click();
        await shows();
        [...document.querySelectorAll("#animations .row")].find((row) => row.dataset.value === "walk").click();
        el.pause();
        el.currentTime = 0.5;
        for (const command of ["CopyLink", "CopyEmbed"]) document.querySelector("[data-command=" + command + "]").click();
        await until(() => copied.length === 2, "copies");
        drop(args[0]);
        await until(() => text("bar-name") === "paper-lamp", "the lamp");
        document.querySelector("[data-command=CopyLink]").click();
        return { copied, advice: text("status") };`, contents(LAMP_FILES));
      const [copy, embed] = found.copied;
      const url = new URL(copy);
      assert.deepEqual([...url.searchParams.keys()].filter((key) => key !== "skin"), ["src", "animation", "t"]);
      assert.deepEqual(["src", "t"].map((key) => url.searchParams.get(key)), ["samples/paper-knight.pchr", "0.500"]);
      assert.match(embed, /<script type="module" src="http.*pchr-player\.js"><\/script>\n<pchr-player src="http.*samples\/paper-knight\.pchr" animation="walk".* autoplay controls><\/pchr-player>/);
      assert.equal(found.copied.length, 2);
      assert.match(found.advice, /on your machine only/);
      await browser.open(copy);
      const again = await browser.js(`${PAGE} await shows(); await until(() => el.paused, "paused"); return [animation(), el.currentTime];`);
      assert.deepEqual(again, ["walk", 0.5]);
    });
  } finally {
    other.stop();
    closed.stop();
  }
});

test("the page is an app that opens files, and works without a network", async () => {
  const manifest = JSON.parse(read(WEB, "viewer/manifest.webmanifest"));
  assert.ok(manifest.file_handlers[0].accept["application/octet-stream"].includes(".skel"));
  assert.match(read(WEB, "viewer", manifest.icons[0].src), /<svg/);
  const own = await serve({ viewer: join(WEB, "viewer") });
  let isStopped = false;
  try {
    await viewer(async () => {
      const { installabilityErrors } = await browser.devtools("Page.getInstallabilityErrors");
      assert.deepEqual(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito"), []);
      await browser.js(`await navigator.serviceWorker.ready; for (let at = 0; at < 500 && !navigator.serviceWorker.controller; at += 1) await new Promise((done) => setTimeout(done, 20));`);
      own.stop();
      isStopped = true;
      await browser.open(`${own.url}/viewer/?src=samples/ranger.json`);
      const found = await browser.js(`${PAGE} await shows(); const targets = await el.character.targets(); return [text("bar-name"), targets.length > 3];`);
      assert.deepEqual(found, ["ranger", true]);
    }, { url: own.url });
  } finally {
    if (!isStopped) own.stop();
  }
});
