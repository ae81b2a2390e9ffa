// The panes. All of them show the same part of their pictures, at the same size.

const MIN_SCALE = 1 / 64;
const MAX_SCALE = 64;
/** Side of the squares behind transparent pictures, in CSS pixels. */
const SQUARE = 8;

const panes = Array.from(document.querySelectorAll("[data-pane]"), (figure) => ({
  kind: figure.dataset.pane,
  canvas: figure.querySelector("canvas"),
  note: figure.querySelector(".pane p"),
}));

let isDrawRequested = false;

function requestDraw() {
  if (isDrawRequested) return;
  isDrawRequested = true;
  requestAnimationFrame(() => {
    isDrawRequested = false;
    drawPanes();
  });
}

function visiblePanes() {
  return panes.filter(({ kind }) => (kind === "both") === (state.mode !== "side"));
}

function drawPanes() {
  if (state.position < 0) return;
  if (state.view.fits) fitView();
  for (const pane of visiblePanes()) drawPane(pane);
  byId("zoom").textContent = `${Math.round(state.view.scale * 100)} %`;
}

/** Shows the whole picture, at a whole number of screen pixels per pixel if it is small enough. */
function fitView() {
  const [{ canvas }] = visiblePanes();
  const [width, height] = sizeOf(state.position);
  const room = Math.min(canvas.clientWidth / width, canvas.clientHeight / height);
  const scale = room >= 1 ? Math.floor(room) : room;
  Object.assign(state.view, { x: width / 2, y: height / 2, scale: clampScale(scale || 1) });
}

function clampScale(scale) {
  return Math.min(Math.max(scale, MIN_SCALE), MAX_SCALE);
}

/** Where the upper-left corner of the pictures is on a canvas. */
function originOn({ clientWidth: width, clientHeight: height }) {
  const { x, y, scale } = state.view;
  return [Math.round(width / 2 - x * scale), Math.round(height / 2 - y * scale)];
}

/** The position in the pictures, in pixels, of a point on a canvas. */
function pictureFromCanvas(canvas, left, top) {
  const [x, y] = originOn(canvas);
  return [(left - x) / state.view.scale, (top - y) / state.view.scale];
}

function drawPane(pane) {
  const context = contextOf(pane.canvas);
  if (!context) return;
  const layers = layersOf(pane);
  for (const layer of layers) drawLayer(context, pane.canvas, layer);
  if (layers.some((layer) => layer.entry.state === "ready")) drawMarks(context, pane.canvas);
  const note = noteFor(layers.length === 1 ? layers[0].kind : pane.kind, layers);
  pane.note.textContent = note;
  pane.note.hidden = note === "";
  pane.canvas.setAttribute("aria-label", labelOf(pane.kind, note));
}

/** What a pane draws: pictures with their opacity and the part of the pane that they fill. */
function layersOf({ kind, canvas }) {
  const layer = (source, more) => ({ kind: source, entry: picture(state.position, source), ...more });
  if (kind !== "both") return [layer(kind)];
  if (state.mode === "swipe") {
    const line = canvas.clientWidth * state.slider.swipe / 100;
    return [layer("reference", { right: line }), layer("now", { left: line })];
  }
  if (state.mode === "onion") return [layer("reference"), layer("now", { opacity: state.slider.onion / 100 })];
  return [layer(state.blinksNow ? "now" : "reference")];
}

function drawLayer(context, canvas, { entry, opacity = 1, left = 0, right = canvas.clientWidth }) {
  if (entry.state !== "ready") return;
  const { image } = entry;
  const { scale } = state.view;
  const [x, y] = originOn(canvas);
  const [width, height] = [image.naturalWidth * scale, image.naturalHeight * scale];
  context.save();
  context.beginPath();
  context.rect(left, 0, Math.max(right - left, 0), canvas.clientHeight);
  context.clip();
  // A translucent picture must not bring its own background.
  if (opacity === 1) drawBackground(context, canvas, x, y, width, height);
  context.globalAlpha = opacity;
  context.imageSmoothingEnabled = scale < 1;
  context.imageSmoothingQuality = "high";
  context.drawImage(image, x, y, width, height);
  context.restore();
}

/** Draws what is behind transparent pictures, in the part that is visible. */
function drawBackground(context, canvas, x, y, width, height) {
  const [left, top] = [Math.max(x, 0), Math.max(y, 0)];
  const [right, bottom] = [Math.min(x + width, canvas.clientWidth), Math.min(y + height, canvas.clientHeight)];
  if (right <= left || bottom <= top) return;
  context.fillStyle = state.background === "dark" ? "#1b1d21" : "#ffffff";
  if (state.background === "checker") context.fillStyle = checkerboard(context);
  context.fillRect(left, top, right - left, bottom - top);
}

function checkerboard(context) {
  const tile = element("canvas", { width: 2 * SQUARE, height: 2 * SQUARE });
  const squares = tile.getContext("2d");
  const [base, other] = isDark() ? ["#3a3e46", "#2c3037"] : ["#ffffff", "#e4e6ea"];
  squares.fillStyle = base;
  squares.fillRect(0, 0, 2 * SQUARE, 2 * SQUARE);
  squares.fillStyle = other;
  squares.fillRect(0, 0, SQUARE, SQUARE);
  squares.fillRect(SQUARE, SQUARE, SQUARE, SQUARE);
  return context.createPattern(tile, "repeat");
}

/** Outlines the rectangle that differs and the pixel under the pointer, and draws the line of the swipe. */
function drawMarks(context, canvas) {
  const { scale } = state.view;
  const [x, y] = originOn(canvas);
  const outline = ([left, top, width, height], ...strokes) => {
    for (const [lineWidth, grow, style] of strokes) {
      context.lineWidth = lineWidth;
      context.strokeStyle = style;
      const [x1, y1] = [x + left * scale, y + top * scale].map((edge) => Math.round(edge) - grow);
      const [x2, y2] = [x + (left + width) * scale, y + (top + height) * scale]
        .map((edge) => Math.round(edge) + grow);
      context.strokeRect(x1, y1, x2 - x1, y2 - y1);
    }
  };
  const rect = rectOf(state.position);
  if (rect) outline(rect, [3, 2.5, "rgb(0 0 0 / 0.35)"], [1, 2.5, "#ff3df2"]);
  if (state.pixel && scale >= 4) outline([...state.pixel, 1, 1], [1, 0.5, "#000000"], [1, 1.5, "#ffffff"]);
  else if (state.pixel) drawCross(context, x + (state.pixel[0] + 0.5) * scale, y + (state.pixel[1] + 0.5) * scale);
  if (state.mode === "swipe") drawLine(context, canvas);
}

/** A cross that leaves its centre free. */
function drawCross(context, x, y) {
  for (const [lineWidth, style] of [[3, "rgb(255 255 255 / 0.7)"], [1, "#000000"]]) {
    context.lineWidth = lineWidth;
    context.strokeStyle = style;
    context.beginPath();
    for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
      context.moveTo(x + 3 * dx, y + 3 * dy);
      context.lineTo(x + 9 * dx, y + 9 * dy);
    }
    context.stroke();
  }
}

function drawLine(context, canvas) {
  const at = canvas.clientWidth * state.slider.swipe / 100;
  const middle = canvas.clientHeight / 2;
  context.fillStyle = "#1f6fd0";
  context.fillRect(at - 1, 0, 2, canvas.clientHeight);
  context.beginPath();
  context.arc(at, middle, 11, 0, 2 * Math.PI);
  context.fill();
  context.fillStyle = "#ffffff";
  for (const side of [-1, 1]) {
    context.beginPath();
    context.moveTo(at + side * 7, middle);
    context.lineTo(at + side * 2.5, middle - 4);
    context.lineTo(at + side * 2.5, middle + 4);
    context.fill();
  }
}

/** The text in place of a picture; empty if there is one. */
function noteFor(kind, layers) {
  const states = layers.map((layer) => layer.entry.state);
  // Of two pictures, the one that exists is shown.
  if (states.includes("ready") || states.includes("loading")) return "";
  if (states.includes("broken")) return "The picture cannot be displayed";
  const { verdict } = frames[state.position];
  if (kind === "difference") return verdict === "same" ? "No difference" : "Nothing to compare";
  if (kind === "reference" && verdict === "missing") return "No reference";
  if (kind === "reference" && verdict === "unreadable") return "The reference cannot be read";
  return "No picture";
}

function labelOf(kind, note) {
  const names = { reference: "Reference", now: "New picture", difference: "Difference", both: "Both pictures" };
  return note === "" ? names[kind] : `${names[kind]}: ${note}`;
}

