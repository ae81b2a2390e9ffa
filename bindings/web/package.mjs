// Makes the npm package from the sources and the compiled module, and prints its sizes. With a second folder, also makes the
// viewer page, with the package in it: node package.mjs PLAYER.wasm SPINE.wasm TOOLS.wasm FOLDER [VIEWER]
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { COMMANDS } from "./commands.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const [wasmPath, spinePath, toolsPath, out, viewer] = process.argv.slice(2);
// Without comments, a third of what a page loads of them. The types have their own.
const source = (name) => readFileSync(join(here, "js", name), "utf8").replace(/^ *(\/\*\*((?!\*\/)[^])*\*\/|\/\/.*)\n/gm, "");
const version = readFileSync(join(here, "../../Cargo.toml"), "utf8").match(/^version = "(.*)"/m)[1];

// In one file, the player is alone.
const NO_TOOLS = { code: "no-tools", message: "the player in one file cannot write or unpack files; the package pchr-web can" };

/** What the viewer page offers to those who have no character at hand. */
const SAMPLES = [
  "assets/paper-knight.pchr", ...["json", "atlas", "png"].flatMap((kind) => [`assets/paper-lamp.${kind}`, `examples/game/ranger.${kind}`]),
];

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
for (const name of readdirSync(join(here, "js"))) {
  if (name.endsWith(".d.ts")) cpSync(join(here, "js", name), join(out, name));
  else writeFileSync(join(out, name), source(name));
}
cpSync(join(here, "README.md"), join(out, "README.md"));
for (const licence of ["LICENSE-MIT", "LICENSE-APACHE"]) cpSync(join(here, "../..", licence), join(out, licence));
const wasm = readFileSync(wasmPath);
writeFileSync(join(out, "pchr_web.wasm"), wasm);
const spine = readFileSync(spinePath);
writeFileSync(join(out, "pchr_spine.wasm"), spine);
cpSync(toolsPath, join(out, "pchr_tools.wasm"));
writeFileSync(join(out, "pchr-player.inline.js"), inlined(wasm, "the player"));
writeFileSync(join(out, "pchr-spine.inline.js"), inlined(spine, "the player of Spine"));
writeFileSync(join(out, "custom-elements.json"), JSON.stringify(manifest(), null, 2));
writeFileSync(join(out, "package.json"), JSON.stringify(packageJson(), null, 2));

if (viewer) {
  rmSync(viewer, { recursive: true, force: true });
  cpSync(join(here, "viewer"), viewer, { recursive: true });
  const isNeeded = (path) => !/inline|\.d\.ts$|\.json$|README/.test(path);
  cpSync(out, join(viewer, "pchr-web"), { recursive: true, filter: isNeeded });
  const repository = join(here, "../..");
  for (const sample of SAMPLES) cpSync(join(repository, sample), join(viewer, "samples", basename(sample)));
  cpSync(join(repository, "packaging/icons/hicolor/scalable/apps/io.github.pchr.View.svg"), join(viewer, "icon.svg"));
  writeFileSync(join(viewer, "words.js"), words());
  keepOffline(viewer);
}

for (const name of readdirSync(out).filter((name) => /\.(js|wasm)$/.test(name))) print(name, readFileSync(join(out, name)));
const modules = readdirSync(join(here, "js")).filter((name) => name.endsWith(".js") && !/^tools|worker/.test(name));
const scripts = modules.map((name) => Buffer.from(source(name)));
print("a page with Spine alone", Buffer.concat([spine, ...scripts]));
print("a page with others", Buffer.concat([wasm, ...scripts]));

function print(name, bytes) {
  console.log(`${name.padEnd(24)} ${String(bytes.length).padStart(9)} bytes ${String(gzipSync(bytes, { level: 9 }).length).padStart(8)} gzip`);
}

// The words of the window for the viewer page: command, group, label, and whether holding down the key repeats it.
function words() {
  const table = COMMANDS.map(({ command, group, label, repeats }) => [command, group, label, repeats]);
  return `export const TABLE = ${JSON.stringify(table, null, 1)};\n`;
}

// Tells the service worker of the viewer page which files it keeps.
function keepOffline(viewer) {
  const hash = createHash("sha256");
  const files = readdirSync(viewer, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, path, name }) => relative(viewer, join(parentPath ?? path, name)).split(sep).join("/"));
  const kept = paths.filter((path) => path !== "worker.js" && !path.includes("LICENSE")).sort();
  for (const path of kept) hash.update(path).update(readFileSync(join(viewer, path)));
  const worker = join(viewer, "worker.js");
  const text = readFileSync(worker, "utf8")
    .replace("const FILES = [];", `const FILES = ${JSON.stringify(["./", ...kept])};`)
    .replace('const VERSION = "";', `const VERSION = "${hash.digest("hex").slice(0, 16)}";`);
  writeFileSync(worker, text);
}

// One module without imports, workers and other files: each source, in the order of their imports, without its import and
// export statements. Names at the top of a source must be unique, or the result is not valid.
function inlined(module, title) {
  const order = [];
  const visit = (name) => {
    if (order.includes(name)) return;
    for (const [, imported] of source(name).matchAll(/^import .* from "\.\/(.*)";$/gm)) visit(imported);
    order.push(name);
  };
  visit("pchr-player.js");
  const plain = (name) =>
    source(name)
      .replace(/^import .*;\n/gm, "")
      .replace(/^export \{.*\};\n/gm, "")
      .replace(/^export /gm, "");
  const body = order.map(plain).join("\n")
    .replace(/return new URL\("\.\/pchr_\w+\.wasm", import\.meta\.url\);/g, "return undefined;")
    .replace('return new URL("./cpu-worker.js", import.meta.url);', "return undefined;")
    .replace('return import("./tools.js");', `return Promise.reject(new PchrError(${JSON.stringify(NO_TOOLS)}));`);
  if (/import\.meta|^import |\bimport\(|<\/script/m.test(body.replace(/^\s*(\/?\*|\/\/).*$/gm, ""))) throw new Error("the sources cannot be inlined");
  const packed = gzipSync(module, { level: 9 }).toString("base64");
  return `// pchr-web ${version}: ${title} in one file, with its WebAssembly. MIT OR Apache-2.0.
${body}
setWasm(async () => {
  const bytes = Uint8Array.from(atob(${JSON.stringify(packed)}), (character) => character.charCodeAt(0));
  const unpacked = new Response(bytes).body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(unpacked).arrayBuffer();
});
export { Character, PchrError, PchrPlayerElement, Player, setWasm };
`;
}

// What editors need to know of the element, from the comment on its class.
function manifest() {
  const text = readFileSync(join(here, "js/pchr-player.js"), "utf8");
  const comment = text.match(/\/\*\*((?:(?!\*\/)[^])*@attr(?:(?!\*\/)[^])*)\*\//)[1];
  const attributes = [...comment.matchAll(/@attr \{(.*?)\} (\S+) - (.*)/g)].map(([, type, name, description]) => ({
    name, description, type: { text: type }, fieldName: name,
  }));
  const events = [...comment.matchAll(/@fires (\S+)(?: - (.*))?/g)].map(([, name, description = ""]) => ({
    name, description, type: { text: "PlayerEvent" },
  }));
  const path = "pchr-player.js";
  const element = {
    kind: "class", name: "PchrPlayerElement", tagName: "pchr-player", customElement: true,
    description: "A player of 2D skeletal characters.", superclass: { name: "HTMLElement" }, attributes, events,
    cssParts: ["canvas", "poster", "controls", "error"].map((name) => ({ name })),
  };
  const exported = { kind: "custom-element-definition", name: "pchr-player", declaration: { name: "PchrPlayerElement", module: path } };
  return { schemaVersion: "1.0.0", modules: [{ kind: "javascript-module", path, declarations: [element], exports: [exported] }] };
}

function packageJson() {
  return {
    name: "pchr-web",
    version,
    description: "Plays 2D skeletal characters in web pages: Spine 2.1 to 4.3, SkelForm, PCHR, Aseprite and sprite sheets.",
    license: "MIT OR Apache-2.0",
    repository: "https://github.com/pchr/pchr",
    type: "module",
    main: "./pchr-player.js",
    types: "./pchr-player.d.ts",
    customElements: "custom-elements.json",
    sideEffects: ["./pchr-player.js", "./*.inline.js"],
    exports: {
      ".": { types: "./pchr-player.d.ts", default: "./pchr-player.js" },
      "./pchr-player.js": { types: "./pchr-player.d.ts", default: "./pchr-player.js" },
      "./pchr.js": { types: "./pchr.d.ts", default: "./pchr.js" },
      "./tools.js": { types: "./tools.d.ts", default: "./tools.js" },
      "./pchr-player.inline.js": { types: "./pchr-player.d.ts", default: "./pchr-player.inline.js" },
      "./pchr-spine.inline.js": { types: "./pchr-player.d.ts", default: "./pchr-spine.inline.js" },
      "./pchr_web.wasm": "./pchr_web.wasm",
      "./pchr_spine.wasm": "./pchr_spine.wasm",
      "./pchr_tools.wasm": "./pchr_tools.wasm",
      "./custom-elements.json": "./custom-elements.json",
      "./package.json": "./package.json",
    },
    files: ["*.js", "*.d.ts", "*.wasm", "custom-elements.json", "LICENSE-*", "THIRD-PARTY-LICENSES.txt"],
  };
}
