// Painting, undo, links, and files that come in and go out.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { answered, choose, cost, open, pixelOf, saved } from "./support.mjs";

const maps = join(import.meta.dirname, "..", "..", "maps");
const OPEN = "#map=open.64.3&planner=astar&start=2,32&goal=60,32";

async function stroke(page, from, to, size) {
  await page.mouse.move(...(await pixelOf(page, ...from, size)));
  await page.mouse.down();
  await page.mouse.move(...(await pixelOf(page, ...to, size)), { steps: 10 });
  await page.mouse.up();
  await page.waitForTimeout(450);
  await answered(page);
}

for (const planner of ["astar", "hpa", "subgoal", "haa", "jps"]) {
  test(`a wall makes the path of ${planner} longer, undo makes it as it was`, async (t) => {
    const page = await open(t, { hash: OPEN.replace("astar", planner) });
    const before = await cost(page);
    await page.keyboard.press("b");
    await stroke(page, [32, 4], [32, 60], 64);
    const after = await cost(page);
    assert.ok(after > before, `${after} is not above ${before}`);
    assert.match(await page.locator("#answer").innerText(), /The last edit took/);
    const link = await page.evaluate(() => location.hash);
    assert.match(link, /painted=/);
    await page.keyboard.press("Control+z");
    await page.waitForTimeout(450);
    await answered(page);
    assert.equal(await cost(page), before);
    await page.keyboard.press("Control+y");
    await page.waitForTimeout(450);
    await answered(page);
    assert.equal(await cost(page), after);

    // The link shows the same, built from scratch.
    const other = await open(t, { hash: link });
    assert.equal(await cost(other), after);
  });
}

test("a layer shows what the last stroke repaired, and undoing it repairs the same", async (t) => {
  const page = await open(t, {
    hash: "#map=open.64.3&planner=hpa&index=hpa.cluster_size:8&start=2,32&goal=60,32&layers=repaired",
  });
  await page.getByRole("tab", { name: "Layers" }).click();
  const about = page.locator("label[for=layer-repaired] small");
  const counts = async () => {
    await page.waitForTimeout(700); // until the page is at rest
    await page.waitForFunction(() => document.getElementById("busy").textContent === "");
    return [...(await about.innerText()).matchAll(/\d+/g)].map(Number);
  };
  assert.match(await about.innerText(), /differ/);
  await page.keyboard.press("b");
  const dot = async (x, y) => {
    await page.mouse.click(...(await pixelOf(page, x, y, 64)));
    return counts();
  };
  // Inside of a cluster of 8 x 8 cells a wall changes this cluster alone; at a border two.
  const [inside] = await dot(20, 20);
  assert.equal(inside, 1);
  const [border, nodes, edges] = await dot(32, 44);
  assert.ok(border >= 2, `${border} clusters`);
  assert.ok(nodes > 0 && edges > 0);
  // Undone, the same differs again, the other way round.
  await page.keyboard.press("Control+z");
  assert.deepEqual(await counts(), [border, nodes, edges]);
  for (const planner of ["subgoal", "haa"]) {
    await page.getByRole("tab", { name: "Path" }).click();
    await page.locator(`#planner-${planner}`).check();
    await page.getByRole("tab", { name: "Layers" }).click();
    assert.match(await about.innerText(), /differ/); // not painted with this planner yet
    const [, more] = await dot(20, planner === "haa" ? 50 : 12); // a border of clusters, too
    assert.ok(more > 0, `${planner}: ${more} nodes`);
  }
});

test("polygons of a mesh are blocked and freed, for all planners, in the link, and by undo", async (t) => {
  const hash = "#map=rooms-mesh.64.7&planner=hna&start=4,32&goal=60,32&layers=repaired";
  const page = await open(t, { hash });
  const before = await cost(page);
  await page.keyboard.press("b");
  await stroke(page, [38, 57], [41, 59], 64);
  const after = await cost(page);
  assert.ok(after > before, `${after} is not above ${before}`);
  const link = await page.evaluate(() => location.hash);
  assert.match(link, /painted=/);
  const other = await open(t, { hash: link });
  assert.equal(await cost(other), after);
  await other.locator("#planner-astar").check();
  await other.waitForTimeout(500);
  await answered(other);
  assert.equal(await cost(other), after);
  await page.getByRole("tab", { name: "Layers" }).click();
  await page.waitForTimeout(700);
  const about = await page.locator("label[for=layer-repaired] small").innerText();
  assert.match(about, /Nodes: \d+, edges: [1-9]/);
  await page.getByRole("tab", { name: "Path" }).click();
  await page.keyboard.press("Control+z");
  await page.waitForTimeout(450);
  await answered(page);
  assert.equal(await cost(page), before);
  await page.keyboard.press("Control+y");
  await page.waitForTimeout(450);
  await answered(page);
  assert.equal(await cost(page), after);
  await page.keyboard.press("e");
  await stroke(page, [38, 57], [41, 59], 64);
  assert.equal(await cost(page), before);
});

test("weights cost more, and take planners of one terrain away", async (t) => {
  const page = await open(t, { hash: OPEN });
  const before = await cost(page);
  await page.keyboard.press("9");
  await stroke(page, [32, 6], [32, 63], 64);
  assert.ok((await cost(page)) > before);
  assert.ok(await page.locator("#planner-jps").isDisabled());
  await page.keyboard.press("e");
  await stroke(page, [32, 6], [32, 63], 64);
  assert.ok(await page.locator("#planner-jps").isEnabled());
});

test("a map and a scenario: a problem sets the start and the goal", async (t) => {
  const page = await open(t);
  const read = (name) => readFileSync(join(maps, name));
  await choose(page, { "maze.map": read("maze.map"), "maze.map.scen": read("maze.map.scen") });
  await page.waitForSelector(".problems button");
  const lines = String(read("maze.map.scen")).trim().split("\n").slice(1);
  assert.equal(await page.locator(".problems button").count(), lines.length);
  await page.locator("#planner-astar").check();
  await page.locator(".problems button").nth(20).click();
  await page.waitForTimeout(400);
  await answered(page);
  const best = Number(lines[20].split("\t")[8]);
  assert.ok(Math.abs((await cost(page)) / 408 - best) < 0.02 * best + 0.5);
});

test("a scenario without its map, and files that are not what they seem, give words", async (t) => {
  const page = await open(t);
  const bad = {
    "a.map": "type octile\nheight 5\nwidth 5\nmap\n.....\n",
    "b.map": "",
    "c.mesh": "mesh\n2\n3 1\n0 0",
    "d.obj": "f 1 2 3\n",
    "e.pgm": "P5 4 4 255\n12",
    "f.cairn": "no index",
    "g.trace.json": "{}",
    "h.png": "no picture",
    "i.txt": "text",
    "j.scen": "version 1\n0\tx.map\t9\t9\t0\t0\t1\t1\t2.0\n",
    "k.map": `type octile\nheight 99999\nwidth 99999\nmap\n`,
  };
  for (const [name, content] of Object.entries(bad)) {
    await page.evaluate(() => (document.getElementById("message").hidden = true));
    await choose(page, { [name]: content });
    await page.waitForSelector("#message:not([hidden])", { timeout: 5000 });
    assert.match(await page.locator("#message").innerText(), new RegExp(name.slice(2), "i"));
  }
  assert.ok((await cost(page)) > 0);
});

test("a costmap with its YAML: what is surely free is free", async (t) => {
  const page = await open(t);
  const cells = Buffer.alloc(32 * 32, 254);
  for (let y = 0; y < 28; ++y) cells[y * 32 + 16] = 0;
  const pgm = Buffer.concat([Buffer.from("P5\n# map\n32 32\n255\n"), cells]);
  await choose(page, {
    "hall.pgm": pgm,
    "hall.yaml": "image: hall.pgm\nresolution: 0.05\nfree_thresh: 0.25\n",
  });
  await page.waitForFunction(() => document.getElementById("open").innerText.includes("hall.pgm"));
  const { bytes } = await saved(page, "Map");
  const rows = String(bytes).split("\n").slice(4);
  assert.equal(rows[0], ".".repeat(16) + "@" + ".".repeat(15));
  assert.equal(rows[30], ".".repeat(32));
});

test("a picture: bright pixels are free", async (t) => {
  const page = await open(t);
  const bytes = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(20, 10);
    const context = canvas.getContext("2d");
    context.fillStyle = "white";
    context.fillRect(0, 0, 20, 10);
    context.fillStyle = "#222";
    context.fillRect(10, 0, 2, 8);
    return Array.from(new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer()));
  });
  await choose(page, { "plan.png": Buffer.from(bytes) });
  await page.waitForFunction(() => document.getElementById("open").innerText.includes("plan.png"));
  const rows = String((await saved(page, "Map")).bytes)
    .split("\n")
    .slice(4);
  assert.equal(rows[0], "..........@@........");
  assert.equal(rows[9], ".".repeat(20));
});

test("an index goes out as a file and comes in with its map", async (t) => {
  const page = await open(t, { hash: "#map=hills.64.7&planner=haa&start=2,60&goal=60,60" });
  const { name, bytes } = await saved(page, "Index");
  assert.match(name, /\.haa\.cairn$/);
  const other = await open(t);
  await choose(other, { [name]: bytes });
  await other.waitForFunction(
    (file) => document.getElementById("open").innerText.includes(file),
    name,
  );
  assert.ok(await other.locator("#planner-haa").isChecked());
});

test("an index of the map that is shown is taken, with its options", async (t) => {
  const page = await open(t, {
    hash: "#map=caves.128.3&planner=hpa&index=hpa.cluster_size:8,hpa.transitions:middle",
  });
  const { name, bytes } = await saved(page, "Index");
  const other = await open(t, { hash: "#map=caves.128.3&planner=astar" });
  await choose(other, { [name]: bytes });
  await other.waitForFunction(() => document.getElementById("planner-hpa").checked);
  await other.waitForTimeout(600);
  await answered(other);
  assert.match(
    await other.evaluate(() => location.hash),
    /index=hpa\.cluster_size:8,hpa\.transitions:middle/,
  );
  assert.match(await other.locator("#answer").innerText(), /comes from a file/);
  const wrong = await open(t, { hash: "#map=caves.128.4" });
  await choose(wrong, { [name]: bytes });
  await wrong.waitForSelector("#message:not([hidden])");
});

test("JSON, SVG and PNG say the same as the page", async (t) => {
  const page = await open(t, {
    hash: "#map=example:worked-example&planner=astar&start=3,38&goal=39,2",
  });
  const answer = JSON.parse(String((await saved(page, "Answer")).bytes));
  assert.equal(answer.answer.cost, await cost(page));
  assert.deepEqual(answer.answer.cells[0], [3, 38]);
  assert.deepEqual(answer.answer.cells.at(-1), [39, 2]);
  const svg = String((await saved(page, "Drawing")).bytes);
  const points = /points="([^"]*)"/.exec(svg)[1].split(" ");
  assert.equal(points.length, answer.answer.cells.length);
  assert.equal(points[0], "3.5,38.5");
  const png = (await saved(page, "Picture")).bytes;
  assert.equal(png.subarray(1, 4).toString(), "PNG");
  await page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
    if (parsed.querySelector("parsererror") !== null) throw new Error("the SVG is not well-formed");
  }, svg);
});
