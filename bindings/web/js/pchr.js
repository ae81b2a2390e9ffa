/**
 * Characters and players, without an element: for pages and engines that draw by themselves.
 *
 * World units are pixels with y up; picture pixels have y down. Times are seconds.
 */

import { fetchWanted, filesOf, hasJpegOrWebp, looksLikeSpine } from "./files.js";
import { loadTools } from "./on-demand.js";
import { encodePng } from "./png.js";
import { PchrError, getWasm, setWasm } from "./wasm.js";

export { PchrError, setWasm };

/**
 * @typedef {{name: string, duration: number, looping: boolean, fps: number, frames: number}} AnimationInfo
 * @typedef {{severity: "note" | "warning" | "error", code: string, path: string, file: string | null,
 *   offset: number | null, message: string}} Finding
 * @typedef {{format: string, animations: AnimationInfo[], defaultAnimation: string | null, skins: string[],
 *   slots: string[], slotBones: (number | null)[], bones: string[], events: string[], physics: boolean,
 *   pages: {name: string, width: number, height: number, pixel_art: boolean}[]}} Info
 * @typedef {{kind: "start" | "interrupt" | "complete" | "end" | "event", track: number, animation: string | null,
 *   name?: string, int?: number, float?: number, string?: string, audio?: string | null, volume?: number,
 *   balance?: number, time?: number}} TrackEvent
 * @typedef {{track?: number, delay?: number, loop?: LoopMode, fade?: number, weight?: number, speed?: number, end?: number,
 *   range?: [number, number], attachments?: number, drawOrder?: number, events?: number, add?: boolean, hold?: boolean,
 *   shortest?: boolean, reverse?: boolean}} PlayOptions
 * @typedef {"authored" | "loop" | "once" | "ping-pong"} LoopMode
 * @typedef {{from: string, to: string, files: Map<string, Uint8Array>, worstErrorPx: number | null,
 *   losses: {code: string, path: string, message: string}[]}} Converted
 * @typedef {{animation?: string, fps?: number, speed?: number, loops?: number, matte?: [number, number, number],
 *   width?: number, height?: number, area?: [left: number, bottom: number, right: number, top: number],
 *   signal?: AbortSignal}} ExportOptions
 */

/** @type {LoopMode[]} */
export const LOOP_MODES = ["authored", "loop", "once", "ping-pong"];

/**
 * Settings of an animation as the module reads them.
 * @param {Omit<PlayOptions, "track" | "delay">} settings
 */
function settingsText({ drawOrder, ...settings }) {
  const parts = Object.entries({ ...settings, "draw-order": drawOrder }).map(([key, value]) => {
    if (value === undefined || value === null || value === false) return "";
    if (value === true) return key;
    return `${key}=${Array.isArray(value) ? value.join("..") : value}`;
  });
  return parts.filter(Boolean).join(",");
}

/** Rounds in which files are fetched: an atlas under several names, its pages, their alpha. */
const MAX_ROUNDS = 12;

/**
 * Characters that were loaded from addresses, while something uses them.
 * @type {Map<string, Promise<Character>>}
 */
const loaded = new Map();

/**
 * Opens a character. Pictures that take long to decode are decoded in a worker first, if there can be one.
 * @param {import("./wasm.js").Wasm} wasm
 * @param {import("./files.js").Files} files
 * @param {AbortSignal} [signal]
 */
async function open(wasm, { files, main, missing, fetchMore }, signal) {
  const options = { missing, isComplete: !fetchMore };
  const opened = wasm.open(files, main, { ...options, isQuick: true });
  if (opened.answer.code !== "cancelled") return opened;
  const decoded = await loadTools().then(({ decode }) => decode(wasm.module, files, main, signal)).catch(() => []);
  let pictures = -1;
  for (let pixels; !signal?.aborted && (pixels = decoded.shift()); ) {
    wasm.bytes(pixels);
    pictures = wasm.try("pchr_picture", pictures);
    // Copying each takes long enough.
    await new Promise((done) => setTimeout(done));
  }
  if (signal?.aborted) wasm.call("pchr_pictures_free", pictures);
  signal?.throwIfAborted();
  return wasm.open(files, main, { ...options, pictures });
}

/** What a file contains. Any number of players share it. */
export class Character {
  /** @type {number} */
  #handle;
  #users = 1;
  /** @type {(() => void)[]} */
  #whenClosed = [];

  /**
   * Loads a character, with the atlas and the pictures that it refers to. One address is loaded once, as long as someone
   * uses it.
   * @param {import("./files.js").Source} source
   * @param {{atlas?: string | URL, main?: string, signal?: AbortSignal}} [options] `main` names the character among files.
   * @returns {Promise<Character>}
   */
  static async load(source, options = {}) {
    if (typeof source !== "string" && !(source instanceof URL)) return Character.#read(source, options);
    const key = `${new URL(source, document.baseURI)}\n${options.atlas ? new URL(options.atlas, document.baseURI) : ""}`;
    const known = loaded.get(key);
    if (known) {
      const character = await known.catch(() => undefined);
      if (character && character.#users > 0 && !character.wasm.isBroken) {
        character.#users += 1;
        return character;
      }
      if (loaded.get(key) === known) loaded.delete(key);
      return Character.load(source, options);
    }
    // Others may wait for it, so it does not stop when the first loses interest.
    const loading = Character.#read(source, { ...options, signal: undefined });
    loaded.set(key, loading);
    const forget = () => {
      if (loaded.get(key) === loading) loaded.delete(key);
    };
    loading.then((character) => character.onClose(forget), forget);
    return loading;
  }

  /**
   * @param {import("./files.js").Source} source
   * @param {{atlas?: string | URL, main?: string, signal?: AbortSignal}} options
   */
  static async #read(source, options) {
    const files = await filesOf(source, options);
    let wasm = await getWasm(looksLikeSpine(files));
    for (let round = 0; ; round += 1) {
      if (wasm.name === "spine" && hasJpegOrWebp(files)) wasm = await getWasm();
      const { handle, answer } = await open(wasm, files, options.signal);
      const wants = answer.wanted.length > 0;
      // Files with other names than the usual ones are only found among all.
      const needsAll = files.readAll && (files.missing.size > 0 || (!wants && answer.findings?.length > 0));
      if (needsAll || (wants && round < MAX_ROUNDS)) {
        if (handle >= 0) wasm.call("pchr_close", handle);
        await (needsAll ? files.readAll?.() : fetchWanted(files, answer.wanted));
        options.signal?.throwIfAborted();
        continue;
      }
      if (handle < 0 && answer.code === "no-reader" && wasm.name === "spine") {
        // It only looked like Spine.
        wasm = await getWasm();
        continue;
      }
      if (handle < 0) throw new PchrError(answer);
      return new Character(wasm, handle, answer, files);
    }
  }

  /**
   * @param {import("./wasm.js").Wasm} wasm
   * @param {number} handle
   * @param {any} opened
   * @param {import("./files.js").Files} files
   */
  constructor(wasm, handle, opened, files) {
    this.wasm = wasm;
    this.#handle = handle;
    /** @type {Info} */
    this.info = opened.info;
    /** @type {Finding[]} */
    this.findings = opened.findings;
    /** The first picture or atlas that it should have and that was not found. */
    this.missing = opened.missing ? new PchrError(opened.missing) : null;
    /** The files, for a worker that opens it too. */
    this.files = files.files;
    this.main = files.main;
  }

  get handle() {
    return this.#handle;
  }

  /** @param {() => void} run */
  onClose(run) {
    this.#whenClosed.push(run);
  }

  /**
   * The premultiplied pixels of a page, or of some of its rows, RGBA; valid until the next call of anything.
   * @param {number} page
   * @param {number} [row] The first.
   * @param {number} [rows] How many at most.
   */
  page(page, row = 0, rows = this.info.pages[page]?.height) {
    this.wasm.try("pchr_page", this.#handle, page, row, rows);
    return this.wasm.answer();
  }

  /**
   * The formats that it can be converted to.
   * @returns {Promise<{name: string, about: string, extension: string}[]>}
   */
  async targets() {
    return (await loadTools()).targets(this.files, this.main);
  }

  /**
   * Converts it as `pchr convert` does: `to` is a value of `--to`, or an extension. The main file is the first.
   * @param {string} to
   * @param {{animations?: string[], skins?: string[], fps?: number, noImage?: boolean, signal?: AbortSignal}} [options]
   * @returns {Promise<Converted>}
   */
  async convert(to, { signal, ...options } = {}) {
    return (await loadTools()).convert(this.files, { main: this.main, to, ...options }, signal);
  }

  /** Says that one user, of those that loaded it, needs it no more. */
  close() {
    this.#users -= 1;
    if (this.#users !== 0) return;
    this.#whenClosed.forEach((run) => run());
    if (!this.wasm.isBroken) this.wasm.call("pchr_close", this.#handle);
  }
}

/** One character that plays. */
export class Player {
  #handle;
  #wasm;

  /** @param {Character} character */
  constructor(character) {
    this.character = character;
    this.#wasm = character.wasm;
    this.#handle = this.#wasm.try("pchr_player", character.handle);
    this.width = 1;
    this.height = 1;
    /** Picture pixels per unit of the world, and the place in the world of the upper-left corner. */
    this.view = { scale: 1, left: 0, top: 0 };
    /** @type {[left: number, bottom: number, right: number, top: number]} */
    this.area = [0, 0, 1, 1];
    /** The overlays, one a line. */
    this.overlays = "";
    /** Whether physics is simulated; by default, as in pchr-view. @type {boolean | undefined} */
    this.physics = undefined;
  }

  /** @param {string} name @param {...number} args */
  #try(name, ...args) {
    return this.#wasm.try(name, this.#handle, ...args);
  }

  /** @param {string} text @param {string} name @param {...number} args */
  #tell(text, name, ...args) {
    this.#wasm.text(text);
    return this.#try(name, ...args);
  }

  /**
   * Plays an animation on a track, instead of what it plays. An empty name fades the track out.
   * @param {string} name
   * @param {PlayOptions} [options]
   */
  play(name, options) {
    this.#start(name, options, 0);
  }

  /**
   * Plays an animation after what the track plays. An empty name fades the track out then.
   * @param {string} name
   * @param {PlayOptions} [options]
   */
  queue(name, options) {
    this.#start(name, options, 1);
  }

  /** @param {string} name @param {PlayOptions | undefined} options @param {number} queue */
  #start(name, { track = 0, delay = 0, ...settings } = {}, queue) {
    this.#tell(`${settingsText(settings)}\n${name}`, "pchr_play", track, queue, delay);
  }

  /**
   * Fades a track out, or stops all and shows the rest pose. With `keep`, the track stops at once, and what it has set stays.
   * @param {{track?: number, fade?: number, keep?: boolean}} [options]
   */
  stop({ keep = false, track = keep ? 0 : -1, fade = 0 } = {}) {
    this.#try("pchr_stop", track, keep ? NaN : fade);
  }

  /** @param {number} secs */
  seek(secs) {
    this.#try("pchr_seek", secs);
  }

  /** Shows the first frame of the animation in which enough is visible, as a still picture does. */
  seekStill() {
    this.#try("pchr_seek_still");
  }

  /** @param {{speed?: number, crossfade?: number, loop?: LoopMode, physics?: boolean}} settings */
  set({ speed = 1, crossfade = 0, loop = "authored", physics }) {
    const mode = Math.max(0, LOOP_MODES.indexOf(loop));
    this.physics = physics;
    this.#try("pchr_settings", speed, crossfade, mode, physics === undefined ? 2 : Number(physics));
  }

  /** @param {string[]} names Without any: those that the file starts with. */
  setSkins(names) {
    this.#tell(names.join("\n"), "pchr_skins");
  }

  /**
   * Shows another attachment in a slot; `null`: none; `undefined`: what the animation says.
   * @param {string} slot
   * @param {string | null} [attachment]
   */
  setAttachment(slot, attachment) {
    const text = attachment === undefined ? slot : `${slot}\n${attachment ?? ""}`;
    this.#tell(text, "pchr_attachment", attachment === undefined ? 1 : 0);
  }

  /**
   * Moves a bone, such as a target of inverse kinematics, to a place in the world, until it is released.
   * @param {string} bone
   * @param {number} x
   * @param {number} y
   */
  moveBone(bone, x, y) {
    this.#tell(bone, "pchr_move_bone", x, y);
  }

  /** @param {string} [bone] Without a name: all bones. */
  releaseBone(bone = "") {
    this.#tell(bone, "pchr_move_bone", NaN, NaN);
  }

  /**
   * Lets time pass.
   * @param {number} secs
   * @returns {TrackEvent[]}
   */
  update(secs) {
    return this.#try("pchr_update", secs) > 0 ? this.#wasm.json() : [];
  }

  /** Evaluates the pose after changes, without time. */
  refresh() {
    this.#try("pchr_refresh");
  }

  /** @returns {{animation: string | null, duration: number, ended: boolean, skins: string[]}} */
  get playing() {
    this.#try("pchr_playing");
    return this.#wasm.json();
  }

  /** The number of the animation that track 0 plays, in the order of the file; -1: none. */
  get animation() {
    return this.#wasm.call("pchr_animation", this.#handle);
  }

  get time() {
    return this.#wasm.call("pchr_time", this.#handle);
  }

  /** True if time changes what is shown. */
  get isMoving() {
    return this.#try("pchr_is_moving") === 1;
  }

  /**
   * What the animation, all animations, or the present pose cover.
   * @param {"animation" | "all" | "frame"} which
   * @returns {[left: number, bottom: number, right: number, top: number]}
   */
  covered(which) {
    this.#try("pchr_area", ["animation", "all", "frame"].indexOf(which));
    return this.#wasm.json();
  }

  /**
   * Sets the size of pictures and the part of the world that they show, in the middle and as large as possible.
   * @param {number} width
   * @param {number} height
   * @param {[left: number, bottom: number, right: number, top: number]} area
   */
  setView(width, height, area) {
    if (this.width === width && this.height === height && this.area === area) return;
    this.#try("pchr_view", width, height, ...area);
    [this.width, this.height, this.area] = [width, height, area];
    const { x, y } = this.hit(0, 0);
    this.view = { scale: this.#wasm.call("pchr_scale", this.#handle), left: x, top: y };
  }

  /** @param {string[]} names such as `bones` and `weights=arm` */
  show(names) {
    const overlays = names.join("\n");
    this.#tell(overlays, "pchr_overlay");
    this.overlays = overlays;
  }

  /** @returns {{bone: string, x: number, y: number}[]} */
  get ikTargets() {
    this.#try("pchr_ik_targets");
    return this.#wasm.json();
  }

  /**
   * What is at a pixel of the picture.
   * @param {number} x
   * @param {number} y
   * @returns {{slot: string | null, x: number, y: number}}
   */
  hit(x, y) {
    this.#try("pchr_hit", x, y);
    return this.#wasm.json();
  }

  /**
   * Triangles for a renderer, valid until the next call of anything. Vertices are 24 bytes: position and texture
   * coordinates as floats, light and dark colour as bytes. A batch is five numbers: page + 1 or 0, blend (0: normal or
   * additive, 1: multiply, 2: screen), clip + 1 or 0, first index, number of indices; a clip is two: first point, number of
   * points.
   */
  batches() {
    const at = this.#try("pchr_batches");
    const buffer = this.#wasm.buffer;
    const table = new Uint32Array(buffer, at, 11);
    const [vertices, vertexCount, indices, indexCount, batches, batchCount, clips, clipCount, points, pointCount, heavy] = table;
    return {
      vertices: new Uint8Array(buffer, vertices, vertexCount * 24),
      indices: new Uint32Array(buffer, indices, indexCount),
      batches: new Uint32Array(buffer, batches, batchCount * 5),
      clips: new Uint32Array(buffer, clips, clipCount * 2),
      points: new Float32Array(buffer, points, pointCount * 2),
      /** Without a GPU, the page would wait for WebGL. */
      isHeavy: heavy === 1,
    };
  }

  /** The pose, for a worker that draws it. */
  pose() {
    this.#try("pchr_pose");
    return this.#wasm.answer().slice();
  }

  /** Draws on the CPU. The pixels have straight alpha, and are valid until the next call of anything. */
  paint() {
    this.#try("pchr_paint", 0);
    return this.#wasm.answer();
  }

  /**
   * A PNG by the CPU renderer, whose pixels are the same on every machine: of the present pose, or of an animation at a time.
   * Needs CompressionStream (Safari 16.4, Firefox 113).
   * @param {{animation?: string, time?: number}} [options]
   * @returns {Promise<Uint8Array>}
   */
  async png({ animation = "", time = NaN } = {}) {
    const { width, height } = this;
    this.#tell(animation, "pchr_paint_still", time);
    const pixels = this.#wasm.answer().slice();
    this.#wasm.call("pchr_output_free");
    return encodePng(width, height, pixels);
  }

  /**
   * An animation as one file, as `pchr-view -o` writes it with `--backend cpu`: by default what plays, in the present view and
   * with the skins that are on.
   * @param {"apng" | "webp" | "gif"} format
   * @param {ExportOptions} [options]
   * @returns {Promise<Blob>}
   */
  async exportAnimation(format, { signal, ...options } = {}) {
    const { animation, skins } = this.playing;
    const { width, height, area, physics } = this;
    const request = { width, height, area, physics, animation, ...options, format, skins: skins.length > 0 ? skins : ["none"] };
    const { files, main } = this.character;
    return (await loadTools()).animate(files, { main, ...request }, signal);
  }

  /** Frees its memory. */
  free() {
    if (!this.#wasm.isBroken) this.#wasm.call("pchr_player_free", this.#handle);
    this.#handle = -1;
  }
}
