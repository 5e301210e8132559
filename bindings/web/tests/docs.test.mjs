// Runs the blocks of JavaScript in the documentation: those of a page one after the other, as one
// module.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import test from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { readSource, SOURCE } from "./support.mjs";

// Beside the tests, so that the package is found.
const folder = mkdtempSync(join(dirname(fileURLToPath(import.meta.url)), "docs-"));
test.after(() => rmSync(folder, { recursive: true }));

const blocksOf = (page) =>
  [...readSource(page).toString().matchAll(/^```(?:js|javascript)\n(.*?)^```/gms)].map((m) => m[1]);

for (const page of ["docs/web.md", "docs/start.md"]) {
  test(`the code of ${page} runs`, async () => {
    const blocks = blocksOf(page);
    assert.ok(blocks.length > 0);
    const file = join(folder, page.replace("/", "-").replace(".md", ".mjs"));
    writeFileSync(file, blocks.join("\n"));
    const { log } = console;
    const folderBefore = process.cwd();
    const said = [];
    console.log = (...texts) => said.push(texts.join(" "));
    process.chdir(SOURCE); // for maps/
    try {
      await import(pathToFileURL(file).href);
    } finally {
      console.log = log;
      process.chdir(folderBefore);
    }
    if (page === "docs/start.md") {
      assert.ok(readSource(page).toString().includes(`\`\`\`text\n${said.join("\n")}\n\`\`\``));
    }
  });
}

test("the first path takes at most six lines", () => {
  const lines = blocksOf("docs/web.md")[0].trim().split("\n");
  assert.ok(lines.length <= 6);
});
