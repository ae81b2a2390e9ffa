/**
 * Draws players with the CPU renderer: in a worker that all elements share, or, where the page allows none, here.
 */

/** @type {CpuWorker | null | undefined} */
let sharedWorker;

/** @returns {CpuWorker | null} */
function getWorker() {
  if (sharedWorker === undefined) {
    try {
      const url = workerUrl();
      sharedWorker = url ? new CpuWorker(new Worker(url, { type: "module" })) : null;
    } catch {
      sharedWorker = null;
    }
  }
  return sharedWorker;
}

/** @returns {URL | undefined} */
function workerUrl() {
  return new URL("./cpu-worker.js", import.meta.url);
}

/** The worker, as long as it answers. */
class CpuWorker {
  /** @type {Map<number, (answer: any) => void>} */
  #waiting = new Map();
  #next = 1;
  /** @type {Map<import("./pchr.js").Character, number>} */
  #characters = new Map();

  /** @param {Worker} worker */
  constructor(worker) {
    this.worker = worker;
    worker.onmessage = ({ data }) => {
      const settle = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      settle?.(data);
    };
    // It may be forbidden, or missing on the server.
    worker.onerror = () => this.#fail();
  }

  #fail() {
    sharedWorker = null;
    this.worker.terminate();
    this.#waiting.forEach((settle) => settle({ error: "the worker cannot be used" }));
    this.#waiting.clear();
  }

  /**
   * Draws a player. The answer is its pixels, or `undefined` if the worker cannot.
   * @param {import("./pchr.js").Player} player
   * @returns {Promise<ArrayBuffer | undefined>}
   */
  async paint(player) {
    const { character, width, height, area, overlays } = player;
    let key = this.#characters.get(character);
    if (key === undefined) {
      key = this.#next++;
      this.#characters.set(character, key);
      const { files, main, wasm: { name, module } } = character;
      this.worker.postMessage({ open: { key, files, main, name, module } });
      character.onClose(() => {
        this.#characters.delete(character);
        this.worker.postMessage({ close: key });
      });
    }
    const pose = player.pose();
    const id = this.#next++;
    const answer = new Promise((resolve) => this.#waiting.set(id, resolve));
    this.worker.postMessage({ id, paint: { key, width, height, area, overlays, pose } }, [pose.buffer]);
    return (await answer).pixels;
  }
}

/** Draws one player, a picture at a time. */
export class CpuPainter {
  #isBusy = false;

  /** True while a picture is drawn; ask again with the next frame. */
  get isBusy() {
    return this.#isBusy;
  }

  /**
   * Draws a player on a canvas of its size.
   * @param {import("./pchr.js").Player} player
   * @param {CanvasRenderingContext2D} target
   * @param {() => boolean} isWanted False if the picture is not to be shown any more.
   */
  async draw(player, target, isWanted) {
    this.#isBusy = true;
    try {
      const { width, height } = player;
      const worker = getWorker();
      const pixels = worker ? await worker.paint(player) : undefined;
      if (!isWanted()) return;
      if (!pixels) show(target, new Uint8ClampedArray(player.paint()), player.width, player.height);
      // The canvas may have got another size; then the next picture fits.
      else if (target.canvas.width === width && target.canvas.height === height) {
        show(target, new Uint8ClampedArray(pixels), width, height);
      }
    } finally {
      this.#isBusy = false;
    }
  }
}

/** @param {CanvasRenderingContext2D} target @param {Uint8ClampedArray} pixels @param {number} width @param {number} height */
function show(target, pixels, width, height) {
  target.putImageData(new ImageData(/** @type {any} */ (pixels), width, height), 0, 0);
}
