// Keeps all files of the page, so that it works without a network after the first visit. A new
// build has another name, and replaces the files of the one before at the next visit.

declare const FILES: readonly string[];
declare const BUILD: string;

interface LifetimeEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface RequestEvent extends LifetimeEvent {
  request: Request;
  respondWith(response: Promise<Response>): void;
}
interface Scope {
  addEventListener(type: "install" | "activate", listener: (event: LifetimeEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: RequestEvent) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
}

const scope = self as unknown as Scope;
const cacheName = `cairn-viewer-${BUILD}`;

async function install(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "no-cache" })));
  await scope.skipWaiting();
}

async function activate(): Promise<void> {
  const old = (await caches.keys()).filter(
    (one) => one.startsWith("cairn-viewer-") && one !== cacheName,
  );
  await Promise.all(old.map((one) => caches.delete(one)));
  await scope.clients.claim();
}

async function respond(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}

scope.addEventListener("install", (event) => event.waitUntil(install()));
scope.addEventListener("activate", (event) => event.waitUntil(activate()));
scope.addEventListener("fetch", (event) => {
  const own = new URL(event.request.url).origin === location.origin;
  if (own && event.request.method === "GET") event.respondWith(respond(event.request));
});

export {};
