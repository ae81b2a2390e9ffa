/**
 * The style of the element, as a constructed sheet: a page may forbid `<style>`.
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
canvas.checker { background: repeating-conic-gradient(#ccc 0 25%, #999 0 50%) 0 0 / 32px 32px; }
img { object-fit: contain; }
img[hidden], p[hidden], select[hidden] { display: none; }
p {
  position: absolute; inset: 0 0 auto; margin: 0; padding: 8px; max-height: 100%; overflow: auto; box-sizing: border-box;
  font: 13px/1.4 system-ui, sans-serif; overflow-wrap: anywhere; color: #fff; background: #8b1a1aee;
}
.bar {
  display: flex; flex-wrap: wrap; gap: 4px 8px; align-items: center; padding: 4px 8px;
  font: 13px/1.4 system-ui, sans-serif; color: #fff; background: #333;
}
button, select, input { font: inherit; min-height: 24px; }
button { min-width: 4.5em; }
input { flex: 1 1 80px; min-width: 60px; }
select { max-width: 45%; }
:focus-visible { outline: 2px solid #4da3ff; outline-offset: 1px; }
`;
