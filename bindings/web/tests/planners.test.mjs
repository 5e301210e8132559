import assert from "node:assert/strict";
import test from "node:test";
import { load } from "cairn-path";
import { dijkstra, numbers, randomCells, SCALE, UNIT_STEP } from "./support.mjs";

const cairn = await load({ parts: "all" });
const EXACT = ["subgoal", "astar", "jps"];
const weightedStep = (a, b, diagonal) => Math.floor(((diagonal ? 577 : 408) * (a + b)) / 2);

function legalPath(cells, width, path, costOfStep) {
  let cost = 0;
  let length = 0;
  const steps = [...path];
  for (let i = 0; i < steps.length; ++i) {
    const [x, y] = steps[i];
    assert.ok(cells[y * width + x] > 0);
    if (i === 0) continue;
    const [u, v] = steps[i - 1];
    assert.ok(Math.abs(x - u) <= 1 && Math.abs(y - v) <= 1 && (x !== u || y !== v));
    const diagonal = x !== u && y !== v;
    if (diagonal) assert.ok(cells[v * width + x] > 0 && cells[y * width + u] > 0);
    cost += costOfStep(cells[v * width + u], cells[y * width + x], diagonal);
    length += diagonal ? Math.SQRT2 : 1;
  }
  assert.ok(Math.abs(path.length - length) < 1e-9);
  return cost;
}

test("all planners agree with Dijkstra's algorithm on random grids", () => {
  const below = numbers(2004);
  for (let round = 0; round < 12 * SCALE; ++round) {
    const [width, height] = [2 + below(50), 2 + below(50)];
    const weighted = round % 3 === 2;
    const costOfStep = weighted ? weightedStep : UNIT_STEP;
    const cells = randomCells(below, width, height, 10 + below(35), weighted ? 5 : 1);
    const grid = cairn.grid(width, height, cells);
    const planners = weighted ? ["hpa", "astar"] : ["hpa", "subgoal", "astar", "jps"];
    const indexes = planners.map((planner) => grid.build(planner));
    for (let i = 0; i < 8; ++i) {
      const start = [below(width), below(height)];
      const costs = dijkstra(cells, width, height, grid.number(start), costOfStep);
      for (let k = 0; k < 5; ++k) {
        const goal = [below(width), below(height)];
        const blocked = !cells[grid.number(start)] || !cells[grid.number(goal)];
        const least = blocked ? Infinity : costs[grid.number(goal)];
        indexes.forEach((index, which) => {
          const path = index.path(start, goal);
          assert.equal(path === null, least === Infinity, planners[which]);
          const view = index.view(start, goal);
          assert.equal(view?.cost, path?.cost);
          assert.deepEqual(view?.cells.slice(), path?.cells);
          assert.equal(index.reachable(start, goal), least !== Infinity);
          if (path === null) return;
          assert.equal(legalPath(cells, width, path, costOfStep), path.cost);
          assert.ok(path.cost >= least && path.lowerBound <= least);
          if (EXACT.includes(planners[which])) assert.equal(path.cost, least, planners[which]);
          assert.deepEqual([...path][0], start);
          assert.deepEqual([...path].at(-1), goal);
          assert.equal(path.size, path.cells.length);
          assert.deepEqual([...path.points], [...path].flat());
        });
      }
    }
    for (const index of indexes) index.free();
    grid.free();
  }
});

test("batches, costs and nearest equal single queries", () => {
  const below = numbers(7);
  const [width, height] = [60, 50];
  const grid = cairn.grid(width, height, randomCells(below, width, height, 25));
  for (const planner of ["hpa", "subgoal", "astar", "jps"]) {
    const index = grid.build(planner);
    const requests = Int32Array.from({ length: 4 * 40 }, (_, i) => below(i % 2 ? height : width));
    const paths = index.paths(requests);
    assert.equal(paths.size, 40);
    for (let i = 0; i < paths.size; ++i) {
      const [x, y, u, v] = requests.subarray(4 * i, 4 * i + 4);
      const single = index.path([x, y], [u, v]);
      const one = paths.get(i);
      assert.equal(one?.cost, single?.cost);
      assert.deepEqual(one?.cells, single?.cells);
      const [cost] = index.costs([[x, y]], [[u, v]]);
      assert.equal(index.cost([x, y], [u, v]), cost === 0x7fffffff ? null : cost);
    }
    const turning = index.paths(requests, { turning: true });
    assert.ok(turning.cells.length < paths.cells.length);
    const goals = Int32Array.from({ length: 2 * 30 }, (_, i) => below(i % 2 ? height : width));
    const start = [...index.path([0, 0], [0, 0]) ?? [[1, 1]]][0];
    const all = index.costs([start], goals);
    const { goals: order, costs } = index.nearest(start, goals, 5);
    const sorted = [...all].sort((a, b) => a - b).slice(0, costs.length);
    assert.deepEqual([...costs], sorted);
    order.forEach((goal, i) => assert.equal(all[goal], costs[i]));
    const found = index.pathToNearest(start, goals);
    assert.equal(found?.which, order[0]);
    paths.free();
    index.free();
  }
});

test("searches in slices, limits, blocked cells and queries parsed once", () => {
  const grid = cairn.grid(40, 40, new Uint8Array(1600).fill(1));
  for (const planner of ["hpa", "subgoal", "astar", "jps"]) {
    const index = grid.build(planner);
    const search = index.begin([1, 2], [35, 30]);
    while (search.advance({ nodes: 3 }));
    assert.equal(search.path.cost, index.path([1, 2], [35, 30]).cost);
    search.free();
    assert.equal(index.path([1, 2], [35, 30], { maxCost: 100 }), null);
    const cost = index.query({ detail: "cost" });
    assert.equal(index.path([1, 2], [35, 30], { query: cost }).cells.length, 0);
    cost.free();
    if (planner === "astar" || planner === "jps") {
      assert.throws(() => index.path([1, 2], [35, 2], { blocked: [[3, 3]] }), { status: "unsupported" });
      continue;
    }
    const wall = Array.from({ length: 39 }, (_, y) => [20, y]);
    const around = index.path([1, 2], [35, 2], { blocked: wall });
    assert.ok(around.cells.every((cell) => cell % 40 !== 20 || cell >= 39 * 40));
    index.free();
  }
  const index = grid.build("astar");
  assert.throws(() => index.path([0, 0], [39, 20], { maxExpanded: 5 }), {
    status: "budget_exhausted",
  });
});

test("agents of several sizes", () => {
  const rows = ["......", "......", "@@.@@.", "......", "......"];
  const map = cairn.grid(6, 5, rows).withAgents({ maxSize: 2 });
  assert.ok(map.forAgents);
  const index = map.build("haa");
  assert.ok(Math.abs(index.path([0, 0], [0, 4]).length - (4 + 2 * Math.SQRT2)) < 1e-9);
  assert.equal(index.path([0, 0], [0, 3], { size: 2 }), null);
  assert.equal(index.paths(Int32Array.of(0, 0, 0, 3), { agents: Int32Array.of(2, 0) }).get(0), null);
});

test("planners list their options, which build takes by name", () => {
  const hpa = cairn.planners.find((planner) => planner.name === "hpa");
  assert.equal(hpa.space, "grid");
  const size = hpa.options.find((option) => option.name === "cluster_size");
  assert.ok(size.least >= 1 && size.most > size.least && size.help.length > 0);
  assert.ok(hpa.query.some((option) => option.type === "choice" && option.choices.length > 1));
  const index = cairn.grid(20, 20, new Uint8Array(400).fill(1)).build("hpa", { clusterSize: 10 });
  assert.equal(index.option("clusterSize"), 10);
  assert.equal(index.planner, "hpa");
});
