// Packs the programs of this machine as a release would, installs the packages without network, and runs them.
// PCHR_PROGRAMS is the folder of the programs.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const knight = join(root, "assets/paper-knight.pchr");
const version = readFileSync(join(root, "Cargo.toml"), "utf8").match(/^version = "(.*)"/m)[1];
const platform = `${process.platform}-${process.arch}`;
const place = mkdtempSync(join(tmpdir(), "pchr-npm-"));
const at = (...names) => join(place, ...names);
const installed = (...names) => at("user/node_modules", ...names);
// An empty cache: everything must come from the packages.
const env = { ...process.env, npm_config_cache: at("cache"), npm_config_update_notifier: "false" };
const run = (program, args, options) => spawnSync(program, args, { cwd: at("user"), env, encoding: "utf8", ...options });
const npx = (args, options) => run("npx", ["--offline", ...args], options);

// Makes an archive of a program, like scripts/pack-release.
function pack(program, abi) {
  const name = `${program}-${version}-${{ x64: "x86_64", arm64: "aarch64" }[process.arch]}-unknown-linux-${abi}`;
  mkdirSync(at(name));
  copyFileSync(join(process.env.PCHR_PROGRAMS, program), at(name, program));
  // Smaller archives are packed and unpacked faster.
  execFileSync("strip", [at(name, program)]);
  writeFileSync(at(name, "THIRD-PARTY-LICENSES.txt"), program);
  execFileSync("tar", ["--use-compress-program=gzip -1", "-cf", at(`${name}.tar.gz`), "-C", place, name]);
  return at(`${name}.tar.gz`);
}

before(() => {
  const archives = [pack("pchr", "musl"), pack("pchr-view", "gnu")];
  const stdio = ["ignore", "ignore", "inherit"];
  execFileSync(join(root, "scripts/build-npm"), [at("packages"), ...archives], { env, stdio });
  mkdirSync(at("user"));
  const packages = readdirSync(at("packages")).map((name) => at("packages", name));
  assert.deepEqual(readdirSync(at("packages")).sort(), [`pchr-${version}.tgz`, `pchr-${platform}-${version}.tgz`]);
  const { status, stderr } = run("npm", ["install", "--offline", "--no-audit", "--no-fund", ...packages]);
  assert.equal(status, 0, stderr);
});

after(() => rmSync(place, { recursive: true, force: true }));

test("both programs run", () => {
  const inspected = npx(["pchr", "inspect", "--json", knight]);
  assert.equal(JSON.parse(inspected.stdout).schema, "pchr.inspect/1", inspected.stderr);
  const drawn = npx(["pchr-view", knight, "-s", "64", "--backend", "cpu", "-o", "knight.png"]);
  assert.equal(drawn.status, 0, drawn.stderr);
  assert.equal(readFileSync(at("user/knight.png")).subarray(1, 4).toString(), "PNG");
});

test("packages contain the licences", () => {
  for (const program of ["pchr", "pchr-view"]) {
    const text = readFileSync(installed("@pchr", platform, `${program}-THIRD-PARTY-LICENSES.txt`), "utf8");
    assert.equal(text, program);
  }
  for (const name of ["pchr", `@pchr/${platform}`]) {
    const names = readdirSync(installed(name));
    assert.ok(names.includes("LICENSE-MIT") && names.includes("LICENSE-APACHE"), names.join());
  }
});

test("streams and exit codes are passed on", () => {
  const piped = npx(["pchr", "validate", "-"], { input: "PCHR" });
  assert.equal(piped.status, 1, piped.stderr);
  assert.equal(npx(["pchr", "inspect", "nothing.pchr"]).status, 3);
  assert.equal(npx(["pchr", "nothing"]).status, 2);
});

test("signals are passed on", async () => {
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  const request = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) {
    const stdio = ["pipe", "pipe", "inherit"];
    const launcher = spawn(process.execPath, [installed("pchr/bin/pchr.js"), "mcp", place], { stdio });
    launcher.stdin.write(`${request}\n`);
    // It has started, and waits for its input.
    await new Promise((resolve) => launcher.stdout.once("data", resolve));
    const ended = new Promise((resolve) => launcher.on("exit", resolve));
    launcher.kill(signal);
    const code = await ended;
    // Ends a program that was not ended.
    launcher.stdin.destroy();
    // The exit code of the program.
    assert.equal(code, 130, signal);
  }
});

test("a platform without a package, and one whose package is missing, are named", () => {
  const launch = `require(${JSON.stringify(installed("pchr/bin/run.js"))})("pchr")`;
  const other = run(process.execPath, ["-e", `Object.defineProperty(process, "arch", { value: "mips" }); ${launch}`]);
  assert.equal(other.status, 1);
  assert.ok(other.stderr.includes(`there is no package for ${process.platform}-mips, only for ${platform};`), other.stderr);
  rmSync(installed("@pchr"), { recursive: true });
  const missing = run(process.execPath, ["-e", launch]);
  assert.equal(missing.status, 1);
  assert.ok(missing.stderr.includes(`the package @pchr/${platform} is missing`), missing.stderr);
});

test("the release makes a package for each of its targets", () => {
  const workflow = readFileSync(join(root, ".github/workflows/release.yml"), "utf8");
  const targets = new Set([...workflow.matchAll(/program: pchr.*target: ([a-z0-9_-]+),/g)].map(([, target]) => target));
  assert.ok(targets.size >= 7, [...targets].join());
  const script = readFileSync(join(root, "bindings/npm/package.mjs"), "utf8");
  for (const target of targets) assert.ok(script.includes(`"${target}"`), target);
  assert.ok(workflow.includes("scripts/build-npm "), "release.yml does not make the packages");
});
