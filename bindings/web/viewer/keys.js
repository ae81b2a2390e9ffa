// The keys, as in the window. Where the browser has a key of its own with Ctrl, it is bound without; a test compares both.
// package.mjs makes words.js from the window's table in programs/window/src/widgets/command.
import { TABLE } from "./words.js";

/** The keys of each command, named as in the window's table. */
export const BOUND = new Map([
  ["PlayPause", "Space"],
  ["StepBack", "ArrowLeft", "Comma"],
  ["StepForward", "ArrowRight", "Period"],
  ["TenBack", "Shift+ArrowLeft"],
  ["TenForward", "Shift+ArrowRight"],
  ["First", "Home"],
  ["Last", "End"],
  ["Slower", "OpenBracket"],
  ["Faster", "CloseBracket"],
  ["LoopMode", "L"],
  ["Physics", "P"],
  ["SetIn", "I"],
  ["SetOut", "O"],
  ["ClearRange", "Shift+I"],
  ["Curves", "C"],
  ["PreviousAnimation", "PageUp"],
  ["NextAnimation", "PageDown"],
  ...Array.from({ length: 9 }, (_, index) => [`Animation(${index})`, `Num${index + 1}`]),
  ["ZoomFit", "Num0"],
  ["ZoomIn", "Plus", "Equals"],
  ["ZoomOut", "Minus"],
  ["Show(Overlay::Bones)", "B"],
  ["Targets", "K"],
  ["HideSelected", "Shift+H"],
  ["ShowAll", "Shift+A"],
  ["PutBack", "Escape"],
  ["Grid", "G"],
  ["Ground", "Shift+G"],
  ["Open", "Ctrl+O"],
  ["Gallery", "Ctrl+G"],
  ["Compare", "Ctrl+D"],
  ["Findings", "Shift+F"],
  ["Export", "E"],
  ["Screenshot", "S"],
  ["CopyPicture", "Ctrl+C"],
  ["Tracks", "M"],
  ["Panels", "H"],
  ["Help", "Questionmark"],
].map(([command, ...keys]) => [command, keys]));

/** Command, group, label and keys, in the order of the window. */
export const KEYS = TABLE.filter(([command]) => BOUND.has(command))
  .map(([command, group, label]) => [command, group, label, ...BOUND.get(command)]);

/** Holding down the key repeats these. */
export const REPEATING = TABLE.filter(([, , , repeats]) => repeats).map(([command]) => command);

/** What the mouse and fingers do. */
export const MOUSE = [
  ["Shift+drag in the timeline", "Move the playhead between frames"],
  ["Wheel or pinch", "Zoom at the pointer"],
  ["Drag a ring", "Move an IK target"],
  ["Drop a file", "Open it"],
];
/** What only the page has, or does in its own way. */
export const OWN = [
  ["Drag, or arrow keys with the focus on the canvas", "Pan the view"],
  ["Drop a file on the right", "Compare with it"],
];

const SYMBOLS = {
  Comma: ",", Period: ".", OpenBracket: "[", CloseBracket: "]", Plus: "+", Minus: "-", Equals: "=", Questionmark: "?",
  ...Object.fromEntries(Array.from("0123456789", (digit) => [`Num${digit}`, digit])),
};
const CAPS = { ...SYMBOLS, ArrowLeft: "←", ArrowRight: "→" };

/** A key as it is printed on a keyboard. */
export const caps = (key) => key.split("+").map((part) => CAPS[part] ?? part).join("+");

/** The first key of a command, for menus and tooltips. */
export const keyOf = (command) => BOUND.get(command)?.[0];
export const labelOf = (command) => TABLE.find(([name]) => name === command)?.[2];

/** The command of a key press. Layouts have symbols behind Shift or not, so Shift only counts for other keys. */
export function commandOf({ key, shiftKey, ctrlKey, metaKey, altKey }) {
  const symbol = Object.keys(SYMBOLS).find((name) => SYMBOLS[name] === key);
  if (altKey && !symbol) return undefined;
  const name = symbol ?? (key === " " ? "Space" : key.length === 1 ? key.toUpperCase() : key);
  const isCtrl = (ctrlKey || metaKey) && !(symbol && altKey);
  const pressed = `${isCtrl ? "Ctrl+" : ""}${shiftKey && !symbol ? "Shift+" : ""}${name}`;
  return KEYS.find(([, , , ...keys]) => keys.includes(pressed))?.[0];
}
