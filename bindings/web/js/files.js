/**
 * Where characters come from: addresses, dropped files and maps.
 */

import { loadTools } from "./on-demand.js";
import { PchrError } from "./wasm.js";

/**
 * @typedef {string | URL | Blob | BufferSource | FileList | File[] | Map<string, Blob | BufferSource | string>} Source
 * @typedef {{
 *   main: string,
 *   files: Map<string, Uint8Array>,
 *   missing: Set<string>,
 *   fetchMore?: (path: string) => Promise<Uint8Array | undefined>,
 *   readAll?: () => Promise<void>,
 * }} Files
 */

/** More files than this, such as those of a folder with many characters, are only read if a character needs them. */
const FEW = 8;

/** With more pictures than this, some are tried before all are fetched. */
const MANY = 8;
const TRIED = 4;

/**
 * Finds the files of a source, and how to get others that they refer to.
 * @param {Source} source
 * @param {{atlas?: string | URL, main?: string, signal?: AbortSignal}} options
 * @returns {Promise<Files>}
 */
export async function filesOf(source, options = {}) {
  const found = await given(source, options);
  if (!ARCHIVE.test(found.main)) return found;
  // Only what is in the archive exists.
  const { unzip } = await loadTools();
  return filesAmong([...(await unzip(/** @type {Uint8Array} */ (found.files.get(found.main))))], options.main);
}

/** @param {Source} source @param {{atlas?: string | URL, main?: string, signal?: AbortSignal}} options */
async function given(source, { atlas, main, signal }) {
  if (typeof source === "string" || source instanceof URL) return filesAt(source, atlas, signal);
  if (source instanceof Map) return filesAmong([...source], main);
  if (source instanceof Blob || source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    const name = source instanceof File ? source.name : "character";
    return filesAmong([[name, source]]);
  }
  const entries = [...source].map((file) => /** @type {[string, Blob]} */ ([file.webkitRelativePath || file.name, file]));
  return filesAmong(entries, main);
}

/** @param {Blob | BufferSource | string} content */
async function toBytes(content) {
  if (typeof content === "string") return new TextEncoder().encode(content);
  if (content instanceof Blob) return new Uint8Array(await content.arrayBuffer());
  if (ArrayBuffer.isView(content)) return new Uint8Array(content.buffer, content.byteOffset, content.byteLength);
  return new Uint8Array(content);
}

/** What may contain the files of a character. */
const ARCHIVE = /\.zip$/i;

/** What is a character rather than one of its parts, the surest first. */
const CHARACTERS = [/\.skel$/i, /\.(pchr|skf|pachario|sprsh)$/i, /\.json$/i, /\.(aseprite|ase|plist|xml)$/i, /\.atlas(\.txt)?$/i, ARCHIVE, /./];

/**
 * @param {[string, Blob | BufferSource | string][]} entries
 * @param {string} [given] The name of the character.
 * @returns {Promise<Files>}
 */
async function filesAmong(entries, given) {
  const contents = new Map(entries.map(([path, content]) => [path.replace(/^\/+/, ""), content]));
  const names = [...contents.keys()];
  const shallow = (/** @type {string} */ a, /** @type {string} */ b) => a.split("/").length - b.split("/").length || (a < b ? -1 : 1);
  const likely = CHARACTERS.map((pattern) => names.filter((name) => pattern.test(name)).sort(shallow)[0]);
  const main = given ?? likely.find((name) => name !== undefined);
  if (main === undefined) throw new PchrError({ code: "io", message: "there is no file" });
  /** @type {Files} */
  const found = { main, files: new Map(), missing: new Set() };
  /** @param {string} path */
  const read = async (path) => {
    const content = contents.get(path);
    return content === undefined ? undefined : toBytes(content);
  };
  const readAll = async () => {
    for (const [path, content] of contents) found.files.set(path, found.files.get(path) ?? (await toBytes(content)));
    found.missing.clear();
    found.fetchMore = found.readAll = undefined;
  };
  const bytes = await read(main);
  if (bytes) found.files.set(main, bytes);
  if (contents.size > FEW) Object.assign(found, { fetchMore: read, readAll });
  else await readAll();
  return found;
}

/**
 * Whether a character is probably Spine's, by its name or by how its text begins.
 * @param {Files} files
 */
export function looksLikeSpine({ main, files }) {
  if (/\.skel(\.bytes|\.txt)?$/i.test(main)) return true;
  const start = new TextDecoder().decode(files.get(main)?.subarray(0, 4096));
  return /^[^{]{0,3}\{\s*"skeleton"\s*:\s*\{/.test(start);
}

/**
 * Whether a picture is one that the player of Spine alone does not decode: a JPEG or a WebP.
 * @param {Files} files
 */
export function hasJpegOrWebp({ files }) {
  const start = (/** @type {Uint8Array} */ bytes) => String.fromCharCode(...bytes.subarray(0, 12));
  return [...files.values()].some((bytes) => /^\xff\xd8\xff|^RIFF[^]{4}WEBP/.test(start(bytes)));
}

/**
 * @param {string | URL} source
 * @param {string | URL | undefined} atlas
 * @param {AbortSignal | undefined} signal
 */
async function filesAt(source, atlas, signal) {
  const address = new URL(source, document.baseURI);
  const atlasAddress = atlas ? new URL(atlas, document.baseURI) : undefined;
  const [main, atlasBytes] = await Promise.all([
    fetchFile(address, signal),
    atlasAddress && fetchFile(atlasAddress, signal),
  ]);
  let name = nameOf(address);
  const files = new Map();
  if (atlasAddress && atlasBytes) {
    // It takes the usual name, and its pages are beside it.
    const stem = nameOf(atlasAddress).replace(/(\.atlas)?(\.txt)?$/i, "");
    name = `${stem}${name.match(/\.[^.]*$/)?.[0] ?? ""}`;
    files.set(`${stem}.atlas`, atlasBytes);
  }
  files.set(name, main);
  const base = atlasAddress ?? address;
  const isFolder = base.protocol === "http:" || base.protocol === "https:" || base.protocol === "file:";
  /** @param {string} path */
  const fetchMore = async (path) => {
    const url = new URL(path.split("/").map(encodeURIComponent).join("/"), base);
    const folder = new URL(".", base);
    if (!url.href.startsWith(folder.href)) return undefined;
    return fetchFile(url, signal).catch((error) => {
      if (signal?.aborted) throw error;
      return undefined;
    });
  };
  return { main: name, files, missing: new Set(), fetchMore: isFolder ? fetchMore : undefined };
}

/** @param {URL} url */
function nameOf(url) {
  const last = url.pathname.split("/").pop() || "character";
  try {
    return decodeURIComponent(last).replace(/[/\\\0]/g, "_");
  } catch {
    return last;
  }
}

/**
 * @param {URL} url
 * @param {AbortSignal} [signal]
 */
async function fetchFile(url, signal) {
  const fail = (/** @type {string} */ why) => new PchrError({ code: "io", file: nameOf(url), message: `${nameOf(url)}: ${why}` });
  let response;
  try {
    response = await fetch(url, { signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw fail("it cannot be loaded");
  }
  if (!response.ok) throw fail(`it cannot be loaded (HTTP ${response.status})`);
  return new Uint8Array(await response.arrayBuffer());
}

/**
 * Gets the files that a character wants. Returns false if none of them exists.
 * @param {Files} files
 * @param {string[]} wanted
 */
export async function fetchWanted(files, wanted) {
  const get = async (/** @type {string} */ path) => {
    const bytes = await files.fetchMore?.(path);
    if (bytes) files.files.set(path, bytes);
    else files.missing.add(path);
    return bytes !== undefined;
  };
  // The pictures of a character whose atlas is missing may all be missing too.
  const first = wanted.length > MANY ? wanted.slice(0, TRIED) : wanted;
  const found = (await Promise.all(first.map(get))).some(Boolean);
  const rest = wanted.slice(first.length);
  if (found) await Promise.all(rest.map(get));
  else rest.forEach((path) => files.missing.add(path));
  return found;
}
