// What the page currently shows.

const state = {
  /** Position of the displayed frame in `frames`; -1 if there are none. */
  position: -1,
  /** Positions in the list, after filtering. */
  visible: [],
  /** Verdicts in the list. */
  verdicts: new Set(),
  mode: "side",
  background: "checker",
  /** Percent: place of the line in swipe, opacity in onion, speed of blink. */
  slider: { swipe: 50, onion: 50, blink: 50 },
  /** In blink: true while the new picture is shown. */
  blinksNow: false,
  /** The pixel in the centre of each pane, and the size of a pixel; `fits` follows the size of the pane. */
  view: { x: 0, y: 0, scale: 1, fits: true },
  /** The pixel under the pointer, or null. */
  pixel: null,
  isPlaying: false,
};

/** Displays a frame, and scrolls the list to it. */
function select(position) {
  if (position < 0 || position >= frames.length) return;
  showFrame(position);
  rememberFrame(position);
  revealRow(position);
  preloadNeighbours();
}

/** Loads the pictures of the frames that the next key press may show. */
function preloadNeighbours() {
  const { sequence, step } = placeOf[state.position];
  const { visible } = state;
  const at = visible.indexOf(state.position);
  const next = [visible[at + 1], sequence.positions[step + 1], visible[at - 1], sequence.positions[step - 1]];
  const number = framesInAdvance(state.position, next.length);
  next.slice(0, number).filter((position) => position !== undefined).forEach(isLoaded);
}

/** Displays a frame without changing the list's scroll position. */
function showFrame(position) {
  const before = state.position < 0 ? null : sizeOf(state.position);
  state.position = position;
  const size = sizeOf(position);
  if (!before || before[0] !== size[0] || before[1] !== size[1]) state.view.fits = true;
  showDetails();
  showPlayback();
  markSelected();
  requestDraw();
}

/** Puts the frame into the address, so that it can be shared. */
function rememberFrame(position) {
  try {
    history.replaceState(null, "", `#frame-${frames[position].index}`);
  } catch {
    // Some browsers forbid this for files.
  }
}

/** The position of the frame in the address, or -1. */
function rememberedFrame() {
  const found = /^#frame-(\d+)$/.exec(location.hash);
  return found ? frames.findIndex((frame) => frame.index === Number(found[1])) : -1;
}

/** Moves through the list. */
function moveInList(by) {
  const { visible, position } = state;
  if (visible.length === 0) return;
  const at = visible.indexOf(position);
  const isAbsent = at < 0 && Math.abs(by) === 1;
  const next = isAbsent ? nearestVisible(by) : Math.min(Math.max(at + by, 0), visible.length - 1);
  pause();
  select(visible[next]);
}

/** The place in the list where a frame that is not in it would continue. */
function nearestVisible(by) {
  const after = state.visible.findIndex((position) => position > state.position);
  const next = after < 0 ? state.visible.length : after;
  return Math.min(Math.max(by > 0 ? next : next - 1, 0), state.visible.length - 1);
}

