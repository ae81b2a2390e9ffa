// Runs a program from the package of this platform, with the same arguments, streams, signals and exit code.
const { spawn } = require("node:child_process");
const { dirname, join } = require("node:path");

const { optionalDependencies } = require("../package.json");

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

module.exports = (program) => {
  const file = find(program);
  const child = spawn(file, process.argv.slice(2), { stdio: "inherit" });
  const pass = (signal) => child.kill(signal);
  SIGNALS.forEach((signal) => process.on(signal, pass));
  child.on("error", (error) => fail(program, `${file} cannot be started: ${error.message}`));
  child.on("exit", (code, signal) => {
    if (!signal) process.exit(code);
    // Ends in the same way.
    SIGNALS.forEach((signal) => process.off(signal, pass));
    process.kill(process.pid, signal);
  });
};

// Returns the path of the program.
function find(program) {
  const platform = `${process.platform}-${process.arch}`;
  const name = `@pchr/${platform}`;
  const names = Object.keys(optionalDependencies);
  if (!names.includes(name)) {
    const platforms = names.map((name) => name.replace("@pchr/", "")).join(", ");
    const advice = "pchr can be built from source: https://github.com/pchr/pchr";
    fail(program, `there is no package for ${platform}, only for ${platforms}; ${advice}`);
  }
  try {
    const folder = dirname(require.resolve(`${name}/package.json`));
    return join(folder, process.platform === "win32" ? `${program}.exe` : program);
  } catch {
    const advice = "install pchr again on this machine, with optional dependencies";
    fail(program, `the package ${name} is missing; ${advice}`);
  }
}

function fail(program, message) {
  console.error(`${program}: ${message}`);
  process.exit(1);
}
