/**
 * `<pchr-player>`: a 2D skeletal character in a page.
 *
 * @example
 * <pchr-player src="hero.json" animation="walk" autoplay controls alt="A hero walks"></pchr-player>
 */

import { Controls } from "./controls.js";
import { CpuPainter } from "./cpu.js";
import { getGl } from "./gl.js";
import { Character, LOOP_MODES, PchrError, Player, setWasm } from "./pchr.js";
import { STYLE } from "./style.js";
import { join, leave } from "./ticker.js";

export { Character, PchrError, Player, setWasm };

/** Longest side of the canvas, in device pixels. */
const MAX_SIDE = 4096;

/** Longest time that one frame lets pass, in seconds: after a pause the character continues where it was. */
const MAX_STEP = 0.25;

/** An event with fields of its own. */
export class PlayerEvent extends Event {
  /** @param {string} type @param {Record<string, unknown>} [fields] */
  constructor(type, fields = {}) {
    super(type);
    /** The fields, as custom events have them. */
    this.detail = fields;
    Object.assign(this, fields);
  }
}

const isReduced = () => getReducedMotion().matches;

/**
 * A player of 2D skeletal characters.
 *
 * @attr {string} src - address of the character
 * @attr {string} atlas - address of its atlas; by default, it is searched for beside the character
 * @attr {string} animation - name of the animation; by default, `idle`, else the first that moves
 * @attr {string} skin - names of skins, separated by commas; `none` for the default skin alone
 * @attr {number} speed - factor, 1 as authored
 * @attr {"" | "authored" | "loop" | "once" | "ping-pong"} loop - what happens at the end; by default, as the file says
 * @attr {boolean} autoplay - plays as soon as it is loaded, unless the visitor prefers reduced motion
 * @attr {number} crossfade - seconds in which one animation replaces another
 * @attr {string} fit - visible area: `animation`, `all`, `frame`, or `X,Y,W,H` in world pixels, y up
 * @attr {string} padding - around the area: pixels, or a percentage of its longer side
 * @attr {string} background - `transparent`, `checker` or a colour
 * @attr {"on" | "off"} physics - whether physics is simulated; by default, as in pchr-view
 * @attr {string} show - overlays, such as `bones,weights=arm`
 * @attr {string} poster - address of a picture that is shown until the character is
 * @attr {"eager" | "lazy"} loading - `lazy` waits until it is near the screen
 * @attr {"auto" | "webgl" | "cpu"} renderer - how it is drawn
 * @attr {boolean} controls - shows controls
 * @attr {boolean} interactive - it takes the focus, for pages that listen to keys and clicks
 * @attr {string} alt - text alternative
 * @fires load - it is loaded
 * @fires error - with `code`, `path` and `message`
 * @fires play
 * @fires pause
 * @fires loop - an animation starts again; with `animation` and `track`
 * @fires complete - an animation has reached its end; with `animation` and `track`
 * @fires animationevent - an animation fires an event; with its payload
 * @fires renderer - it is drawn for the first time, or in another way; with `renderer` and `reason`
 */
export class PchrPlayerElement extends HTMLElement {
  static observedAttributes = [
    "src", "atlas", "animation", "skin", "speed", "loop", "autoplay", "crossfade", "fit", "padding", "background",
    "physics", "show", "poster", "loading", "renderer", "controls", "interactive", "alt",
  ];

  /** @type {Character | null} */
  #character = null;
  /** @type {Player | null} */
  #player = null;
  #painter = new CpuPainter();
  /** @type {AbortController | null} */
  #loading = null;
  /** Resolves when the present source is loaded. @type {PromiseWithResolvers<this>} */
  #ready = promise();
  #isPaused = true;
  /** It shows a frame as a still picture, and plays from the start. */
  #isStill = false;
  /** Someone has asked to play, in spite of reduced motion. */
  #isWanted = false;
  #isVisible = false;
  #isDirty = false;
  #isLoadPending = false;
  /** The number of pictures that were begun. */
  #pictures = 0;
  /** The animation that the visible area is of; `null`: it has to be computed. @type {number | null} */
  #areaOf = null;
  /** The device pixels of the canvas, as the layout has them, and their ratio to those of the page. */
  #size = [0, 0];
  #ratio = 0;
  /** @type {[number, number, number, number]} */
  #area = [0, 0, 1, 1];
  /** The area that the page has set instead of `fit`. @type {[number, number, number, number] | null} */
  #stated = null;
  #isCpu = false;
  /** WebGL would have taken too long for the last picture. */
  #isTooSlow = false;
  /** The context that tells when it is lost. @type {ReturnType<typeof getGl>} */
  #gl = null;
  /** @type {"webgl" | "cpu" | null} */
  #drawnBy = null;
  /** @type {import("./files.js").Source | null} */
  #given = null;
  /** @type {string | undefined} */
  #main;
  /** @type {Controls | null} */
  #controls = null;
  #observers = [
    new IntersectionObserver((entries) => this.#setVisible(entries[entries.length - 1].isIntersecting), { rootMargin: "128px" }),
    new ResizeObserver(([entry]) => this.#resize(entry)),
  ];
  #glChanged = () => this.#touch();

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [STYLE()];
    this.#canvas = document.createElement("canvas");
    this.#canvas.setAttribute("part", "canvas");
    this.#canvas.setAttribute("role", "img");
    this.#poster = document.createElement("img");
    this.#poster.setAttribute("part", "poster");
    this.#poster.hidden = true;
    this.#message = document.createElement("p");
    this.#message.setAttribute("part", "error");
    this.#message.setAttribute("role", "alert");
    this.#message.hidden = true;
    const stage = document.createElement("div");
    stage.className = "stage";
    stage.append(this.#canvas, this.#poster, this.#message);
    this.#frame.className = "frame";
    this.#frame.append(stage);
    root.append(this.#frame);
    this.#context = /** @type {CanvasRenderingContext2D} */ (this.#canvas.getContext("2d"));
  }

  #frame = document.createElement("div");
  /** @type {HTMLCanvasElement} */
  #canvas;
  /** @type {HTMLImageElement} */
  #poster;
  /** @type {HTMLElement} */
  #message;
  /** @type {CanvasRenderingContext2D} */
  #context;

  // ---- Life ----

  connectedCallback() {
    this.#observers[0].observe(this);
    this.#observers[1].observe(this.#canvas);
    getReducedMotion().addEventListener("change", this.#glChanged);
    if (this.src || this.#given) this.#load();
  }

  disconnectedCallback() {
    // Moving an element in the page removes it for a moment.
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.#observers.forEach((observer) => observer.disconnect());
      getReducedMotion().removeEventListener("change", this.#glChanged);
      this.#unload();
    });
  }

  /** @param {string} name @param {string | null} before @param {string | null} value */
  attributeChangedCallback(name, before, value) {
    if (before === value) return;
    switch (name) {
      case "src":
      case "atlas":
        this.#given = null;
        this.#main = undefined;
        if (this.isConnected) this.#load();
        return;
      case "loading":
        if (this.#isLoadPending) this.#load();
        return;
      case "poster":
        if (value) this.#poster.src = value;
        this.#showPoster();
        return;
      case "alt":
        this.#describe();
        return;
      case "background":
        this.#paintBackground();
        return;
      case "controls":
        this.#showControls();
        return;
      case "interactive":
        if (value === null) this.removeAttribute("tabindex");
        else if (!this.hasAttribute("tabindex")) this.tabIndex = 0;
        return;
      case "renderer":
        this.#isCpu = value === "cpu";
        this.#touch();
        return;
      case "animation":
        this.#attempt(() => this.#start());
        return;
      case "skin":
        this.#attempt(() => this.#applySkin());
        return;
      case "autoplay":
        if (value !== null && this.#player && !isReduced()) this.#setPaused(false);
        return;
      default:
        this.#attempt(() => this.#applySettings());
    }
  }

  /** Loads the source, or waits until that is due. */
  #load() {
    this.#unload();
    this.#message.hidden = true;
    if (!this.src && !this.#given) return;
    this.#isLoadPending = this.loading === "lazy" && !this.#isVisible && !this.#given;
    if (this.#isLoadPending) {
      this.#showPoster();
      return;
    }
    const loading = (this.#loading = new AbortController());
    const source = this.#given ?? this.src;
    this.#showPoster();
    Character.load(source, { atlas: this.atlas || undefined, main: this.#main, signal: loading.signal }).then(
      (character) => {
        if (loading.signal.aborted) character.close();
        else this.#attempt(() => this.#begin(character));
      },
      (error) => {
        if (!loading.signal.aborted) this.#fail(error);
      },
    );
  }

  /** @param {Character} character */
  #begin(character) {
    this.#loading = null;
    this.#character = character;
    this.#player = new Player(character);
    this.#isPaused = !(this.autoplay && !isReduced()) && !this.#isWanted;
    this.#applySettings();
    if (this.skin) this.#attempt(() => this.#applySkin());
    this.#attempt(() => this.#start());
    this.#describe();
    this.#showControls();
    this.#touch();
    this.#ready.resolve(this);
    this.dispatchEvent(new PlayerEvent("load"));
    if (!this.#isPaused) this.dispatchEvent(new PlayerEvent("play"));
    if (character.missing) this.#report(character.missing);
  }

  /** Frees everything of the character. */
  #unload() {
    leave(this);
    this.#loading?.abort();
    this.#loading = null;
    this.#isLoadPending = false;
    if (this.#player) {
      this.#gl?.removeEventListener("change", this.#glChanged);
      this.#gl = null;
      this.#player.free();
      this.#ready = promise();
    }
    this.#character?.close();
    this.#character = this.#player = null;
    this.#areaOf = this.#stated = null;
    this.#drawnBy = null;
    this.#isPaused = true;
    this.#controls?.remove();
    this.#controls = null;
    // Frees the memory of the picture.
    this.#canvas.width = this.#canvas.height = 1;
  }

  /** Runs what may fail because of the page's own values. @param {() => void} run */
  #attempt(run) {
    try {
      run();
    } catch (error) {
      this.#fail(/** @type {Error} */ (error));
    }
  }

  /** @param {Error} error */
  #fail(error) {
    if (this.#character?.wasm.isBroken) this.#unload();
    this.#report(error);
    this.#ready.promise.catch(() => {});
    if (!this.#player) {
      this.#ready.reject(error);
      this.#ready = promise();
    }
  }

  /** Shows what is wrong, and says so in an event. @param {Error} error */
  #report(error) {
    const { code, path, file, offset } = error instanceof PchrError ? error : { code: "failed", path: "", file: null, offset: null };
    this.#message.textContent = error.message;
    this.#message.hidden = false;
    this.dispatchEvent(new PlayerEvent("error", { code, path, file, offset, message: error.message, error }));
  }

  // ---- Attributes ----

  #applySettings() {
    const player = this.#player;
    if (!player) return;
    player.set({
      speed: this.speed,
      crossfade: this.crossfade,
      loop: this.#loopMode(),
      physics: this.physics === "on" ? true : this.physics === "off" ? false : undefined,
    });
    this.#attempt(() => player.show(this.show.trim().split(/\s*,\s*/).filter(Boolean)));
    player.refresh();
    this.#areaOf = null;
    this.#touch();
  }

  #loopMode() {
    const value = this.getAttribute("loop");
    if (value === null) return "authored";
    return LOOP_MODES.find((mode) => mode === value) ?? "loop";
  }

  #applySkin() {
    if (!this.#player) return;
    this.#player.setSkins(this.skin.split(",").map((name) => name.trim()).filter(Boolean));
    this.#areaOf = null;
    this.#controls?.update();
    this.#touch();
  }

  #start() {
    const player = this.#player;
    if (!player) return;
    const name = this.animation || player.character.info.defaultAnimation;
    if (name !== null) player.play(name, { loop: this.#loopMode() });
    player.update(0);
    this.#isStill = this.#isPaused;
    if (this.#isStill) player.seekStill();
    this.#controls?.update();
    this.#touch();
  }

  #describe() {
    const alt = this.getAttribute("alt");
    if (alt === "") this.#canvas.setAttribute("role", "presentation");
    else this.#canvas.setAttribute("role", "img");
    const name = this.src.split(/[?#]/)[0].split("/").pop() ?? "";
    this.#canvas.setAttribute("aria-label", alt ?? (name ? `Animated character ${name}` : "Animated character"));
    this.#poster.alt = alt ?? "";
  }

  #paintBackground() {
    const isChecker = this.background === "checker";
    this.#canvas.classList.toggle("checker", isChecker);
    // Set like this, a colour needs no permission of a content security policy.
    this.#canvas.style.backgroundColor = isChecker || this.background === "transparent" ? "" : this.background;
  }

  #showControls() {
    if (!this.controls || !this.#player) {
      this.#controls?.remove();
      this.#controls = null;
    } else if (!this.#controls) {
      this.#controls = new Controls(this);
      this.#frame.append(this.#controls.bar);
    }
    this.#touch();
  }

  /** The poster covers what is not there yet, and motion that nobody wants. */
  #showPoster() {
    const isWaiting = this.#drawnBy === null || (isReduced() && this.#isPaused && !this.#isWanted);
    this.#poster.hidden = !this.poster || !isWaiting;
  }

  // ---- Frames ----

  /** Draws again. */
  #touch() {
    this.#isDirty = true;
    this.#wake();
  }

  #wake() {
    if (this.#player && this.#isVisible && this.isConnected) join(this);
    else leave(this);
  }

  /** @param {boolean} isVisible */
  #setVisible(isVisible) {
    this.#isVisible = isVisible;
    if (isVisible && this.#isLoadPending) this.#load();
    this.#touch();
  }

  /**
   * Called by the ticker for each frame while it is on screen. Returns false when nothing is left to do.
   * @param {number} secs
   * @ignore
   */
  tick(secs) {
    const player = this.#player;
    if (!player) return false;
    try {
      if (!this.#isPaused) {
        this.#tell(player.update(Math.min(secs, MAX_STEP)));
        // A listener may have removed it.
        if (this.#player !== player) return false;
        if (player.isMoving) this.#isDirty = true;
        else if (player.playing.ended) this.#setPaused(true);
      }
      if (this.#isDirty) this.#draw(player);
      this.#controls?.follow();
    } catch (error) {
      this.#fail(/** @type {Error} */ (error));
      return false;
    }
    return this.#isDirty || !this.#isPaused;
  }

  /** @param {import("./pchr.js").TrackEvent[]} events */
  #tell(events) {
    for (const { kind, ...fields } of events) {
      if (kind === "event") this.dispatchEvent(new PlayerEvent("animationevent", fields));
      if (kind !== "complete") continue;
      this.dispatchEvent(new PlayerEvent("complete", fields));
      if (this.#player && !this.#player.playing.ended) this.dispatchEvent(new PlayerEvent("loop", fields));
    }
  }

  /** Keeps the size that the layout has, because asking for it in each frame would make the layout each time. @param {ResizeObserverEntry} entry */
  #resize(entry) {
    const { inlineSize, blockSize } = entry.contentBoxSize[0];
    this.#keepSize(inlineSize, blockSize);
    this.#touch();
  }

  /** Asks the layout, before it has said anything and after the page was moved to another screen or zoomed. */
  #measure() {
    this.#keepSize(this.#canvas.clientWidth, this.#canvas.clientHeight);
  }

  /** @param {number} width @param {number} height */
  #keepSize(width, height) {
    this.#ratio = devicePixelRatio;
    this.#size = [width, height].map((side) => Math.min(MAX_SIDE, Math.round(Math.round(side) * devicePixelRatio)));
  }

  /** @param {Player} player */
  #draw(player) {
    const canvas = this.#canvas;
    if (this.#ratio !== devicePixelRatio) this.#measure();
    const [width, height] = this.#size;
    if (width === 0 || height === 0) {
      this.#isDirty = false;
      return;
    }
    const gl = this.#isCpu ? null : getGl();
    if (gl && gl !== this.#gl) {
      this.#gl = gl;
      gl.addEventListener("change", this.#glChanged);
    }
    const isGl = gl?.takes(player.character) ?? false;
    if ((!isGl || this.#isTooSlow) && this.#painter.isBusy) return;
    // Large pages take several frames.
    if (isGl && !gl?.prepare(player.character)) return;
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    player.setView(width, height, this.#visibleArea(player));
    this.#isDirty = false;
    const picture = (this.#pictures += 1);
    if (isGl && gl?.draw(player, this.#context, !this.#isPaused)) {
      this.#isTooSlow = false;
      this.#drew("webgl", "");
      return;
    }
    this.#isTooSlow = isGl && gl?.gl.isContextLost() === false;
    const unable = this.#isTooSlow ? "WebGL without a GPU would take too long" : "the WebGL context is lost or too small";
    const reason = this.renderer === "cpu" ? "asked for" : gl ? unable : "there is no WebGL2";
    // Meanwhile the context may have come back, and drawn a later one.
    const isWanted = () => this.#player === player && this.#pictures === picture;
    this.#painter.draw(player, this.#context, isWanted).then(
      () => {
        if (isWanted()) this.#drew("cpu", reason);
      },
      (error) => {
        if (this.#player === player) this.#fail(error);
      },
    );
  }

  /** @param {"webgl" | "cpu"} renderer @param {string} reason */
  #drew(renderer, reason) {
    if (this.#drawnBy === renderer) return;
    this.#drawnBy = renderer;
    this.dispatchEvent(new PlayerEvent("renderer", { renderer, reason }));
    this.#showPoster();
  }

  /** The rectangle of the world to show. @param {Player} player @returns {[number, number, number, number]} */
  #visibleArea(player) {
    if (this.#stated) return this.#stated;
    const { animation } = player;
    if (this.#areaOf === null || (this.#areaOf !== animation && this.fit === "animation")) {
      const covered = () => player.covered(this.fit === "all" ? "all" : this.fit === "frame" ? "frame" : "animation");
      this.#area = padded(stated(this.fit) ?? covered(), this.padding, [this.#canvas.width, this.#canvas.height]);
    }
    this.#areaOf = animation;
    return this.#area;
  }

  // ---- Methods ----

  /**
   * Plays, or plays an animation on a track.
   * @param {string} [name]
   * @param {import("./pchr.js").PlayOptions & {loop?: boolean | import("./pchr.js").LoopMode}} [options]
   */
  play(name, options = {}) {
    this.#isWanted = true;
    const player = this.#player;
    if (!player) return;
    this.#leaveStill();
    if (name !== undefined) player.play(name, this.#options(options));
    else if (player.playing.ended) player.seek(0);
    this.#controls?.update();
    this.#setPaused(false);
  }

  /**
   * Plays an animation after those that play and are queued.
   * @param {string} name
   * @param {import("./pchr.js").PlayOptions & {loop?: boolean | import("./pchr.js").LoopMode}} [options]
   */
  queue(name, options = {}) {
    this.#need().queue(name, this.#options(options));
    this.#touch();
  }

  /** @param {any} options */
  #options({ loop, ...options }) {
    return { ...options, loop: loop === undefined ? this.#loopMode() : loop === true ? "loop" : loop === false ? "once" : loop };
  }

  pause() {
    this.#setPaused(true);
  }

  /**
   * Fades a track out, or stops all and shows the rest pose. With `keep`, the track stops at once, and what it has set stays.
   * @param {{track?: number, fade?: number, keep?: boolean}} [options]
   */
  stop(options) {
    this.#need().stop(options);
    this.#touch();
  }

  /** @param {number} secs */
  seek(secs) {
    this.#need().seek(secs);
    this.#isStill = false;
    this.#controls?.follow();
    this.#touch();
  }

  /** @param {string[]} names */
  setSkins(names) {
    this.#need().setSkins(names);
    this.#areaOf = null;
    this.#touch();
  }

  /** @param {string} slot @param {string | null} [attachment] `null`: none; without it: what the animation says */
  setAttachment(slot, attachment) {
    this.#need().setAttachment(slot, attachment);
    this.#touch();
  }

  /** @param {string} bone @param {number} x @param {number} y In the world. */
  moveBone(bone, x, y) {
    this.#need().moveBone(bone, x, y);
    this.#touch();
  }

  /** @param {string} [bone] Without a name: all bones. */
  releaseBone(bone) {
    this.#need().releaseBone(bone);
    this.#touch();
  }

  get ikTargets() {
    return this.#player?.ikTargets ?? [];
  }

  /**
   * What is at a place of the page, as in `event.clientX` and `event.clientY`.
   * @param {number} clientX
   * @param {number} clientY
   * @returns {{slot: string | null, x: number, y: number}}
   */
  hitTest(clientX, clientY) {
    const player = this.#need();
    const { left, top, width, height } = this.#canvas.getBoundingClientRect();
    return player.hit(((clientX - left) / width) * player.width, ((clientY - top) / height) * player.height);
  }

  /**
   * Loads a character: an address, files, or a map of names to contents.
   * @param {import("./files.js").Source} source
   * @param {{main?: string}} [options] the name of the character among the files, if it is not the only one
   * @returns {Promise<this>}
   */
  load(source, { main } = {}) {
    this.#unload();
    this.#given = source;
    this.#main = main;
    const ready = this.#ready.promise;
    if (this.isConnected) this.#load();
    return ready;
  }

  /**
   * A picture by the CPU renderer: of the present pose, or of an animation at a time, as `pchr-view -t` draws it.
   * @param {{type?: string, time?: number, animation?: string, width?: number, height?: number,
   *   area?: [x: number, y: number, width: number, height: number]}} [options]
   * @returns {Promise<Blob>}
   */
  async toBlob({ type = "image/png", width, height, area, ...options } = {}) {
    const player = this.#need();
    const bytes = await this.#withView(width, height, area, () => player.png(options));
    const png = new Blob([bytes], { type: "image/png" });
    if (type === "image/png") return png;
    const picture = await createImageBitmap(png);
    const canvas = Object.assign(document.createElement("canvas"), { width: picture.width, height: picture.height });
    canvas.getContext("2d")?.drawImage(picture, 0, 0);
    return new Promise((resolve, reject) =>
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new PchrError({ code: "unsupported", message: `no ${type}` }))), type));
  }

  /**
   * An animation as a picture that moves, as `pchr-view -o` writes it.
   * @param {"apng" | "webp" | "gif"} format
   * @param {Omit<import("./pchr.js").ExportOptions, "area"> & {area?: [x: number, y: number, width: number, height: number]}} [options]
   * @returns {Promise<Blob>}
   */
  async exportAnimation(format, { width, height, area, ...options } = {}) {
    const player = this.#need();
    return player.exportAnimation(format, { ...options, ...this.#viewOf(player, width, height, area) });
  }

  /**
   * The character in files of another format, as `pchr convert` writes them: `to` is a value of `--to`, or an extension.
   * @param {string} to
   * @param {Parameters<Character["convert"]>[1]} [options]
   */
  async convert(to, options) {
    return this.#need().character.convert(to, options);
  }

  /**
   * @template T
   * @param {number | undefined} width
   * @param {number | undefined} height
   * @param {[number, number, number, number] | undefined} area
   * @param {() => T} run
   */
  #withView(width, height, area, run) {
    const player = this.#need();
    const before = /** @type {const} */ ([player.width, player.height, player.area]);
    const view = this.#viewOf(player, width, height, area);
    player.setView(view.width, view.height, view.area);
    try {
      return run();
    } finally {
      player.setView(...before);
    }
  }

  /**
   * The size of a picture and the part of the world in it: without others, those of the element.
   * @param {Player} player
   * @param {number | undefined} width
   * @param {number | undefined} height
   * @param {[number, number, number, number] | undefined} area
   */
  #viewOf(player, width = this.#canvas.width || 1, height = this.#canvas.height || 1, area) {
    /** @type {[number, number, number, number]} */
    const world = area ? [area[0], area[1], area[0] + area[2], area[1] + area[3]] : this.#visibleArea(player);
    return { width, height, area: world };
  }

  #need() {
    if (!this.#player) throw new PchrError({ code: "not-loaded", message: "no character is loaded yet: wait for `ready`" });
    return this.#player;
  }

  /** Lets the animation play from its start. */
  #leaveStill() {
    if (this.#isStill) this.#player?.seek(0);
    this.#isStill = false;
  }

  /** @param {boolean} isPaused */
  #setPaused(isPaused) {
    const isChanged = this.#isPaused !== isPaused;
    if (!isPaused) this.#leaveStill();
    this.#isPaused = isPaused;
    this.#controls?.update();
    this.#showPoster();
    this.#touch();
    if (isChanged) this.dispatchEvent(new PlayerEvent(isPaused ? "pause" : "play"));
  }

  // ---- Properties ----

  /** Resolves with the element when the present source is loaded; rejects if it cannot be. */
  get ready() {
    return this.#ready.promise;
  }
  get character() {
    return this.#character;
  }
  /** Seconds in the animation. */
  get currentTime() {
    return this.#player?.time ?? 0;
  }
  set currentTime(secs) {
    this.seek(secs);
  }
  get duration() {
    return this.#player?.playing.duration ?? NaN;
  }
  get paused() {
    return this.#isPaused;
  }
  get ended() {
    return this.#player?.playing.ended ?? false;
  }
  get playbackRate() {
    return this.speed;
  }
  set playbackRate(rate) {
    this.speed = rate;
  }
  get animationNames() {
    return this.#character?.info.animations.map(({ name }) => name) ?? [];
  }
  get skinNames() {
    return this.#character?.info.skins ?? [];
  }
  get slotNames() {
    return this.#character?.info.slots ?? [];
  }
  get boneNames() {
    return this.#character?.info.bones ?? [];
  }
  get info() {
    return this.#character?.info ?? null;
  }
  get findings() {
    return this.#character?.findings ?? [];
  }
  /** What track 0 plays and which skins are on. */
  get playing() {
    return this.#player?.playing ?? null;
  }
  /** The visible area, `[x, y, width, height]` in world pixels, y up. Set one to zoom and pan; `null` fits again, as `fit` says. */
  get area() {
    if (!this.#player) return null;
    const [left, bottom, right, top] = this.#visibleArea(this.#player);
    return [left, bottom, right - left, top - bottom];
  }
  set area(area) {
    this.#stated = area && stated(area.join()) || null;
    this.#touch();
  }
  /** How it is drawn: `webgl`, `cpu`, or `null` if it was not drawn yet. */
  get drawnBy() {
    return this.#drawnBy;
  }
}

/** @returns {any} */
function promise() {
  /** @type {any} */
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  // Nobody has to wait for it.
  made.promise.catch(() => {});
  return made;
}

/** @type {MediaQueryList | undefined} */
let reducedMotion;

function getReducedMotion() {
  reducedMotion ??= matchMedia("(prefers-reduced-motion: reduce)");
  return reducedMotion;
}

/** The rectangle that `fit` states. @param {string} fit @returns {[number, number, number, number] | undefined} */
function stated(fit) {
  const numbers = fit.split(",").map(Number);
  if (numbers.length !== 4 || !numbers.every(Number.isFinite) || numbers[2] <= 0 || numbers[3] <= 0) return undefined;
  const [x, y, width, height] = numbers;
  return [x, y, x + width, y + height];
}

/**
 * @param {[number, number, number, number]} area
 * @param {string} padding
 * @param {number[]} size
 * @returns {[number, number, number, number]}
 */
function padded([left, bottom, right, top], padding, [width, height]) {
  const amount = Math.max(0, parseFloat(padding) || 0);
  const [w, h] = [right - left, top - bottom];
  let margin = (Math.max(w, h) * amount) / 100;
  if (!padding.trim().endsWith("%")) {
    // Picture pixels: the character gets what they leave.
    const scale = Math.min(Math.max(1, width - 2 * amount) / w, Math.max(1, height - 2 * amount) / h);
    margin = amount / scale;
  }
  return [left - margin, bottom - margin, right + margin, top + margin];
}

/** Properties that are attributes: text with a default, numbers, and yes or no. */
const TEXTS = {
  src: "", atlas: "", animation: "", skin: "", loop: "", fit: "animation", padding: "0", background: "transparent",
  physics: "", show: "", poster: "", loading: "eager", renderer: "auto", alt: "",
};
const NUMBERS = { speed: 1, crossfade: 0 };
const FLAGS = ["autoplay", "controls", "interactive"];

/** @param {string} name @param {PropertyDescriptor & ThisType<HTMLElement>} accessors */
const define = (name, accessors) =>
  Object.defineProperty(PchrPlayerElement.prototype, name, { configurable: true, enumerable: true, ...accessors });
for (const [name, value] of Object.entries(TEXTS)) {
  define(name, {
    get() {
      return this.getAttribute(name) ?? value;
    },
    set(text) {
      this.setAttribute(name, String(text));
    },
  });
}
for (const [name, value] of Object.entries(NUMBERS)) {
  define(name, {
    get() {
      const number = parseFloat(this.getAttribute(name) ?? "");
      return Number.isFinite(number) ? number : value;
    },
    set(number) {
      this.setAttribute(name, String(number));
    },
  });
}
for (const name of FLAGS) {
  define(name, {
    get() {
      return this.hasAttribute(name);
    },
    set(isOn) {
      this.toggleAttribute(name, Boolean(isOn));
    },
  });
}

if (!customElements.get("pchr-player")) customElements.define("pchr-player", PchrPlayerElement);
