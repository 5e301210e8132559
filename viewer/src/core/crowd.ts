// The agents' paths: batches of requests, and which of their paths edits have broken.

import { Cairn, type Paths, type QueryOptions, type World } from "cairn-path";
import { Random } from "../maps/random.js";
import { canStand, weightOf } from "../maps/terrain.js";
import type { Plan, Requests, Routes } from "./messages.js";
import type { Plans } from "./plans.js";

interface Batch {
  requests: Int32Array;
  paths: Paths;
  ids: Uint32Array;
  edits: number;
  /** Agents that still follow their path of this batch. */
  live: number;
}

const TRIES = 4;

export class CrowdPaths {
  private batches: Batch[] = [];
  private batchOf: (Batch | undefined)[] = [];
  private random = new Random(1);
  private world: World | undefined;

  constructor(private readonly plans: Plans) {}

  /** Forgets all agents. */
  clear(): void {
    for (const { paths } of this.batches) paths.free();
    this.batches = [];
    this.batchOf = [];
    this.world = undefined;
  }

  start(plan: Plan, count: number, seed: number): Routes {
    this.clear();
    this.random = new Random(seed);
    const free = this.freeCells(plan);
    const places = new Int32Array(2 * count);
    const { width } = this.plans.grid;
    for (let i = 0; i < count && free.length > 0; ++i) {
      const cell = free[this.random.below(free.length)]!;
      places[2 * i] = cell % width;
      places[2 * i + 1] = Math.floor(cell / width);
    }
    return this.next(
      plan,
      Uint32Array.from({ length: count }, (_, i) => i),
      places,
    );
  }

  /** Paths to random goals. An agent for which none is found gets no path. */
  next(plan: Plan, ids: Uint32Array, places: Int32Array): Routes {
    const begin = performance.now();
    const free = this.freeCells(plan);
    const { width } = this.plans.grid;
    const found: Routes[] = [];
    let left = ids;
    let at = places;
    for (let tries = 0; tries < TRIES && left.length > 0 && free.length > 0; ++tries) {
      const requests = new Int32Array(4 * left.length);
      for (let i = 0; i < left.length; ++i) {
        const goal = free[this.random.below(free.length)]!;
        requests.set([at[2 * i]!, at[2 * i + 1]!, goal % width, Math.floor(goal / width)], 4 * i);
      }
      const { routes, without } = this.find(plan, left, requests);
      found.push(routes);
      at = Int32Array.from(without.flatMap((i) => [at[2 * i]!, at[2 * i + 1]!]));
      left = Uint32Array.from(without, (i) => left[i]!);
    }
    return { ...join(found), milliseconds: performance.now() - begin };
  }

  /** New paths for agents whose paths are broken; `requests` says where all agents are and go. */
  replan(plan: Plan, requests: Requests): Routes {
    const begin = performance.now();
    const world = this.worldOf(plan);
    const options = queryOf(plan);
    const broken: number[] = [];
    for (const batch of this.batches) {
      const valid = world.pathsValid(batch.requests, batch.paths, batch.edits, options);
      batch.ids.forEach((id, i) => {
        if (this.batchOf[id] === batch && !valid[i] && batch.paths.statuses[i] === 0)
          broken.push(id);
      });
    }
    const ids = Uint32Array.from(broken);
    const asked = new Int32Array(4 * ids.length);
    const { width, height, cells } = this.plans.grid;
    ids.forEach((id, i) => {
      const request = requests.subarray(4 * id, 4 * id + 4);
      const stands = (x: number, y: number): boolean =>
        x >= 0 && y >= 0 && x < width && y < height && this.stands(plan, cells[y * width + x]!);
      const [x, y] = nearestFree(request[0]!, request[1]!, stands);
      asked.set([x, y, request[2]!, request[3]!], 4 * i);
    });
    const { routes, without } = this.find(plan, ids, asked);
    // Who cannot get to its goal any more gets another one.
    const others = this.next(
      plan,
      Uint32Array.from(without, (i) => ids[i]!),
      Int32Array.from(without.flatMap((i) => [asked[4 * i]!, asked[4 * i + 1]!])),
    );
    return { ...join([routes, others]), milliseconds: performance.now() - begin };
  }

  private stands(plan: Plan, value: number): boolean {
    if (plan.planner === "haa") return canStand(value, Number(plan.query.capability ?? 0));
    return weightOf(value) > 0;
  }

  private freeCells(plan: Plan): number[] {
    const free: number[] = [];
    this.plans.grid.cells.forEach((value, i) => {
      if (this.stands(plan, value)) free.push(i);
    });
    return free;
  }

  private worldOf(plan: Plan): World {
    const { world } = this.plans.world(plan);
    if (this.world !== world) {
      // Paths of another world say nothing about this one.
      const had = this.world !== undefined;
      this.world = world;
      if (had) {
        for (const { paths } of this.batches) paths.free();
        this.batches = [];
        this.batchOf = [];
      }
    }
    return world;
  }

  private find(plan: Plan, ids: Uint32Array, requests: Int32Array) {
    const empty = {
      ids: new Uint32Array(0),
      first: new Uint32Array(1),
      cells: new Uint32Array(0),
    };
    if (ids.length === 0) return { routes: { ...empty, milliseconds: 0 }, without: [] as number[] };
    const world = this.worldOf(plan);
    const edits = world.edits;
    const paths = world.paths(requests, queryOf(plan));
    const batch: Batch = { requests, paths, ids, edits, live: 0 };
    const { costs } = paths;
    const has = Array.from(
      paths.statuses,
      (status, i) => status === 0 && costs[i]! < Cairn.INFINITY,
    );
    const reached: number[] = [];
    const first = [0];
    const without: number[] = [];
    const firsts = paths.first;
    const cells = paths.cells;
    const chosen: Uint32Array[] = [];
    has.forEach((one, i) => {
      if (!one) {
        without.push(i);
        return;
      }
      const id = ids[i]!;
      this.leave(id);
      this.batchOf[id] = batch;
      ++batch.live;
      reached.push(id);
      const part = cells.subarray(Number(firsts[i]), Number(firsts[i + 1]));
      chosen.push(part);
      first.push(first[first.length - 1]! + part.length);
    });
    const all = new Uint32Array(first[first.length - 1]!);
    chosen.forEach((part, i) => all.set(part, first[i]));
    if (batch.live > 0) this.batches.push(batch);
    else paths.free();
    const routes: Routes = {
      ids: Uint32Array.from(reached),
      first: Uint32Array.from(first),
      cells: all,
      milliseconds: 0,
    };
    return { routes, without };
  }

  private leave(id: number): void {
    const batch = this.batchOf[id];
    if (batch === undefined || --batch.live > 0) return;
    this.batches.splice(this.batches.indexOf(batch), 1);
    batch.paths.free();
  }
}

/** Options of queries as the library takes them. */
export function queryOf(plan: Plan): QueryOptions {
  return plan.query;
}

function join(parts: readonly Routes[]): Routes {
  const first = [0];
  for (const part of parts) {
    const begin = first[first.length - 1]!;
    for (let i = 1; i < part.first.length; ++i) first.push(begin + part.first[i]!);
  }
  const cells = new Uint32Array(first[first.length - 1]!);
  let at = 0;
  for (const part of parts) {
    cells.set(part.cells, at);
    at += part.cells.length;
  }
  return {
    ids: Uint32Array.from(parts.flatMap(({ ids }) => Array.from(ids))),
    first: Uint32Array.from(first),
    cells,
    milliseconds: 0,
  };
}

/** The nearest place in squares around one where it can stand; the place itself if none is near. */
function nearestFree(
  x: number,
  y: number,
  stands: (x: number, y: number) => boolean,
): [number, number] {
  for (let ring = 0; ring < 40; ++ring) {
    for (let dy = -ring; dy <= ring; ++dy) {
      const step = Math.abs(dy) === ring ? 1 : Math.max(1, 2 * ring);
      for (let dx = -ring; dx <= ring; dx += step) {
        if (stands(x + dx, y + dy)) return [x + dx, y + dy];
      }
    }
  }
  return [x, y];
}
