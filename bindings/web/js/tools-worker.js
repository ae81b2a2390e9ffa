/**
 * The worker of `tools.js`: one call of a module of its own.
 */

import { run } from "./tools-run.js";
import { PchrError, Wasm } from "./wasm.js";

self.onmessage = async ({ data: { module, job } }) => {
  try {
    const result = run(await Wasm.start(module), job);
    self.postMessage({ result }, { transfer: (result.made ? [...result.made.values()] : [result]).map(({ buffer }) => buffer) });
  } catch (error) {
    const { code, message, path, file, offset } = error instanceof PchrError ? error : { code: "failed", message: String(error) };
    self.postMessage({ fault: { code, message, path, file, offset } });
  }
};
