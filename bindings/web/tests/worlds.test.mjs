import assert from "node:assert/strict";
import test from "node:test";
import { load } from "cairn-path";
import { numbers, randomCells, SCALE } from "./support.mjs";

const cairn = await load({ parts: "all" });

for (const planner of ["hpa", "subgoal", "astar", "jps"]) {
  test(`a world of ${planner} answers as an index built of the edited map`, () => {
    const below = numbers(31);
    const [width, height] = [45, 40];
    const cells = randomCells(below, width, height, 20);
    const world = cairn.world(cairn.grid(width, height, cells).build(planner));
    const requests = Int32Array.from({ length: 4 * 20 }, (_, i) => below(i % 2 ? height : width));
    let paths = world.paths(requests);
    for (let step = 0; step < Math.max(3, 12 * SCALE); ++step) {
      const [w, h] = [1 + below(5), 1 + below(5)];
      const [x, y] = [below(width - w), below(height - h)];
      const terrain = below(2);
      for (let v = y; v < y + h; ++v) cells.fill(terrain, v * width + x, v * width + x + w);
      const before = world.edits;
      assert.equal(world.edit([[x, y, w, h, terrain]]), before + 1);
      const grid = cairn.grid(width, height, cells);
      assert.equal(world.map.fingerprint, grid.fingerprint);
      const valid = world.pathsValid(requests, paths, before);
      for (let i = 0; i < paths.size; ++i) {
        const path = paths.get(i);
        if (path !== null) assert.equal(valid[i], grid.measure(path.cells) !== null);
      }
      const again = world.replan(requests, paths, before);
      assert.equal(again.size, valid.filter((one) => !one).length);
      again.free();
      if (step % 2 === 0) while (world.work());
      world.checkWork();
      const index = grid.build(planner);
      paths.free();
      paths = world.paths(requests);
      const fresh = index.paths(requests);
      assert.deepEqual(paths.costs.slice(), fresh.costs.slice());
      assert.deepEqual(paths.statuses.slice(), fresh.statuses.slice());
      for (const one of [fresh, index, grid]) one.free();
    }
    const { index, edits } = world.snapshot();
    assert.equal(edits, world.edits);
    const edited = index.edited([[0, 0, 3, 3, 1]]);
    assert.ok(edited.path([0, 0], [2, 2]) !== null);
    assert.equal(world.edits, edits);
    assert.throws(() => world.edit([[width, 0, 1, 1, 0]]), { status: "bad_option" });
  });
}
