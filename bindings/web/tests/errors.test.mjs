import assert from "node:assert/strict";
import test from "node:test";
import { CairnError, load, parseScenario } from "cairn-path";
import { numbers, readSource, SCALE } from "./support.mjs";

const cairn = await load({ parts: "all" });
const grid = cairn.parseMap(readSource("maps/rooms.map"));

test("errors have a status and a message", () => {
  const index = grid.build("subgoal");
  const wrong = [
    [() => index.path([-1, 0], [3, 3]), "start_outside"],
    [() => index.path([3, 3], [0, 1000]), "goal_outside"],
    [() => grid.build("hpa", { clusterSize: 9999 }), "bad_option"],
    [() => grid.build("hpa", { colour: "red" }), "bad_option"],
    [() => grid.build("nothing"), "unsupported"],
    [() => index.path([1, 1], [2, 2], { detail: "all" }), "bad_option"],
    [() => cairn.parseMap("no map at all"), "corrupt_file"],
    [() => cairn.grid(0, 0, []), "bad_option"],
    [() => cairn.mesh({ vertices: [0, 0, 0], polygons: [[0, 1, 2]] }), undefined],
    [() => cairn.indexFromBytes(new Uint8Array(100), grid), "corrupt_file"],
  ];
  for (const [call, status] of wrong) {
    assert.throws(call, (error) => {
      assert.ok(error instanceof CairnError, String(error));
      if (status !== undefined) assert.equal(error.status, status);
      assert.ok(error.message.length > 5);
      return true;
    });
  }
  assert.throws(() => cairn.grid(3, 2, ["...", ".."]), TypeError);
  assert.throws(() => cairn.grid(3, 2, [1, 2, 3]), TypeError);
  assert.throws(() => index.paths(Int32Array.of(1, 2, 3)), TypeError);
  assert.ok(index.path([1, 1], [30, 30]) !== undefined);
});

test("a freed object says so, and may be freed again", () => {
  const index = grid.build("astar");
  index.path([1, 1], [2, 2]);
  index.free();
  index.free();
  assert.throws(() => index.path([1, 1], [2, 2]), { name: "CairnError", message: /freed/ });
});

test("progress is heard, and can stop a build", () => {
  const heard = [];
  grid.build("hpa", {}, { progress: (fraction) => void heard.push(fraction) });
  assert.ok(heard.length > 2);
  assert.deepEqual(heard, [...heard].sort((a, b) => a - b));
  const stop = { progress: (fraction) => fraction < 0.3 };
  assert.throws(() => grid.build("hpa", {}, stop), { status: "cancelled" });
  const failing = () => {
    throw new RangeError("mine");
  };
  assert.throws(() => grid.build("hpa", {}, { progress: failing }), { name: "RangeError" });
  assert.ok(grid.build("hpa").path([35, 252], [222, 217]).cost > 0);
});

for (const planner of ["hpa", "subgoal"]) {
  test(`bytes of an index of ${planner} load again; changed ones are refused`, () => {
    const index = grid.build(planner);
    const bytes = index.toBytes();
    const loaded = cairn.indexFromBytes(bytes, grid);
    assert.deepEqual(loaded.path([35, 252], [222, 217]).cells, index.path([35, 252], [222, 217]).cells);
    assert.throws(() => cairn.indexFromBytes(bytes), { status: "unsupported" });
    const other = cairn.grid(4, 4, new Uint8Array(16).fill(1));
    assert.throws(() => cairn.indexFromBytes(bytes, other), { status: "wrong_map" });
    const below = numbers(3);
    for (let i = 0; i < 200 * SCALE; ++i) {
      const forged = bytes.slice(0, i % 4 === 0 ? below(bytes.length) : bytes.length);
      for (let k = 0; k < 1 + below(3); ++k) forged[below(forged.length)] ^= 1 << below(8);
      try {
        cairn.indexFromBytes(forged, grid).free();
      } catch (error) {
        assert.ok(error instanceof CairnError, String(error));
      }
    }
  });
}

test("a call without memory throws, and later calls work", async () => {
  const small = await load({ parts: "all", maximumMemory: 16 << 20 });
  const room = small.grid(64, 64, new Uint8Array(4096).fill(1));
  const index = room.build("hpa");
  const cost = index.path([0, 0], [63, 60]).cost;
  for (let i = 0; i < 5; ++i) {
    assert.throws(() => small.grid(4000, 4000, new Uint8Array(16e6).fill(1)).build("subgoal"), {
      status: "out_of_memory",
    });
    assert.equal(index.path([0, 0], [63, 60]).cost, cost);
  }
  const below = numbers(9);
  let failed = 0;
  for (let side = 100; side < 1200; side += 50) {
    const cells = Uint8Array.from({ length: side * side }, () => (below(100) < 20 ? 0 : 1));
    for (const planner of ["hpa", "subgoal", "jps"]) {
      try {
        const made = small.grid(side, side, cells);
        const built = made.build(planner);
        built.path([0, 0], [side - 1, side - 1]);
        built.free();
        made.free();
      } catch (error) {
        assert.equal(error.status, "out_of_memory", String(error));
        ++failed;
      }
    }
  }
  assert.ok(failed > 3);
  assert.equal(index.path([0, 0], [63, 60]).cost, cost);
  await assert.rejects(load({ maximumMemory: 1000 }), { status: "bad_option" });
});

test("memory stays as it is over many calls", async () => {
  const own = await load({ parts: "all" });
  const rooms = own.parseMap(readSource("maps/rooms.map"));
  const use = () => {
    const index = rooms.build("hpa");
    const world = own.world(index);
    for (let i = 0; i < 20; ++i) {
      index.path([35, 252], [222, 217], { smoothing: "none" });
      world.edit([[40, 40, 2, 2, i % 2 ? 64 : 46]]);
      world.path([35, 252], [222, 217]);
      index.paths(Int32Array.of(35, 252, 222, 217)).free();
      assert.throws(() => index.path([-1, 0], [1, 1]));
    }
    own.indexFromBytes(index.toBytes(), rooms).free();
    world.map.free();
    assert.ok(world.path([35, 252], [222, 217]).length > 0);
    world.free();
    index.free();
  };
  for (let i = 0; i < 4; ++i) use();
  const before = own.memory;
  for (let i = 0; i < 30 * Math.max(SCALE, 0.3); ++i) use();
  assert.ok(own.memory <= before * 1.25, `${before} bytes, then ${own.memory}`);
});

test("scenarios", () => {
  const text = "version 1\n3\trooms.map\t256\t256\t35\t252\t222\t217\t761.81327522\n";
  const [problem] = parseScenario(text);
  assert.deepEqual(problem.start, [35, 252]);
  const { length } = grid.build("subgoal").path(problem.start, problem.goal);
  assert.ok(Math.abs(length - problem.length) < 1e-6);
  assert.throws(() => parseScenario("version 1\n1 2 3"), { status: "corrupt_file", message: /line 2/ });
});
