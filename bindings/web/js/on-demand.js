/**
 * What a page loads only when it asks for it.
 */

/** The tools that write files. @returns {Promise<typeof import("./tools.js")>} */
export function loadTools() {
  return import("./tools.js");
}
