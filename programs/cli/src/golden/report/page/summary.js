// The head of the page: outcome, failed characters, and counts that filter the list.

function showSummary() {
  const { summary, shard } = comparison;
  byId("title").textContent = shown(reportTitle);
  document.title = shown(reportTitle);
  const wrong = summary.frames - summary.same - summary.updated;
  const parts = [element("strong", { textContent: outcomeText(summary, wrong) })];
  if (summary.worst > 0) parts.push(` · worst difference ${summary.worst} of 255`);
  if (shard) parts.push(` · shard ${shard.shard} of ${shard.count}`);
  byId("outcome").append(dot(wrong + summary.failed + (summary.structures ?? 0) + (summary.unrecorded ?? 0) + (summary.unused ?? 0) > 0 ? "different" : "same"), ...parts);
  showFailures();
  showVerdicts();
}

function outcomeText({ frames: total, updated, failed, structures = 0, unrecorded = 0, unused = 0 }, wrong) {
  const parts = [];
  if (wrong > 0) parts.push(`${NUMBERS.format(wrong)} of ${count(total, "frame")} not as expected`);
  if (failed > 0) parts.push(`${count(failed, "character")} failed`);
  if (structures > 0) parts.push(`${count(structures, "structure")} changed`);
  if (unrecorded > 0) parts.push(`${count(unrecorded, "structure")} missing`);
  if (unused > 0) parts.push(`${count(unused, "reference")} not used by any picture`);
  if (parts.length === 0 && total === 0) parts.push("No frames were compared");
  else if (parts.length === 0) parts.push(`All ${count(total, "frame")} as expected`);
  if (updated > 0) parts.push(`${count(updated, "reference")} updated`);
  return parts.join(", ");
}

function showFailures() {
  const { failures = [], unused = [] } = comparison;
  const structures = (comparison.structures ?? []).filter(({ verdict }) => verdict !== "updated");
  const total = failures.length + structures.length + unused.length;
  if (total === 0) return;
  const box = byId("failures");
  box.hidden = false;
  box.open = total <= 3;
  const parts = [];
  if (failures.length > 0) parts.push(`${count(failures.length, "character")} failed`);
  if (structures.length > 0) parts.push(`${count(structures.length, "structure")} changed or missing`);
  if (unused.length > 0) parts.push(`${count(unused.length, "reference")} unused`);
  box.querySelector("summary").append(dot("failed"), parts.join(", "));
  box.querySelector("ul").append(...failures.map(({ character, code, message }) => element("li", {},
    isolated(nameOf(character)),
    element("p", {}, isolated(shown(message, 2000)), ` [${shown(code)}]`))),
  ...structures.map((structure) => element("li", {},
    isolated(nameOf(structure.character)), settingsOf(structure), ...changesOf(structure),
    element("p", {}, ...acceptCommand(structure.reference)))),
  ...unused.map((reference) => element("li", {}, isolated(shown(reference)),
    element("p", {}, "No picture uses this reference."))));
}

/** One paragraph per change. */
function changesOf({ message, changes = [] }) {
  const texts = changes.map(({ animation, text }) => [
    ...(animation === undefined ? [] : [isolated(nameOf(animation)), ": "]), isolated(shown(text, 400))]);
  if (message !== undefined) texts.unshift([isolated(shown(message, 2000))]);
  return texts.map((content) => element("p", {}, ...content));
}

function showVerdicts() {
  for (const verdict of VERDICTS) {
    const number = comparison.summary[verdict];
    if (number === 0) continue;
    const button = element("button", { type: "button" }, dot(verdict), `${NUMBERS.format(number)} ${verdict}`);
    button.dataset.verdict = verdict;
    button.addEventListener("click", () => toggleVerdict(verdict));
    byId("verdicts").append(button);
    if (verdict !== "same") state.verdicts.add(verdict);
  }
  if (state.verdicts.size === 0) state.verdicts.add("same");
}

function toggleVerdict(verdict) {
  if (!state.verdicts.delete(verdict)) state.verdicts.add(verdict);
  filter();
}

