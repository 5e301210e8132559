// The module that is loaded by default, for grids: its answers, what it lacks, and its size.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import test from "node:test";
import { brotliCompressSync } from "node:zlib";
import { compile, load } from "cairn-path";
import { numbers, randomCells, SCALE } from "./support.mjs";

const MOST_BYTES = 260_000;
const grids = await load();
const all = await load({ parts: "all" });

test("it has the planners of grids, worlds and batches", () => {
  assert.deepEqual(grids.planners.map(({ name }) => name), ["hpa", "subgoal", "astar", "jps"]);
  for (const part of ["hpa", "subgoal", "batch", "world", "formats"]) assert.ok(grids.has(part));
  for (const part of ["haa", "mesh", "hna", "index_file"]) {
    assert.ok(!grids.has(part));
    assert.ok(all.has(part));
  }
});

test("its answers are those of the whole library, before and after edits", () => {
  const below = numbers(71);
  for (let round = 0; round < Math.max(2, 20 * SCALE); ++round) {
    const width = 8 + below(40);
    const height = 8 + below(40);
    const cells = randomCells(below, width, height, 25);
    const requests = Int32Array.from({ length: 80 }, (_, i) => below(i % 2 ? height : width));
    const edit = [below(width - 3), below(height - 3), 3, 3, below(2)];
    for (const planner of ["hpa", "subgoal", "astar", "jps"]) {
      const [own, other] = [grids, all].map((cairn) => {
        const index = cairn.grid(width, height, cells).build(planner);
        const world = cairn.world(index);
        const answers = [];
        for (const on of [index, world, world]) {
          if (answers.length > 1) world.edit([edit]);
          const { statuses, costs, cells: steps } = on.paths(requests);
          answers.push([[...statuses], [...costs], [...steps]]);
          const [x, y, u, v] = requests;
          answers.push(on.path([x, y], [u, v])?.cost ?? null);
        }
        return answers;
      });
      assert.deepEqual(own, other);
    }
  }
});

test("what it lacks throws, and says what to load", () => {
  const grid = grids.grid(3, 1, ["..."]);
  const missing = { message: /load\(\{ parts: "all" \}\)/ };
  assert.throws(() => grids.meshFromGrid(grid), { ...missing, status: "unsupported" });
  assert.throws(
    () => grids.mesh({ vertices: [0, 0, 0, 1, 0, 0, 0, 0, 1], polygons: [[0, 1, 2]] }),
    { ...missing, status: "unsupported" },
  );
  assert.throws(() => grid.withAgents(), { ...missing, status: "unsupported" });
  assert.throws(() => grid.build("haa"), missing);
  assert.throws(() => grid.build("hpa").toBytes(), { ...missing, status: "unsupported" });
  assert.throws(
    () => grids.indexFromBytes(all.grid(3, 1, ["..."]).build("hpa").toBytes(), grid),
    { ...missing, status: "unsupported" },
  );
});

test("an unknown choice of parts is an error", async () => {
  await assert.rejects(load({ parts: "some" }), { status: "bad_option" });
  await assert.rejects(compile({ parts: "" }), { status: "bad_option" });
  assert.ok((await load({ wasm: await compile({ parts: "all" }) })).has("hna"));
});

test("numbers of options are read as JavaScript does", () => {
  const grid = grids.grid(40, 40, new Uint8Array(1600).fill(1));
  for (const text of ["1e1", "10", "1.0e+1", "0010"]) {
    assert.equal(grid.build("hpa", { clusterSize: text }).option("clusterSize"), 10);
  }
  for (const text of ["", "1x", "NaN", "0x10", " 8", "1e400"]) {
    assert.throws(() => grid.build("hpa", { clusterSize: text }), { status: "bad_option" });
  }
});

test("it is small", () => {
  const dist = dirname(createRequire(import.meta.url).resolve("cairn-path"));
  const bytes = brotliCompressSync(readFileSync(join(dist, "cairn-grids.wasm"))).length;
  assert.ok(bytes <= MOST_BYTES, `${bytes} bytes`);
});
