// Plays the animation of the selected frame, both sides in step.

/** Steps ahead whose pictures are loaded in advance. */
const AHEAD = 12;
/** Time in the animation, and of the last tick, in seconds. */
const playhead = { time: 0, tick: 0 };

function showPlayback() {
  const { sequence, step } = placeOf[state.position];
  const { times } = timingOf(sequence);
  const range = byId("position");
  range.max = sequence.positions.length - 1;
  range.value = step;
  const place = `${step + 1} of ${sequence.positions.length}`;
  range.setAttribute("aria-valuetext", `${place}, ${frames[state.position].verdict}`);
  byId("clock").textContent = `${place} · ${secondsText(times[step])}`;
  const isAlone = sequence.positions.length < 2;
  for (const id of ["play", "step-back", "step-on", "position"]) byId(id).disabled = isAlone;
  drawStrip(sequence, step);
}

function timingOf(sequence) {
  sequence.timing ??= timesOf(sequence);
  return sequence.timing;
}

/** Draws the verdicts along the timeline. */
function drawStrip(sequence, current) {
  const strip = byId("strip");
  const context = contextOf(strip);
  if (!context) return;
  const number = sequence.positions.length;
  const width = strip.clientWidth / number;
  sequence.positions.forEach((position, step) => {
    const { verdict } = frames[position];
    context.globalAlpha = verdict === "same" ? 0.35 : 1;
    context.fillStyle = verdictColour(verdict);
    const height = step === current ? 8 : 5;
    // At least one screen pixel, with a gap if there is room for one.
    context.fillRect(step * width, 8 - height, Math.max(width - (width > 4 ? 1 : 0), 1), height);
  });
}

const verdictColours = new Map();

/** The colour of a verdict, which is the same in every theme. */
function verdictColour(verdict) {
  if (!verdictColours.has(verdict)) verdictColours.set(verdict, colour(`--${verdict}`));
  return verdictColours.get(verdict);
}

/** Displays a step of the animation. */
function showStep(step) {
  const { positions } = placeOf[state.position].sequence;
  const number = positions.length;
  const target = positions[((step % number) + number) % number];
  if (state.isPlaying) showFrame(target);
  else select(target);
}

function stepBy(by) {
  if (state.position < 0) return;
  pause();
  showStep(placeOf[state.position].step + by);
}

function togglePlay() {
  if (state.isPlaying) pause();
  else play();
}

function play() {
  if (state.position < 0 || byId("play").disabled) return;
  const { sequence, step } = placeOf[state.position];
  state.isPlaying = true;
  playhead.time = timingOf(sequence).times[step];
  playhead.tick = performance.now() / 1000;
  byId("play").textContent = "Pause";
  requestAnimationFrame(tick);
}

/** Stops, and selects the displayed frame. */
function pause() {
  if (!state.isPlaying) return;
  state.isPlaying = false;
  byId("play").textContent = "Play";
  select(state.position);
}

function tick() {
  if (!state.isPlaying) return;
  const now = performance.now() / 1000;
  const passed = (now - playhead.tick) * Number(byId("speed").value);
  playhead.tick = now;
  const { sequence, step } = placeOf[state.position];
  preload(sequence, step);
  advance(sequence, step, passed);
  requestAnimationFrame(tick);
}

/** Moves the playhead, unless the pictures at its new place are still loading: then both sides wait. */
function advance(sequence, step, passed) {
  const { times, length } = timingOf(sequence);
  const time = (playhead.time + passed) % length;
  const next = stepAt(times, time);
  if (!isLoaded(sequence.positions[next])) return;
  playhead.time = time;
  if (next !== step) showStep(next);
}

/** The last step that begins at or before `time`. */
function stepAt(times, time) {
  const later = times.findIndex((start) => start > time);
  return (later < 0 ? times.length : later) - 1;
}

function preload({ positions }, step) {
  const number = framesInAdvance(state.position, Math.min(AHEAD, positions.length - 1));
  for (let ahead = 1; ahead <= number; ahead += 1) {
    isLoaded(positions[(step + ahead) % positions.length]);
  }
}

function startPlayback() {
  byId("play").addEventListener("click", togglePlay);
  byId("step-back").addEventListener("click", () => stepBy(-1));
  byId("step-on").addEventListener("click", () => stepBy(1));
  byId("position").addEventListener("input", (event) => {
    pause();
    showStep(Number(event.target.value));
  });
  new ResizeObserver(() => state.position >= 0 && showPlayback()).observe(byId("strip"));
}

