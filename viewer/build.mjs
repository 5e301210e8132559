// Builds the page into dist/: `node build.mjs`.
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const root = dirname(fileURLToPath(import.meta.url));
const dist = join(root, "dist");
const maps = join(root, "..", "maps");

rmSync(dist, { recursive: true, force: true });
mkdirSync(join(dist, "maps"), { recursive: true });
await esbuild.build({
  entryPoints: ["main", "worker"].map((name) => ({
    in: join(root, "src", name === "worker" ? "core/worker.ts" : "main.ts"),
    out: name,
  })),
  outdir: dist,
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  sourcemap: true,
  legalComments: "none",
});
for (const name of ["index.html", "style.css", "icon.svg", "manifest.webmanifest"]) {
  cpSync(join(root, "src", name), join(dist, name));
}
cpSync(join(root, "node_modules/cairn-path/dist/cairn.wasm"), join(dist, "cairn.wasm"));
for (const name of readdirSync(maps).filter((name) => name.endsWith(".map"))) {
  cpSync(join(maps, name), join(dist, "maps", name));
}

// The service worker knows all files, and a name for this build of them.
const files = ["./", ...list("")].sort();
const hash = createHash("sha256");
for (const name of files.filter((name) => name !== "./"))
  hash.update(readFileSync(join(dist, name)));
await esbuild.build({
  entryPoints: [join(root, "src/service_worker.ts")],
  outfile: join(dist, "service_worker.js"),
  bundle: true,
  format: "iife",
  target: "es2022",
  minify: true,
  define: {
    FILES: JSON.stringify(files),
    BUILD: JSON.stringify(hash.digest("hex").slice(0, 12)),
  },
});
writeFileSync(join(dist, ".nojekyll"), "");

function list(folder) {
  return readdirSync(join(dist, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return list(name);
    return name.endsWith(".map") && folder === "" ? [] : name.endsWith(".js.map") ? [] : [name];
  });
}
