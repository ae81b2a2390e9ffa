// Elements of the page.

const byId = (id) => document.getElementById(id);

/** Creates an element; `content` are texts and elements. */
function element(tag, properties = {}, ...content) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...content);
  return made;
}

/** Text of unknown direction that cannot affect its surroundings. */
function isolated(text) {
  return element("bdi", { textContent: text });
}

/** A dot in the colour of a verdict; always next to its name. */
function dot(verdict) {
  const made = element("span", { className: "dot" });
  made.dataset.verdict = verdict;
  made.setAttribute("aria-hidden", "true");
  return made;
}

function press(button, isPressed) {
  button.setAttribute("aria-pressed", String(isPressed));
}

/** The colour that a style variable resolves to. */
function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Sizes a canvas to its element, and returns a context in CSS pixels. Returns null if it is not displayed. */
function contextOf(canvas) {
  const { clientWidth: width, clientHeight: height } = canvas;
  if (width === 0 || height === 0) return null;
  const ratio = window.devicePixelRatio || 1;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

/** The name of the settings of a frame or sequence, if they have one. */
function settingsOf({ name }) {
  return name === undefined ? "" : isolated(`\u00a0· ${nameOf(name)}`);
}
