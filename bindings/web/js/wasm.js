/**
 * The WebAssembly module: finding and compiling it, and calls with text, bytes and errors.
 */

/** What went wrong, as `pchr validate` says it. */
export class PchrError extends Error {
  /** @param {{code: string, message: string, path?: string, file?: string | null, offset?: number | null}} fault */
  constructor({ code, message, path = "", file = null, offset = null }) {
    super(message);
    this.name = "PchrError";
    /** A stable code, such as `bone-out-of-range`. */
    this.code = code;
    /** The place in the file, in its own terms. */
    this.path = path;
    this.file = file;
    this.offset = offset;
  }
}

/** @typedef {string | URL | BufferSource | WebAssembly.Module | (() => Promise<BufferSource>)} WasmSource */

/** @typedef {"player" | "spine"} PlayerName The player of every format, or of Spine with PNGs alone. */

/**
 * Where the modules are.
 * @type {{player?: WasmSource, spine?: WasmSource, tools?: WasmSource}}
 */
let sources = {};
/** @type {Map<string, Promise<WebAssembly.Module>>} */
const compiled = new Map();
/** The instances that everything on the page shares. @type {Map<PlayerName, Promise<Wasm>>} */
const shared = new Map();

/**
 * Sets where the modules are, before anything is loaded: addresses, their bytes, or compiled modules. By default they are
 * `pchr_web.wasm`, `pchr_tools.wasm` and `pchr_spine.wasm` beside this file. The tools write files, and are loaded only
 * for that. `spine` is a smaller player, for pages that show only Spine with PNGs; without it,
 * `player` plays Spine too.
 * @param {WasmSource} player
 * @param {WasmSource} [tools]
 * @param {WasmSource} [spine]
 */
export function setWasm(player, tools, spine) {
  sources = { player, tools, spine };
  compiled.clear();
  shared.clear();
}

function playerUrl() {
  return new URL("./pchr_web.wasm", import.meta.url);
}

function spineUrl() {
  return new URL("./pchr_spine.wasm", import.meta.url);
}

/**
 * Compiles a module once.
 * @param {PlayerName | "tools"} name
 * @param {() => URL} usual Where it is by default.
 * @returns {Promise<WebAssembly.Module>}
 */
export function compile(name, usual) {
  const known = compiled.get(name);
  if (known) return known;
  const compiling = compileSource(sources[name], usual).catch((error) => {
    // The next one tries again.
    compiled.delete(name);
    throw new PchrError({ code: "no-wasm", message: `the ${name === "spine" ? "player of Spine" : name} cannot start: ${error.message}` });
  });
  compiled.set(name, compiling);
  return compiling;
}

/** @param {WasmSource | undefined} given @param {() => URL} usual */
async function compileSource(given, usual) {
  const source = typeof given === "function" ? await given() : given;
  if (source instanceof WebAssembly.Module) return source;
  if (source !== undefined && typeof source !== "string" && !(source instanceof URL)) return WebAssembly.compile(source);
  const url = new URL(source ?? usual(), document.baseURI);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.pathname}: HTTP ${response.status}`);
  // Only this type can be compiled while it arrives.
  if (response.headers.get("content-type")?.split(";")[0].trim() === "application/wasm") {
    return WebAssembly.compileStreaming(response);
  }
  return WebAssembly.compile(await response.arrayBuffer());
}

/**
 * A player that everything on the page shares. One that has crashed is replaced.
 * @param {boolean} [isSpine] Whether the player of Spine is enough; the one of every format is used if it is loaded already.
 * @returns {Promise<Wasm>}
 */
export async function getWasm(isSpine = false) {
  const isSmall = isSpine && !shared.has("player") && (sources.spine !== undefined || sources.player === undefined);
  const name = isSmall ? "spine" : "player";
  const known = shared.get(name);
  if ((await known?.catch(() => undefined))?.isBroken && shared.get(name) === known) shared.delete(name);
  const starting = shared.get(name) ?? compile(name, isSmall ? spineUrl : playerUrl).then((module) => Wasm.start(module, name));
  shared.set(name, starting);
  try {
    return await starting;
  } catch (error) {
    if (shared.get(name) === starting) shared.delete(name);
    throw error;
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** An instance of the module. */
export class Wasm {
  /** @param {WebAssembly.Module} module @param {PlayerName} [name] */
  static async start(module, name = "player") {
    return new Wasm(await WebAssembly.instantiate(module), module, name);
  }

  /** @param {WebAssembly.Instance} instance @param {WebAssembly.Module} module @param {PlayerName} name */
  constructor(instance, module, name) {
    this.module = module;
    this.name = name;
    /** @type {any} */
    this.exports = instance.exports;
    /** It has crashed, and cannot be used any more. */
    this.isBroken = false;
  }

  /** @returns {ArrayBuffer} */
  get buffer() {
    return this.exports.memory.buffer;
  }

  /**
   * Calls a function of the module. A crash is an error like others.
   * @param {string} name
   * @param {...number} args
   * @returns {number}
   */
  call(name, ...args) {
    let result;
    try {
      result = this.exports[name](...args);
    } catch (error) {
      this.isBroken = true;
      throw new PchrError({ code: "crashed", message: `the player has crashed: ${/** @type {Error} */ (error).message}` });
    }
    return result;
  }

  /**
   * Like `call`, for functions whose negative results are errors.
   * @param {string} name
   * @param {...number} args
   */
  try(name, ...args) {
    const result = this.call(name, ...args);
    if (result < 0) throw new PchrError(this.json());
    return result;
  }

  /**
   * Leaves text for the next call.
   * @param {string} text
   */
  text(text) {
    this.bytes(encoder.encode(text));
  }

  /**
   * Leaves bytes for the next call.
   * @param {...Uint8Array} parts
   */
  bytes(...parts) {
    let at = this.call("pchr_input", parts.reduce((sum, part) => sum + part.length, 0));
    for (const part of parts) {
      new Uint8Array(this.buffer, at, part.length).set(part);
      at += part.length;
    }
  }

  /** The answer of the last call. Valid until the next one. */
  answer() {
    return new Uint8Array(this.buffer, this.call("pchr_output"), this.call("pchr_output_len"));
  }

  /** The answer of the last call, from JSON. */
  json() {
    return JSON.parse(decoder.decode(this.answer()));
  }

  /**
   * Leaves files for the next calls.
   * @param {Map<string, Uint8Array>} files
   * @param {boolean} isComplete False if others exist.
   */
  files(files, isComplete = true) {
    this.call("pchr_files_begin", isComplete ? 1 : 0);
    for (const [path, bytes] of files) {
      const encoded = encoder.encode(path);
      this.bytes(bytes, encoded);
      this.call("pchr_files_add", encoded.length);
    }
  }

  /**
   * Opens a character among files. Returns its handle, or the error in `failure`.
   * @param {Map<string, Uint8Array>} files
   * @param {string} name
   * @param {{missing?: Set<string>, isComplete?: boolean, isQuick?: boolean, pictures?: number}} options `isQuick` cancels
   *   it rather than decode pictures that take long; `pictures` is a list of decoded ones.
   */
  open(files, name, { missing = new Set(), isComplete = true, isQuick = false, pictures = -1 } = {}) {
    this.files(files, isComplete);
    for (const path of missing) {
      this.text(path);
      this.call("pchr_files_missing");
    }
    this.text(name);
    const handle = this.call("pchr_open", isQuick ? 1 : 0, pictures);
    const answer = this.json();
    this.call("pchr_files_begin", 1);
    this.call("pchr_input", 0);
    return { handle, answer };
  }
}
