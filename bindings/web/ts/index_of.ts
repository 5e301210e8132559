import { factorsOf, weightsOf } from "./costs.js";
import { graphOf, type IndexGraph } from "./graph.js";
import type { BuildOptions, CairnMap } from "./map.js";
import { Searchable } from "./searchable.js";
import type { Wasm } from "./wasm.js";

/** Sets the terrain of a rectangle of cells: x, y, width, height, and the map's byte. */
export type TerrainEdit = readonly [number, number, number, number, number];

/** Sets the area of a polygon, 0 to 63, and whether paths may enter it. */
export interface PolygonEdit {
  polygon: number;
  area?: number;
  blocked?: boolean;
}

export type Edits = readonly TerrainEdit[] | readonly PolygonEdit[];

/** Edits as a struct of cairn.h. */
export function editsOf(wasm: Wasm, edits: Edits): number {
  if (edits.length === 0 || Array.isArray(edits[0])) {
    const cells = edits as readonly TerrainEdit[];
    const numbers = cells.flatMap((edit) => {
      if (edit.length !== 5) throw new TypeError("edits: each must be 5 numbers");
      return [...edit];
    });
    return wasm.struct("cairn_edits", { count: cells.length, cells: wasm.int32s(numbers) });
  }
  const polygons = edits as readonly PolygonEdit[];
  const numbers = polygons.flatMap(({ polygon, area = 0, blocked = false }) => [
    polygon,
    area,
    blocked ? 1 : 0,
  ]);
  return wasm.struct("cairn_edits", { count: polygons.length, polygons: wasm.uint32s(numbers) });
}

/** What a planner has computed of a map, once, for any number of queries. It never changes. */
export class Index extends Searchable {
  /** @internal */
  constructor(wasm: Wasm, pointer: number) {
    super(wasm, pointer, "cairn_index_free");
  }

  /** @internal */
  static fromBytes(wasm: Wasm, bytes: Uint8Array, map: CairnMap | undefined): Index {
    return wasm.scoped(() => {
      const pointer = wasm.bytes(bytes);
      const of = map?.pointer ?? 0;
      const status = wasm.call.cairn_index_from_bytes!(pointer, bytes.length, of, wasm.out);
      return new Index(wasm, wasm.made(status));
    });
  }

  /** @internal */
  get queryIndex(): number {
    return this.pointer;
  }

  /** @internal */
  newSearcher(out: number): number {
    return this.wasm.call.cairn_searcher_create!(this.pointer, out) as number;
  }

  /** @internal */
  newMap(): number {
    return this.wasm.made(this.wasm.call.cairn_index_map!(this.pointer, this.wasm.out));
  }

  private info(member: string): number {
    const { wasm } = this;
    return wasm.scoped(() => {
      const info = wasm.struct("cairn_index_info");
      wasm.check(wasm.call.cairn_index_get!(this.pointer, info));
      return wasm.read("cairn_index_info", info, member);
    });
  }

  /** The name of its planner. */
  get planner(): string {
    const { wasm } = this;
    const number = this.info("planner");
    return wasm.scoped(() => {
      const planner = wasm.struct("cairn_planner");
      wasm.check(wasm.call.cairn_planner_get!(number, planner));
      return wasm.textAt(wasm.read("cairn_planner", planner, "name"));
    });
  }

  /** Whether answers come from labels. */
  get hasLabels(): boolean {
    return this.info("has_labels") !== 0;
  }

  /** Its memory, in bytes; 0 for planners without an index. */
  get bytes(): number {
    return this.info("memory");
  }

  /** The value of an option that it was built with; of a choice its position. */
  option(name: string): number {
    const { wasm } = this;
    return wasm.scoped(() => {
      const value = wasm.take(8);
      const text = wasm.text(name.replace(/[A-Z]/g, (letter) => "_" + letter.toLowerCase()));
      wasm.check(wasm.call.cairn_index_option!(this.pointer, text, value));
      return wasm.f64[value / 8]!;
    });
  }

  /** The bytes of an index file, for `Cairn.indexFromBytes`; a copy. */
  toBytes(): Uint8Array {
    const { wasm } = this;
    const bytes = wasm.made(wasm.call.cairn_index_to_bytes!(this.pointer, wasm.out));
    const begin = (wasm.call.cairn_bytes_data!(bytes) as number) >>> 0;
    const size = (wasm.call.cairn_bytes_size!(bytes) as number) >>> 0;
    const copy = wasm.u8.slice(begin, begin + size);
    wasm.call.cairn_bytes_free!(bytes);
    return copy;
  }

  /** The index after edits, at first without labels; this one does not change. */
  edited(edits: Edits): Index {
    const { wasm } = this;
    return wasm.scoped(() => {
      const given = editsOf(wasm, edits);
      const status = wasm.call.cairn_index_edited!(this.pointer, given, wasm.out);
      return new Index(wasm, wasm.made(status));
    });
  }

  /**
   * The index with the labels that its options ask for. For `"haa"` name the agents to prepare: the
   * size and capability of each.
   */
  withLabels(agents: readonly (readonly [number, number])[] = [], options: BuildOptions = {}): Index {
    const { wasm } = this;
    return wasm.scoped(() => {
      const given = wasm.int32s(agents.flat());
      const status = wasm.controlled(options.progress, (control) =>
        wasm.call.cairn_index_with_labels!(
          this.pointer, given, agents.length, control, wasm.out,
        ),
      );
      return new Index(wasm, wasm.made(status));
    });
  }

  /**
   * The index of the same map for units with other terrain costs. For `"hpa"` and
   * `"astar"` 256 weights, one for each byte of the map, 0 exactly for obstacles; for `"haa"` the
   * capabilities, with the same terrains.
   */
  withCosts(
    costs: ArrayLike<number> | readonly ArrayLike<number>[],
    options: BuildOptions = {},
  ): Index {
    const { wasm } = this;
    return wasm.scoped(() => {
      const list = costs as ArrayLike<number> & readonly ArrayLike<number>[];
      const numbers = typeof list[0] === "number" ? weightsOf(list) : factorsOf(list);
      const given = wasm.bytes(numbers);
      const status = wasm.controlled(options.progress, (control) =>
        wasm.call.cairn_index_with_costs!(
          this.pointer, given, numbers.length, control, wasm.out,
        ),
      );
      return new Index(wasm, wasm.made(status));
    });
  }

  /** The graph of a level, for pictures; for `"haa"` that of agents of a size and a capability. */
  graph(level = 1, agent: readonly [size: number, capability: number] = [1, 0]): IndexGraph {
    const { wasm } = this;
    const [size, capability] = agent;
    const graph = wasm.made(
      wasm.call.cairn_graph_create!(this.pointer, level, size, capability, wasm.out),
    );
    try {
      return graphOf(wasm, graph);
    } finally {
      wasm.call.cairn_graph_free!(graph);
    }
  }
}
