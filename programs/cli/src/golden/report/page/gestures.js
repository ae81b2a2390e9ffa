// Zooming and moving the pictures with pointers and buttons.

/** Distance from the line of the swipe, in CSS pixels, at which it is dragged. */
const REACH = 14;
/** Zoom factor per CSS pixel of the wheel. */
const WHEEL_ZOOM = 1.0025;
const LINE_HEIGHT = 16;

/** The pointers that are down, by id: `{ left, top, dragsLine }`. */
const pointers = new Map();

/** Zooms so that the pixel at this place of the canvas stays. Without a place, around the centre. */
function zoomBy(factor, canvas, left, top) {
  const { view } = state;
  const scale = clampScale(view.scale * factor);
  if (canvas) {
    const [x, y] = pictureFromCanvas(canvas, left, top);
    const kept = view.scale / scale;
    view.x = x + (view.x - x) * kept;
    view.y = y + (view.y - y) * kept;
  }
  Object.assign(view, { scale, fits: false });
  requestDraw();
}

/** Zooms to the next power of two. */
function zoomStep(direction) {
  const steps = Math.log2(state.view.scale) + direction;
  const next = direction > 0 ? Math.floor(steps + 1e-6) : Math.ceil(steps - 1e-6);
  zoomBy(2 ** next / state.view.scale);
}

function fit() {
  state.view.fits = true;
  requestDraw();
}

/** Shows the rectangle that differs, with some space around it. */
function jumpToDifference() {
  const rect = state.position < 0 ? null : rectOf(state.position);
  if (!rect) return;
  const [left, top, width, height] = rect;
  const [{ canvas }] = visiblePanes();
  const room = Math.min(canvas.clientWidth / (width + 8), canvas.clientHeight / (height + 8));
  const scale = clampScale(Math.min(room >= 1 ? Math.floor(room) : room, 16));
  Object.assign(state.view, { x: left + width / 2, y: top + height / 2, scale, fits: false });
  requestDraw();
}

function placeOn(canvas, event) {
  const box = canvas.getBoundingClientRect();
  return { left: event.clientX - box.left, top: event.clientY - box.top };
}

function isOnLine(canvas, left) {
  return state.mode === "swipe" && Math.abs(left - canvas.clientWidth * state.slider.swipe / 100) <= REACH;
}

function pointerDown(canvas, event) {
  if (event.pointerType === "mouse" && event.button !== 0) return;
  const place = placeOn(canvas, event);
  canvas.setPointerCapture(event.pointerId);
  pointers.set(event.pointerId, { ...place, dragsLine: pointers.size === 0 && isOnLine(canvas, place.left) });
}

function pointerMove(canvas, event) {
  const place = placeOn(canvas, event);
  const before = pointers.get(event.pointerId);
  canvas.classList.toggle("divides", before ? before.dragsLine : isOnLine(canvas, place.left));
  if (!before) return showPixel(canvas, place);
  if (before.dragsLine) {
    setSlider(Math.min(Math.max(place.left / canvas.clientWidth, 0), 1) * 100);
  } else {
    if (pointers.size === 2) pinch(canvas, event.pointerId, before, place);
    const share = 1 / pointers.size;
    state.view.x -= (place.left - before.left) * share / state.view.scale;
    state.view.y -= (place.top - before.top) * share / state.view.scale;
    state.view.fits = false;
  }
  Object.assign(before, place);
  showPixel(canvas, place);
}

/** Zooms by how far two pointers have moved apart. */
function pinch(canvas, id, before, place) {
  const [, other] = [...pointers].find(([key]) => key !== id);
  const apart = ({ left, top }) => Math.max(Math.hypot(left - other.left, top - other.top), 1);
  zoomBy(apart(place) / apart(before), canvas, other.left, other.top);
}

/** Shows which pixel is under the pointer, in all panes. */
function showPixel(canvas, { left, top }) {
  const [width, height] = sizeOf(state.position);
  const [x, y] = pictureFromCanvas(canvas, left, top).map(Math.floor);
  const isInside = x >= 0 && y >= 0 && x < width && y < height;
  state.pixel = isInside ? [x, y] : null;
  byId("pointer").textContent = isInside ? `x ${x}, y ${y}` : "";
  requestDraw();
}

function hidePixel() {
  state.pixel = null;
  byId("pointer").textContent = "";
  requestDraw();
}

/** Returns true if the page is higher than the window, so that the wheel has to scroll it. */
function pageScrolls() {
  return document.documentElement.scrollHeight > window.innerHeight + 1;
}

function wheel(canvas, event) {
  if (pageScrolls() && !event.ctrlKey) return;
  event.preventDefault();
  const amount = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * LINE_HEIGHT : event.deltaY;
  const { left, top } = placeOn(canvas, event);
  zoomBy(WHEEL_ZOOM ** -amount, canvas, left, top);
}

function startGestures() {
  for (const { canvas } of panes) {
    const release = (event) => pointers.delete(event.pointerId);
    canvas.addEventListener("pointerdown", (event) => pointerDown(canvas, event));
    canvas.addEventListener("pointermove", (event) => state.position >= 0 && pointerMove(canvas, event));
    canvas.addEventListener("pointerup", release);
    canvas.addEventListener("pointercancel", release);
    canvas.addEventListener("pointerleave", hidePixel);
    canvas.addEventListener("wheel", (event) => wheel(canvas, event), { passive: false });
    canvas.addEventListener("dblclick", fit);
    new ResizeObserver(requestDraw).observe(canvas);
  }
  byId("zoom-in").addEventListener("click", () => zoomStep(1));
  byId("zoom-out").addEventListener("click", () => zoomStep(-1));
  byId("fit").addEventListener("click", fit);
  byId("jump").addEventListener("click", jumpToDifference);
}

