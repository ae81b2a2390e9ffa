// The viewer page: pictures, animations, sheets and conversions. bench.mjs explains the variables.
import assert from "node:assert/strict";
import { test } from "node:test";

import { browser, server } from "./bench.mjs";
import { LAMP_FILES, PAGE, contents, downloaded, viewer } from "./viewer.mjs";

test("the page saves pictures, animations, sheets and conversions, with keys, and nothing leaves the machine", async () => {
  const before = server.requests.length;
  await viewer(async (folder) => {
    await browser.js(`${PAGE} drop(args[0]); await shows(); el.pause(); key("s");`, contents(LAMP_FILES));
    const png = await downloaded(folder, "paper-lamp.png");
    assert.equal(png.subarray(1, 4).toString(), "PNG");
    assert.ok(png.length > 1000 && !png.includes("acTL"));
    const name = await browser.js(`return document.querySelector("pchr-player").playing.animation;`);
    for (const [format, file, magic] of [["gif", "gif", "GIF89a"], ["webp", "webp", "RIFF"], ["apng", "apng", "\x89PNG"], ["sheet", "zip", "PK"]]) {
      await browser.js(`${PAGE}
        key("e");
        get("format").value = args[0];
        get("format").dispatchEvent(new Event("change"));
        get("width").value = get("height").value = "40";
        get("export-run").focus();`, format);
      await browser.press("\uE007");
      const bytes = await downloaded(folder, `paper-lamp-${name}.${file}`);
      assert.equal(bytes.subarray(0, magic.length).toString("latin1"), magic);
      if (format === "sheet") {
        const sheet = await browser.js(`${PAGE}
          drop({ "sheet.zip": args[0] });
          await until(() => el.info?.animations.length === 1, "the sheet");
          await shows();
          const opened = [el.info.animations[0].name, el.info.animations[0].frames];
          drop(args[1]);
          await until(() => el.info?.animations.length > 1 && covered(el) > 1000, "the lamp");
          return [...opened, el.info.animations.find(({ name }) => name === args[2]).frames];`, bytes.toString("base64"), contents(LAMP_FILES), name);
        assert.equal(sheet[0], name);
        assert.ok(sheet[1] > 1 && sheet[1] <= sheet[2], JSON.stringify(sheet));
      }
    }
    await browser.js(`${PAGE}
      key("e");
      get("format").value = "convert";
      get("format").dispatchEvent(new Event("change"));
      await until(() => get("target").length > 3, "the formats");
      get("target").value = "spine42";
      get("export-run").focus();`);
    await browser.press("\uE007");
    const packed = await downloaded(folder, "paper-lamp.zip");
    assert.ok(packed.includes("paper-lamp.json") && packed.includes("paper-lamp.atlas"));
    await browser.js(`document.getElementById("target").value = "skelform"; document.getElementById("export-run").click();`);
    await browser.js(`${PAGE} await until(() => get("export").open && get("losses").children.length > 0, "the losses"); get("export").close();`);
    assert.equal((await downloaded(folder, "paper-lamp.skf")).subarray(0, 2).toString(), "PK");
    const found = await browser.js(`return { busy: document.getElementById("busy").hidden, wide: document.documentElement.scrollWidth };`);
    assert.ok(found.busy && found.wide <= 390, JSON.stringify(found));
  });
  // Everything that was asked for is the page itself.
  const asked = server.requests.slice(before).filter((path) => !path.startsWith("/viewer/") && path !== "/favicon.ico");
  assert.deepEqual(asked, []);
});

test("an export shows its progress, and Escape cancels it", async () => {
  await viewer(async () => {
    const found = await browser.js(`${PAGE}
      await shows();
      key("e");
      get("format").value = "sheet";
      get("format").dispatchEvent(new Event("change"));
      get("width").value = get("height").value = "256";
      get("export-run").click();
      await until(() => !get("busy").hidden && get("progress").value > 0, "progress");
      const during = [text("working"), get("progress").value < 1];
      key("Escape");
      await until(() => get("busy").hidden, "the end");
      return { during, after: text("status") };`);
    assert.deepEqual(found, { during: ["Exporting…", true], after: "Cancelled." });
  }, { query: "?src=samples/paper-knight.pchr" });
});
