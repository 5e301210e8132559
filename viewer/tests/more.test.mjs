// Agents, layers, searches step by step, meshes, and the page without a network.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { answered, choose, cost, metricNumber, open, pixelOf } from "./support.mjs";

const tool = process.env.CAIRN_TOOL;
const maps = join(import.meta.dirname, "..", "..", "maps");
/** The least frame rate; it is 60 where the machine has no other work. */
const least = Number(process.env.CAIRN_FRAMES ?? 30);

test("2,000 agents walk on a map of 512 x 512, and find new paths around a wall", async (t) => {
  const page = await open(t, {
    hash: "#map=rooms.512.7&planner=subgoal",
    width: 1440,
    height: 900,
  });
  await page.getByRole("tab", { name: "Agents" }).click();
  await page.locator("#crowd-start").click();
  await page.waitForSelector('[data-metric="agents"]');
  await page.waitForTimeout(3000);
  assert.equal(await metricNumber(page, "agents"), 2000);
  const rates = [];
  for (let i = 0; i < 5; ++i) {
    await page.waitForTimeout(600);
    rates.push(await metricNumber(page, "frames"));
  }
  rates.sort((a, b) => a - b);
  t.diagnostic(`frames a second: ${rates.join(", ")}`);
  assert.ok(rates[2] >= least, `${rates[2]} frames a second`);

  await page.keyboard.press("b");
  await page.mouse.move(...(await pixelOf(page, 250, 30, 512)));
  await page.mouse.down();
  await page.mouse.move(...(await pixelOf(page, 250, 480, 512)), { steps: 40 });
  await page.mouse.up();
  await page.waitForTimeout(2000);
  assert.ok((await metricNumber(page, "agents")) > 1990);
  await page.locator("#crowd-start").click();
  await page.waitForSelector('[data-metric="agents"]', { state: "hidden" });
});

test("agents walk on a mesh, and keep out of polygons that are blocked", async (t) => {
  const page = await open(t, { hash: "#map=rooms-mesh.64.7&planner=hna" });
  await page.getByRole("tab", { name: "Agents" }).click();
  await page.locator("#crowd-count").selectOption("500");
  await page.locator("#crowd-start").click();
  await page.waitForSelector('[data-metric="agents"]');
  const walking = () => metricNumber(page, "agents");
  assert.equal(await walking(), 500);
  /** Whether anything moves within a second on a square of the canvas of so many pixels. */
  const moves = async (x, y, side) => {
    const [left, top] = await pixelOf(page, x, y, 64);
    return page.evaluate(
      async ([u, v, size]) => {
        const canvas = document.getElementById("canvas");
        const box = canvas.getBoundingClientRect();
        const copy = new OffscreenCanvas(size, size);
        const context = copy.getContext("2d", { willReadFrequently: true });
        const look = () => {
          context.drawImage(canvas, Math.round(box.left - u), Math.round(box.top - v));
          return context.getImageData(0, 0, size, size).data;
        };
        const before = look();
        await new Promise((done) => setTimeout(done, 1000));
        return look().some((value, i) => Math.abs(value - before[i]) > 48);
      },
      [left, top, side],
    );
  };
  assert.ok(await moves(36, 6, 50));
  // The room at the top: who stands in it stays, and all others find ways around it.
  await page.keyboard.press("b");
  await page.mouse.click(...(await pixelOf(page, 38, 6, 64)));
  await page.mouse.move(5, 5);
  await page.waitForTimeout(1500);
  const left = await walking();
  assert.ok(left > 300 && left < 500, `${left} agents walk`);
  let still = false;
  for (let tries = 0; tries < 8 && !still; ++tries) still = !(await moves(36, 6, 50));
  assert.ok(still);
  await page.waitForTimeout(3000);
  assert.ok((await walking()) > 300);
});

test("agents keep out of walls", async (t) => {
  const page = await open(t, { hash: "#map=open.64.3&planner=hpa" });
  await page.getByRole("tab", { name: "Agents" }).click();
  await page.locator("#crowd-count").selectOption("500");
  await page.locator("#crowd-start").click();
  await page.waitForSelector('[data-metric="agents"]');
  await page.keyboard.press("b");
  for (const column of [16, 32, 48]) {
    await page.mouse.move(...(await pixelOf(page, column, 2, 64)));
    await page.mouse.down();
    await page.mouse.move(...(await pixelOf(page, column, 58, 64)), { steps: 8 });
    await page.mouse.up();
  }
  await page.waitForTimeout(1500);
  const inWalls = await page.evaluate(() => {
    const { crowd, map } = window.cairnViewer;
    let count = 0;
    for (let i = 0; i < crowd.count; ++i) {
      const cell =
        Math.floor(crowd.places[2 * i + 1]) * map.width + Math.floor(crowd.places[2 * i]);
      if (map.cells[cell] === 64) ++count;
    }
    return count;
  });
  assert.equal(inWalls, 0);
});

test("layers show the graph of the index, and follow the planner", async (t) => {
  const page = await open(t, { hash: "#map=caves.128.3&planner=hpa&index=hpa.levels:2&layers=" });
  await page.getByRole("tab", { name: "Layers" }).click();
  const picture = async () => (await page.locator("#canvas").screenshot()).toString("base64");
  const plain = await picture();
  const seen = new Set([plain]);
  for (const name of ["clusters", "entrances", "graph", "separators", "nodes", "turns"]) {
    await page.locator(`#layer-${name}`).check();
    await page.waitForTimeout(500);
    const shown = await picture();
    assert.ok(!seen.has(shown), `${name} changes nothing`);
    seen.add(shown);
    await page.locator(`#layer-${name}`).uncheck();
    await page.waitForTimeout(200);
  }
  assert.equal(await picture(), plain);
  await page.locator("#layer-graph").check();
  await page.waitForSelector("#layer-graph2");
  await page.getByRole("tab", { name: "Path" }).click();
  await page.locator("#planner-jps").check();
  await page.getByRole("tab", { name: "Layers" }).click();
  assert.equal(await page.locator("#layer-clusters").count(), 0);
});

for (const [planner, map] of [
  ["astar", "caves"],
  ["jps", "caves"],
  ["hpa", "caves"],
  ["subgoal", "rooms"],
  ["haa", "caves"],
  ["hna", "rooms-mesh"],
]) {
  test(`the search of ${planner} is played step by step`, async (t) => {
    const page = await open(t, { hash: `#map=${map}.128.7&planner=${planner}` });
    await answered(page);
    await page.locator("#play-search").click();
    await page.waitForSelector("#player:not([hidden])");
    const all = Number(await page.locator("#player input").getAttribute("max"));
    assert.ok(all > 10, `${all} steps`);
    await page.getByRole("button", { name: "One step on" }).click();
    assert.match(await page.locator("#player .step").innerText(), /^1 of .* start/);
    await page.locator("#player input").fill(String(all));
    assert.match(
      await page.locator("#player .step").innerText(),
      new RegExp(`^${all.toLocaleString("en")} of`),
    );
    await page.getByRole("button", { name: "Close" }).last().click();
    await page.waitForSelector("#player", { state: "hidden" });
  });
}

test(
  "a trace of the command line tool is played",
  { skip: tool === undefined && "needs CAIRN_TOOL" },
  async (t) => {
    const file = join(mkdtempSync(join(tmpdir(), "cairn-")), "astar.trace.json");
    execFileSync(tool, [
      "path",
      join(maps, "rooms.map"),
      "1,1",
      "117,77",
      "--planner",
      "astar",
      "--trace",
      file,
    ]);
    const page = await open(t, { hash: "#map=example:rooms" });
    await choose(page, { "astar.trace.json": readFileSync(file) });
    await page.waitForSelector("#player:not([hidden])");
    const events = JSON.parse(String(readFileSync(file))).events;
    const steps = events.filter(({ type }) => type !== "path" && type !== "cut").length;
    assert.equal(Number(await page.locator("#player input").getAttribute("max")), steps);
  },
);

test("meshes: HNA* and A* cost the same, from a file and from the gallery", async (t) => {
  const page = await open(t, { hash: "#map=rooms-mesh.128.7&planner=hna" });
  const hna = await cost(page);
  assert.ok(hna > 0);
  await page.locator("#planner-astar").check();
  await page.waitForTimeout(500);
  await answered(page);
  assert.equal(await cost(page), hna);
  const obj = "v 0 0 0\nv 4 0 0\nv 4 0 4\nv 0 0 4\nv 8 1 0\nv 8 1 4\nf 1 2 3 4\nf 2 5 6 3\n";
  await choose(page, { "ramp.obj": obj });
  await page.waitForFunction(() => document.getElementById("open").innerText.includes("ramp.obj"));
  await answered(page);
  assert.ok((await metricNumber(page, "length")) > 0);
  const polyanya =
    "mesh\n2\n6 2\n0 0 2 0 -1\n4 0 3 0 1 -1\n4 4 3 0 1 -1\n0 4 2 0 -1\n8 0 2 1 -1\n8 4 2 1 -1\n4 0 1 2 3 -1 1 -1 -1\n4 1 4 5 2 -1 -1 -1 0\n";
  await choose(page, { "flat.mesh": polyanya });
  await page.waitForFunction(() => document.getElementById("open").innerText.includes("flat.mesh"));
  await answered(page);
  assert.ok((await metricNumber(page, "length")) > 0);
});

test("the page works without a network after the first visit", async (t) => {
  const page = await open(t, { workers: "allow" });
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(async () => {
    for (const name of await caches.keys()) {
      if ((await (await caches.open(name)).keys()).length > 10) return true;
    }
    return false;
  });
  await page.reload();
  await page.waitForSelector("body[data-ready]");
  await page.context().setOffline(true);
  await page.reload();
  await page.waitForSelector("body[data-ready]");
  await answered(page);
  await page.evaluate(() => (location.hash = "#map=example:maze&planner=jps"));
  await page.waitForFunction(() => document.getElementById("open").innerText.includes("Maze"));
  await answered(page);
  assert.ok((await cost(page)) > 0);
});
