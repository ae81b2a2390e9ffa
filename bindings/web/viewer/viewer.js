// The viewer page: the window's twin. Nothing is sent anywhere.
import "./lists.js";
import "./timeline.js";
import "./transport.js";
import "./camera.js";
import "./background.js";
import "./squares.js";
import "./guides.js";
import "./tracks.js";
import "./overlays.js";
import "./curves.js";
import "./commands.js";
import { start } from "./open.js";

start();

// Keeps the page for times without a network.
if (location.protocol.startsWith("http")) navigator.serviceWorker?.register("worker.js").catch(() => {});
