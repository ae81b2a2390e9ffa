/**
 * The worker of `cpu.js`: opens the characters of the page in a module of its own, and draws their poses.
 */

import { Wasm } from "./wasm.js";

/** @type {Promise<Wasm> | undefined} */
let starting;
/** A player for each character. @type {Map<number, number>} */
const players = new Map();
let queue = Promise.resolve();

self.onmessage = ({ data }) => {
  if (data.module) starting = Wasm.start(data.module);
  // In the order of the messages, though the module starts later.
  else queue = queue.then(() => perform(data)).catch((error) => answer({ id: data.id, error: String(error) }));
};

/** @param {any} message @param {Transferable[]} [moved] */
function answer(message, moved = []) {
  if (message.id !== undefined) self.postMessage(message, { transfer: moved });
}

/** @param {any} message */
async function perform({ id, open, close, paint }) {
  const wasm = await starting;
  if (!wasm || wasm.isBroken) throw new Error("no module");
  if (open) {
    const { handle } = wasm.open(open.files, open.main);
    players.set(open.key, wasm.try("pchr_player", handle));
    wasm.call("pchr_close", handle);
  } else if (close !== undefined) {
    wasm.call("pchr_player_free", players.get(close) ?? -1);
    players.delete(close);
  } else if (paint) {
    const player = players.get(paint.key);
    if (player === undefined) throw new Error("no character");
    wasm.text("");
    wasm.try("pchr_view", player, paint.width, paint.height, ...paint.area);
    wasm.try("pchr_overlay", player, Number(paint.showsBones));
    wasm.bytes(paint.pose);
    wasm.try("pchr_paint", player, 1);
    const pixels = wasm.answer().slice();
    answer({ id, pixels: pixels.buffer }, [pixels.buffer]);
  }
}
