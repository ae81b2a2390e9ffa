// Starts the page: the first frame that differs is selected, or the one in the address.

function start() {
  showSummary();
  startList();
  startGestures();
  startModes();
  startPlayback();
  startKeys();
  filter();
  byId("viewer").hidden = frames.length === 0;
  const remembered = rememberedFrame();
  if (remembered >= 0) select(remembered);
  else if (frames.length > 0) select(state.visible[0] ?? 0);
  window.addEventListener("hashchange", () => select(rememberedFrame()));
}

start();
