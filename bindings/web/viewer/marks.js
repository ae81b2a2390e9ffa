// The events of the animation that plays: when each fires, and what fires now.
import { Player } from "./pchr-web/pchr-player.js";
import { get, page, player, shown } from "./page.js";
import { current } from "./playback.js";

/** At most this many are shown. */
const MOST = 1000;

let of = null;
/** @type {{name: string, secs: number, text: string}[]} */
let found = [];

/** Finds the events by playing the animation once, elsewhere. */
export function marks() {
  if (of === current) return found;
  [of, found] = [current, []];
  if (!current || player.info.events.length === 0) return found;
  const probe = new Player(player.character);
  try {
    probe.set({ physics: false });
    probe.play(current.name, { loop: "once" });
    const fired = [0, current.duration + 1e-3].flatMap((secs) => probe.update(secs)).filter(({ kind }) => kind === "event");
    found = fired.slice(0, MOST).map((event) => ({ name: event.name, secs: event.time, text: textOf(event) }));
  } catch {
    // It plays without flags.
  } finally {
    probe.free();
  }
  return found;
}
page.addEventListener("open", () => (of = null));

const textOf = ({ name, int, float, string }) =>
  [name, int && `int ${int}`, float && `float ${float.toFixed(3)}`, string && `“${string}”`].filter(Boolean).map((part) => shown(part)).join(", ");

let fading = 0;
player.addEventListener("animationevent", (event) => {
  get("fired").textContent = textOf(event);
  clearTimeout(fading);
  fading = setTimeout(() => (get("fired").textContent = ""), 1000);
});
