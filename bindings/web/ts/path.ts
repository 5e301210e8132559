import { CairnError } from "./errors.js";
import { constants, layouts } from "./generated/layouts.js";
import type { Cell } from "./map.js";
import type { Wasm } from "./wasm.js";

const PATH = layouts.cairn_path.fields;
const WAYPOINT = layouts.cairn_waypoint.size / 4;

/** How many numbers of a path are cells, abstract nodes and polygons. */
export interface PathCounts {
  cells: number;
  nodes: number;
  polygons: number;
}

/** A path. Its arrays are copies, and belong to the caller. */
export class Path {
  /** @internal */
  constructor(
    /** The sum of the costs of its steps. */
    readonly cost: number,
    /** No path costs less than this. */
    readonly lowerBound: number,
    /** What answered: `"labels"`, `"astar"`, `"line"`, ... */
    readonly engine: string,
    /** The number of nodes that were expanded. */
    readonly expanded: number,
    /** Cells, then nodes, then polygons: one array, because making one takes long. */
    private readonly numbers: Uint32Array,
    private readonly counts: PathCounts,
    /** On a mesh the points where it turns: x, y and z of each. */
    readonly waypoints: Float32Array,
    /** On a mesh the link that each waypoint lies on; 2^32 - 1 for the start and the goal. */
    readonly links: Uint32Array,
    private readonly width: number,
  ) {}

  /** On a grid the number of every cell, `y * width + x`; else empty. */
  get cells(): Uint32Array {
    return this.numbers.subarray(0, this.counts.cells);
  }

  /** On a grid the cells of the abstract nodes or subgoals; else empty. */
  get nodes(): Uint32Array {
    const { cells, nodes } = this.counts;
    return this.numbers.subarray(cells, cells + nodes);
  }

  /** On a mesh the polygons of the corridor; else empty. */
  get polygons(): Uint32Array {
    const { cells, nodes, polygons } = this.counts;
    return this.numbers.subarray(cells + nodes, cells + nodes + polygons);
  }

  /** What a message has of it. @internal */
  get parts() {
    const { cost, lowerBound, engine, expanded, numbers, counts, waypoints, links } = this;
    return { cost, lowerBound, engine, expanded, numbers, counts, waypoints, links };
  }

  /** The number of cells, or of waypoints. */
  get size(): number {
    return this.width > 0 ? this.counts.cells : this.links.length;
  }

  /** The cells as columns and rows: x and y of each. */
  get points(): Int32Array {
    const { cells, width } = this;
    const points = new Int32Array(2 * cells.length);
    for (let i = 0; i < cells.length; ++i) {
      points[2 * i] = cells[i]! % width;
      points[2 * i + 1] = Math.floor(cells[i]! / width);
    }
    return points;
  }

  /** The length in cells, whatever their weights, or in units of the mesh. O(`size`). */
  get length(): number {
    let length = 0;
    const { cells, width } = this;
    for (let i = 1; i < cells.length; ++i) {
      const [a, b] = [cells[i - 1]!, cells[i]!];
      length += Math.hypot((a % width) - (b % width), Math.floor(a / width) - Math.floor(b / width));
    }
    const p = this.waypoints;
    for (let i = 3; i < p.length; i += 3) {
      length += Math.hypot(p[i]! - p[i - 3]!, p[i + 1]! - p[i - 2]!, p[i + 2]! - p[i - 1]!);
    }
    return length;
  }

  /** The cells as pairs (x, y), or the waypoints of a path on a mesh as (x, y, z). */
  *[Symbol.iterator](): IterableIterator<Cell | readonly [number, number, number]> {
    for (const cell of this.cells) yield [cell % this.width, Math.floor(cell / this.width)];
    const p = this.waypoints;
    for (let i = 0; i < p.length; i += 3) yield [p[i]!, p[i + 1]!, p[i + 2]!];
  }
}

const NO_WAYPOINTS = [new Float32Array(0), new Uint32Array(0)] as const;

/** Splits an array of cairn_waypoint into points and links. */
export function splitWaypoints(
  wasm: Wasm,
  pointer: number,
  count: number,
): readonly [Float32Array, Uint32Array] {
  if (count === 0) return NO_WAYPOINTS;
  const points = new Float32Array(3 * count);
  const links = new Uint32Array(count);
  for (let i = 0, at = pointer / 4; i < count; ++i, at += WAYPOINT) {
    points[3 * i] = wasm.f32[at]!;
    points[3 * i + 1] = wasm.f32[at + 1]!;
    points[3 * i + 2] = wasm.f32[at + 2]!;
    links[i] = wasm.u32[at + 3]!;
  }
  return [points, links];
}

/** The path of a cairn_answer. `scratch` has room for a cairn_path, and its size is set. */
export function pathOf(
  wasm: Wasm,
  answer: number,
  scratch: number,
  width: number,
): Path {
  const status = wasm.call.cairn_answer_get!(answer, scratch);
  if (status !== constants.CAIRN_OK) throw new CairnError("bad_option", "there is no answer");
  const { u32 } = wasm;
  const at = scratch / 4;
  const counts = {
    cells: u32[at + PATH.num_cells.at / 4]!,
    nodes: u32[at + PATH.num_nodes.at / 4]!,
    polygons: u32[at + PATH.num_polygons.at / 4]!,
  };
  const numbers = new Uint32Array(counts.cells + counts.nodes + counts.polygons);
  let end = copy(u32, u32[at + PATH.cells.at / 4]!, counts.cells, numbers, 0);
  end = copy(u32, u32[at + PATH.nodes.at / 4]!, counts.nodes, numbers, end);
  copy(u32, u32[at + PATH.polygons.at / 4]!, counts.polygons, numbers, end);
  const [points, links] = splitWaypoints(
    wasm,
    u32[at + PATH.waypoints.at / 4]!,
    u32[at + PATH.num_waypoints.at / 4]!,
  );
  return new Path(
    u32[at + PATH.cost.at / 4]!,
    u32[at + PATH.lower_bound.at / 4]!,
    wasm.nameAt(u32[at + PATH.engine.at / 4]!),
    u32[at + PATH.expanded.at / 4]!,
    numbers,
    counts,
    points,
    links,
    width,
  );
}

/** Copies `count` numbers from a pointer to `to[begin]`, ...; returns where they end. */
function copy(u32: Uint32Array, from: number, count: number, to: Uint32Array, begin: number): number {
  const few = 16; // a loop is faster for so many
  if (count > few) {
    to.set(u32.subarray(from / 4, from / 4 + count), begin);
  } else {
    for (let i = 0, at = from / 4; i < count; ++i) to[begin + i] = u32[at + i]!;
  }
  return begin + count;
}
