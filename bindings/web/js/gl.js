/**
 * Draws players with WebGL2, in one context for the whole page: browsers keep 8 to 16. All pictures of a frame are drawn beside
 * each other and then copied to the canvases of their elements, because the first copy waits for all drawing before it.
 */

const VERTEX_SHADER = `#version 300 es
layout(location = 0) in vec2 position;
layout(location = 1) in vec2 uv;
layout(location = 2) in vec4 light;
layout(location = 3) in vec4 dark;
uniform vec4 view; // scale, offset
out vec2 texel_at;
out vec4 light_color;
out vec4 dark_color;
void main() {
  gl_Position = vec4(position * view.xy + view.zw, 0.0, 1.0);
  texel_at = uv;
  light_color = light;
  dark_color = dark;
}`;

// The formula of draw::Batches.
const FRAGMENT_SHADER = `#version 300 es
precision highp float;
in vec2 texel_at;
in vec4 light_color;
in vec4 dark_color;
uniform sampler2D page;
uniform bool has_page;
out vec4 color;
void main() {
  vec4 texel = has_page ? texture(page, texel_at) : vec4(1.0);
  color.rgb = texel.rgb * light_color.rgb + (texel.a - texel.rgb) * dark_color.rgb;
  color.a = texel.a * light_color.a;
}`;

/** Sprites at this scale or smaller are drawn from smaller levels of the page. */
const MIPMAP_SCALE = 0.5;

/** The level of a page on which neighbouring regions begin to bleed into each other. */
const MAX_LEVEL = 3;

/** Sides of the canvas for the pictures of a frame, unless one is larger. */
const WIDTH = 1024;
const MAX_HEIGHT = 2048;

/** Most pixels of atlas pages uploaded per frame, so that the web page stays responsive. */
const MAX_UPLOAD = 1 << 21;

/** Frames that take longer than this are slow, in seconds. */
const SLOW = 1 / 45;

/** How much the last frame counts in their mean duration, and the longest that counts: one pause is not a slow page. */
const NEWEST = 0.05;
const LONGEST = 0.1;

/** @type {SharedGl | null | undefined} */
let sharedGl;

/**
 * Copies what was drawn in this frame.
 * @param {number} secs Since the frame before; 0: there was none.
 * @param {number} count How many elements play or change.
 */
export function presentGl(secs, count) {
  sharedGl?.present();
  sharedGl?.pace(secs, count);
}

/** The context of the page, or `null` if there is none. @returns {SharedGl | null} */
export function getGl() {
  if (sharedGl === undefined) {
    try {
      sharedGl = new SharedGl();
    } catch {
      sharedGl = null;
    }
  }
  return sharedGl;
}

class SharedGl extends EventTarget {
  /**
   * The atlas pages of characters, and the page and the row that are uploaded next.
   * @type {Map<import("./pchr.js").Character, {textures: WebGLTexture[], page: number, row: number, isSlow: boolean, fence?: WebGLSync | null}>}
   */
  #uploads = new Map();
  /** How many pixels may still be uploaded in this frame. */
  #left = MAX_UPLOAD;
  /** How textures are sampled. @type {WeakMap<WebGLTexture, {near: number, far: number}>} */
  #filters = new WeakMap();
  /** What was drawn and not copied yet. @type {{target: CanvasRenderingContext2D, x: number, y: number, width: number, height: number}[]} */
  #drawn = [];
  /** Where the next picture goes: rows from the top. */
  #next = { x: 0, y: 0, row: 0 };
  /** The mean duration of a frame in seconds. */
  #mean = 0;
  /** The smallest number of elements that was too slow; `Infinity`: none was. */
  #tooMany = Infinity;

  constructor() {
    super();
    this.canvas = document.createElement("canvas");
    this.canvas.width = this.canvas.height = 1;
    const options = { alpha: true, antialias: false, depth: false, stencil: true, premultipliedAlpha: true };
    const gl = /** @type {WebGL2RenderingContext | null} */ (this.canvas.getContext("webgl2", options));
    if (!gl) throw new Error("no WebGL2");
    this.gl = gl;
    this.isLost = false;
    const info = gl.getExtension("WEBGL_debug_renderer_info");
    /** There is no GPU, and a driver that draws on the CPU. */
    this.isSoftware = /software|swiftshader|llvmpipe|basic render/i.test(gl.getParameter(info?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER));
    this.#prepare();
    this.canvas.addEventListener("webglcontextlost", (event) => {
      // Otherwise the browser does not restore it.
      event.preventDefault();
      this.isLost = true;
      this.#uploads.clear();
      this.dispatchEvent(new Event("change"));
    });
    this.canvas.addEventListener("webglcontextrestored", () => {
      this.#prepare();
      this.isLost = false;
      this.dispatchEvent(new Event("change"));
    });
  }

  /** Compiles the program and makes the buffers, also after a loss. */
  #prepare() {
    const { gl } = this;
    const program = gl.createProgram();
    const shader = (/** @type {number} */ kind, /** @type {string} */ text) => {
      const made = /** @type {WebGLShader} */ (gl.createShader(kind));
      gl.shaderSource(made, text);
      gl.compileShader(made);
      gl.attachShader(program, made);
    };
    shader(gl.VERTEX_SHADER, VERTEX_SHADER);
    shader(gl.FRAGMENT_SHADER, FRAGMENT_SHADER);
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
      throw new Error(`WebGL: ${gl.getProgramInfoLog(program) ?? "no program"}`);
    }
    gl.useProgram(program);
    this.viewAt = gl.getUniformLocation(program, "view");
    this.hasPageAt = gl.getUniformLocation(program, "has_page");
    this.vertices = gl.createBuffer();
    this.points = gl.createBuffer();
    this.sprites = gl.createVertexArray();
    gl.bindVertexArray(this.sprites);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.vertices);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 24, 0);
    gl.vertexAttribPointer(1, 2, gl.FLOAT, false, 24, 8);
    gl.vertexAttribPointer(2, 4, gl.UNSIGNED_BYTE, true, 24, 16);
    gl.vertexAttribPointer(3, 4, gl.UNSIGNED_BYTE, true, 24, 20);
    for (let index = 0; index < 4; index += 1) gl.enableVertexAttribArray(index);
    this.polygons = gl.createVertexArray();
    gl.bindVertexArray(this.polygons);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.points);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 8, 0);
    gl.enableVertexAttribArray(0);
    this.large = gl.createFramebuffer();
    this.largeSize = [0, 0];
    this.maxSide = Math.min(gl.getParameter(gl.MAX_TEXTURE_SIZE), gl.getParameter(gl.MAX_RENDERBUFFER_SIZE));
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.enable(gl.BLEND);
    gl.disable(gl.CULL_FACE);
  }

  /**
   * True if every page fits in a texture.
   * @param {import("./pchr.js").Character} character
   */
  takes(character) {
    if (this.isLost) return false;
    return this.#uploads.has(character) || character.info.pages.every(({ width, height }) => Math.max(width, height) <= this.maxSide);
  }

  /**
   * Draws a player for a canvas of its size, which gets the picture from `present`. Returns false if the context is lost, or
   * if the page would wait for it.
   * @param {import("./pchr.js").Player} player
   * @param {CanvasRenderingContext2D} target
   * @param {boolean} isPassing Another picture follows at once, so quality may be reduced on a slow page.
   */
  draw(player, target, isPassing) {
    const { gl } = this;
    const { width, height, view } = player;
    if (this.isLost || gl.isContextLost()) return false;
    // A picture smaller than the character has more detail than pixels, so it is averaged from four times as many.
    const isExact = !isPassing || !this.isHurried;
    const factor = isExact && view.scale < 1 && Math.max(width, height) * 2 <= this.maxSide ? 2 : 1;
    const { textures } = this.#upload(player.character, true);
    const made = player.batches();
    if (made.isHeavy && this.isSoftware) return false;
    const place = this.#place(width, height);
    const bottom = this.canvas.height - place.y - height;
    if (factor > 1) {
      this.#growLarge(width * factor, height * factor);
      gl.viewport(0, 0, width * factor, height * factor);
      gl.disable(gl.SCISSOR_TEST);
    } else {
      gl.bindFramebuffer(gl.FRAMEBUFFER, null);
      gl.viewport(place.x, bottom, width, height);
      // Clearing ignores the viewport.
      gl.enable(gl.SCISSOR_TEST);
      gl.scissor(place.x, bottom, width, height);
    }
    gl.disable(gl.STENCIL_TEST);
    gl.stencilMask(0xff);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    const [x, y] = [(2 * view.scale) / width, (2 * view.scale) / height];
    gl.uniform4f(this.viewAt ?? null, x, y, -1 - view.left * x, 1 - view.top * y);
    this.#uploadBatches(made);
    const { batches } = made;
    // What is set already; -1: not known.
    let [clip, page, blend] = [0, -1, -1];
    for (let at = 0; at < batches.length; at += 5) {
      if (batches[at + 2] !== clip) {
        if (clip) this.#polygon(made, clip, false);
        clip = batches[at + 2];
        if (clip) this.#polygon(made, clip, true);
        gl.bindVertexArray(this.sprites ?? null);
        page = -1;
      }
      if (batches[at + 1] !== blend) {
        blend = batches[at + 1];
        this.#blend(blend);
      }
      if (batches[at] !== page) {
        page = batches[at];
        gl.uniform1i(this.hasPageAt ?? null, page ? 1 : 0);
        if (page) {
          gl.bindTexture(gl.TEXTURE_2D, textures[page - 1]);
          this.#filter(textures[page - 1], player.character.info.pages[page - 1].pixel_art, view.scale * factor, view.scale);
        }
      }
      gl.drawElements(gl.TRIANGLES, batches[at + 4], gl.UNSIGNED_INT, batches[at + 3] * 4);
    }
    if (factor > 1) {
      gl.bindFramebuffer(gl.READ_FRAMEBUFFER, this.large ?? null);
      gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, null);
      gl.blitFramebuffer(
        0, 0, width * factor, height * factor, place.x, bottom, place.x + width, bottom + height,
        gl.COLOR_BUFFER_BIT, gl.LINEAR);
      gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    }
    this.#drawn.push({ target, ...place, width, height });
    return !gl.isContextLost();
  }

  /** Whether averaging is skipped while elements play, because the page is too slow without a GPU. */
  get isHurried() {
    return this.#tooMany < Infinity;
  }

  /**
   * Records the duration of a frame. With fewer elements than were too many, full quality is tried again.
   * @param {number} secs
   * @param {number} count
   */
  pace(secs, count) {
    this.#left = MAX_UPLOAD;
    if (!this.isSoftware) return;
    if (secs === 0) [this.#mean, this.#tooMany] = [0, Infinity];
    this.#mean += (Math.min(secs, LONGEST) - this.#mean) * NEWEST;
    if (count < this.#tooMany) this.#tooMany = this.#mean > SLOW ? count : Infinity;
  }

  /** Copies what was drawn to the canvases that it was drawn for. */
  present() {
    const drawn = this.#drawn;
    this.#drawn = [];
    this.#next = { x: 0, y: 0, row: 0 };
    if (this.isLost || this.gl.isContextLost()) return;
    for (const { target, x, y, width, height } of drawn) {
      // It may have got another size, or been removed.
      if (target.canvas.width !== width || target.canvas.height !== height) continue;
      target.globalCompositeOperation = "copy";
      target.drawImage(this.canvas, x, y, width, height, 0, 0, width, height);
    }
  }

  /**
   * Finds a place for a picture on the canvas.
   * @param {number} width
   * @param {number} height
   */
  #place(width, height) {
    const { canvas } = this;
    let { x, y, row } = this.#next;
    if (x + width > canvas.width) [x, y, row] = [0, y + row, 0];
    if (x + width > canvas.width || y + height > canvas.height) {
      // Another size clears the canvas, and without one there is no more room.
      this.present();
      const wanted = Math.min(MAX_HEIGHT, Math.max(canvas.height, y + height));
      canvas.width = Math.max(canvas.width, WIDTH, width);
      canvas.height = Math.max(canvas.height, wanted, height);
      [x, y, row] = [0, 0, 0];
    }
    this.#next = { x: x + width, y, row: Math.max(row, height) };
    return { x, y };
  }

  /** @param {ReturnType<import("./pchr.js").Player["batches"]>} made */
  #uploadBatches({ vertices, indices, points }) {
    const { gl } = this;
    gl.bindVertexArray(this.sprites ?? null);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.vertices ?? null);
    gl.bufferData(gl.ARRAY_BUFFER, vertices, gl.STREAM_DRAW);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STREAM_DRAW);
    if (points.length > 0) {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.points ?? null);
      gl.bufferData(gl.ARRAY_BUFFER, points, gl.STREAM_DRAW);
    }
  }

  /**
   * Turns over one bit of the stencil inside a polygon: on before what is clipped, off after it.
   * @param {ReturnType<import("./pchr.js").Player["batches"]>} made
   * @param {number} clip
   * @param {boolean} isOn
   */
  #polygon({ clips }, clip, isOn) {
    const { gl } = this;
    const [first, count] = clips.subarray(2 * (clip - 1), 2 * clip);
    gl.enable(gl.STENCIL_TEST);
    gl.colorMask(false, false, false, false);
    gl.stencilFunc(gl.ALWAYS, 0, 1);
    gl.stencilOp(gl.INVERT, gl.INVERT, gl.INVERT);
    gl.stencilMask(1);
    gl.uniform1i(this.hasPageAt ?? null, 0);
    gl.bindVertexArray(this.polygons ?? null);
    if (count >= 3) gl.drawArrays(gl.TRIANGLE_FAN, first, count);
    gl.colorMask(true, true, true, true);
    gl.stencilMask(0);
    gl.stencilFunc(gl.EQUAL, 1, 1);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.KEEP);
    if (!isOn) gl.disable(gl.STENCIL_TEST);
  }

  /** @param {number} mode 0: normal or additive, 1: multiply, 2: screen */
  #blend(mode) {
    const { gl } = this;
    const source = mode === 1 ? gl.DST_COLOR : gl.ONE;
    const target = mode === 2 ? gl.ONE_MINUS_SRC_COLOR : gl.ONE_MINUS_SRC_ALPHA;
    gl.blendFuncSeparate(source, target, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  /**
   * Samples the bound page as the CPU renderer does by default.
   * @param {WebGLTexture} texture
   * @param {boolean} isPixelArt
   * @param {number} scale
   * @param {number} ownScale
   */
  #filter(texture, isPixelArt, scale, ownScale) {
    const { gl } = this;
    const isNearest = isPixelArt && ownScale >= 1 && Number.isInteger(ownScale);
    const near = isNearest ? gl.NEAREST : gl.LINEAR;
    const isSmall = !isNearest && scale <= MIPMAP_SCALE;
    const far = isSmall ? gl.LINEAR_MIPMAP_LINEAR : near;
    // Setting what is set costs as much as a change.
    const known = this.#filters.get(texture);
    if (known?.near === near && known.far === far) return;
    this.#filters.set(texture, { near, far });
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, near);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, far);
  }

  /**
   * Uploads the next part of a character's pages. Returns true once the GPU has received all of them, so that drawing does
   * not wait for it.
   * @param {import("./pchr.js").Character} character
   */
  prepare(character) {
    const { gl } = this;
    const known = this.#upload(character);
    if (known.page < character.info.pages.length) {
      known.isSlow = true;
      return false;
    }
    if (!known.isSlow) return true;
    if (known.fence === undefined) {
      known.fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
      // Otherwise it may never be reached.
      gl.flush();
    }
    known.isSlow = known.fence !== null && gl.getSyncParameter(known.fence, gl.SYNC_STATUS) === gl.UNSIGNALED;
    if (!known.isSlow) gl.deleteSync(known.fence);
    return !known.isSlow;
  }

  /**
   * Uploads what is left of a character's pages.
   * @param {import("./pchr.js").Character} character
   * @param {boolean} [isAll] At once, even if it is more than a frame may upload.
   */
  #upload(character, isAll = false) {
    const { gl } = this;
    const { pages } = character.info;
    const known = this.#uploads.get(character) ?? { textures: [], page: 0, row: 0, isSlow: false };
    if (!this.#uploads.has(character)) {
      this.#uploads.set(character, known);
      character.onClose(() => {
        this.#uploads.get(character)?.textures.forEach((texture) => gl.deleteTexture(texture));
        this.#uploads.delete(character);
      });
    }
    for (; known.page < pages.length; known.page += 1, known.row = 0) {
      const { width, height, pixel_art } = pages[known.page];
      const rows = Math.min(height - known.row, isAll ? height : Math.ceil(this.#left / width));
      if (rows <= 0) break;
      gl.bindTexture(gl.TEXTURE_2D, (known.textures[known.page] ??= gl.createTexture()));
      if (known.row === 0) {
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAX_LEVEL, MAX_LEVEL);
      }
      const pixels = character.page(known.page, known.row, rows);
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, known.row, width, rows, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      character.wasm.call("pchr_output_free");
      this.#left -= rows * width;
      known.row += rows;
      if (known.row < height) break;
      if (!pixel_art) gl.generateMipmap(gl.TEXTURE_2D);
    }
    return known;
  }

  /** Binds the target for averaged pictures. @param {number} width @param {number} height */
  #growLarge(width, height) {
    const { gl } = this;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.large ?? null);
    if (width <= this.largeSize[0] && height <= this.largeSize[1]) return;
    this.largeSize = [Math.max(width, this.largeSize[0]), Math.max(height, this.largeSize[1])];
    gl.deleteRenderbuffer(this.largeColor ?? null);
    gl.deleteRenderbuffer(this.largeStencil ?? null);
    this.largeColor = gl.createRenderbuffer();
    this.largeStencil = gl.createRenderbuffer();
    gl.bindRenderbuffer(gl.RENDERBUFFER, this.largeColor);
    gl.renderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, this.largeSize[0], this.largeSize[1]);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, this.largeColor);
    gl.bindRenderbuffer(gl.RENDERBUFFER, this.largeStencil);
    gl.renderbufferStorage(gl.RENDERBUFFER, gl.DEPTH24_STENCIL8, this.largeSize[0], this.largeSize[1]);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_STENCIL_ATTACHMENT, gl.RENDERBUFFER, this.largeStencil);
  }
}
