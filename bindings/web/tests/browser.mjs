// Chromium without a window, controlled through ChromeDriver, and a server for the package and the files of the tests.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, extname, join, normalize } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
export const ROOT = join(here, "../../..");

const TYPES = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".wasm": "application/wasm", ".json": "application/json",
  ".png": "image/png", ".css": "text/css", ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json",
};

/** The policy that a careful page has. */
export const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";

/** Begins a function in a page: waits for its element and defines helpers. */
export const READY = `
  await customElements.whenDefined("pchr-player");
  const el = document.querySelector("pchr-player");
  await el.ready;
  const until = async (test, what) => {
    for (let at = 0; at < 600; at += 1) { if (await test()) return; await new Promise((done) => setTimeout(done, 20)); }
    throw new Error("still false: " + (what ?? test));
  };
  const frames = async (count) => { while (count--) await new Promise(requestAnimationFrame); };
  const pixels = (el) => {
    const canvas = el.shadowRoot.querySelector("canvas");
    return canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  };
  const covered = (el) => pixels(el).filter((value, at) => at % 4 === 3 && value > 0).length;
`;

/**
 * Serves folders by the first part of the path. A page under /page/ has the body that the query states; `policy=1` adds the
 * policy. /slow-type/ serves the package with types that browsers cannot stream. `more` are headers of all files.
 */
export async function serve(folders, more = {}) {
  const requests = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url, "http://localhost");
    requests.push(url.pathname);
    if (url.pathname === "/page/") {
      const headers = { "content-type": TYPES[".html"] };
      if (url.searchParams.get("policy")) headers["content-security-policy"] = POLICY;
      const script = url.searchParams.get("script") ?? "/package/pchr-player.js";
      response.writeHead(200, headers);
      response.end(`<!doctype html><meta name="viewport" content="width=device-width"><title>page</title>
        <body>${url.searchParams.get("body") ?? ""}<script type="module" src="${script}"></script>`);
      return;
    }
    const [, first, ...rest] = decodeURIComponent(url.pathname).split("/");
    const folder = folders[first];
    const path = folder && join(folder, normalize(`/${rest.join("/")}`).replace(/\/$/, "/index.html"));
    try {
      const bytes = readFileSync(path ?? "");
      const type = first === "plain-types" && path.endsWith(".wasm") ? "application/octet-stream" : TYPES[extname(path)];
      response.writeHead(200, { "content-type": type ?? "application/octet-stream", ...more });
      response.end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  return { url: `http://127.0.0.1:${port}`, requests, stop: () => void (server.close(), server.closeAllConnections()) };
}

/** A running browser. WebGL is drawn in software. */
export class Browser {
  static async start() {
    const folder = mkdtempSync(join(tmpdir(), "pchr-web-"));
    const driver = spawn("chromedriver", ["--port=0"], { stdio: ["ignore", "pipe", "ignore"], env: { ...process.env, TMPDIR: folder } });
    const port = await new Promise((resolve, reject) => {
      createInterface(driver.stdout).on("line", (line) => {
        const found = line.match(/successfully on port (\d+)/);
        if (found) resolve(found[1]);
      });
      driver.on("exit", () => reject(new Error("ChromeDriver does not start")));
    });
    const browser = new Browser();
    Object.assign(browser, { driver, folder, base: `http://127.0.0.1:${port}` });
    const args = [
      "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync", "--window-size=1280,800", "--use-gl=angle",
      "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--enable-precise-memory-info", "--js-flags=--expose-gc",
    ];
    const options = { args, binary: ["chromium", "chromium-browser", "google-chrome"].map(which).find(Boolean) };
    const capabilities = { browserName: "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": { browser: "ALL" } };
    const session = await browser.post("/session", { capabilities: { alwaysMatch: capabilities } });
    browser.session = `/session/${session.sessionId}`;
    await browser.command("/timeouts", { script: 120000 });
    return browser;
  }

  async post(path, body) {
    const response = await fetch(this.base + path, { method: "POST", body: JSON.stringify(body) });
    const { value } = await response.json();
    if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
    return value;
  }

  command(path, body) {
    return this.post(this.session + path, body);
  }

  open(url) {
    return this.command("/url", { url });
  }

  /** Runs the body of an async function in the page. */
  js(body, ...args) {
    return this.command("/execute/sync", { script: `return (async (...args) => { ${body} })(...arguments)`, args });
  }

  /** A command of the DevTools protocol. */
  devtools(cmd, params = {}) {
    return this.command("/goog/cdp/execute", { cmd, params });
  }

  reduceMotion(isReduced) {
    const value = isReduced ? "reduce" : "no-preference";
    return this.devtools("Emulation.setEmulatedMedia", { features: [{ name: "prefers-reduced-motion", value }] });
  }

  /** Presses keys one after the other. */
  press(...keys) {
    const actions = keys.flatMap((value) => ["keyDown", "keyUp"].map((type) => ({ type, value })));
    return this.command("/actions", { actions: [{ type: "key", id: "keyboard", actions }] });
  }

  /** What the console says since the last time, but for advice about what only tests do. */
  async log() {
    const entries = await this.command("/se/log", { type: "browser" });
    return entries.map(({ message }) => message).filter((message) => !/willReadFrequently|favicon/.test(message));
  }

  async stop() {
    await fetch(this.base + this.session, { method: "DELETE" }).catch(() => {});
    this.driver.kill();
    // The browser may still be writing.
    await new Promise((done) => this.driver.once("exit", done));
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
  }
}

function which(name) {
  const found = spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" });
  return found.status === 0 ? found.stdout.trim() : undefined;
}
