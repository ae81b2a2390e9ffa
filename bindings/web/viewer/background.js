// What is behind the character: squares, or a colour.
import { get, make } from "./page.js";

const COLORS = [
  ["Transparent", ""], ["Black", "#000000"], ["Dark grey", "#303238"], ["Grey", "#808080"], ["White", "#ffffff"],
  ["Blue", "#588cc4"], ["Green", "#00b140"],
];

for (const [index, [name, color]] of COLORS.entries()) {
  const sample = make("span");
  // Set like this, a colour needs no permission of the policy.
  sample.style.background = color || "repeating-conic-gradient(var(--square) 0 25%, var(--square-other) 0 50%) 0 0 / 8px 8px";
  const choice = make("input", { type: "radio", name: "background", value: color, checked: index === 0 });
  choice.addEventListener("change", () => (get("stage").style.background = color));
  get("backgrounds").append(make("label", {}, choice, sample, name));
}
const own = make("input", { type: "color", value: "#303238" });
own.addEventListener("input", () => {
  for (const choice of get("backgrounds").querySelectorAll("[type=radio]")) choice.checked = false;
  get("stage").style.background = own.value;
});
get("backgrounds").append(make("label", {}, own, "Custom colour"));
