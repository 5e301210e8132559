// Agents that walk along their paths.

import type { Places, Routes } from "../core/messages.js";
import { weightOf, type GridData } from "../maps/terrain.js";

/** Agents on a grid or on a mesh. */
export interface Walkers {
  readonly count: number;
  /** The place of each agent, x and y, seen from above. */
  readonly places: Float32Array;
  /** How often agents have entered each cell; on a mesh empty. */
  readonly flow: Float32Array;
  /** Cells that agents pass in a second. */
  speed: number;
  /** Agents with a path. */
  readonly walking: number;
  /** Gives agents new paths, which begin where they are. */
  follow(routes: Routes): void;
  /** Moves all agents on. */
  advance(seconds: number): void;
  /** The agents that have arrived and were not asked for yet, and where they are. */
  arrivals(): { ids: Uint32Array; places: Places };
  /** Where each agent is, and its goal. */
  requests(): Places;
}

export class Crowd implements Walkers {
  readonly places: Float32Array;
  readonly flow: Float32Array;
  speed = 9;
  private readonly paths: Uint32Array[];
  /** How far along its path each agent is, in steps. */
  private readonly along: Float32Array;
  private readonly pace: Float32Array;
  private readonly waits: Uint8Array;
  private flowOfNow = 0;

  constructor(
    readonly count: number,
    private readonly grid: GridData,
  ) {
    this.places = new Float32Array(2 * count).fill(-9);
    this.along = new Float32Array(count);
    this.paths = Array.from({ length: count }, () => new Uint32Array(0));
    this.pace = Float32Array.from({ length: count }, (_, i) => 0.8 + 0.4 * ((i * 0.618034) % 1));
    this.waits = new Uint8Array(count);
    this.flow = new Float32Array(grid.cells.length);
  }

  get walking(): number {
    return this.paths.reduce((sum, path) => sum + (path.length > 0 ? 1 : 0), 0);
  }

  follow({ ids, first, cells }: Routes): void {
    const { width } = this.grid;
    ids.forEach((id, i) => {
      const path = cells.subarray(first[i], first[i + 1]);
      this.paths[id] = path;
      this.along[id] = 0;
      this.waits[id] = 0;
      if (path.length > 0) {
        this.places[2 * id] = (path[0]! % width) + 0.5;
        this.places[2 * id + 1] = Math.floor(path[0]! / width) + 0.5;
      }
    });
  }

  advance(seconds: number): void {
    const { width, cells } = this.grid;
    const { flow, places } = this;
    for (let i = 0; i < this.count; ++i) {
      const path = this.paths[i]!;
      const last = path.length - 1;
      if (last < 0 || this.waits[i]) continue;
      const before = Math.floor(this.along[i]!);
      const from = path[Math.min(before, last)]!;
      const weight = Math.max(1, weightOf(cells[from]!));
      const next = path[Math.min(before + 1, last)]!;
      const diagonal = Math.abs(next - from) !== 1 && Math.abs(next - from) !== width;
      const step = (this.speed * this.pace[i]! * seconds) / weight / (diagonal ? Math.SQRT2 : 1);
      const along = Math.min(last, this.along[i]! + step);
      this.along[i] = along;
      const cell = Math.floor(along);
      if (cell !== before) flow[path[cell]!]! += 1;
      const a = path[cell]!;
      const b = path[Math.min(cell + 1, last)]!;
      const part = along - cell;
      const x = a % width;
      const y = (a - x) / width;
      const bx = b % width;
      places[2 * i] = x + (bx - x) * part + 0.5;
      places[2 * i + 1] = y + ((b - bx) / width - y) * part + 0.5;
      if (along >= last) this.waits[i] = 1;
    }
    this.flowOfNow += seconds;
    if (this.flowOfNow > 1) {
      // What is older than some seconds fades.
      this.flowOfNow = 0;
      for (let i = 0; i < flow.length; ++i) flow[i]! *= 0.93;
    }
  }

  arrivals(): { ids: Uint32Array; places: Places } {
    const ids: number[] = [];
    const places: number[] = [];
    for (let i = 0; i < this.count; ++i) {
      if (this.waits[i] !== 1) continue;
      this.waits[i] = 2;
      ids.push(i);
      places.push(Math.floor(this.places[2 * i]!), Math.floor(this.places[2 * i + 1]!));
    }
    return { ids: Uint32Array.from(ids), places: Int32Array.from(places) };
  }

  requests(): Places {
    const { width } = this.grid;
    const requests = new Int32Array(4 * this.count);
    for (let i = 0; i < this.count; ++i) {
      const path = this.paths[i]!;
      const goal = path[path.length - 1] ?? 0;
      const at = path[Math.min(path.length - 1, Math.round(this.along[i]!))] ?? goal;
      requests.set(
        [at % width, Math.floor(at / width), goal % width, Math.floor(goal / width)],
        4 * i,
      );
    }
    return requests;
  }
}
