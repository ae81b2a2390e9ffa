// Texts about the selected frame.

const MAX_MESSAGE = 2000;

function showDetails() {
  const frame = frames[state.position];
  const time = Number.isFinite(frame.seconds) ? `, ${secondsText(frame.seconds)}` : "";
  byId("name").replaceChildren(
    isolated(nameOf(frame.character)), " · ", isolated(nameOf(frame.animation)), settingsOf(frame),
    element("small", { textContent: ` · frame ${frame.frame}${time}` }));
  byId("message").hidden = !frame.message;
  byId("message").style.borderColor = `var(--${frame.verdict})`;
  byId("message").textContent = frame.message ? shown(frame.message, MAX_MESSAGE) : "";
  byId("facts").replaceChildren(...factsOf(frame).map(([name, ...value]) => element("div", {},
    element("dt", { textContent: name }), element("dd", {}, ...value))));
  byId("jump").disabled = rectOf(state.position) === null;
}

/** Names and values. */
function factsOf(frame) {
  const { difference, size, reference_size: reference } = frame;
  const facts = [["Result", dot(frame.verdict), frame.verdict]];
  if (difference) {
    const share = 100 * difference.pixels / Math.max(size[0] * size[1], 1);
    facts.push(["Pixels beyond tolerance", `${NUMBERS.format(difference.pixels)} (${percent(share)})`]);
    facts.push(["Worst", `${difference.worst} of 255`]);
  }
  const rect = rectOf(state.position);
  if (rect) facts.push(["Rectangle", `${rect[2]} × ${rect[3]} at ${rect[0]}, ${rect[1]}`]);
  facts.push(["Size", reference ? `${reference.join(" × ")} → ${size.join(" × ")}` : size.join(" × ")]);
  const command = ["same", "updated"].includes(frame.verdict) ? [] : acceptCommand(frame.reference);
  if (command.length > 0) facts.push(["Accept", ...command]);
  facts.push(["Reference", isolated(shown(frame.reference, 400))]);
  return facts;
}

/** What a shell reads as one word. */
const quoted = (text) => /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** The command that accepts a reference, and its button; nothing if the run does not tell, or a name is odd. */
function acceptCommand(reference) {
  const { suite } = comparison;
  const root = `${suite === "." ? "" : `${suite}/`}references/`;
  const isOdd = [suite, reference].some((text) => text === undefined || text !== shown(text, 4000));
  if (isOdd || !reference.startsWith(root)) return [];
  const pattern = reference.slice(root.length).replace(/[[*?]/g, "[$&]");
  const code = element("code", { textContent: `pchr test ${quoted(suite)} --accept ${quoted(pattern)}` });
  const button = element("button", { type: "button", textContent: "Copy" });
  button.addEventListener("click", () => {
    getSelection().selectAllChildren(code);
    navigator.clipboard?.writeText(code.textContent).then(() => { button.textContent = "Copied"; }, () => {});
  });
  return [code, " ", button];
}

function percent(value) {
  if (value === 0) return "0 %";
  return value < 0.01 ? "below 0.01 %" : `${value.toFixed(2)} %`;
}

