// What the layers draw: 200 x 200 pixels of the canvas each, compared with the pictures in pictures/.
// CAIRN_PICTURES=write makes these anew; look at them before they are committed.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { answered, open } from "./support.mjs";

const folder = join(import.meta.dirname, "pictures");
const writes = process.env.CAIRN_PICTURES === "write";
/** A pixel differs if one of its colours differs by more than this. */
const FAR = 48;
/** The part of the pixels that may differ: 60 of them. */
const MOST_DIFFERENT = 0.0015;

// 8 pixels a cell, and the middle of the window at cell (32, 32) of 64 x 64.
const VIEW = "view=32,32,8";
const CAVES = `map=caves.64.3&start=22,36&goal=42,32&${VIEW}`;
const CASES = {
  path: `${CAVES}&planner=astar&layers=`,
  turns: `${CAVES}&planner=jps&layers=turns`,
  clusters: `${CAVES}&planner=hpa&index=hpa.cluster_size:8,hpa.levels:2&layers=clusters`,
  entrances: `${CAVES}&planner=hpa&index=hpa.cluster_size:8&layers=entrances`,
  "abstract-graph": `${CAVES}&planner=hpa&index=hpa.cluster_size:8&layers=graph`,
  "abstract-path": `${CAVES}&planner=hpa&index=hpa.cluster_size:8&layers=nodes,abstract`,
  separators: `${CAVES}&planner=hpa&index=hpa.cluster_size:8&layers=separators`,
  subgoals: `${CAVES}&planner=subgoal&layers=graph,nodes`,
  terrain: `map=hills.64.7&planner=hpa&start=36,22&goal=22,38&layers=&${VIEW}`,
  clearances: `map=hills.64.7&planner=haa&start=36,22&goal=22,38&layers=clearances&${VIEW}`,
  "mesh-clusters": `map=rooms-mesh.64.7&planner=hna&start=22,38&goal=42,24&layers=clusters,nodes&${VIEW}`,
  "mesh-graph": `map=rooms-mesh.64.7&planner=hna&start=22,38&goal=42,24&layers=graph&${VIEW}`,
};

/** The middle of the canvas as a PNG, and how much of it differs from another picture, 0 to 1. */
function look(page, stored) {
  return page.evaluate(
    async ([data, far]) => {
      const side = 200;
      const canvas = document.getElementById("canvas");
      const part = new OffscreenCanvas(side, side);
      const context = part.getContext("2d", { willReadFrequently: true });
      const [x, y] = [canvas.width, canvas.height].map((size) => Math.floor((size - side) / 2));
      context.drawImage(canvas, -x, -y);
      const bytes = new Uint8Array(await (await part.convertToBlob()).arrayBuffer());
      const png = btoa(String.fromCharCode(...bytes));
      if (data === undefined) return { png, different: 0 };
      const pixels = context.getImageData(0, 0, side, side).data;
      const response = await fetch(`data:image/png;base64,${data}`);
      context.drawImage(await createImageBitmap(await response.blob()), 0, 0);
      const others = context.getImageData(0, 0, side, side).data;
      let different = 0;
      for (let i = 0; i < pixels.length; i += 4) {
        if ([0, 1, 2].some((k) => Math.abs(pixels[i + k] - others[i + k]) > far)) ++different;
      }
      return { png, different: different / (side * side) };
    },
    [stored, FAR],
  );
}

async function picture(t, name, theme, stored) {
  const page = await open(t, { hash: `#${CASES[name]}`, theme, width: 1000, height: 700 });
  await page.waitForTimeout(900); // until the layers have their data
  await answered(page);
  assert.equal(await page.locator("#answer .problem").count(), 0);
  return look(page, stored);
}

for (const name of Object.keys(CASES)) {
  for (const theme of name === "path" ? ["light", "dark"] : ["light"]) {
    test(`${name}, ${theme}, looks as before`, async (t) => {
      const file = join(folder, `${name}-${theme}.png`);
      if (writes) {
        mkdirSync(folder, { recursive: true });
        const { png } = await picture(t, name, theme);
        writeFileSync(file, Buffer.from(png, "base64"));
        return;
      }
      assert.ok(existsSync(file), `there is no ${file}`);
      const stored = readFileSync(file).toString("base64");
      const { different } = await picture(t, name, theme, stored);
      assert.ok(different <= MOST_DIFFERENT, `${(100 * different).toFixed(2)} % of the pixels`);
    });
  }
}

test("a layer that is not drawn would be noticed", { skip: writes }, async (t) => {
  const plain = readFileSync(join(folder, "path-light.png")).toString("base64");
  for (const name of ["turns", "clusters", "entrances", "separators"]) {
    const { different } = await picture(t, name, "light", plain);
    assert.ok(different > MOST_DIFFERENT, `${name}: ${(100 * different).toFixed(2)} %`);
  }
});
