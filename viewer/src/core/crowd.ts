// The agents' paths: batches of requests, and which of their paths edits have broken.

import { Cairn, type Paths, type QueryOptions, type World } from "cairn-path";
import { Random } from "../maps/random.js";
import { middleOf } from "../maps/mesh.js";
import { canStand, weightOf } from "../maps/terrain.js";
import type { Places, Plan, Requests, Routes } from "./messages.js";
import type { Plans } from "./plans.js";

interface Batch {
  requests: Requests;
  paths: Paths;
  ids: Uint32Array;
  edits: number;
  /** Agents that still follow their path of this batch. */
  live: number;
}

const TRIES = 4;

/** The paths of no agent. */
const nowhere: Routes = {
  ids: new Uint32Array(0),
  first: new Uint32Array(1),
  cells: new Uint32Array(0),
  points: new Float32Array(0),
  milliseconds: 0,
};

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
    const free = this.freePlaces(plan);
    const places = this.places(
      free.length === 0
        ? []
        : Array.from({ length: count }, () => this.placeOf(free[this.random.below(free.length)]!)),
    );
    if (places.length === 0) count = 0;
    return this.next(
      plan,
      Uint32Array.from({ length: count }, (_, i) => i),
      places,
    );
  }

  /** Paths to random goals. An agent for which none is found gets no path. */
  next(plan: Plan, ids: Uint32Array, places: Places): Routes {
    const begin = performance.now();
    const free = this.freePlaces(plan);
    const { size } = this;
    const found: Routes[] = [];
    let left = ids;
    let at = places;
    for (let tries = 0; tries < TRIES && left.length > 0 && free.length > 0; ++tries) {
      const requests = this.places(
        Array.from(left, (_, i) => [
          ...at.subarray(size * i, size * i + size),
          ...this.placeOf(free[this.random.below(free.length)]!),
        ]),
      );
      const { routes, without } = this.find(plan, left, requests);
      found.push(routes);
      const before = at;
      at = this.places(without.map((i) => [...before.subarray(size * i, size * i + size)]));
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
    const { size } = this;
    const asked = this.places(
      Array.from(ids, (id) => {
        const request = [...requests.subarray(2 * size * id, 2 * size * (id + 1))];
        return [...this.standing(plan, request.slice(0, size)), ...request.slice(size)];
      }),
    );
    const { routes, without } = this.find(plan, ids, asked);
    // Who cannot get to its goal any more gets another one.
    const others = this.next(
      plan,
      Uint32Array.from(without, (i) => ids[i]!),
      this.places(without.map((i) => [...asked.subarray(2 * size * i, 2 * size * i + size)])),
    );
    const going = new Set([...routes.ids, ...others.ids]);
    const stopped = ids.filter((id) => !going.has(id));
    stopped.forEach((id) => this.leave(id));
    const still: Routes = { ...nowhere, ids: stopped, first: new Uint32Array(stopped.length + 1) };
    return { ...join([routes, others, still]), milliseconds: performance.now() - begin };
  }

  private stands(plan: Plan, value: number): boolean {
    if (plan.planner === "haa") return canStand(value, Number(plan.query.capability ?? 0));
    return weightOf(value) > 0;
  }

  /** How many numbers a place has. */
  private get size(): number {
    return this.plans.map.kind === "grid" ? 2 : 3;
  }

  /** Places as the library takes them. */
  private places(list: readonly (readonly number[])[]): Places {
    const numbers = list.flat();
    return this.size === 2 ? Int32Array.from(numbers) : Float64Array.from(numbers);
  }

  /** The cells where agents may stand, or the polygons. */
  private freePlaces(plan: Plan): number[] {
    const { map } = this.plans;
    const free: number[] = [];
    if (map.kind === "mesh") {
      for (let polygon = 0; polygon + 1 < map.first.length; ++polygon) {
        if (map.blocked?.[polygon] !== 1) free.push(polygon);
      }
      return free;
    }
    map.cells.forEach((value, i) => {
      if (this.stands(plan, value)) free.push(i);
    });
    return free;
  }

  /** The place of a cell, or the middle of a polygon. */
  private placeOf(which: number): readonly number[] {
    const { map } = this.plans;
    if (map.kind === "mesh") return middleOf(map, which);
    return [which % map.width, Math.floor(which / map.width)];
  }

  /** A place where an agent can go on, near one that may be blocked now. */
  private standing(plan: Plan, place: readonly number[]): readonly number[] {
    const { map } = this.plans;
    if (map.kind === "mesh") return place; // an agent in a blocked polygon has no path until it is free
    const { width, height, cells } = map;
    return nearestFree(
      place[0]!,
      place[1]!,
      (x, y) =>
        x >= 0 && y >= 0 && x < width && y < height && this.stands(plan, cells[y * width + x]!),
    );
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

  private find(plan: Plan, ids: Uint32Array, requests: Requests) {
    if (ids.length === 0) return { routes: nowhere, without: [] as number[] };
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
    const points: number[] = [];
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
      if (this.size === 3) {
        for (const point of paths.get(i) ?? []) points.push(...(point as readonly number[]));
        first.push(points.length / 3);
        return;
      }
      const part = cells.subarray(Number(firsts[i]), Number(firsts[i + 1]));
      chosen.push(part);
      first.push(first[first.length - 1]! + part.length);
    });
    const all = new Uint32Array(chosen.reduce((sum, { length }) => sum + length, 0));
    chosen.forEach((part, i) => all.set(part, first[i]));
    if (batch.live > 0) this.batches.push(batch);
    else paths.free();
    const routes: Routes = {
      ids: Uint32Array.from(reached),
      first: Uint32Array.from(first),
      cells: all,
      points: Float32Array.from(points),
      milliseconds: 0,
    };
    return { routes, without };
  }

  private leave(id: number): void {
    const batch = this.batchOf[id];
    this.batchOf[id] = undefined;
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
  const cells = new Uint32Array(parts.reduce((sum, part) => sum + part.cells.length, 0));
  let at = 0;
  for (const part of parts) {
    cells.set(part.cells, at);
    at += part.cells.length;
  }
  return {
    points: Float32Array.from(parts.flatMap(({ points }) => Array.from(points))),
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
