import assert from "node:assert/strict";
import test from "node:test";
import { load } from "cairn-path";
import { dijkstra, numbers, randomCells, UNIT_STEP } from "./support.mjs";

const cairn = await load({ parts: "all" });
const TWO = {
  vertices: [0, 0, 0, 2, 0, 0, 2, 0, 1, 0, 0, 1, 4, 0, 0, 4, 0, 1],
  polygons: [[0, 1, 2, 3], [1, 4, 5, 2]],
};

test("a path over two polygons", () => {
  const index = cairn.mesh(TWO).build();
  assert.equal(index.planner, "hna");
  const path = index.path([0.5, 0, 0.5], [3.5, 0, 0.5]);
  assert.deepEqual([...path.polygons], [0, 1]);
  assert.deepEqual([...path].at(-1), [3.5, 0, 0.5]);
  assert.ok(Math.abs(path.length - 3) < 1e-6);
  assert.ok(index.reachable([0.5, 0, 0.5], [3.5, 0, 0.5, 1]));
  const batch = index.paths(Float64Array.of(0.5, 0, 0.5, 3.5, 0, 0.5));
  assert.deepEqual(batch.get(0).waypoints, path.waypoints);
  assert.deepEqual(batch.get(0).polygons, path.polygons);
});

test("a mesh of a grid is reachable where the grid is, and paths are not longer", () => {
  const below = numbers(5);
  const [width, height] = [30, 30];
  const cells = randomCells(below, width, height, 30);
  const grid = cairn.grid(width, height, cells, { neighbours: 4 });
  const mesh = cairn.meshFromGrid(grid);
  const index = mesh.build("hna");
  for (let i = 0; i < 20; ++i) {
    const start = [below(width), below(height)];
    if (!cells[grid.number(start)]) continue;
    const costs = dijkstra(cells, width, height, grid.number(start), (_a, _b, diagonal) =>
      diagonal ? Infinity : 408,
    );
    const goal = [below(width), below(height)];
    if (!cells[grid.number(goal)]) continue;
    const path = index.path([start[0] + 0.5, 0, start[1] + 0.5], [goal[0] + 0.5, 0, goal[1] + 0.5]);
    const least = costs[grid.number(goal)];
    assert.equal(path === null, least === Infinity);
    if (path !== null) {
      assert.ok(path.length <= (1.5 * least) / 408 + 1e-6);
      assert.ok(path.length >= Math.hypot(goal[0] - start[0], goal[1] - start[1]) - 1e-3);
    }
  }
  void UNIT_STEP;
});

test("connections, portals, edits, and places that are located", () => {
  const mesh = cairn.mesh({ ...TWO, portals: [] });
  assert.equal(mesh.build().path([0.5, 0, 0.5], [3.5, 0, 0.5]), null);
  const jump = cairn.mesh({
    ...TWO,
    portals: [],
    connections: [{ from: 0, to: 1, begin: [1, 0, 0.5], end: [3, 0, 0.5], oneWay: true }],
  });
  const index = jump.build();
  assert.ok(index.path([0.5, 0, 0.5], [3.5, 0, 0.5]) !== null);
  assert.equal(index.path([3.5, 0, 0.5], [0.5, 0, 0.5]), null);
  assert.deepEqual([...jump.locate([0.5, 0, 0.5, 3, 0, 0.5, 9, 0, 9])], [0, 1, 0xffffffff]);
  const joined = cairn.mesh({
    ...TWO,
    portals: [{ first: 0, second: 1, begin: [2, 0, 0], end: [2, 0, 1] }],
  });
  const world = cairn.world(joined.build());
  assert.ok(world.path([0.5, 0, 0.5], [3.5, 0, 0.5]) !== null);
  world.edit([{ polygon: 1, blocked: true }]);
  assert.equal(world.path([0.5, 0, 0.5], [3.5, 0, 0.5]), null);
});
