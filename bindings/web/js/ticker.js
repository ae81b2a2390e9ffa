/**
 * One loop of frames for all elements that are on screen and have something to do.
 */

import { presentGl } from "./gl.js";

/** @typedef {{tick(secs: number): boolean}} Ticking */

/** @type {Set<Ticking>} */
const ticking = new Set();
let request = 0;
/** When the last frame was; 0: the loop was not running. */
let before = 0;

/** Calls `tick` with each frame until it returns false. @param {Ticking} element */
export function join(element) {
  ticking.add(element);
  if (request === 0) {
    before = 0;
    request = requestAnimationFrame(frame);
  }
}

/** @param {Ticking} element */
export function leave(element) {
  ticking.delete(element);
}

/** @param {number} now Milliseconds. */
function frame(now) {
  const secs = before === 0 ? 0 : (now - before) / 1000;
  before = now;
  for (const element of [...ticking]) {
    if (!element.tick(secs)) ticking.delete(element);
  }
  presentGl(secs, ticking.size);
  request = ticking.size > 0 ? requestAnimationFrame(frame) : 0;
}
