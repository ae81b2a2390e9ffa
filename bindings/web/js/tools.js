/**
 * The tools: animated pictures, conversions, curves and archives, by a module of their own, and decoding by the player's. Each
 * call runs in a worker that ends with it, so that the page goes on and the memory is free again; where the page allows no
 * worker, the tools run here.
 */

import { run } from "./tools-run.js";
import { PchrError, Wasm, compile } from "./wasm.js";

/** @typedef {Map<string, Uint8Array>} Files */

/**
 * Draws an animation.
 * @param {Files} files
 * @param {{format: string} & Record<string, unknown>} request
 * @param {AbortSignal} [signal]
 */
export async function animate(files, request, signal) {
  const bytes = await call({ name: "pchr_animate", files, input: json(request), isJson: false }, signal);
  return new Blob([bytes], { type: `image/${request.format}` });
}

/**
 * The formats that a file can be converted to.
 * @param {Files} files
 * @param {string} main
 * @returns {Promise<{name: string, about: string, extension: string}[]>}
 */
export async function targets(files, main) {
  return (await call({ name: "pchr_targets", files, input: new TextEncoder().encode(main) })).answer;
}

/**
 * Converts a character.
 * @param {Files} files
 * @param {Record<string, unknown>} request
 * @param {AbortSignal} [signal]
 * @returns {Promise<import("./pchr.js").Converted>}
 */
export async function convert(files, request, signal) {
  const { answer, made } = await call({ name: "pchr_convert", files, input: json(request) }, signal);
  return { ...answer, files: made };
}

/**
 * The values of a bone over an animation, for a graph: positions in frames, each with the rotation in degrees, x, y and the
 * scales along both axes, relative to the parent; and the frames in which each of the five is keyed.
 * @param {import("./pchr.js").Character} character
 * @param {{animation: string, bone: number, skins?: string[]}} options `bone` is a place in the list of bones.
 * @param {AbortSignal} [signal]
 * @returns {Promise<{points: [position: number, values: number[]][], keys: number[][]}>}
 */
export async function curves({ files, main }, options, signal) {
  return (await call({ name: "pchr_curves", files, input: json({ main, ...options }) }, signal)).answer;
}

/**
 * Unpacks a zip.
 * @param {Uint8Array} bytes
 * @returns {Promise<Files>}
 */
export async function unzip(bytes) {
  return (await call({ name: "pchr_unzip", files: new Map(), input: bytes })).made;
}

/**
 * Packs files into a zip.
 * @param {Files} files
 */
export async function zip(files) {
  const bytes = await call({ name: "pchr_zip", files, input: new Uint8Array(), isJson: false });
  return new Blob([bytes], { type: "application/zip" });
}

/**
 * Decodes the pictures of a character with the module of its player, in the order in which reading needs them. Returns
 * none if there can be no worker.
 * @param {WebAssembly.Module} module
 * @param {Files} files
 * @param {string} main
 * @param {AbortSignal} [signal]
 * @returns {Promise<Uint8Array[]>}
 */
export async function decode(module, files, main, signal) {
  const answer = await callInWorker(module, { name: "pchr_decode", files, input: new TextEncoder().encode(main) }, signal);
  return [...(answer?.made.values() ?? [])];
}

/** @param {unknown} request */
function json(request) {
  return new TextEncoder().encode(JSON.stringify(request));
}

function toolsUrl() {
  return new URL("./pchr_tools.wasm", import.meta.url);
}

function workerUrl() {
  return new URL("./tools-worker.js", import.meta.url);
}

/**
 * @param {import("./tools-run.js").Job} job
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
async function call(job, signal) {
  signal?.throwIfAborted();
  const module = await compile("tools", toolsUrl);
  return (await callInWorker(module, job, signal)) ?? run(await Wasm.start(module), job);
}

/**
 * Calls a module in a worker. Returns nothing if there can be no worker.
 * @param {WebAssembly.Module} module
 * @param {import("./tools-run.js").Job} job
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
async function callInWorker(module, job, signal) {
  signal?.throwIfAborted();
  let worker;
  try {
    worker = new Worker(workerUrl(), { type: "module" });
    const { fault, result } = await answerOf(worker, { module, job }, signal);
    if (fault) throw new PchrError(fault);
    return result;
  } catch (error) {
    // Only that there is no worker is no reason to give up.
    if (error instanceof PchrError || signal?.aborted) throw error;
  } finally {
    worker?.terminate();
  }
}

/**
 * What a worker answers; nothing if it cannot be loaded.
 * @param {Worker} worker
 * @param {unknown} message
 * @param {AbortSignal} [signal]
 * @returns {Promise<{fault?: any, result?: any}>}
 */
function answerOf(worker, message, signal) {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = () => resolve({});
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    worker.postMessage(message);
  });
}
