// Keeps the page, so that it opens without a network. Characters are never kept, except the samples.
// Both are set by package.mjs: the files, and a hash of them.
const FILES = [];
const VERSION = "";

const NAME = `pchr-viewer-${VERSION}`;

addEventListener("install", (event) => {
  const requests = FILES.map((path) => new Request(path, { cache: "no-cache" }));
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(requests)));
});
addEventListener("activate", (event) => {
  const others = async () => (await caches.keys()).filter((name) => name.startsWith("pchr-viewer-") && name !== NAME);
  event.waitUntil(others().then((names) => Promise.all(names.map((name) => caches.delete(name)))).then(() => clients.claim()));
});
addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method !== "GET" || !url.startsWith(registration.scope)) return;
  const kept = async () => (await caches.open(NAME)).match(event.request, { ignoreSearch: true });
  event.respondWith(kept().then((found) => found ?? fetch(event.request)));
});
