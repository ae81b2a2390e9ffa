// Tracks above the first, which games use to mix animations.
import { changed, get, make, page, player, shown } from "./page.js";

const COUNT = 3;

for (let track = 1; track <= COUNT; track += 1) {
  const choice = make("select", { ariaLabel: `Animation of track ${track}` });
  const weight = make("input", { type: "number", min: "0", max: "100", step: "5", value: "100" });
  const add = make("input", { type: "checkbox" });
  const play = () => {
    if (!player.info) return;
    if (choice.value === "") player.stop({ track, fade: player.crossfade });
    else {
      const share = Math.max(0, Math.min(1, Number(weight.value) / 100));
      player.play(player.info.animations[Number(choice.value)].name, { track, loop: true, weight: share, add: add.checked });
    }
    changed();
  };
  for (const control of [choice, weight, add]) control.addEventListener("change", play);
  get("tracks").append(make("div", { className: "track" },
    `Track ${track}`, choice, make("label", {}, "Weight ", weight, " %"), make("label", {}, add, " Add")));
  page.addEventListener("open", () => {
    const names = player.info?.animations.slice(0, 500).map(({ name }, index) => new Option(shown(name), String(index))) ?? [];
    choice.replaceChildren(new Option("none", ""), ...names);
  });
}
