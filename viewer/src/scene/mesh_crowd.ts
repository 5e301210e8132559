// Agents that walk along their strings on a mesh.

import type { Places, Routes } from "../core/messages.js";
import type { Walkers } from "./crowd.js";

export class MeshCrowd implements Walkers {
  readonly places: Float32Array;
  readonly flow = new Float32Array(0);
  speed = 9;
  /** x, y and z of the turning points of each agent's path. */
  private readonly paths: Float32Array[];
  /** Where each agent is: behind which point, and which part of the way to the next. */
  private readonly point: Uint32Array;
  private readonly part: Float32Array;
  private readonly pace: Float32Array;
  private readonly waits: Uint8Array;

  constructor(
    readonly count: number,
    /** The length that counts as a cell for the speed. */
    private readonly unit: number,
  ) {
    this.places = new Float32Array(2 * count).fill(-1e9);
    this.paths = Array.from({ length: count }, () => new Float32Array(0));
    this.point = new Uint32Array(count);
    this.part = new Float32Array(count);
    this.pace = Float32Array.from({ length: count }, (_, i) => 0.8 + 0.4 * ((i * 0.618034) % 1));
    this.waits = new Uint8Array(count);
  }

  get walking(): number {
    return this.paths.reduce((sum, path) => sum + (path.length > 0 ? 1 : 0), 0);
  }

  follow({ ids, first, points }: Routes): void {
    ids.forEach((id, i) => {
      this.paths[id] = points.subarray(3 * first[i]!, 3 * first[i + 1]!);
      this.point[id] = 0;
      this.part[id] = 0;
      this.waits[id] = 0;
      this.put(id);
    });
  }

  /** x, y and z of an agent, which has a path. */
  private placeOf(id: number): [number, number, number] {
    const path = this.paths[id]!;
    const from = 3 * this.point[id]!;
    const to = Math.min(from + 3, path.length - 3);
    const part = this.part[id]!;
    const at = (k: number): number => path[from + k]! + (path[to + k]! - path[from + k]!) * part;
    return [at(0), at(1), at(2)];
  }

  private put(id: number): void {
    if (this.paths[id]!.length === 0) return;
    const [x, , z] = this.placeOf(id);
    this.places[2 * id] = x;
    this.places[2 * id + 1] = z;
  }

  advance(seconds: number): void {
    for (let i = 0; i < this.count; ++i) {
      const path = this.paths[i]!;
      if (path.length === 0 || this.waits[i]) continue;
      const last = path.length / 3 - 1;
      let left = this.speed * this.unit * this.pace[i]! * seconds;
      while (left > 0 && this.point[i]! < last) {
        const from = 3 * this.point[i]!;
        const length = Math.hypot(
          path[from + 3]! - path[from]!,
          path[from + 4]! - path[from + 1]!,
          path[from + 5]! - path[from + 2]!,
        );
        const rest = length * (1 - this.part[i]!);
        if (left < rest) {
          this.part[i]! += left / length;
          break;
        }
        left -= rest;
        this.point[i]! += 1;
        this.part[i] = 0;
      }
      if (this.point[i]! >= last) this.waits[i] = 1;
      this.put(i);
    }
  }

  arrivals(): { ids: Uint32Array; places: Places } {
    const ids: number[] = [];
    const places: number[] = [];
    for (let i = 0; i < this.count; ++i) {
      if (this.waits[i] !== 1) continue;
      this.waits[i] = 2;
      ids.push(i);
      places.push(...this.placeOf(i));
    }
    return { ids: Uint32Array.from(ids), places: Float64Array.from(places) };
  }

  requests(): Places {
    const requests = new Float64Array(6 * this.count);
    for (let i = 0; i < this.count; ++i) {
      const path = this.paths[i]!;
      if (path.length === 0) continue;
      requests.set(this.placeOf(i), 6 * i);
      requests.set(path.subarray(path.length - 3), 6 * i + 3);
    }
    return requests;
  }
}
