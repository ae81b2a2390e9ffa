/**
 * The style of the element, as a constructed sheet: a page may forbid `<style>`. The colours are the window's, for the scheme
 * that the page has.
 */

/** @type {CSSStyleSheet | undefined} */
let sheet;

/** @returns {CSSStyleSheet} */
export function STYLE() {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(TEXT);
  }
  return sheet;
}

const TEXT = `
:host { display: inline-block; position: relative; width: 300px; height: 300px; overflow: hidden; contain: content; }
:host([hidden]) { display: none; }
.frame { position: absolute; inset: 0; display: flex; flex-direction: column; }
.stage { position: relative; flex: 1; min-height: 0; }
canvas, img { position: absolute; inset: 0; width: 100%; height: 100%; }
canvas.checker { background: repeating-conic-gradient(light-dark(#ffffff, #2a2d34) 0 25%, light-dark(#ebedf0, #30343c) 0 50%) 0 0 / 24px 24px; }
img { object-fit: contain; }
img[hidden], p[hidden], select[hidden] { display: none; }
p {
  position: absolute; inset: 0 0 auto; margin: 0; padding: 8px; max-height: 100%; overflow: auto; box-sizing: border-box;
  font: 13px/1.4 system-ui, sans-serif; overflow-wrap: anywhere; color: light-dark(#a61b1b, #ff8a80); background: light-dark(#fde3e1, #452326);
}
.bar {
  display: flex; flex-wrap: wrap; gap: 4px 8px; align-items: center; padding: 4px 8px;
  font: 13px/1.4 system-ui, sans-serif; color: light-dark(#222730, #dfe3ea); background: light-dark(#f4f5f7, #1d2026);
  accent-color: light-dark(#1f6fd0, #6cb6ff);
}
button, select, input { font: inherit; min-height: 28px; }
button, select { color: inherit; background: light-dark(#e6e7e9, #2b2e34); border: 0; border-radius: 6px; padding: 2px 8px; }
button:hover { background: light-dark(#dadbdd, #373a40); }
button { min-width: 4.5em; }
input { flex: 1 1 80px; min-width: 60px; }
select { max-width: 45%; }
:focus-visible { outline: 2px solid light-dark(#1f6fd0, #6cb6ff); outline-offset: 1px; }
`;
