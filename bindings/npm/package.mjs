// Makes the npm packages from unpacked release archives: node package.mjs FOLDER VERSION OUT. FOLDER contains a folder
// PROGRAM-VERSION-TARGET for each archive. Prints the folders of the packages: one for each platform, and `pchr`, which
// runs their programs.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [unpacked, version, out] = process.argv.slice(2);

const PROGRAMS = ["pchr", "pchr-view"];

// The targets of the release, with the names that Node gives to their platforms. On Linux, `pchr` is static.
const PLATFORMS = {
  "linux-x64": ["x86_64-unknown-linux-musl", "x86_64-unknown-linux-gnu"],
  "linux-arm64": ["aarch64-unknown-linux-musl", "aarch64-unknown-linux-gnu"],
  "darwin-x64": ["x86_64-apple-darwin"],
  "darwin-arm64": ["aarch64-apple-darwin"],
  "win32-x64": ["x86_64-pc-windows-msvc"],
};

const common = {
  version,
  license: "MIT OR Apache-2.0",
  homepage: "https://github.com/pchr/pchr",
  repository: { type: "git", url: "git+https://github.com/pchr/pchr.git" },
};

rmSync(out, { recursive: true, force: true });
const platforms = Object.keys(PLATFORMS).filter(makePlatform);
if (platforms.length === 0) fail(`${unpacked} contains no program of version ${version}`);

const main = join(out, "pchr");
mkdirSync(main);
cpSync(join(here, "bin"), join(main, "bin"), { recursive: true });
write(main, {
  name: "pchr",
  ...common,
  description: "Renders, converts, checks and compares 2D skeletal characters: Spine, SkelForm, PCHR, Aseprite, sprite sheets.",
  bin: Object.fromEntries(PROGRAMS.map((program) => [program, `bin/${program}.js`])),
  engines: { node: ">=18" },
  optionalDependencies: Object.fromEntries(platforms.map((platform) => [`@pchr/${platform}`, version])),
});

// Returns false if there is no program for the platform.
function makePlatform(platform) {
  const folder = (program) =>
    PLATFORMS[platform].map((target) => join(unpacked, `${program}-${version}-${target}`)).find((path) => existsSync(path));
  const present = PROGRAMS.filter(folder);
  if (present.length === 0) return false;
  if (present.length < PROGRAMS.length) fail(`of ${platform}, there is only ${present}`);
  const made = join(out, platform);
  mkdirSync(made, { recursive: true });
  for (const program of PROGRAMS) {
    for (const name of readdirSync(folder(program))) {
      // Both archives have these; the package has its own README.
      const isOwn = !/^(README|CHANGELOG|LICENSE-)/.test(name);
      const to = /^(THIRD-PARTY|sbom)/.test(name) ? `${program}-${name}` : name;
      if (isOwn) cpSync(join(folder(program), name), join(made, to));
    }
  }
  const [os, cpu] = platform.split("-");
  write(made, {
    name: `@pchr/${platform}`,
    ...common,
    description: `The programs of the package pchr for ${platform}.`,
    os: [os],
    cpu: [cpu],
    // Programs cannot be run from an archive.
    preferUnplugged: true,
  });
  return true;
}

function write(folder, manifest) {
  cpSync(join(here, "README.md"), join(folder, "README.md"));
  for (const licence of ["LICENSE-MIT", "LICENSE-APACHE"]) cpSync(join(here, "../..", licence), join(folder, licence));
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  console.log(folder);
}

function fail(message) {
  console.error(`package.mjs: ${message}`);
  process.exit(1);
}
