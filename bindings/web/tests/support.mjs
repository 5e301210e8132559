// What the tests share: seeded numbers, grids, and Dijkstra's algorithm.

import { readFileSync } from "node:fs";

/** The root of Cairn's sources; the tests run from where the package is installed. */
export const SOURCE = process.env.CAIRN_SOURCE ?? new URL("../../..", import.meta.url).pathname;
export const SCALE = Number(process.env.CAIRN_TEST_SCALE ?? 1);

export function readSource(name) {
  return readFileSync(`${SOURCE}/${name}`);
}

/** Seeded numbers: below(n) gives one from 0 to n - 1. */
export function numbers(seed) {
  let state = seed >>> 0;
  return function below(most) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) % most;
  };
}

/** A grid of random weights: `percent` of the cells are obstacles. */
export function randomCells(below, width, height, percent, most = 1) {
  return Uint8Array.from({ length: width * height }, () =>
    below(100) < percent ? 0 : 1 + below(most),
  );
}

/** Whether a step between neighbouring cells is legal, diagonals past free corners only. */
function legal(cells, width, height, x, y, dx, dy) {
  const free = (u, v) =>
    u >= 0 && v >= 0 && u < width && v < height && cells[v * width + u] > 0;
  if (!free(x + dx, y + dy)) return false;
  return dx === 0 || dy === 0 || (free(x + dx, y) && free(x, y + dy));
}

/**
 * The cost from a cell to all others; Infinity where there is no path. A step costs 408, or 577 on
 * the diagonal, times the mean of the weights of both cells where they differ.
 */
export function dijkstra(cells, width, height, start, costOfStep) {
  const costs = new Float64Array(cells.length).fill(Infinity);
  const done = new Uint8Array(cells.length);
  const heap = [[0, start]];
  costs[start] = 0;
  const pop = () => {
    const top = heap[0];
    const last = heap.pop();
    if (heap.length > 0) {
      let i = 0;
      for (;;) {
        let child = 2 * i + 1;
        if (child >= heap.length) break;
        if (child + 1 < heap.length && heap[child + 1][0] < heap[child][0]) ++child;
        if (heap[child][0] >= last[0]) break;
        heap[i] = heap[child];
        i = child;
      }
      heap[i] = last;
    }
    return top;
  };
  const push = (entry) => {
    let i = heap.length;
    heap.push(entry);
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (heap[parent][0] <= entry[0]) break;
      heap[i] = heap[parent];
      i = parent;
    }
    heap[i] = entry;
  };
  while (heap.length > 0) {
    const [cost, cell] = pop();
    if (done[cell]) continue;
    done[cell] = 1;
    const x = cell % width;
    const y = Math.floor(cell / width);
    for (let dy = -1; dy <= 1; ++dy) {
      for (let dx = -1; dx <= 1; ++dx) {
        if ((dx === 0 && dy === 0) || !legal(cells, width, height, x, y, dx, dy)) continue;
        const to = (y + dy) * width + x + dx;
        const next = cost + costOfStep(cells[cell], cells[to], dx !== 0 && dy !== 0);
        if (next < costs[to]) {
          costs[to] = next;
          push([next, to]);
        }
      }
    }
  }
  return costs;
}

export const UNIT_STEP = (_from, _to, diagonal) => (diagonal ? 577 : 408);
