// Answers: the same costs as the command line tool, live as things are dragged.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { answered, cost, metric, metricNumber, open, pixelOf } from "./support.mjs";

const tool = process.env.CAIRN_TOOL;
const maps = join(import.meta.dirname, "..", "..", "maps");

const queries = [
  ["rooms", [35, 252], [222, 217], ["hpa", "subgoal", "haa", "astar", "jps"]],
  ["terrain", [100, 100], [20, 20], ["hpa", "astar"]],
  ["caves", [218, 199], [13, 20], ["hpa", "subgoal", "astar", "jps"]],
  ["worked-example", [3, 38], [39, 2], ["hpa", "subgoal", "astar"]],
];

test(
  "costs are those of the command line tool",
  { skip: tool === undefined && "needs CAIRN_TOOL" },
  async (t) => {
    const page = await open(t);
    let compared = 0;
    for (const [map, start, goal, planners] of queries) {
      for (const planner of planners) {
        const hash = `#map=example:${map}&planner=${planner}&start=${start}&goal=${goal}`;
        await page.evaluate((to) => (location.hash = to), hash);
        await page.waitForTimeout(150);
        await page.waitForSelector(`#answer[data-planner="${planner}"], #answer .problem`);
        await answered(page);
        let native;
        try {
          const file = join(maps, `${map}.map`);
          const text = execFileSync(tool, [
            "path",
            file,
            String(start),
            String(goal),
            "--planner",
            planner,
            "--json",
          ]);
          native = JSON.parse(String(text));
        } catch (error) {
          native = JSON.parse(String(error.stdout));
        }
        if (native.status !== "ok") {
          assert.ok(
            await page.locator("#answer .problem").isVisible(),
            `${hash}: ${native.status}`,
          );
          continue;
        }
        assert.equal(await cost(page), native.cost, hash);
        ++compared;
      }
    }
    assert.ok(compared >= 10, `only ${compared} costs were compared`);
  },
);

test("a start that is dragged takes the path along", async (t) => {
  const page = await open(t, {
    hash: "#map=example:rooms&planner=astar&start=35,252&goal=222,217",
  });
  const before = await cost(page);
  const box = await page.locator("#handle-start").boundingBox();
  await page.mouse.move(box.x + 20, box.y + 20);
  await page.mouse.down();
  const to = await pixelOf(page, 60, 200, 256);
  await page.mouse.move(...to, { steps: 12 });
  await page.mouse.up();
  await page.waitForTimeout(400);
  await answered(page);
  assert.notEqual(await cost(page), before);
  assert.match(await page.evaluate(() => location.hash), /start=60,200/);
});

test("arrow keys move the goal, and its name says where it is", async (t) => {
  const page = await open(t, { hash: "#map=open.64.3&planner=astar&start=5,5&goal=40,40" });
  await page.locator("#handle-goal").focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Shift+ArrowUp");
  assert.match(await page.locator("#handle-goal").getAttribute("aria-label"), /column 39, row 30/);
  await page.waitForTimeout(500);
  assert.match(await page.evaluate(() => location.hash), /goal=39,30/);
});

test("no path and obstacles are said in words", async (t) => {
  const page = await open(t, { hash: "#map=rooms.64.5&planner=hpa&start=0,0&goal=30,30" });
  await page.waitForSelector("#answer .problem");
  assert.equal(await page.locator("#answer .problem").innerText(), "The start is in an obstacle");
});

test("options come from the library, change the index, and are in the link", async (t) => {
  const page = await open(t, { hash: "#map=caves.128.3&planner=hpa" });
  await page.getByText("Options of the index").click();
  await page.locator("#build-cluster_size").fill("8");
  await page.locator("#build-cluster_size").press("Enter");
  await page.locator("#build-labels").uncheck();
  await page.waitForTimeout(600);
  await answered(page);
  const hash = await page.evaluate(() => location.hash);
  assert.match(hash, /index=hpa\.cluster_size:8,hpa\.labels:false/);
  assert.notEqual(await page.locator("#answer").getAttribute("data-engine"), "labels");
  assert.ok((await metricNumber(page, "expanded")) > 0);
});

test("an agent of a larger size takes a way of its own", async (t) => {
  const page = await open(t, { hash: "#map=rooms.128.7&planner=haa&start=5,5&goal=110,110" });
  const small = await page.locator("#answer").innerText();
  await page.locator("#agent-size").selectOption("2");
  await page.waitForTimeout(500);
  await answered(page);
  assert.notEqual(await page.locator("#answer").innerText(), small);
  assert.match(await page.evaluate(() => location.hash), /query=haa\.size:2/);
});

test("planners that do not take a map with weights say so", async (t) => {
  const page = await open(t, { hash: "#map=hills.128.7&planner=hpa" });
  assert.ok(await page.locator("#planner-jps").isDisabled());
  assert.ok(await page.locator("#planner-subgoal").isDisabled());
  assert.ok(await page.locator("#planner-astar").isEnabled());
});

test("all planners side by side: exact ones agree, and a row shows its path", async (t) => {
  const page = await open(t, { hash: "#map=caves.128.3&planner=hpa" });
  await page.getByRole("tab", { name: "Compare" }).click();
  await page.waitForFunction(
    () => document.querySelectorAll("tr[data-planner] .bar").length === 5,
    undefined,
    { timeout: 20000 },
  );
  const costs = await page
    .locator("tr[data-planner]")
    .evaluateAll((rows) =>
      Object.fromEntries(rows.map((row) => [row.dataset.planner, row.children[2].title])),
    );
  assert.equal(costs.astar, costs.jps);
  assert.equal(costs.astar, costs.subgoal);
  await page.locator('tr[data-planner="jps"]').click();
  await page.getByRole("tab", { name: "Path" }).click();
  assert.ok(await page.locator("#planner-jps").isChecked());
});

test("the time is that of one query", async (t) => {
  const page = await open(t, {
    hash: "#map=example:rooms&planner=astar&start=35,252&goal=222,217",
  });
  await page.waitForTimeout(900);
  const astar = await metric(page, "time");
  await page.locator("#planner-subgoal").check();
  await page.waitForTimeout(900);
  await answered(page);
  const subgoal = await metric(page, "time");
  assert.match(astar, / ms$/);
  assert.match(subgoal, / µs$/);
});
