// Links to a character: `?src=…&animation=…&skin=…&t=…`, and code that embeds it.
import { get, opened, player, say } from "./page.js";
import { rate, seek } from "./playback.js";

/** What the address of the page asks for. */
export function asked() {
  const query = new URLSearchParams(location.search);
  return { src: query.get("src"), animation: query.get("animation"), skin: query.get("skin"), time: parseFloat(query.get("t") ?? "") };
}

/** Shows what a link asks for, of what the character has. Names that it does not have are named. */
export function showAsked({ animation, skin, time }) {
  const unknown = [];
  if (animation) {
    if (player.animationNames.includes(animation)) player.animation = animation;
    else unknown.push(`the animation ${animation}`);
  }
  if (skin) {
    const names = skin.split(",").filter(Boolean);
    const known = names.filter((name) => name === "none" || player.skinNames.includes(name));
    if (known.length > 0) player.setSkins(known);
    unknown.push(...names.filter((name) => !known.includes(name)).map((name) => `the skin ${name}`));
  }
  if (unknown.length > 0) say(`It does not have ${unknown.join(" and ")}.`);
  return Number.isFinite(time) ? () => seek(time * rate()) : () => {};
}

function link() {
  const url = new URL(location.pathname, location.href);
  const { animation, skins } = player.playing;
  const folder = new URL(".", location.href).href;
  url.searchParams.set("src", opened.address.startsWith(folder) ? opened.address.slice(folder.length) : opened.address);
  if (animation) url.searchParams.set("animation", animation);
  if (skins.length > 0) url.searchParams.set("skin", skins.join(","));
  if (player.paused) url.searchParams.set("t", player.currentTime.toFixed(3));
  return url.href;
}

const quoted = (text) => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

function embed() {
  const { animation, skins } = player.playing;
  const module = new URL("pchr-web/pchr-player.js", location.href).href;
  const attributes = { src: opened.address, ...(animation && { animation }), ...(skins.length > 0 && { skin: skins.join(",") }), alt: opened.name };
  const stated = Object.entries(attributes).map(([name, value]) => ` ${name}="${quoted(value)}"`).join("");
  return `<script type="module" src="${quoted(module)}"></script>\n<pchr-player${stated} autoplay controls></pchr-player>`;
}

async function copy(text, what) {
  if (!opened.address) return say("This character is on your machine only: put it on a server, and open it with ?src= and its address.");
  try {
    await navigator.clipboard.writeText(text());
    say(`${what} copied.`);
  } catch {
    get("copy-text").value = text();
    get("copy").showModal();
    get("copy-text").select();
  }
}
export const copyLink = () => copy(link, "Link");
export const copyEmbed = () => copy(embed, "Embed code");
