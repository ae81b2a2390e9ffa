/**
 * The controls of an element: play, scrub, animation and skin, all of them native and named for screen readers.
 */

/** Steps of the slider. */
const STEPS = 1000;

export class Controls {
  /** @param {import("./pchr-player.js").PchrPlayerElement & Record<string, any>} element */
  constructor(element) {
    this.element = element;
    this.bar = document.createElement("div");
    this.bar.className = "bar";
    this.bar.setAttribute("part", "controls");
    this.bar.setAttribute("role", "group");
    this.bar.setAttribute("aria-label", "Player controls");
    this.button = document.createElement("button");
    this.button.type = "button";
    this.button.addEventListener("click", () => (element.paused ? element.play() : element.pause()));
    this.slider = document.createElement("input");
    this.slider.type = "range";
    this.slider.min = "0";
    this.slider.max = String(STEPS);
    this.slider.setAttribute("aria-label", "Position");
    this.slider.addEventListener("input", () => {
      element.pause();
      element.currentTime = (Number(this.slider.value) / STEPS) * element.duration;
    });
    this.animation = select("Animation", element.animationNames, (name) => (element.animation = name));
    this.skin = select("Skin", element.skinNames, (name) => (element.skin = name));
    this.animation.hidden = element.animationNames.length < 2;
    this.skin.hidden = element.skinNames.length < 2;
    this.bar.append(this.button, this.slider, this.animation, this.skin);
    this.update();
    this.follow();
  }

  /** Shows what plays. */
  update() {
    this.button.textContent = this.element.paused ? "Play" : "Pause";
    const playing = this.element.playing;
    if (playing?.animation) this.animation.value = playing.animation;
    if (playing?.skins.length) this.skin.value = playing.skins[0];
  }

  /** Moves the slider to the present time. */
  follow() {
    const { currentTime, duration } = this.element;
    const share = duration > 0 ? currentTime / duration : 0;
    this.slider.value = String(Math.round(share * STEPS));
    this.slider.setAttribute("aria-valuetext", `${currentTime.toFixed(1)} of ${(duration || 0).toFixed(1)} seconds`);
  }

  remove() {
    this.bar.remove();
  }
}

/** @param {string} label @param {string[]} names @param {(name: string) => void} choose */
function select(label, names, choose) {
  const made = document.createElement("select");
  made.setAttribute("aria-label", label);
  for (const name of names) made.add(new Option(name, name));
  made.addEventListener("change", () => choose(made.value));
  return made;
}
