// Compares the open character with a second one beside it. Animation, time, skins, moved targets and view are those of the first.
import { fit } from "./camera.js";
import { load, stem } from "./open.js";
import { changed, follow, get, opened, page, perform, plain, player, say, shown } from "./page.js";
import { moved } from "./overlays.js";
import { current, loop } from "./playback.js";

/** Seconds that the clocks may differ. */
const TOLERANCE = 1e-3;

const other = get("other");
/** What the second character plays and wears, as the first did when it was last set. */
let mirrored = "";
/** Counts what was compared: only the last counts. */
let turn = 0;

export const isComparing = () => !other.hidden;

/** Shows the character among `files` beside the open one. */
export async function compare(files) {
  if (!player.info || files.size === 0) return;
  const [[name], own] = [files.keys(), (turn += 1)];
  try {
    await perform("Loading", (signal) => load(other, files, undefined, signal));
  } catch (error) {
    if (own !== turn) return;
    end();
    if (error.name !== "AbortError") say(`${shown(name)} cannot be opened: ${plain(error.message)}`);
    return;
  }
  arrange(true);
  get("second-name").textContent = shown(stem(other.character.main));
}

/** Ends the comparison. Returns false if there is none. */
export function end() {
  const wasComparing = isComparing();
  other.src = "";
  other.removeAttribute("src");
  if (wasComparing) arrange(false);
  return wasComparing;
}

function arrange(isBeside) {
  other.hidden = get("captions").hidden = !isBeside;
  get("stage").classList.toggle("compared", isBeside);
  mirrored = "";
  changed();
  fit(true);
}

/** Lets the second character play and wear what the first does, as far as it has that. */
function mirror() {
  if (!isComparing() || !player.info || !other.info) return;
  get("first-name").textContent = shown(opened.name);
  const { animation, skins } = player.playing;
  const same = other.info.animations.find(({ name }) => name === animation);
  // An animation of another length ends by itself, and starts again with the first.
  const isAsLong = same && current && Math.abs(same.duration - current.duration) < 1e-6;
  const mode = loop() === "authored" ? (current?.looping ? "loop" : "once") : loop();
  const now = JSON.stringify([animation, skins, mode, player.speed, player.physics, player.show, [...moved]]);
  if (now === mirrored) return;
  mirrored = now;
  const [isPaused, bones] = [player.paused, other.info.bones];
  Object.assign(other, { speed: player.speed, physics: player.physics, loop: isAsLong ? mode : "once" });
  // The weights of a bone have its number.
  const overlays = player.show.split(",").map((it) => it.replace(/#(\d+)/, (_, at) => `#${bones.indexOf(player.info.bones[at])}`));
  other.show = overlays.filter((it) => it && !it.endsWith("#-1")).join();
  other.setSkins(skins.filter((name) => other.info.skins.includes(name)));
  other.releaseBone();
  for (const [bone, { x, y }] of moved) if (bones.includes(bone)) other.moveBone(bone, x, y);
  if (!same) other.stop();
  else if (other.playing.animation !== animation) other.play(animation, { fade: 0 });
  get("second-note").textContent = same || animation === null ? "" : `has no ${shown(animation)}`;
  if (isPaused) other.pause();
  keepTime();
}

/** Both play by themselves, with the same steps; this only sets what has gone apart. */
function keepTime() {
  if (!isComparing() || !other.info || !player.info) return;
  const at = Math.min(player.currentTime, other.duration);
  if (player.paused) other.pause();
  else if (other.paused && at < other.duration) other.play();
  if (Math.abs(other.currentTime - at) > TOLERANCE) other.seek(at);
}
for (const type of ["change", "move"]) page.addEventListener(type, mirror);
page.addEventListener("open", () => {
  mirrored = "";
  if (player.info) mirror();
  else end();
});
page.addEventListener("view", () => isComparing() && (other.area = player.area));
follow(keepTime);
// What is wrong with a character that is shown nevertheless.
other.addEventListener("error", ({ message }) => other.info && say(plain(message)));

get("second").addEventListener("change", ({ target }) => {
  compare(new Map([...target.files].map((file) => [file.name, file])));
  target.value = "";
});
get("compare-end").addEventListener("click", end);
