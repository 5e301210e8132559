import assert from "node:assert/strict";
import test from "node:test";
import { CairnError, load } from "cairn-path";
import { CairnWorker } from "cairn-path/worker";
import { readSource } from "./support.mjs";

const map = readSource("maps/rooms.map").toString();

test("a worker builds and answers as the library does", async () => {
  const worker = await CairnWorker.create({ parts: "all" });
  const heard = [];
  const progress = (fraction) => heard.push(fraction);
  const index = await worker.build({ map }, "hpa", { clusterSize: 8 }, { progress });
  assert.ok(heard.length > 2);
  const cairn = await load({ parts: "all" });
  const own = cairn.parseMap(map).build("hpa", { clusterSize: 8 });
  const path = await index.path([35, 252], [222, 217]);
  const expected = own.path([35, 252], [222, 217]);
  assert.deepEqual(path.cells, expected.cells);
  assert.equal(path.length, expected.length);
  assert.equal(path.cost, expected.cost);
  assert.deepEqual([...path][0], [35, 252]);
  assert.equal(await index.path([0, 0], [5, 5]), own.path([0, 0], [5, 5]));
  const requests = Int32Array.of(35, 252, 222, 217, 1, 1, 9, 9);
  const lists = await index.paths(requests);
  assert.deepEqual(lists.cells, own.paths(requests).cells.slice());
  assert.deepEqual(await index.costs([[35, 252]], [[222, 217]]), own.costs([[35, 252]], [[222, 217]]));
  const again = await worker.indexFromBytes(await index.toBytes(), { map });
  assert.equal(await again.cost([35, 252], [222, 217]), own.cost([35, 252], [222, 217]));
  const world = await index.world();
  assert.equal(await world.edit([[100, 100, 3, 3, "@".charCodeAt(0)]]), 1);
  while (await world.work());
  const other = cairn.world(own);
  other.edit([[100, 100, 3, 3, "@".charCodeAt(0)]]);
  assert.equal((await world.path([35, 252], [222, 217])).cost, other.path([35, 252], [222, 217]).cost);
  await index.free();
  await assert.rejects(index.cost([1, 1], [2, 2]), { status: "bad_option" });
  await assert.rejects(worker.build({ map }, "nothing"), CairnError);
  worker.terminate();
  await assert.rejects(again.cost([1, 1], [2, 2]), { status: "cancelled" });
});

test("a build is cancelled", async () => {
  const worker = await CairnWorker.create({ parts: "all" });
  const small = await worker.build({ map }, "subgoal");
  const side = 1500;
  const cells = new Uint8Array(side * side).fill(1);
  const whole = performance.now();
  await (await worker.build({ width: side, height: side, cells }, "hpa")).free();
  const takes = performance.now() - whole;
  const cancel = new AbortController();
  setTimeout(() => cancel.abort(), takes / 10);
  const { signal } = cancel;
  const begin = performance.now();
  await assert.rejects(worker.build({ width: side, height: side, cells }, "hpa", {}, { signal }), {
    status: "cancelled",
  });
  assert.ok((await small.cost([35, 252], [222, 217])) > 0);
  assert.ok(performance.now() - begin < takes, "the work did not stop");
  await assert.rejects(worker.build({ map }, "hpa", {}, { signal }), { status: "cancelled" });
  worker.terminate();
});

test("a worker has a limit of memory, too", async () => {
  const worker = await CairnWorker.create({ maximumMemory: 8 << 20 });
  const cells = new Uint8Array(4e6).fill(1);
  await assert.rejects(worker.build({ width: 2000, height: 2000, cells }, "hpa"), {
    status: "out_of_memory",
  });
  worker.terminate();
});
