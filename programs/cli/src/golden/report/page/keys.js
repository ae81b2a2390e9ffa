// The keyboard.

const KEYS = {
  "j": () => moveInList(1),
  "k": () => moveInList(-1),
  "ArrowDown": () => moveInList(1),
  "ArrowUp": () => moveInList(-1),
  "ArrowRight": () => stepBy(1),
  "ArrowLeft": () => stepBy(-1),
  "Home": () => moveInList(-frames.length),
  "End": () => moveInList(frames.length),
  " ": togglePlay,
  "1": () => setMode(MODES[0]),
  "2": () => setMode(MODES[1]),
  "3": () => setMode(MODES[2]),
  "4": () => setMode(MODES[3]),
  "+": () => zoomStep(1),
  "=": () => zoomStep(1),
  "-": () => zoomStep(-1),
  "0": fit,
  "d": jumpToDifference,
  "b": nextBackground,
  "t": nextTheme,
  "f": () => byId("search").focus(),
  "/": () => byId("search").focus(),
  "?": openHelp,
};
/** Keys that these elements need themselves. */
const OWN_KEYS = [
  ["input[type=search]", () => true],
  ["select, input[type=range]", (key) => key.startsWith("Arrow") || key === "Home" || key === "End"],
  ["select, summary, button", (key) => key === " " || key === "Enter"],
];

function keyDown(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
  if (event.key === "Escape" && event.target === byId("search")) return leaveSearch(event);
  if (OWN_KEYS.some(([selector, needs]) => event.target.matches(selector) && needs(event.key))) return;
  const act = Object.hasOwn(KEYS, event.key) ? KEYS[event.key] : null;
  if (!act) return;
  event.preventDefault();
  act();
}

/** Clears the search; if it is empty, returns to the list. */
function leaveSearch(event) {
  event.preventDefault();
  if (event.target.value === "") return byId("list").focus();
  event.target.value = "";
  filter();
}

function openHelp() {
  byId("help").showModal();
}

/** A clicked button must not take the space bar from the animation. Clicks of the keyboard have no `detail`. */
function releaseButton(event) {
  if (event.detail > 0) event.target.closest("button")?.blur();
}

function startKeys() {
  document.addEventListener("keydown", keyDown);
  document.addEventListener("click", releaseButton);
  byId("search").addEventListener("keydown", (event) => event.key === "Enter" && byId("list").focus());
  byId("help-open").addEventListener("click", openHelp);
}

