/**
 * The worker of `cpu.js`: opens the characters of the page in a module of its own, and draws their poses.
 */

import { Wasm } from "./wasm.js";

/** The modules by their names. @type {Map<string, Promise<Wasm>>} */
const started = new Map();
/** A player for each character. @type {Map<number, {wasm: Wasm, player: number}>} */
const players = new Map();
let queue = Promise.resolve();

self.onmessage = ({ data }) => {
  // In the order of the messages, though a module starts later.
  queue = queue.then(() => perform(data)).catch((error) => answer({ id: data.id, error: String(error) }));
};

/** @param {any} message @param {Transferable[]} [moved] */
function answer(message, moved = []) {
  if (message.id !== undefined) self.postMessage(message, { transfer: moved });
}

/** @param {any} message */
async function perform({ id, open, close, paint }) {
  if (open) {
    let wasm = await started.get(open.name)?.catch(() => undefined);
    if (!wasm || wasm.isBroken) {
      const starting = Wasm.start(open.module, open.name);
      started.set(open.name, starting);
      wasm = await starting;
    }
    const { handle } = wasm.open(open.files, open.main);
    players.set(open.key, { wasm, player: wasm.try("pchr_player", handle) });
    wasm.call("pchr_close", handle);
  } else if (close !== undefined) {
    const known = players.get(close);
    players.delete(close);
    if (known && !known.wasm.isBroken) known.wasm.call("pchr_player_free", known.player);
  } else if (paint) {
    const known = players.get(paint.key);
    if (!known || known.wasm.isBroken) throw new Error("no character");
    const { wasm, player } = known;
    wasm.try("pchr_view", player, paint.width, paint.height, ...paint.area);
    wasm.text(paint.overlays);
    wasm.try("pchr_overlay", player);
    wasm.bytes(paint.pose);
    wasm.try("pchr_paint", player, 1);
    const pixels = wasm.answer().slice();
    answer({ id, pixels: pixels.buffer }, [pixels.buffer]);
  }
}
