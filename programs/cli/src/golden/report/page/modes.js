// How two pictures are compared, what is behind them, and the theme.

const MODES = ["side", "swipe", "onion", "blink"];
const BACKGROUNDS = ["checker", "light", "dark"];
const THEMES = ["automatic", "light", "dark"];
/** Seconds that each picture is shown in blink, at the ends of the slider: less than 3 flashes per second. */
const SLOWEST_BLINK = 1.6;
const FASTEST_BLINK = 0.2;
let blinkTimer = 0;

function setMode(mode) {
  state.mode = mode;
  byId("panes").dataset.mode = mode;
  for (const button of byId("modes").children) press(button, button.dataset.mode === mode);
  const label = { side: "", swipe: "Line", onion: "Opacity of the new picture", blink: "Speed" }[mode];
  byId("slider-label").textContent = label;
  byId("slider-field").hidden = mode === "side";
  byId("slider").value = state.slider[mode] ?? 0;
  showSlider();
  startBlinking();
  requestDraw();
}

function setSlider(value) {
  state.slider[state.mode] = value;
  byId("slider").value = value;
  showSlider();
  if (state.mode === "blink") startBlinking();
  requestDraw();
}

function blinkSeconds() {
  return SLOWEST_BLINK * (FASTEST_BLINK / SLOWEST_BLINK) ** (state.slider.blink / 100);
}

function showSlider() {
  const { mode, slider } = state;
  const value = mode === "blink" ? `${blinkSeconds().toFixed(2)} s` : `${Math.round(slider[mode] ?? 0)} %`;
  byId("slider-value").textContent = value;
  byId("slider").setAttribute("aria-valuetext", value);
  showBothCaption();
}

function showBothCaption() {
  const captions = {
    side: "",
    swipe: "Reference on the left, now on the right",
    onion: "Now over the reference",
    blink: state.blinksNow ? "Now" : "Reference",
  };
  byId("both-caption").textContent = captions[state.mode];
}

function startBlinking() {
  clearInterval(blinkTimer);
  state.blinksNow = false;
  showBothCaption();
  if (state.mode !== "blink") return;
  blinkTimer = setInterval(() => {
    state.blinksNow = !state.blinksNow;
    showBothCaption();
    requestDraw();
  }, blinkSeconds() * 1000);
}

function setBackground(background) {
  state.background = background;
  byId("background").value = background;
  requestDraw();
}

/** Returns true if the page is dark. */
function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function setTheme(theme) {
  const { dataset } = document.documentElement;
  if (theme === "automatic") delete dataset.theme;
  else dataset.theme = theme;
  byId("theme").textContent = `Theme: ${theme}`;
  requestDraw();
}

function nextTheme() {
  setTheme(after(THEMES, document.documentElement.dataset.theme ?? "automatic"));
}

function nextBackground() {
  setBackground(after(BACKGROUNDS, state.background));
}

/** The value after `value`, around the end. */
function after(values, value) {
  return values[(values.indexOf(value) + 1) % values.length];
}

function startModes() {
  for (const button of byId("modes").children) {
    button.addEventListener("click", () => setMode(button.dataset.mode));
  }
  byId("slider").addEventListener("input", (event) => setSlider(Number(event.target.value)));
  byId("background").addEventListener("change", (event) => setBackground(event.target.value));
  byId("theme").addEventListener("click", nextTheme);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", requestDraw);
  setTheme("automatic");
  setBackground("checker");
  setMode("side");
}

