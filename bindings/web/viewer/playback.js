// What plays: animation, frame, loop mode, speed, in and out points. The rules are those of the window.
import { changed, page, player, say } from "./page.js";

const SPEEDS = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 4, 8];
export const LOOPS = [["authored", "Loop as authored"], ["loop", "Loop"], ["once", "Play once"], ["ping-pong", "Ping-pong"]];

/** The animation that plays, from the `info`, and its place there; nothing without one. */
export let current = null;
export let place = -1;
/** The frames between which it plays, or nothing. @type {[number, number] | null} */
export let range = null;

page.addEventListener("open", follow);
page.addEventListener("change", follow);

function follow() {
  const name = player.playing?.animation ?? null;
  if (!player.info || name === null) [current, place, range] = [null, -1, null];
  else if (current === null || player.info.animations[place] !== current || current.name !== name) {
    range = null;
    place = player.info.animations.findIndex((animation) => animation.name === name);
    current = player.info.animations[place] ?? null;
  }
}

/** Frames per second of the animation. */
export const rate = () => current?.fps || 30;
/** Frames of the timeline; those of sampled animations have the same length, the last one too. */
export const length = () => Math.max(current ? current.duration * rate() : 0, last());
export const last = () => Math.max(0, (current?.frames ?? 0) - 1);
/** The present place in frames. */
export const position = () => (current ? player.currentTime * rate() : 0);
export const frame = () => Math.min(last(), Math.floor(position() + 1e-4));

export function choose(index) {
  const animation = player.info?.animations[index];
  if (!animation) return;
  player.animation = animation.name;
  // The attribute may have had this name before.
  player.play(animation.name);
  changed();
}

export function next(step) {
  const count = player.info?.animations.length ?? 0;
  if (count > 0) choose((place + step + count) % count);
}

export function toggle() {
  if (!player.info) return;
  if (player.paused) player.play();
  else {
    player.pause();
    // A pause is at a frame; physics would have to be simulated again, and ping-pong would turn round.
    if (current && !player.info.physics && loop() !== "ping-pong") seek(frame());
  }
}

/** Pauses at a place, in frames. */
export function seek(at) {
  if (!current) return;
  player.pause();
  player.currentTime = Math.min(Math.max(0, at) / rate(), current.duration);
  page.dispatchEvent(new Event("move"));
}

export function step(frames) {
  const count = last() + 1;
  seek((((frame() + frames) % count) + count) % count);
}

export const loop = () => player.loop || (player.hasAttribute("loop") ? "loop" : "authored");

export function setLoop(mode) {
  if (mode === "authored") player.removeAttribute("loop");
  else player.loop = mode;
  const [, name] = LOOPS.find(([value]) => value === mode);
  say(name);
  changed();
}

export const nextLoop = () => setLoop(LOOPS[(LOOPS.findIndex(([mode]) => mode === loop()) + 1) % LOOPS.length][0]);

export function setSpeed(speed) {
  if (!Number.isFinite(speed)) return;
  player.speed = Math.max(-10, Math.min(10, speed));
  changed();
}

export function stepSpeed(isFaster) {
  const speed = isFaster ? SPEEDS.find((it) => it > player.speed + 1e-9) : SPEEDS.findLast((it) => it < player.speed - 1e-9);
  if (speed !== undefined) setSpeed(speed);
}

/** Plays only the frames from `first` to `end`, or all. */
export function setRange(first, end) {
  if (!current || last() === 0) return;
  const isWhole = first === undefined || (first <= 0 && end >= last());
  const [time, wasPaused] = [player.currentTime, player.paused];
  range = isWhole ? null : [first, end];
  player.play(current.name, { fade: 0, ...(range && { range: range.map((it) => it / rate()) }) });
  player.currentTime = time;
  if (wasPaused) player.pause();
  changed();
}

/** Moves the in or the out point to the playhead; if it passes the other one, that is removed. */
export function setPoint(isIn) {
  const [first, end] = range ?? [0, last()];
  const here = frame();
  if (isIn) setRange(here, end < here ? last() : end);
  else setRange(first > here ? 0 : first, here);
}

export function setPhysics(isOn) {
  player.physics = isOn ? "on" : "off";
  changed();
}
/** By default, physics is on for Spine and off for SkelForm, as in the window. */
export const hasPhysicsOn = () => (player.physics ? player.physics === "on" : !/skelform/i.test(player.info?.format ?? ""));
