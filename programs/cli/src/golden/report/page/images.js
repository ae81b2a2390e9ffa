// Decoded pictures: loaded when needed, and the least recently used ones are dropped.

/** Decoded bytes that may be kept. */
const MAX_DECODED = 256 * 1024 * 1024;
/** Keyed by frame and kind, least recently used first. Values: `{ image, state, bytes }`. */
const decoded = new Map();
let decodedBytes = 0;

/**
 * Returns the picture of a frame: `state` is "absent", "loading", "ready" or "broken". Calls `drawPanes` once a
 * loading picture has changed.
 */
function picture(position, kind) {
  const url = urlOf(position, kind);
  if (!url) return { state: "absent" };
  const key = position * KINDS.length + KINDS.indexOf(sourceOf(position, kind));
  const entry = decoded.get(key) || load(url);
  decoded.delete(key);
  decoded.set(key, entry);
  dropUnused(position);
  return entry;
}

function load(url) {
  const entry = { image: new Image(), state: "loading", bytes: 0 };
  entry.image.src = url;
  entry.image.decode().then(() => {
    entry.state = "ready";
    entry.bytes = entry.image.naturalWidth * entry.image.naturalHeight * 4;
    decodedBytes += entry.bytes;
  }, () => {
    entry.state = "broken";
  }).then(requestDraw);
  return entry;
}

/** Drops pictures beyond the limit, but never those of the displayed frame or of this one. */
function dropUnused(position) {
  for (const [key, entry] of decoded) {
    if (decodedBytes <= MAX_DECODED) return;
    const owner = Math.floor(key / KINDS.length);
    if (owner === position || owner === state.position || entry.state === "loading") continue;
    decodedBytes -= entry.bytes;
    decoded.delete(key);
  }
}

/** The number of frames of the size of this one, up to `most`, that may be loaded in advance. */
function framesInAdvance(position, most) {
  const [width, height] = sizeOf(position);
  return Math.min(Math.floor(MAX_DECODED / 2 / (width * height * 4 * KINDS.length)), most);
}

/** Returns true unless one of the pictures of a frame is still loading. */
function isLoaded(position) {
  return KINDS.every((kind) => picture(position, kind).state !== "loading");
}

