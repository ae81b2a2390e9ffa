// The keys, as in the window: a test compares the rows with programs/window/src/widgets/command. Where the browser has a key
// of its own with Ctrl, it is bound without.

/** Command, group, label and keys; keys are named as in the window's table. */
export const KEYS = [
  ["PlayPause", "Playback", "Play or pause", "Space"],
  ["StepBack", "Playback", "One frame back", "ArrowLeft", "Comma"],
  ["StepForward", "Playback", "One frame forward", "ArrowRight", "Period"],
  ["TenBack", "Playback", "Ten frames back", "Shift+ArrowLeft"],
  ["TenForward", "Playback", "Ten frames forward", "Shift+ArrowRight"],
  ["First", "Playback", "First frame", "Home"],
  ["Last", "Playback", "Last frame", "End"],
  ["Slower", "Playback", "Slower", "OpenBracket"],
  ["Faster", "Playback", "Faster", "CloseBracket"],
  ["LoopMode", "Playback", "Next loop mode", "L"],
  ["Physics", "Playback", "Physics", "P"],
  ["SetIn", "Timeline", "Set in point", "I"],
  ["SetOut", "Timeline", "Set out point", "O"],
  ["ClearRange", "Timeline", "Clear in and out points", "Shift+I"],
  ["PreviousAnimation", "Animations", "Previous animation", "PageUp"],
  ["NextAnimation", "Animations", "Next animation", "PageDown"],
  ...Array.from({ length: 9 }, (_, index) => [`Animation(${index})`, "Animations", "Animation 1 to 9", `Num${index + 1}`]),
  ["ZoomFit", "View", "Fit to window", "Num0"],
  ["ZoomIn", "View", "Zoom in", "Plus", "Equals"],
  ["ZoomOut", "View", "Zoom out", "Minus"],
  ["Show(Overlay::Bones)", "Overlays", "Show bones", "B"],
  ["HideSelected", "Selection", "Hide or show the selection", "Shift+H"],
  ["ShowAll", "Selection", "Show all hidden parts", "Shift+A"],
  ["PutBack", "Selection", "Cancel, or clear the selection", "Escape"],
  ["Grid", "Guides", "Show grid", "G"],
  ["Ground", "Guides", "Show ground line", "Shift+G"],
  ["Open", "File", "Open…", "Ctrl+O"],
  ["Findings", "File", "Show findings", "Shift+F"],
  ["Export", "File", "Export…", "E"],
  ["Screenshot", "File", "Save screenshot", "S"],
  ["CopyPicture", "File", "Copy picture", "Ctrl+C"],
  ["Tracks", "Window", "Show tracks", "M"],
  ["Panels", "Window", "Show panels", "H"],
  ["Help", "Window", "Keyboard and mouse", "Questionmark"],
];

/** Holding down the key repeats these. */
export const REPEATING = ["StepBack", "StepForward", "TenBack", "TenForward", "PreviousAnimation", "NextAnimation", "ZoomIn", "ZoomOut"];

/** What the mouse and fingers do. */
export const MOUSE = [
  ["Shift+drag in the timeline", "Move the playhead between frames"],
  ["Wheel or pinch", "Zoom at the pointer"],
  ["Drag", "Pan the view"],
  ["Drop a file", "Open it"],
];
/** What only the page has. */
export const OWN = [["Arrow keys with the focus on the canvas", "Pan the view"]];

const SYMBOLS = {
  Comma: ",", Period: ".", OpenBracket: "[", CloseBracket: "]", Plus: "+", Minus: "-", Equals: "=", Questionmark: "?",
  ...Object.fromEntries(Array.from("0123456789", (digit) => [`Num${digit}`, digit])),
};
const CAPS = { ...SYMBOLS, ArrowLeft: "←", ArrowRight: "→" };

/** A key as it is printed on a keyboard. */
export const caps = (key) => key.split("+").map((part) => CAPS[part] ?? part).join("+");

/** The first key of a command, for menus and tooltips. */
export const keyOf = (command) => KEYS.find(([name]) => name === command)?.[3];
export const labelOf = (command) => KEYS.find(([name]) => name === command)?.[2];

/** The command of a key press. Layouts have symbols behind Shift or not, so Shift only counts for other keys. */
export function commandOf({ key, shiftKey, ctrlKey, metaKey, altKey }) {
  const symbol = Object.keys(SYMBOLS).find((name) => SYMBOLS[name] === key);
  if (altKey && !symbol) return undefined;
  const name = symbol ?? (key === " " ? "Space" : key.length === 1 ? key.toUpperCase() : key);
  const isCtrl = (ctrlKey || metaKey) && !(symbol && altKey);
  const pressed = `${isCtrl ? "Ctrl+" : ""}${shiftKey && !symbol ? "Shift+" : ""}${name}`;
  return KEYS.find(([, , , ...keys]) => keys.includes(pressed))?.[0];
}
