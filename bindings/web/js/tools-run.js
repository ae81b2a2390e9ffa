/**
 * One call of a module, in a worker or in the page.
 */

/** @typedef {{name: string, files: Map<string, Uint8Array>, input: Uint8Array, isJson?: boolean}} Job */

/**
 * Returns the bytes that a call answers, or else its JSON and the files that it has made.
 * @param {import("./wasm.js").Wasm} wasm
 * @param {Job} job
 */
export function run(wasm, { name, files, input, isJson = true }) {
  wasm.files(files);
  wasm.bytes(input);
  wasm.try(name);
  if (!isJson) return wasm.answer().slice();
  const answer = wasm.json();
  const made = new Map();
  for (const [index, path] of (answer.files ?? []).entries()) {
    wasm.try("pchr_made", index);
    made.set(path, wasm.answer().slice());
  }
  return { answer, made };
}
