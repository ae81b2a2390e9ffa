// The list of frames. Only the rows near the visible part exist, so that thousands of frames cost nothing.

/** Heights in CSS pixels, as in the style sheet. */
const HEADING_HEIGHT = 34;
const FRAME_HEIGHT = 56;
/** Rows are kept this far beyond the visible part. */
const MARGIN = 300;

/** All rows: `{ top, height, position }`, or `{ top, height, sequence, number }` for headings. */
let rows = [];
let rowOfPosition = new Map();
/** The elements of existing rows, by row number. */
const rowElements = new Map();

/** Applies the filters to the list. */
function filter() {
  const words = byId("search").value.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const matches = (sequence) => words.every((word) => searchText(sequence).includes(word));
  const found = sequences.filter(matches).map((sequence) => ({
    sequence,
    positions: sequence.positions.filter((position) => state.verdicts.has(frames[position].verdict)),
  }));
  layOut(found.filter(({ positions }) => positions.length > 0));
  for (const button of byId("verdicts").children) press(button, state.verdicts.has(button.dataset.verdict));
  byId("matches").textContent = `${NUMBERS.format(state.visible.length)} of ${count(frames.length, "frame")}`;
  byId("list").hidden = state.visible.length === 0;
  byId("no-matches").hidden = state.visible.length > 0 || frames.length === 0;
}

function searchText(sequence) {
  sequence.text ??= `${sequence.character}\n${sequence.animation ?? "bind pose"}\n${sequence.name ?? ""}`.toLowerCase();
  return sequence.text;
}

/** Computes the rows of the list. */
function layOut(groups) {
  let top = 0;
  const add = (height, row) => {
    rows.push({ top, height, ...row });
    top += height;
  };
  rows = [];
  for (const { sequence, positions } of groups) {
    add(HEADING_HEIGHT, { sequence, number: positions.length });
    for (const position of positions) add(FRAME_HEIGHT, { position });
  }
  state.visible = groups.flatMap(({ positions }) => positions);
  rowOfPosition = new Map(rows.map((row, number) => [row.position, number]));
  rowElements.clear();
  byId("rows").replaceChildren();
  byId("rows").style.height = `${top}px`;
  showRows();
}

/** Creates the rows near the visible part, and removes the others. */
function showRows() {
  const list = byId("list");
  const [from, to] = [list.scrollTop - MARGIN, list.scrollTop + list.clientHeight + MARGIN];
  const first = firstRowBelow(from);
  let end = first;
  while (end < rows.length && rows[end].top < to) end += 1;
  for (const [number, row] of rowElements) {
    if (number >= first && number < end) continue;
    row.remove();
    rowElements.delete(number);
  }
  for (let number = first; number < end; number += 1) {
    if (!rowElements.has(number)) addRow(number);
  }
  markSelected();
}

/** The first row that ends below `height`. */
function firstRowBelow(height) {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle].top + rows[middle].height > height) high = middle;
    else low = middle + 1;
  }
  return low;
}

function addRow(number) {
  const row = rows[number];
  const made = row.sequence ? headingRow(row) : frameRow(row);
  made.style.top = `${row.top}px`;
  rowElements.set(number, made);
  byId("rows").append(made);
}

function headingRow({ sequence, number }) {
  const [character, animation] = [sequence.character, sequence.animation].map((name) => isolated(nameOf(name)));
  const separator = element("span", { textContent: " · " });
  const names = element("span", { className: "names" }, character, separator, animation, settingsOf(sequence));
  const counts = element("span", { textContent: `${number} of ${sequence.positions.length}` });
  const made = element("div", { className: "row heading-row" }, names, counts);
  made.setAttribute("role", "presentation");
  return made;
}

function frameRow({ position }) {
  const frame = frames[position];
  const time = Number.isFinite(frame.seconds) ? ` · ${secondsText(frame.seconds)}` : "";
  const made = element("div", { className: "row frame-row", id: `row-${position}` },
    thumbnail(position),
    element("div", { className: "lines" },
      element("span", { textContent: `Frame ${frame.frame}${time}` }),
      element("span", {}, dot(frame.verdict), rowText(frame))));
  made.setAttribute("role", "option");
  made.setAttribute("aria-setsize", state.visible.length);
  made.setAttribute("aria-posinset", state.visible.indexOf(position) + 1);
  made.setAttribute("aria-selected", position === state.position);
  made.addEventListener("click", () => {
    pause();
    select(position);
  });
  return made;
}

function rowText(frame) {
  return frame.difference ? `${frame.verdict}, ${differenceText(frame)}` : frame.verdict;
}

/** The most telling picture of a frame, small. */
function thumbnail(position) {
  const kind = ["difference", "now", "reference"].find((kind) => urlOf(position, kind));
  if (!kind) return element("span", { className: "no-thumbnail" });
  return element("img", {
    src: urlOf(position, kind), alt: "", width: 44, height: 44, loading: "lazy", decoding: "async",
  });
}

function markSelected() {
  const number = rowOfPosition.get(state.position);
  for (const [other, row] of rowElements) {
    if (rows[other].sequence === undefined) row.setAttribute("aria-selected", other === number);
  }
  if (rowElements.has(number)) byId("list").setAttribute("aria-activedescendant", `row-${state.position}`);
  else byId("list").removeAttribute("aria-activedescendant");
}

/** Scrolls the list as far as needed to show a frame. */
function revealRow(position) {
  const row = rows[rowOfPosition.get(position)];
  if (!row) return;
  const list = byId("list");
  // The heading above the first frame of an animation is shown too.
  const top = row.top - HEADING_HEIGHT;
  const bottom = row.top + row.height;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
  showRows();
}

function startList() {
  const list = byId("list");
  list.addEventListener("scroll", showRows, { passive: true });
  new ResizeObserver(showRows).observe(list);
  byId("search").addEventListener("input", filter);
  byId("reset").addEventListener("click", () => {
    byId("search").value = "";
    for (const verdict of VERDICTS) state.verdicts.add(verdict);
    filter();
  });
}

