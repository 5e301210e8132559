// The map of a worker, and the world of each plan that was asked for.

import {
  CairnError,
  type Cairn,
  type CairnMap,
  type Edits,
  type Grid,
  type Index,
  type World,
} from "cairn-path";
import { AGENT_KEY, CAPABILITIES, type GridData, type MapData } from "../maps/terrain.js";
import { polygonRow } from "../document.js";
import { LARGEST_AGENT } from "./limits.js";
import type { Built, CellEdit, Plan } from "./messages.js";

/** Most indexes that are kept for one map. */
const MOST_WORLDS = 6;

export interface Planned {
  world: World;
  built: Built;
  /** The number of edits of the map that it has. */
  edits: number;
}

export class Plans {
  private readonly worlds = new Map<string, Planned>();
  private readonly maps = new Map<string, CairnMap>();
  private readonly log: CellEdit[][] = [];
  private data: MapData | undefined;
  /** The index of a plan before the last stroke of the brush. */
  private before: { key: string; index: Index } | undefined;

  constructor(
    private readonly cairn: Cairn,
    /** Hears how much of an index is built. */
    private readonly progress: (fraction: number) => void,
  ) {}

  get map(): MapData {
    if (this.data === undefined) throw new Error("there is no map yet");
    return this.data;
  }

  get grid(): GridData {
    const { map } = this;
    if (map.kind !== "grid") throw new Error("the map is no grid");
    return map;
  }

  load(map: MapData): void {
    this.forget();
    this.log.length = 0;
    this.data = map;
  }

  private forget(): void {
    this.before?.index.free();
    this.before = undefined;
    for (const { world } of this.worlds.values()) world.free();
    for (const map of this.maps.values()) map.free();
    this.worlds.clear();
    this.maps.clear();
  }

  /** Keeps the index of a plan as it is before a stroke of the brush. */
  keep(plan: Plan): void {
    this.before?.index.free();
    this.before = { key: keyOf(plan), index: this.world(plan).world.snapshot().index };
  }

  /** The index that was kept, if it is of this plan. */
  kept(plan: Plan): Index | undefined {
    return this.before?.key === keyOf(plan) ? this.before.index : undefined;
  }

  /** Notes an edit; worlds get it when they are next used. */
  edit(edits: CellEdit[]): void {
    const { map } = this;
    const { width, cells } = map.kind === "grid" ? map : polygonRow(map);
    if (map.kind === "mesh") map.blocked = cells;
    for (const [x, y, columns, rows, value] of edits) {
      for (let row = y; row < y + rows; ++row) {
        cells.fill(value, row * width + x, row * width + x + columns);
      }
    }
    this.log.push(edits);
    if (map.kind === "mesh") return; // the library's mesh has all polygons free: see `blocked`
    for (const made of this.maps.values()) made.free();
    this.maps.clear();
  }

  /** Edits as the library takes them; of a mesh, those of the polygons that `of` names. */
  private editsOf(edits: CellEdit[], of?: Uint8Array): Edits {
    const { map } = this;
    if (map.kind === "grid") return edits;
    return edits.flatMap(([begin, , count, , value]) =>
      Array.from({ length: count }, (_, i) => begin + i)
        .filter((polygon) => of === undefined || of[polygon] === 1)
        .map((polygon) => ({ polygon, area: map.areas?.[polygon] ?? 0, blocked: value !== 0 })),
    );
  }

  /** The map as a planner takes it. */
  mapFor(planner: string): CairnMap {
    const { cairn, map } = this;
    const kind = map.kind === "mesh" ? "mesh" : planner === "haa" ? "agents" : "grid";
    const known = this.maps.get(kind);
    if (known !== undefined) return known;
    let made: CairnMap;
    if (map.kind === "mesh") {
      const { first, corners, portals } = map;
      made = cairn.mesh({
        vertices: map.vertices,
        polygons: Array.from({ length: first.length - 1 }, (_, i) =>
          corners.subarray(first[i], first[i + 1]),
        ),
        ...(map.areas && { areas: map.areas }),
        ...(portals && {
          portals: Array.from({ length: portals.length / 8 }, (_, i) => {
            const one = portals.subarray(8 * i, 8 * i + 8);
            return {
              first: one[0]!,
              second: one[1]!,
              begin: [one[2]!, one[3]!, one[4]!],
              end: [one[5]!, one[6]!, one[7]!],
            } as const;
          }),
        }),
      });
    } else if (kind === "agents") {
      made = (this.mapFor("hpa") as Grid).withAgents({
        maxSize: LARGEST_AGENT,
        key: AGENT_KEY,
        capabilities: CAPABILITIES.map(({ factors }) =>
          Array.from({ length: 16 }, (_, i) => factors[i] ?? 0),
        ),
      });
    } else {
      made = cairn.grid(map.width, map.height, map.cells, { terrain: "digits" });
    }
    this.maps.set(kind, made);
    return made;
  }

  /** Takes an index of the map as it is now, for a plan. */
  adopt(plan: Plan, index: Index): void {
    const key = keyOf(plan);
    this.worlds.get(key)?.world.free();
    this.worlds.set(key, this.planned(index, 0));
  }

  private planned(index: Index, milliseconds: number): Planned {
    const { bytes, hasLabels: labels } = index;
    const world = this.cairn.world(index);
    return { world, built: { milliseconds, bytes, labels }, edits: this.log.length };
  }

  /** The world of a plan on the map as it is now; built if there is none. */
  world(plan: Plan): Planned {
    const { planner, build } = plan;
    const key = keyOf(plan);
    let planned = this.worlds.get(key);
    if (planned !== undefined) {
      this.worlds.delete(key);
      try {
        for (; planned.edits < this.log.length; ++planned.edits) {
          planned.world.edit(this.editsOf(this.log[planned.edits]!));
        }
      } catch {
        // The planner does not take the edited map: it says so when it builds.
        planned.world.free();
        planned = undefined;
      }
    }
    if (planned === undefined) {
      const begin = performance.now();
      const index = this.mapFor(planner).build(planner, build, { progress: this.progress });
      planned = this.planned(index, performance.now() - begin);
      if (this.map.kind === "mesh" && this.map.blocked?.includes(1) === true) {
        planned.world.edit(this.editsOf([[0, 0, this.map.blocked.length, 1, 1]], this.map.blocked));
      }
    }
    this.worlds.set(key, planned); // the last of the order is the newest
    for (const [old, { world }] of this.worlds) {
      if (this.worlds.size <= MOST_WORLDS) break;
      world.free();
      this.worlds.delete(old);
    }
    return planned;
  }
}

/** What tells indexes of a map apart. */
function keyOf({ planner, build }: Plan): string {
  return `${planner} ${JSON.stringify(Object.entries(build).sort())}`;
}

/** An error in plain words. */
export function wordsOf(error: unknown): string {
  if (error instanceof CairnError && error.status === "out_of_memory") {
    return "there is not enough memory";
  }
  return error instanceof Error ? error.message : String(error);
}
