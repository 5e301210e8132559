import { CairnError } from "./errors.js";
import { constants, layouts } from "./generated/layouts.js";
import type { Cell } from "./map.js";
import type { Wasm } from "./wasm.js";

const PATH = layouts.cairn_path.fields;
const WAYPOINT = layouts.cairn_waypoint.size / 4;

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
    /** On a grid the number of every cell, `y * width + x`; else empty. */
    readonly cells: Uint32Array,
    /** On a grid the cells of the abstract nodes or subgoals. */
    readonly nodes: Uint32Array,
    /** On a mesh the polygons of the corridor; else empty. */
    readonly polygons: Uint32Array,
    /** On a mesh the points where it turns: x, y and z of each. */
    readonly waypoints: Float32Array,
    /** On a mesh the link that each waypoint lies on; 2^32 - 1 for the start and the goal. */
    readonly links: Uint32Array,
    private readonly width: number,
    private readonly measure: (cells: Uint32Array) => number,
  ) {}

  /** The number of cells, or of waypoints. */
  get size(): number {
    return this.width > 0 ? this.cells.length : this.links.length;
  }

  /** The cells as columns and rows: x and y of each. */
  get points(): Int32Array {
    const points = new Int32Array(2 * this.cells.length);
    for (let i = 0; i < this.cells.length; ++i) {
      points[2 * i] = this.cells[i]! % this.width;
      points[2 * i + 1] = Math.floor(this.cells[i]! / this.width);
    }
    return points;
  }

  /**
   * The length in cells, times weights, or in units of the mesh. On a grid it is measured when it
   * is asked for, so the index or world must not have been freed. Of a path of a world: on the map
   * as it is now; `NaN` if a step is not legal any more.
   */
  get length(): number {
    if (this.width > 0) return this.measure(this.cells);
    let length = 0;
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

const engines = new WeakMap<Wasm, Map<number, string>>();

function engineAt(wasm: Wasm, pointer: number): string {
  let known = engines.get(wasm);
  if (known === undefined) engines.set(wasm, (known = new Map<number, string>()));
  let name = known.get(pointer);
  if (name === undefined) known.set(pointer, (name = wasm.textAt(pointer)));
  return name;
}

const NO_NUMBERS = new Uint32Array(0);
const NO_POINTS = new Float32Array(0);

/** Splits an array of cairn_waypoint into points and links. */
export function splitWaypoints(
  wasm: Wasm,
  pointer: number,
  count: number,
): [Float32Array, Uint32Array] {
  if (count === 0) return [NO_POINTS, NO_NUMBERS];
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
  measure: (cells: Uint32Array) => number,
): Path {
  const status = wasm.call.cairn_answer_get!(answer, scratch);
  if (status !== constants.CAIRN_OK) throw new CairnError("bad_option", "there is no answer");
  const { u32 } = wasm;
  const at = scratch / 4;
  const copy = (pointer: number, count: number): Uint32Array => {
    const length = u32[at + count / 4]!;
    if (length === 0) return NO_NUMBERS;
    const begin = u32[at + pointer / 4]! / 4;
    return u32.slice(begin, begin + length);
  };
  const [points, links] = splitWaypoints(
    wasm,
    u32[at + PATH.waypoints.at / 4]!,
    u32[at + PATH.num_waypoints.at / 4]!,
  );
  return new Path(
    u32[at + PATH.cost.at / 4]!,
    u32[at + PATH.lower_bound.at / 4]!,
    engineAt(wasm, u32[at + PATH.engine.at / 4]!),
    u32[at + PATH.expanded.at / 4]!,
    copy(PATH.cells.at, PATH.num_cells.at),
    copy(PATH.nodes.at, PATH.num_nodes.at),
    copy(PATH.polygons.at, PATH.num_polygons.at),
    points,
    links,
    width,
    measure,
  );
}
