// What pictures are made of: graphs of indexes and traces of searches; and other costs.

import assert from "node:assert/strict";
import test from "node:test";
import { edgeKinds, load, traceSteps } from "cairn-path";
import { dijkstra, numbers, randomCells } from "./support.mjs";

const cairn = await load({ parts: "all" });
const below = numbers(77);
const [width, height] = [40, 30];
const cells = randomCells(below, width, height, 20);
const grid = cairn.grid(width, height, cells);

test("the graph of an index of hpa: nodes at the borders of clusters, edges with their costs", () => {
  const index = grid.build("hpa", { clusterSize: 10, levels: 2 });
  const graph = index.graph();
  assert.equal(graph.levels, 2);
  assert.equal(graph.clusters.length, 4 * 12);
  assert.ok(graph.ids.length > 0);
  graph.ids.forEach((cell, node) => {
    assert.ok(cells[cell] > 0);
    assert.deepEqual([...graph.places.slice(3 * node, 3 * node + 2)], [cell % width, Math.floor(cell / width)]);
  });
  graph.kinds.forEach((kind, edge) => {
    const [from, to] = graph.edges.slice(2 * edge, 2 * edge + 2);
    assert.ok(from < graph.ids.length && to < graph.ids.length);
    if (kind === edgeKinds.inter) assert.ok([408, 577].includes(graph.costs[edge]));
    assert.ok(index.reachable([graph.ids[from] % width, Math.floor(graph.ids[from] / width)],
                              [graph.ids[to] % width, Math.floor(graph.ids[to] / width)]));
  });
  assert.throws(() => index.graph(9), { status: "bad_option" });
});

test("a trace expands the start, and finds the same path", () => {
  const index = grid.build("astar");
  const free = [...cells.keys()].filter((cell) => cells[cell] > 0);
  const placeOf = (cell) => [cell % width, Math.floor(cell / width)];
  const start = placeOf(free[0]);
  const goal = placeOf(free.findLast((cell) => index.reachable(start, placeOf(cell))));
  const trace = index.trace(start, goal);
  const path = index.path(start, goal);
  assert.deepEqual(trace.path.cells, path.cells);
  assert.ok(trace.steps.includes(traceSteps.expanding));
  assert.equal(trace.steps.length, trace.nodes.length);
  assert.equal(trace.leftOut, 0);
  const few = index.trace(start, goal, 3);
  assert.equal(few.steps.length, 3);
  assert.equal(few.leftOut, trace.steps.length - 3);
});

test("an index under other costs answers as a map of these weights", () => {
  const weighted = randomCells(below, width, height, 20, 2);
  const weights = Uint8Array.from({ length: 256 }, (_, byte) => (byte === 2 ? 5 : byte === 1 ? 1 : 0));
  const costOfStep = (a, b, diagonal) =>
    Math.floor(((diagonal ? 577 : 408) * (weights[a] + weights[b])) / 2);
  const index = cairn.grid(width, height, weighted).build("astar").withCosts(weights);
  const start = weighted.findIndex((byte) => byte > 0);
  const costs = dijkstra(weighted, width, height, start, costOfStep);
  for (let i = 0; i < 50; ++i) {
    const goal = below(width * height);
    if (!weighted[goal]) continue;
    const path = index.path([start % width, Math.floor(start / width)], [goal % width, Math.floor(goal / width)]);
    assert.equal(path?.cost ?? Infinity, costs[goal]);
  }
  assert.throws(() => index.withCosts([1, 2]), TypeError);
});
