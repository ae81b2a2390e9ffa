/**
 * PNGs, compressed by the browser. Those that a canvas writes have other colours: it stores them multiplied by alpha.
 */

import { PchrError } from "./wasm.js";

/** The first bytes of every PNG. */
const PNG_SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10);

/** Each byte is stored as its difference from the one above. */
const FILTER_UP = 2;

/**
 * @param {number} width
 * @param {number} height
 * @param {Uint8Array} pixels RGBA with straight alpha, rows from the top.
 */
export async function encodePng(width, height, pixels) {
  if (!globalThis.CompressionStream) {
    throw new PchrError({ code: "unsupported", message: "this browser has no CompressionStream, which PNGs need" });
  }
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  // 8 bits for each of four channels.
  header.setUint16(8, 0x0806);
  const compressed = new Blob([filtered(width, height, pixels)]).stream().pipeThrough(new CompressionStream("deflate"));
  const content = new Uint8Array(await new Response(compressed).arrayBuffer());
  const chunks = [chunk("IHDR", new Uint8Array(header.buffer)), chunk("IDAT", content), chunk("IEND", new Uint8Array())];
  return new Uint8Array(await new Blob([PNG_SIGNATURE, ...chunks]).arrayBuffer());
}

/** @param {number} width @param {number} height @param {Uint8Array} pixels */
function filtered(width, height, pixels) {
  const stride = 4 * width;
  const rows = new Uint8Array(height * (1 + stride));
  for (let row = 0; row < height; row += 1) {
    const [from, to] = [row * stride, row * (1 + stride)];
    rows[to] = FILTER_UP;
    for (let at = 0; at < stride; at += 1) rows[to + 1 + at] = pixels[from + at] - (row > 0 ? pixels[from + at - stride] : 0);
  }
  return rows;
}

/** @param {string} name @param {Uint8Array} content */
function chunk(name, content) {
  const bytes = new Uint8Array(content.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, content.length);
  bytes.set(new TextEncoder().encode(name), 4);
  bytes.set(content, 8);
  view.setUint32(8 + content.length, crc32(bytes.subarray(4, 8 + content.length)));
  return bytes;
}

/** The remainder that each byte leaves. */
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? 0xedb88320 ^ (rest >>> 1) : rest >>> 1;
  return rest;
});

/** @param {Uint8Array} bytes */
function crc32(bytes) {
  let rest = -1;
  for (const byte of bytes) rest = CRC_TABLE[(rest ^ byte) & 0xff] ^ (rest >>> 8);
  return ~rest;
}
