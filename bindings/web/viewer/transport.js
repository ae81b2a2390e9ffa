// The controls below the timeline.
import { face, get, page, player } from "./page.js";
import { LOOPS, current, loop, setLoop, setSpeed } from "./playback.js";

const ICONS = { loop: "loop", once: "once", "ping-pong": "ping-pong" };

for (const [value, label] of LOOPS) get("loop").add(new Option(label, value));
get("loop").addEventListener("change", ({ target }) => setLoop(target.value));
get("speed").addEventListener("change", ({ target }) => setSpeed(Number(target.value) / 100));
get("fade").addEventListener("change", ({ target }) => (player.crossfade = Math.max(0, Number(target.value) || 0)));

function update() {
  get("transport").hidden = !player.info;
  face(get("play"), player.paused ? "play" : "pause", player.paused ? "Play" : "Pause");
  const mode = loop();
  get("loop").value = mode;
  const shape = mode === "authored" ? (current?.looping ? "loop" : "once") : ICONS[mode];
  get("loop-icon").querySelector("use").setAttribute("href", `icons.svg#${shape}`);
  get("loop-icon").classList.toggle("on", mode !== "authored");
  get("speed").value = String(Math.round(player.speed * 100));
}
for (const type of ["open", "change"]) page.addEventListener(type, update);
for (const type of ["play", "pause"]) player.addEventListener(type, update);
