import { factorsOf, weightsOf } from "./costs.js";
import { constants, layouts } from "./generated/layouts.js";
import { Handle } from "./handle.js";
import { Index } from "./index_of.js";
import type { Progress, Wasm } from "./wasm.js";

/** Options of a planner, by the names that `Cairn.planners` lists; `clusterSize` is `cluster_size`. */
export type Settings = Readonly<Record<string, string | number | boolean | undefined>>;

export interface BuildOptions {
  /** Hears of the fraction that is done; `false` or an exception stops the build. */
  progress?: Progress;
}

/** A cell: column and row. */
export type Cell = readonly [number, number];

/** What all maps have. A map never changes. */
export abstract class CairnMap extends Handle {
  /** @internal */
  constructor(wasm: Wasm, pointer: number) {
    super(wasm, pointer, "cairn_map_free");
  }

  /** @internal */
  info<T>(read: (member: (name: string) => number, pointer: number) => T): T {
    const { wasm } = this;
    return wasm.scoped(() => {
      const info = wasm.struct("cairn_map_info");
      wasm.check(wasm.call.cairn_map_get!(this.pointer, info));
      return read((name) => wasm.read("cairn_map_info", info, name), info);
    });
  }

  /** The same number for equal maps on every machine. */
  get fingerprint(): bigint {
    return this.info((_, info) => this.wasm.read64("cairn_map_info", info, "fingerprint"));
  }

  /** The memory that it takes, in bytes, with what it shares with others. */
  get bytes(): number {
    return this.info((member) => member("bytes"));
  }

  /**
   * Builds the index of a planner: `"hpa"`, `"subgoal"`, `"haa"`, `"hna"`, `"astar"`, `"jps"`, or
   * `"auto"`, the one that suits the map.
   */
  build(planner = "auto", settings: Settings = {}, options: BuildOptions = {}): Index {
    const { wasm } = this;
    return wasm.scoped(() => {
      const [pointer, count] = wasm.settings(settings);
      const name = wasm.text(planner);
      const status = wasm.controlled(options.progress, (control) =>
        wasm.call.cairn_index_build!(name, this.pointer, pointer, count, control, wasm.out),
      );
      return new Index(wasm, wasm.made(status));
    });
  }
}

export interface GridOptions {
  /**
   * The meaning of cells: the weight of their terrain, 0 for an obstacle; or MovingAI's letters;
   * or these and digits, which are weights. Numbers are weights unless this says otherwise, rows
   * of text are letters.
   */
  terrain?: "weights" | "letters" | "digits";
  /** The weight of each of the 256 bytes, in place of `terrain`. */
  weights?: ArrayLike<number>;
  neighbours?: 4 | 8;
  /** When a diagonal step may pass the corner of an obstacle. */
  corners?: "strict" | "both_blocked" | "free";
  /** The cost of a straight and of a diagonal step over weight 1: 408 and 577. */
  straight?: number;
  diagonal?: number;
  /** The position in the world: the side of a cell, the lower left corner and the turn. */
  resolution?: number;
  origin?: readonly [number, number];
  yaw?: number;
}

export interface AgentOptions {
  /** The largest agent, 1 to 16 cells; 2. */
  maxSize?: number;
  /** An agent's position is its middle cell instead of its top left one. */
  centred?: boolean;
  /** The terrain of each of the 256 bytes, 0 to 15, or 255 for obstacles; MovingAI's letters. */
  key?: ArrayLike<number>;
  /** For each capability the factor of costs on each of 16 terrains; 0: it cannot stand there. */
  capabilities?: readonly ArrayLike<number>[];
}

export interface MeshOptions {
  scoring?: "midpoints" | "centres" | "parts";
  /** The cost of a unit of length in each of the 64 areas. */
  areaCosts?: ArrayLike<number>;
  unitsPerLength?: number;
  longestPart?: number;
  /** Portals narrower than twice this are closed. */
  radius?: number;
  acceptOdd?: boolean;
}

const TERRAIN = { letters: 0, digits: 1, weights: 2 } as const;
const CORNERS = { strict: 0, both_blocked: 1, free: 2 } as const;
const SCORING = { midpoints: 0, centres: 1, parts: 2 } as const;

/** The number of a word of an option; throws for others. */
function choice(choices: Readonly<Record<string, number>>, name: string, word: string): number {
  const number = choices[word];
  if (number === undefined) {
    throw new TypeError(`${name} "${word}": must be ${Object.keys(choices).join(", ")}`);
  }
  return number;
}

function mapOptions(wasm: Wasm, options: GridOptions, usual: "weights" | "letters"): number {
  const { weights } = options;
  return wasm.struct("cairn_map_options", {
    terrain: choice(TERRAIN, "terrain", options.terrain ?? usual),
    weights: weights && wasm.bytes(weightsOf(weights)),
    neighbours: { 8: constants.CAIRN_EIGHT, 4: constants.CAIRN_FOUR }[options.neighbours ?? 8] ?? -1,
    corner: choice(CORNERS, "corners", options.corners ?? "strict"),
    straight: options.straight,
    diagonal: options.diagonal,
    resolution: options.resolution,
    origin_x: options.origin?.[0],
    origin_y: options.origin?.[1],
    yaw: options.yaw,
  });
}

function meshOptions(wasm: Wasm, options: MeshOptions): number {
  const costs = options.areaCosts;
  if (costs !== undefined && costs.length !== 64) throw new TypeError("areaCosts: must be 64 numbers");
  return wasm.struct("cairn_mesh_options", {
    scoring: choice(SCORING, "scoring", options.scoring ?? "midpoints"),
    area_costs: costs && wasm.doubles(costs),
    units_per_length: options.unitsPerLength,
    longest_part: options.longestPart,
    radius: options.radius,
    accept_odd: options.acceptOdd ? 1 : 0,
  });
}

/** A grid of cells, or one for agents of several sizes. Cell (x, y) is `cells[y * width + x]`. */
export class Grid extends CairnMap {
  readonly width: number;
  readonly height: number;
  /** Whether it is for agents of several sizes (`withAgents`). */
  readonly forAgents: boolean;

  /** @internal */
  constructor(wasm: Wasm, pointer: number) {
    super(wasm, pointer);
    const [width, height, kind] = this.info((member) => [
      member("width"),
      member("height"),
      member("kind"),
    ]) as [number, number, number];
    this.width = width;
    this.height = height;
    this.forAgents = kind === constants.CAIRN_KIND_AGENTS;
  }

  /** @internal */
  static create(
    wasm: Wasm,
    width: number,
    height: number,
    cells: ArrayLike<number> | readonly string[],
    options: GridOptions,
  ): Grid {
    const isText = typeof cells[0] === "string";
    const bytes = isText ? bytesOfRows(width, height, cells as readonly string[]) : cells;
    if (bytes.length !== width * height) {
      throw new TypeError(`cells: there are ${bytes.length}, not ${width} x ${height}`);
    }
    return wasm.scoped(() => {
      const given = mapOptions(wasm, options, isText ? "letters" : "weights");
      const pointer = wasm.bytes(bytes as ArrayLike<number>);
      const status = wasm.call.cairn_map_create!(width, height, pointer, 0, given, wasm.out);
      return new Grid(wasm, wasm.made(status));
    });
  }

  /** @internal */
  static parse(wasm: Wasm, file: string | Uint8Array, options: GridOptions): Grid {
    const bytes = typeof file === "string" ? new TextEncoder().encode(file) : file;
    return wasm.scoped(() => {
      const given = mapOptions(wasm, options, "letters");
      const pointer = wasm.bytes(bytes);
      const status = wasm.call.cairn_map_parse!(pointer, bytes.length, given, wasm.out);
      return new Grid(wasm, wasm.made(status));
    });
  }

  /** A copy of the cells' bytes, row by row. */
  get cells(): Uint8Array {
    const { wasm } = this;
    return wasm.scoped(() => {
      const size = this.width * this.height;
      const pointer = wasm.take(size);
      wasm.check(wasm.call.cairn_map_copy_bytes!(this.pointer, pointer, 0));
      return wasm.u8.slice(pointer, pointer + size);
    });
  }

  /** The number of cells that are no obstacles. */
  get freeCells(): number {
    return this.info((member) => member("free_cells"));
  }

  /** The number of a cell, as paths have it. */
  number([x, y]: Cell): number {
    return y * this.width + x;
  }

  /** The same grid for agents of several sizes and capabilities, for `"haa"`. */
  withAgents(options: AgentOptions = {}): Grid {
    const { wasm } = this;
    const { key, capabilities } = options;
    if (key !== undefined && key.length !== 256) throw new TypeError("key: must be 256 numbers");
    return wasm.scoped(() => {
      const agents = wasm.struct("cairn_agents", {
        max_size: options.maxSize,
        centred: options.centred ? 1 : 0,
        key: key && wasm.bytes(key),
        capabilities: capabilities && wasm.bytes(factorsOf(capabilities)),
        num_capabilities: capabilities?.length,
      });
      return new Grid(wasm, wasm.made(wasm.call.cairn_map_with_agents!(this.pointer, agents, wasm.out)));
    });
  }

  /**
   * Of a map for agents, for each cell the size of the largest agent with this capability that can
   * stand there; 0: none.
   */
  clearances(capability = 0): Uint8Array {
    const { wasm } = this;
    return wasm.scoped(() => {
      const cells = this.width * this.height;
      const bytes = wasm.take(cells);
      wasm.check(wasm.call.cairn_map_copy_clearances!(this.pointer, capability, bytes));
      return wasm.u8.slice(bytes, bytes + cells);
    });
  }

  /** The cost and length of a path over numbers of cells; `null` if a step is not legal. */
  measure(cells: ArrayLike<number>): { cost: number; length: number } | null {
    const { wasm } = this;
    return wasm.scoped(() => {
      const cost = wasm.take(8);
      const length = wasm.take(8);
      const pointer = wasm.uint32s(cells);
      wasm.check(wasm.call.cairn_map_measure!(this.pointer, pointer, cells.length, cost, length));
      const found = { cost: wasm.u32[cost / 4]!, length: wasm.f64[length / 8]! };
      return found.cost === constants.CAIRN_INFINITY ? null : found;
    });
  }

  /** The cell at a point of the world, and the centre of a cell; the grid needs a `resolution`. */
  toCell(x: number, y: number): Cell {
    const { wasm } = this;
    wasm.check(wasm.call.cairn_map_to_cell!(this.pointer, x, y, wasm.out));
    return [wasm.i32[wasm.out / 4]!, wasm.i32[wasm.out / 4 + 1]!];
  }
  toWorld([x, y]: Cell): readonly [number, number] {
    const { wasm } = this;
    return wasm.scoped(() => {
      const point = wasm.take(16);
      wasm.check(wasm.call.cairn_map_to_world!(this.pointer, x, y, point));
      return [wasm.f64[point / 8]!, wasm.f64[point / 8 + 1]!] as const;
    });
  }
}

/** The map of a new pointer. */
export function mapAt(wasm: Wasm, pointer: number): CairnMap {
  const kind = wasm.scoped(() => {
    const info = wasm.struct("cairn_map_info");
    wasm.check(wasm.call.cairn_map_get!(pointer, info));
    return wasm.read("cairn_map_info", info, "kind");
  });
  return kind === constants.CAIRN_KIND_MESH ? new Mesh(wasm, pointer) : new Grid(wasm, pointer);
}

function bytesOfRows(width: number, height: number, rows: readonly string[]): Uint8Array {
  const wrong = rows.findIndex((row) => row.length !== width);
  if (rows.length !== height || wrong >= 0) {
    throw new TypeError(
      wrong < 0
        ? `cells: there are ${rows.length} rows, not ${height}`
        : `cells: row ${wrong} has ${rows[wrong]!.length} letters, not ${width}`,
    );
  }
  return Uint8Array.from(rows.join(""), (letter) => letter.charCodeAt(0));
}

/** A segment that two polygons share. */
export interface Portal {
  first: number;
  second: number;
  begin: readonly [number, number, number];
  end: readonly [number, number, number];
  /** Agents of at most half of this may cross; all. */
  width?: number;
  oneWay?: 0 | 1 | 2;
}

/** A ladder, jump or other connection between points of two polygons. */
export interface Connection {
  from: number;
  to: number;
  begin: readonly [number, number, number];
  end: readonly [number, number, number];
  area?: number;
  oneWay?: boolean;
}

/** The parts of a mesh; y is up. */
export interface MeshArrays {
  /** x, y and z of each vertex. */
  vertices: ArrayLike<number>;
  /** The numbers of the vertices around each polygon, in either sense. */
  polygons: readonly ArrayLike<number>[];
  /** The area of each polygon, 0 to 63. */
  areas?: ArrayLike<number>;
  /** Found where two polygons share two neighbouring corners, unless given. */
  portals?: readonly Portal[];
  connections?: readonly Connection[];
}

/** A navigation mesh of convex polygons. */
export class Mesh extends CairnMap {
  /** @internal */
  static create(wasm: Wasm, arrays: MeshArrays, options: MeshOptions): Mesh {
    return wasm.scoped(() => {
      const given = meshOptions(wasm, options);
      const pointer = meshArrays(wasm, arrays);
      return new Mesh(wasm, wasm.made(wasm.call.cairn_mesh_create!(pointer, given, wasm.out)));
    });
  }

  /** @internal */
  static fromGrid(wasm: Wasm, grid: Grid, options: MeshOptions): Mesh {
    return wasm.scoped(() => {
      const given = meshOptions(wasm, options);
      const status = wasm.call.cairn_mesh_from_grid!(grid.pointer, given, wasm.out);
      return new Mesh(wasm, wasm.made(status));
    });
  }

  /** The number of polygons, with removed ones and connections. */
  get numPolygons(): number {
    return this.info((member) => member("num_polygons"));
  }

  /** Costs are in these units: a unit of length in an area of cost 1 costs so many. */
  get unitsPerLength(): number {
    return this.info((member) => member("units_per_length"));
  }

  /** The polygons that contain points (x, y, z of each); 2^32 - 1 outside. */
  locate(points: ArrayLike<number>): Uint32Array {
    const { wasm } = this;
    return wasm.scoped(() => {
      const count = points.length / 3;
      const places = wasm.struct("cairn_places", { count, points: wasm.doubles(points) });
      const polygons = wasm.take(4 * count);
      wasm.check(wasm.call.cairn_mesh_locate!(this.pointer, places, polygons));
      return wasm.u32.slice(polygons / 4, polygons / 4 + count);
    });
  }
}

function meshArrays(wasm: Wasm, arrays: MeshArrays): number {
  const { vertices, polygons, areas, portals, connections } = arrays;
  const first = [0];
  for (const polygon of polygons) first.push(first[first.length - 1]! + polygon.length);
  if (areas !== undefined && areas.length !== polygons.length) {
    throw new TypeError(`areas: there are ${areas.length} for ${polygons.length} polygons`);
  }
  return wasm.struct("cairn_mesh_arrays", {
    num_polygons: polygons.length,
    vertices: wasm.doubles(vertices),
    num_vertices: vertices.length / 3,
    first_corner: wasm.uint32s(first),
    corners: wasm.uint32s(polygons.flatMap((polygon) => Array.from(polygon))),
    num_corners: first[first.length - 1]!,
    areas: areas && wasm.bytes(areas),
    portals: portals && structs(wasm, "cairn_portal", portals, (portal) => ({
      first: portal.first,
      second: portal.second,
      width: portal.width ?? Infinity,
      one_way: portal.oneWay ?? 0,
    })),
    num_portals: portals?.length,
    connections: connections && structs(wasm, "cairn_connection", connections, (one) => ({
      from: one.from,
      to: one.to,
      area: one.area ?? 0,
      one_way: one.oneWay ? 1 : 0,
    })),
    num_connections: connections?.length,
  });
}

/** An array of structs that have a `begin` and an `end`. */
function structs<T extends { begin: readonly number[]; end: readonly number[] }>(
  wasm: Wasm,
  name: "cairn_portal" | "cairn_connection",
  items: readonly T[],
  members: (item: T) => Record<string, number>,
): number {
  const { size, fields } = layouts[name];
  const pointer = wasm.take(size * items.length);
  wasm.u8.fill(0, pointer, pointer + size * items.length);
  items.forEach((item, i) => {
    const at = pointer + i * size;
    for (const [field, value] of Object.entries(members(item))) wasm.write(name, at, field, value);
    wasm.f64.set(item.begin, (at + fields.begin.at) / 8);
    wasm.f64.set(item.end, (at + fields.end.at) / 8);
  });
  return pointer;
}

