// The package in headless Chromium: the library, its answers, and a Web Worker.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import test from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { load } from "cairn-path";
import { golden } from "./golden.mjs";
import { SOURCE } from "./support.mjs";

const CHROMIUM = process.env.CAIRN_CHROMIUM ?? "/usr/bin/chromium";
const TYPES = { ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };
const tests = dirname(fileURLToPath(import.meta.url));
const dist = dirname(createRequire(import.meta.url).resolve("cairn-path"));
const skip = existsSync(CHROMIUM) ? false : `there is no ${CHROMIUM}`;

const PAGE = `<!doctype html><script type="importmap">
{"imports": {"cairn-path": "/dist/index.js", "cairn-path/worker": "/dist/worker.js"}}
</script>`;

/** Serves the package and the tests' golden.mjs to pages that may share memory with workers. */
function serve() {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const headers = {
      "Cross-Origin-Opener-Policy": "same-origin",
      "Cross-Origin-Embedder-Policy": "require-corp",
    };
    const file = pathname.startsWith("/dist/")
      ? join(dist, pathname.slice(6))
      : pathname === "/golden.mjs" ? join(tests, "golden.mjs") : undefined;
    if (file === undefined || !existsSync(file)) {
      const status = pathname === "/" ? 200 : pathname === "/favicon.ico" ? 204 : 404;
      response.writeHead(status, { ...headers, "Content-Type": "text/html" });
      response.end(pathname === "/" ? PAGE : "");
      return;
    }
    response.writeHead(200, { ...headers, "Content-Type": TYPES[extname(file)] ?? "text/plain" });
    response.end(await readFile(file));
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

test("in Chromium answers are the same, and a worker builds and is cancelled", { skip }, async () => {
  const require = createRequire(process.env.CAIRN_PLAYWRIGHT ?? pathToFileURL(`${SOURCE}/bindings/web/`));
  const { chromium } = require("playwright-core");
  const server = await serve();
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    const messages = [];
    page.on("console", (message) => messages.push(message.text()));
    page.on("pageerror", (error) => messages.push(String(error)));
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const hashes = await page.evaluate(async () => {
      const { load } = await import("cairn-path");
      const { golden } = await import("/golden.mjs");
      return golden(await load({ parts: "all" }));
    });
    assert.deepEqual(hashes, golden(await load({ parts: "all" })));
    const worker = await page.evaluate(async () => {
      const { CairnWorker } = await import("cairn-path/worker");
      const thread = await CairnWorker.create({ parts: "all" });
      const side = 1000;
      const map = { width: side, height: side, cells: new Uint8Array(side * side).fill(1) };
      const heard = [];
      const progress = (fraction) => heard.push(fraction);
      const index = await thread.build(map, "hpa", {}, { progress });
      const path = await index.path([0, 0], [900, 800]);
      const cancel = new AbortController();
      const build = thread.build(map, "hpa", {}, { signal: cancel.signal });
      cancel.abort();
      const status = await build.then(() => "ok", (error) => error.status);
      const later = await index.cost([0, 0], [900, 800]);
      thread.terminate();
      return { heard: heard.length, cost: path.cost, size: path.size, status, later };
    });
    assert.ok(worker.heard > 2);
    assert.deepEqual([worker.size, worker.status], [901, "cancelled"]);
    assert.equal(worker.cost, 800 * 577 + 100 * 408);
    assert.ok(worker.later > 0);
    assert.deepEqual(messages, []);
  } finally {
    await browser.close();
    server.close();
  }
});
