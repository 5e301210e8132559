// What the bytes of a grid mean: MovingAI's letters, and digits for weights.

export interface Terrain {
  byte: number;
  name: string;
  /** The key that chooses it for painting. */
  key: string;
}

const byte = (letter: string): number => letter.charCodeAt(0);

export const GROUND = byte(".");
export const WALL = byte("@");
export const TREES = byte("T");
export const WATER = byte("W");
export const SWAMP = byte("S");

/** All that can be painted. */
export const TERRAINS: readonly Terrain[] = [
  { byte: WALL, name: "Wall", key: "w" },
  { byte: GROUND, name: "Ground", key: "1" },
  { byte: TREES, name: "Trees", key: "" },
  { byte: WATER, name: "Water", key: "" },
  { byte: SWAMP, name: "Swamp", key: "" },
  ...[2, 3, 4, 5, 6, 7, 8, 9].map((weight) => ({
    byte: byte(String(weight)),
    name: `Weight ${weight}`,
    key: String(weight),
  })),
];

/** The weight of a cell for planners of plain grids; 0 for obstacles. */
export function weightOf(value: number): number {
  if (value >= byte("1") && value <= byte("9")) return value - byte("0");
  return value === GROUND || value === byte("G") || value === SWAMP ? 1 : 0;
}

/** Whether a map has costs that differ, which subgoal graphs and JPS do not take. */
export function hasWeights(cells: Uint8Array): boolean {
  return cells.some((value) => value >= byte("2") && value <= byte("9"));
}

/** The numbers of terrains that agents tell apart: letters, then weights 2 to 9. */
export const AGENT_KEY: readonly number[] = Array.from({ length: 256 }, (_, value) => {
  if (value === TREES) return 1;
  if (value === SWAMP) return 2;
  if (value === WATER) return 3;
  const weight = weightOf(value);
  return weight === 0 ? 255 : weight === 1 ? 0 : weight + 2;
});

/** What agents can do: the factor of costs on each of the terrains of AGENT_KEY. */
export const CAPABILITIES: readonly { name: string; factors: readonly number[] }[] = [
  { name: "Walks", factors: factors({ swamp: 1 }) },
  { name: "Walks and swims", factors: factors({ swamp: 1, water: 1 }) },
  { name: "Pushes through trees", factors: factors({ trees: 1 }) },
  { name: "Crosses everything but walls", factors: factors({ trees: 1, swamp: 1, water: 1 }) },
];

function factors(also: { trees?: number; swamp?: number; water?: number }): number[] {
  const weights = Array.from({ length: 12 }, (_, i) => (i < 8 ? i + 2 : 0));
  return [1, also.trees ?? 0, also.swamp ?? 0, also.water ?? 0, ...weights];
}

/** Whether an agent with a capability can stand on a cell. */
export function canStand(value: number, capability: number): boolean {
  const terrain = AGENT_KEY[value] ?? 255;
  return terrain !== 255 && (CAPABILITIES[capability]?.factors[terrain] ?? 0) > 0;
}

/** A grid as the page holds it; cell (x, y) is `cells[y * width + x]`. */
export interface GridData {
  kind: "grid";
  width: number;
  height: number;
  cells: Uint8Array;
}

/** A mesh of convex polygons; y of the vertices is up. */
export interface MeshData {
  kind: "mesh";
  /** x, y and z of each vertex. */
  vertices: Float64Array;
  /** The vertices of polygon i are `corners` from `first[i]` to `first[i + 1]`. */
  first: Uint32Array;
  corners: Uint32Array;
  areas: Uint8Array | undefined;
  /** first, second, and the ends of each portal: 8 numbers; found by the library if undefined. */
  portals: Float64Array | undefined;
  /** 1 for each polygon that is blocked; none if undefined. */
  blocked?: Uint8Array;
}

export type MapData = GridData | MeshData;
