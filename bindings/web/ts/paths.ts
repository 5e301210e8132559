import { constants, layouts } from "./generated/layouts.js";
import { Handle } from "./handle.js";
import { Path, splitWaypoints } from "./path.js";
import type { Wasm } from "./wasm.js";

/**
 * The answers to many requests. The arrays are views of the library's memory, made anew each time
 * they are asked for. A view ends when the memory grows, which any call may do, and when the object
 * is freed: use it at once, or copy it with `slice`.
 */
export class Paths extends Handle {
  /** The number of answers. */
  readonly size: number;
  private readonly lists: Record<string, number>;

  /** @internal */
  constructor(
    wasm: Wasm,
    pointer: number,
    private readonly width: number,
  ) {
    super(wasm, pointer, "cairn_paths_free");
    this.lists = wasm.scoped(() => {
      const lists = wasm.struct("cairn_path_lists");
      wasm.check(wasm.call.cairn_paths_get!(pointer, lists));
      const member = (name: string): number => wasm.read("cairn_path_lists", lists, name);
      return {
        count: member("count"),
        statuses: member("statuses"),
        costs: member("costs"),
        first_cell: member("first_cell"),
        cells: member("cells"),
        first_polygon: member("first_polygon"),
        polygons: member("polygons"),
        first_waypoint: member("first_waypoint"),
        waypoints: member("waypoints"),
        routes: member("routes"),
      };
    });
    this.size = this.lists.count!;
  }

  private at(name: string): number {
    void this.pointer; // throws once it is freed
    this.wasm.look();
    return this.lists[name]!;
  }

  private numbers(name: string, count: number): Uint32Array {
    const begin = this.at(name) / 4;
    return this.wasm.u32.subarray(begin, begin + count);
  }

  private firsts(name: string): BigUint64Array {
    const begin = this.at(name) / 8;
    return this.wasm.u64.subarray(begin, begin + (begin === 0 ? 0 : this.size + 1));
  }

  /** The status of each request: see `statusName`. */
  get statuses(): Uint8Array {
    const begin = this.at("statuses");
    return this.wasm.u8.subarray(begin, begin + this.size);
  }

  /** The cost of each path; `Cairn.INFINITY` where there is none. */
  get costs(): Uint32Array {
    return this.numbers("costs", this.size);
  }

  /** Where the list of each path begins in `cells` or `polygons`, and where the last one ends. */
  get first(): BigUint64Array {
    return this.firsts(this.width > 0 ? "first_cell" : "first_polygon");
  }

  /** The cells of all paths on a grid; else empty. */
  get cells(): Uint32Array {
    const first = this.firsts("first_cell");
    return this.numbers("cells", first.length === 0 ? 0 : Number(first[this.size]!));
  }

  /** The polygons of all paths on a mesh; else empty. */
  get polygons(): Uint32Array {
    const first = this.firsts("first_polygon");
    return this.numbers("polygons", first.length === 0 ? 0 : Number(first[this.size]!));
  }

  /** Of `World.replan`: the position of the route that each path replaces; else empty. */
  get routes(): Uint32Array {
    return this.numbers("routes", this.lists.routes === 0 ? 0 : this.size);
  }

  /** The pointers that cairn_routes has of these paths. @internal */
  get steps(): { first: number; steps: number; costs: number } {
    const grid = this.width > 0;
    return {
      first: this.at(grid ? "first_cell" : "first_polygon"),
      steps: this.at(grid ? "cells" : "polygons"),
      costs: this.at("costs"),
    };
  }

  /** A copy of one path; `null` if there is none. */
  get(i: number): Path | null {
    if (!(i >= 0 && i < this.size)) throw new RangeError(`there is no path ${i}`);
    if (this.statuses[i] !== constants.CAIRN_OK) return null;
    const { wasm } = this;
    const first = this.first;
    const begin = Number(first[i]!);
    const end = Number(first[i + 1]!);
    const grid = this.width > 0;
    const cost = this.costs[i]!;
    const waypoints = this.firsts("first_waypoint");
    const [points, links] = splitWaypoints(
      wasm,
      grid ? 0 : this.at("waypoints") + Number(waypoints[i]!) * layouts.cairn_waypoint.size,
      grid ? 0 : Number(waypoints[i + 1]! - waypoints[i]!),
    );
    return new Path(
      cost,
      0,
      "batch",
      0,
      (grid ? this.cells : this.polygons).slice(begin, end),
      { cells: grid ? end - begin : 0, nodes: 0, polygons: grid ? 0 : end - begin },
      points,
      links,
      this.width,
    );
  }

  *[Symbol.iterator](): IterableIterator<Path | null> {
    for (let i = 0; i < this.size; ++i) yield this.get(i);
  }
}
