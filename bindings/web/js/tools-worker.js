/**
 * The worker of `tools.js`: one call in a module of its own.
 */

import { run } from "./tools-run.js";
import { PchrError, Wasm } from "./wasm.js";

self.onmessage = async ({ data: { module, job } }) => {
  try {
    self.postMessage({ result: run(await Wasm.start(module), job) });
  } catch (error) {
    const { code, message, path, file, offset } = error instanceof PchrError ? error : { code: "failed", message: String(error) };
    self.postMessage({ fault: { code, message, path, file, offset } });
  }
};
