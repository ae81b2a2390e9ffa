// The commands of the window, read from its table in programs/window/src/widgets/command.
import { readFileSync } from "node:fs";

const read = (name) => readFileSync(new URL(`../../programs/window/src/widgets/command/${name}`, import.meta.url), "utf8");
const groups = Object.fromEntries([...read("mod.rs").matchAll(/^ {8}(\w+) => "(.*?)",$/gm)].map(([, group, label]) => [group, label]));
const rows = [...read("list.rs").matchAll(/^ {4}\(?(?:Command::)?(\S+?)\)? => \((\w+), "(.*?)", &\[(.*?)\]\)(.*);$/gm)];
if (rows.length < 100) throw new Error("the table of commands has another form");

/** The commands in display order. Their keys are Rust expressions, such as `ctrl(Key::O)`. */
export const COMMANDS = rows.map(([, command, group, label, keys, changes]) => {
  if (!groups[group]) throw new Error(`the group of ${command} has no label`);
  return { command, group: groups[group], label, keys, repeats: changes.includes(".repeating()") };
});
