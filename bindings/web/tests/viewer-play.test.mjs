// The viewer page: what plays, the timeline, the view and the keys. bench.mjs explains the variables.
import assert from "node:assert/strict";
import { test } from "node:test";

import { browser } from "./bench.mjs";
import { LAMP_FILES, PAGE, contents, viewer } from "./viewer.mjs";

const KNIGHT = { query: "?src=samples/paper-knight.pchr", width: 1280, height: 720 };

test("lists choose animations and skins, are filtered, and hide slots", async () => {
  await viewer(async () => {
    const found = await browser.js(`${PAGE}
      drop(args[0]);
      await shows();
      const on = (list) => [...document.querySelectorAll("#" + list + " [aria-pressed=true].row")].map((it) => it.dataset.value);
      row("animations", "hop").click();
      const chosen = [animation(), el.paused, on("animations")];
      const skins = [el.playing.skins];
      const other = el.skinNames.find((name) => !el.playing.skins.includes(name) && name !== "default");
      row("skins", other).click();
      skins.push(el.playing.skins, on("skins"));
      row("skins", other).dispatchEvent(new MouseEvent("click", { shiftKey: true }));
      skins.push(el.playing.skins);
      el.pause();
      await frames(3);
      const before = covered(el);
      get("slots").open = true;
      [...document.querySelectorAll("#slots .eye")].forEach((_, at) => document.querySelectorAll("#slots .eye")[at].click());
      await until(() => covered(el) < before / 2, "hidden slots");
      key("A", { shiftKey: true });
      await until(() => covered(el) === before, "all slots");
      const events = text("events");
      get("filter").value = "HO";
      get("filter").dispatchEvent(new Event("input"));
      const filtered = [...document.querySelectorAll("#animations .row")].map((it) => it.dataset.value);
      return { chosen, skins, other, filtered, events };`, contents(LAMP_FILES));
    assert.deepEqual(found.chosen, ["hop", false, ["hop"]]);
    const [first, both, on, alone] = found.skins;
    assert.deepEqual(both, [...first, found.other]);
    assert.deepEqual([...on].sort(), [...both].sort());
    assert.deepEqual(alone, [found.other]);
    assert.deepEqual(found.filtered, ["hop"]);
    assert.match(found.events, /^Events \(2\)jump0\.25 sland0\.65 s$/);
  }, { width: 1280, height: 720 });
});

test("keys play, step, and change animation, speed, loop and range, as in the window", async () => {
  await viewer(async () => {
    const found = await browser.js(`${PAGE}
      await shows();
      const frame = () => Math.round(el.currentTime * 24 * 1e6) / 1e6;
      const log = {};
      key("2");
      log.walk = [animation(), el.paused];
      key(" ");
      log.paused = [el.paused, frame() % 1];
      key("Home");
      key("ArrowRight"); key("."); key("ArrowLeft");
      log.step = frame();
      key("ArrowRight", { shiftKey: true });
      log.ten = frame();
      key("ArrowLeft", { shiftKey: true }); key("ArrowLeft"); key("ArrowLeft");
      log.around = frame();
      key("Home");
      for (let at = 0; at < 5; at += 1) key("ArrowRight");
      key("i");
      for (let at = 0; at < 4; at += 1) key("ArrowRight");
      key("o");
      key(" ");
      const times = [];
      for (let at = 0; at < 60; at += 1) { await frames(1); times.push(frame()); }
      log.range = [Math.min(...times.slice(20)) > 4.4, Math.max(...times.slice(20)) < 10.6, new Set(times).size > 5];
      key("I", { shiftKey: true });
      key("]"); key("]");
      log.speed = [el.speed, get("speed").value];
      key("["); key("[");
      log.loops = ["l", "l", "l", "l"].map((it) => { key(it); return get("loop").value; });
      key("PageDown");
      log.next = animation();
      key("PageUp"); key("PageUp"); key("PageUp");
      log.previous = animation();
      key("b");
      log.bones = [el.show, get("bones").checked];
      key("m");
      log.tracks = get("tracks").hidden;
      key("h");
      log.bare = getComputedStyle(document.querySelector("header")).display;
      key("h");
      key("?", { shiftKey: true });
      log.help = [get("help").open, text("help-rows").includes("Play or pause")];
      get("help").close();
      key("e");
      log.export = get("export").open;
      get("export").close();
      // A field keeps its keys.
      get("filter").focus();
      const before = animation();
      key("1"); key("b");
      log.field = [animation() === before, el.show];
      get("animations").querySelector("button").focus();
      const paused = el.paused;
      key(" ");
      log.button = el.paused === paused;
      return log;`);
    assert.deepEqual(found, {
      walk: ["walk", false], paused: [true, 0], step: 1, ten: 11, around: 23, range: [true, true, true], speed: [2, "200"],
      loops: ["loop", "once", "ping-pong", "authored"], next: "jump", previous: "wave", bones: ["bones", true], tracks: false, bare: "none",
      help: [true, true], export: true, field: [true, "bones"], button: true,
    });
    await browser.js(`document.querySelector("[data-command=StepForward]").focus();`);
    const before = await browser.js(`return document.querySelector("pchr-player").currentTime;`);
    await browser.press(" ");
    assert.ok((await browser.js(`return document.querySelector("pchr-player").currentTime;`)) > before);
  }, KNIGHT);
});

test("the timeline scrubs by pointer, keys and its field, and shows events", async () => {
  await viewer(async () => {
    const found = await browser.js(`${PAGE}
      await shows();
      [...document.querySelectorAll("#animations .row")].find((it) => it.dataset.value === "hop").click();
      await frames(2);
      const { left, top, width } = get("timeline").getBoundingClientRect();
      const send = (type, share) => get("timeline").dispatchEvent(new PointerEvent(type, { pointerId: 1, clientX: left + 12 + (width - 24) * share, clientY: top + 30, bubbles: true }));
      get("timeline").setPointerCapture = () => {};
      send("pointerdown", 0.5);
      const { fps, duration } = el.info.animations.find(({ name }) => name === "hop");
      const half = [el.paused, el.currentTime * fps, duration * fps / 2];
      await frames(3);
      const said = get("timeline").getAttribute("aria-valuetext");
      get("frame").value = "3";
      get("frame").dispatchEvent(new Event("input"));
      const third = el.currentTime * fps;
      await frames(3);
      const canvas = get("timeline").querySelector("canvas");
      const painted = new Set(new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size;
      return { half, said, third, painted, seconds: text("seconds") };`);
    assert.equal(found.half[0], true);
    assert.ok(Math.abs(found.half[1] - Math.round(found.half[2])) < 1e-3, JSON.stringify(found));
    assert.match(found.said, /^frame \d+ of \d+, 0\.\d\d seconds$/);
    assert.ok(Math.abs(found.third - 3) < 1e-3);
    assert.match(found.seconds, /^0\.1 ?0? s$|^0\.\d\d s$/);
    assert.ok(found.painted > 8, `${found.painted} colours`);
  }, { query: "?src=samples/paper-lamp.json", width: 1280, height: 720 });
});

test("wheel, drag, pinch and keys move the view, and a click selects", async () => {
  await viewer(async () => {
    const found = await browser.js(`${PAGE}
      await shows();
      el.pause();
      await frames(3);
      const { left, top, width, height } = el.getBoundingClientRect();
      const middle = [left + width / 2, top + height / 2];
      el.setPointerCapture = () => {};
      const send = (type, x, y, pointerId = 1) => el.dispatchEvent(new PointerEvent(type, { pointerId, clientX: x, clientY: y, button: 0, bubbles: true }));
      const zoom = () => text("zoom-value");
      const area = () => el.area.map((it) => Math.round(it * 100) / 100);
      const log = { fit: zoom(), start: area() };
      const at = el.hitTest(middle[0] + 50, middle[1]);
      el.dispatchEvent(new WheelEvent("wheel", { deltaY: -200, clientX: middle[0] + 50, clientY: middle[1], bubbles: true, cancelable: true }));
      await frames(3);
      const after = el.hitTest(middle[0] + 50, middle[1]);
      log.wheel = [zoom() !== log.fit, Math.abs(after.x - at.x) < 1.5, Math.abs(after.y - at.y) < 1.5];
      const before = area();
      send("pointerdown", ...middle); send("pointermove", middle[0] + 30, middle[1] + 20); send("pointerup", middle[0] + 30, middle[1] + 20);
      log.drag = [area()[0] < before[0], area()[1] > before[1], get("inspector").hidden];
      const wide = el.area[2];
      send("pointerdown", middle[0] - 20, middle[1], 1); send("pointerdown", middle[0] + 20, middle[1], 2);
      send("pointermove", middle[0] - 40, middle[1], 1); send("pointermove", middle[0] + 40, middle[1], 2);
      send("pointerup", middle[0] - 40, middle[1], 1); send("pointerup", middle[0] + 40, middle[1], 2);
      log.pinch = Math.round((wide / el.area[2]) * 10) / 10;
      key("+"); key("-");
      key("0");
      log.again = [zoom() === log.fit, String(area()) === String(log.start)];
      document.querySelector("[data-command=ZoomActual]").click();
      log.actual = zoom();
      get("stage").focus();
      const x = el.area[0];
      key("ArrowRight");
      log.pan = el.area[0] > x;
      key("0");
      await frames(3);
      send("pointerdown", ...middle); send("pointerup", ...middle);
      log.pick = [get("inspector").hidden, text("inspector-name"), el.hitTest(...middle).slot];
      key("H", { shiftKey: true });
      await frames(3);
      log.hidden = el.hitTest(...middle).slot !== log.pick[1];
      key("Escape");
      log.cleared = get("inspector").hidden;
      return log;`);
    assert.deepEqual(found.wheel, [true, true, true]);
    assert.deepEqual(found.drag, [true, true, true]);
    assert.equal(found.pinch, 2);
    assert.deepEqual(found.again, [true, true], JSON.stringify(found));
    assert.deepEqual([found.actual, found.pan], ["100 %", true]);
    assert.ok(!found.pick[0] && found.pick[1] !== "" && found.pick[1] === found.pick[2], JSON.stringify(found.pick));
    assert.deepEqual([found.hidden, found.cleared], [true, true]);
  }, KNIGHT);
});

test("the view grows once for an animation that leaves it, and stays otherwise", async () => {
  await viewer(async () => {
    const found = await browser.js(`${PAGE}
      await shows();
      const areas = [];
      for (const name of ["idle", "walk", "jump", "idle"]) {
        [...document.querySelectorAll("#animations .row")].find((it) => it.dataset.value === name).click();
        await frames(2);
        areas.push(el.area.map(Math.round));
      }
      document.querySelector("[data-command=FitAnimation]").click();
      areas.push(el.area.map(Math.round));
      return areas;`);
    const [idle, , jump, after, only] = found;
    assert.ok(jump[3] >= idle[3]);
    assert.deepEqual(after, jump);
    assert.deepEqual(only, idle);
  }, KNIGHT);
});

test("guides and backgrounds are behind the character, and the picture is copied", async () => {
  await viewer(async () => {
    const found = await browser.js(`${PAGE}
      await shows();
      const { spacing } = await import("/viewer/guides.js");
      const crossed = (width, height) => get("guides").getContext("2d").getImageData(0, 0, width, height).data.filter((value, at) => at % 4 === 3 && value > 0).length;
      const log = { none: get("guides").hidden, spacing: [0.07, 0.1, 1, 3, 7, 14, 50.1].map(spacing) };
      key("g"); key("G", { shiftKey: true });
      log.some = [get("guides").hidden, crossed(get("guides").width, 1) > 10, crossed(1, get("guides").height) > 10];
      const choices = [...document.querySelectorAll("#backgrounds input")];
      choices[1].click();
      log.color = getComputedStyle(get("stage")).backgroundColor;
      choices[0].click();
      log.squares = getComputedStyle(get("stage")).backgroundImage.startsWith("repeating-conic");
      const written = [];
      Object.defineProperty(navigator, "clipboard", { value: { write: async ([item]) => written.push((await item.getType("image/png")).size) } });
      key("c", { ctrlKey: true });
      await until(() => written.length === 1, "the picture");
      return { ...log, written: written[0] > 1000 };`);
    assert.deepEqual(found, {
      none: true, spacing: [0.1, 0.1, 1, 5, 10, 20, 100], some: [false, true, true], color: "rgb(0, 0, 0)", squares: true, written: true,
    });
  }, KNIGHT);
});

test("a track plays over the first, and fades", async () => {
  await viewer(async () => {
    const found = await browser.js(`${PAGE}
      await shows();
      el.pause();
      get("fade").value = "0.1";
      get("fade").dispatchEvent(new Event("change"));
      el.currentTime = 0;
      await frames(3);
      const before = pixels(el).slice();
      const choice = document.querySelector(".track select");
      choice.value = String(el.animationNames.indexOf("wave"));
      choice.dispatchEvent(new Event("change"));
      const differs = async () => {
        el.pause();
        el.currentTime = 0;
        await frames(3);
        return pixels(el).some((value, at) => value !== before[at]);
      };
      // A busy machine has few frames.
      const becomes = async (wanted, what) => {
        await until(async () => { el.play(); await frames(8); return (await differs()) === wanted; }, what);
        return wanted;
      };
      const mixed = await becomes(true, "mixed");
      choice.value = "";
      choice.dispatchEvent(new Event("change"));
      const faded = await becomes(false, "faded");
      return { first: animation(), fade: el.crossfade, mixed, faded, name: choice.ariaLabel };`);
    assert.deepEqual(found, { first: "idle", fade: 0.1, mixed: true, faded: false, name: "Animation of track 1" });
  }, KNIGHT);
});

test("fingers scrub, pan, zoom and move IK targets on a phone", async () => {
  await viewer(async () => {
    const { stage, line } = await browser.js(`${PAGE}
      await shows();
      const middle = (id) => { const { left, top, width, height } = get(id).getBoundingClientRect(); return [left + width / 2, top + height / 2]; };
      return { stage: middle("stage"), line: middle("timeline") };`);
    const touch = (type, ...points) => browser.devtools("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
    const state = () => browser.js(`const el = document.querySelector("pchr-player"); return { area: el.area, time: el.currentTime, paused: el.paused, scroll: scrollY, slot: document.getElementById("inspector-name").textContent };`);
    const [x, y] = stage;
    const start = await state();
    await touch("touchStart", [x, y]);
    await touch("touchMove", [x + 20, y - 30]);
    await touch("touchMove", [x + 40, y - 60]);
    await touch("touchEnd");
    const panned = await state();
    assert.ok(panned.area[0] < start.area[0] && panned.area[1] < start.area[1] && panned.slot === "", JSON.stringify([start, panned]));
    await touch("touchStart", [x - 30, y], [x + 30, y]);
    await touch("touchMove", [x - 45, y], [x + 45, y]);
    await touch("touchMove", [x - 60, y], [x + 60, y]);
    await touch("touchEnd");
    const zoomed = await state();
    assert.ok(zoomed.area[2] < panned.area[2] * 0.6, JSON.stringify([panned, zoomed]));
    await touch("touchStart", line);
    await touch("touchMove", [line[0] + 60, line[1] + 5]);
    await touch("touchEnd");
    const scrubbed = await state();
    assert.ok(scrubbed.paused && Math.abs(scrubbed.time * 24 - Math.round(scrubbed.time * 24)) < 1e-6 && scrubbed.time > 1.25, JSON.stringify(scrubbed));
    await browser.js(`${PAGE} el.currentTime = 10 / 24; key("o");`);
    const out = await browser.js(`${PAGE} const { left, top, width } = get("timeline").getBoundingClientRect(); return [left + 12 + (width - 24) * 11 / 60, top + 10, (width - 24) / 60];`);
    await touch("touchStart", out.slice(0, 2));
    await touch("touchMove", [out[0] + 5 * out[2], out[1]]);
    await touch("touchEnd");
    assert.deepEqual(await browser.js(`return (await import("/viewer/playback.js")).range;`), [0, 15]);
    await touch("touchStart", [x, y + 20]);
    await touch("touchEnd");
    const picked = await state();
    assert.ok(picked.slot !== "" && picked.scroll === 0, JSON.stringify(picked));
    const ring = () => browser.js(`${PAGE}
      await frames(3);
      const { left, top, width, height } = document.querySelector("#rings button").getBoundingClientRect();
      return [left + width / 2, top + height / 2, el.area];`);
    await browser.js(`${PAGE}
      drop(args[0]);
      await until(() => text("bar-name") === "paper-lamp" && el.ikTargets.length > 0, "the lamp");
      el.pause();
      key("k");`, contents(LAMP_FILES));
    const [left, top, area] = await ring();
    await touch("touchStart", [left + 5, top]);
    await touch("touchMove", [left - 10, top - 10]);
    await touch("touchMove", [left - 25, top - 20]);
    await touch("touchEnd");
    const [x2, y2, same] = await ring();
    assert.ok(Math.hypot(x2 - left + 30, y2 - top + 20) < 1.5, JSON.stringify([left, top, x2, y2]));
    assert.deepEqual(same, area, "the view stays");
  }, { query: "?src=samples/paper-knight.pchr" });
});

test("the weights of the selected bone are shown, of a slot those of its bone", async () => {
  await viewer(async () => {
    const found = await browser.js(`${PAGE}
      drop(args[0]);
      await shows();
      el.pause();
      await frames(3);
      const plain = pixels(el).slice();
      const changed = async () => { await frames(3); return pixels(el).filter((value, at) => value !== plain[at]).length; };
      get("weights").click();
      const log = { advice: text("status"), none: await changed() };
      row("bones-list", "head").click();
      log.bone = [text("inspector-kind"), text("inspector-name"), el.show === "weights=#" + el.boneNames.indexOf("head")];
      log.head = (await changed()) > 1000;
      const head = pixels(el).slice();
      row("slots", "base").click();
      log.slot = [text("inspector-kind"), text("inspector-name"), text("inspector-place").split("\\n")[0]];
      await frames(3);
      log.base = pixels(el).some((value, at) => value !== head[at]);
      get("bones").click();
      log.both = el.show === "weights=#" + el.boneNames.indexOf("base") + ",bones";
      key("Escape");
      log.cleared = [el.show, get("inspector").hidden];
      get("bones").click();
      log.off = [el.show, await changed()];
      // Another character has fewer bones.
      row("bones-list", el.boneNames.at(-1)).click();
      drop(args[1]);
      await until(() => text("bar-name") === "small", "the other");
      log.other = [el.show, get("weights").checked, get("warning").hidden];
      return log;`, contents(LAMP_FILES), { "small.json": Buffer.from('{"skeleton":{"spine":"4.2.40"},"bones":[{"name":"root"}],"animations":{}}').toString("base64") });
    assert.deepEqual(found, {
      advice: "Select a bone to see its weights.", none: 0, bone: ["Bone", "head", true], head: true, slot: ["Slot", "base", "Bone base"],
      base: true, both: true, cleared: ["bones", true], off: ["", 0], other: ["", true, true],
    });
  }, { width: 1280, height: 720 });
});

test("rings move IK targets by pointer and arrow keys, and Escape gives them back", async () => {
  for (const [width, height] of [[1280, 720], [390, 844]]) {
    await viewer(async () => {
      const state = (more = "") => browser.js(`${PAGE}
        await shows();
        ${more}
        await frames(3);
        return [...document.querySelectorAll("#rings button")].map((ring, index) => {
          const { left, top, width, height } = ring.getBoundingClientRect();
          return { name: ring.ariaLabel, x: left + width / 2, y: top + height / 2, at: el.ikTargets[index], moved: ring.className, seen: getComputedStyle(ring).opacity * width };
        });`);
      const hidden = await state("el.pause(); el.currentTime = 0;");
      assert.deepEqual(hidden.map(({ seen }) => seen), hidden.map(() => 0), "rings are not in the way");
      const [first, ...others] = await state(`key("k");`);
      assert.ok(first.seen >= 24 && others.length > 0 && first.name === `IK target ${first.at.bone}`, JSON.stringify(first));
      const covered = await browser.js(`return document.querySelector("pchr-player").shadowRoot.querySelector("canvas").toDataURL();`);
      const [x, y] = [first.x - 30, first.y - 20];
      const mouse = (type, x, y) => browser.devtools("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1 });
      await mouse("mousePressed", first.x + 5, first.y);
      await mouse("mouseMoved", x + 5, y);
      await mouse("mouseReleased", x + 5, y);
      const [moved, ...rest] = await state();
      assert.ok(Math.hypot(moved.x - x, moved.y - y) < 1.5 && /moved/.test(moved.moved), JSON.stringify([first, moved]));
      assert.deepEqual(rest.map(({ moved }) => /moved/.test(moved)), rest.map(() => false));
      assert.notEqual(await browser.js(`return document.querySelector("pchr-player").shadowRoot.querySelector("canvas").toDataURL();`), covered);
      const [pushed] = await state(`
        const ring = document.querySelector("#rings button");
        ring.focus();
        key("ArrowUp"); key("ArrowUp"); key("ArrowRight");
        if (el.currentTime !== 0) throw new Error("the playhead has moved");`);
      assert.ok(Math.abs(pushed.y - moved.y + 8) < 0.5 && Math.abs(pushed.x - moved.x - 4) < 0.5, JSON.stringify([moved, pushed]));
      const [back] = await state(`key("Escape");`);
      assert.deepEqual([back.at, back.x, /moved/.test(back.moved)], [first.at, first.x, false]);
    }, { query: "?src=samples/paper-lamp.json", width, height });
  }
});

test("the curves of the selected bone are below the timeline, with its values at the playhead", async () => {
  await viewer(async () => {
    const found = await browser.js(`${PAGE}
      await shows();
      row("animations", "hop").click();
      el.pause();
      const canvas = get("curve-canvas");
      const ink = () => new Set(new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size;
      const log = { off: get("curves").hidden };
      key("c");
      await frames(3);
      log.none = [get("curves").hidden, text("curve-note"), canvas.hidden];
      row("bones-list", "hold").click();
      el.currentTime = 0.4;
      await until(() => text("curve-note") === "Curves of hold" && !canvas.hidden, "the curves");
      const { points, keys } = await (await import("/viewer/pchr-web/tools.js")).curves(el.character, { animation: "hop", bone: el.boneNames.indexOf("hold"), skins: el.playing.skins });
      const at = points.findLast(([frame]) => frame <= 0.4 * el.info.animations.find(({ name }) => name === "hop").fps + 1e-6)[1];
      log.hold = [text("curve-note"), ink() > 12, text("legend").includes("X " + at[1].toFixed(2).replace("-", "−") + " px")];
      log.points = [points.length > 60, points.every(([frame, values], index) => (index === 0 || frame > points[index - 1][0]) && values.length === 5), keys.map((frames) => frames.length > 0)];
      const before = canvas.toDataURL();
      el.currentTime = 0.2;
      key("ArrowRight");
      await frames(3);
      log.moved = canvas.toDataURL() !== before;
      row("slots", "shade").click();
      await until(() => text("curve-note").startsWith("Curves of head"), "other curves");
      log.slot = text("curve-note");
      key("Escape");
      await frames(3);
      log.cleared = [text("curve-note"), canvas.hidden];
      key("c");
      await frames(3);
      return { ...log, again: get("curves").hidden, wide: document.documentElement.scrollWidth };`);
    assert.deepEqual(found, {
      off: true, none: [false, "Select a bone to see its curves", true], hold: ["Curves of hold", true, true], points: [true, true, [false, true, true, false, false]], moved: true,
      slot: "Curves of head, no keys", cleared: ["Select a bone to see its curves", true], again: true, wide: 390,
    });
  }, { query: "?src=samples/paper-lamp.json" });
});
