import { constants, layouts } from "./generated/layouts.js";
import type { Path } from "./path.js";
import type { Wasm } from "./wasm.js";

/** What the edges of a graph stand for, as `IndexGraph.kinds` numbers them. */
export const edgeKinds = {
  /** hpa, haa: a move across the border of two clusters. */
  inter: constants.CAIRN_EDGE_INTER,
  /** hpa, haa, hna: the cheapest path inside a cluster. */
  intra: constants.CAIRN_EDGE_INTRA,
  /** subgoal: an edge that shortest paths can do without. */
  subgoal: constants.CAIRN_EDGE_SUBGOAL,
  /** subgoal: an edge that is used. */
  taut: constants.CAIRN_EDGE_TAUT,
} as const;

/** What happens to a node, as `SearchTrace.steps` numbers it. */
export const traceSteps = {
  source: constants.CAIRN_STEP_SOURCE,
  destination: constants.CAIRN_STEP_DESTINATION,
  generating: constants.CAIRN_STEP_GENERATING,
  expanding: constants.CAIRN_STEP_EXPANDING,
  closing: constants.CAIRN_STEP_CLOSING,
  end: constants.CAIRN_STEP_END,
} as const;

/**
 * The graph of one level of an index, for pictures. Nodes and edges are named by their positions.
 * All arrays are copies.
 */
export interface IndexGraph {
  level: number;
  /** The number of levels of the index. */
  levels: number;
  /** 3 numbers for each node: column, row and 0; on meshes a point. */
  places: Float64Array;
  /** The cell of each node, or its portal. */
  ids: Uint32Array;
  /** The highest level that has the node. */
  nodeLevels: Uint8Array;
  /** How deep its separator lies in the tree of the labels, 0 at the top; 2^32 - 1 without it. */
  depths: Uint32Array;
  /** 2 nodes for each edge. */
  edges: Uint32Array;
  costs: Uint32Array;
  /** What each edge stands for: numbers of `edgeKinds`. */
  kinds: Uint8Array;
  /** Of hpa and haa, 4 numbers for each cluster: x, y, width, height. */
  clusters: Int32Array;
  /** Of hpa and haa the tiles of both sides of each entrance, in the same form. */
  entrances: Int32Array;
  /** Of hna the cluster of each polygon. */
  polygonClusters: Uint32Array;
}

/** What a search did, step by step. All arrays are copies, with a number for each step. */
export interface SearchTrace {
  /** Numbers of `traceSteps`. */
  steps: Uint8Array;
  /** 0: cells or portals; from 1 on abstract graphs; 1: subgoals. */
  levels: Uint8Array;
  /** The number of the search: each has nodes of its own. */
  searches: Uint16Array;
  /** Cells or portals; 2^32 - 1 is the start, 2^32 - 2 the goal. */
  nodes: Uint32Array;
  /** The nodes from which they were reached. */
  parents: Uint32Array;
  /** The cost from the start, and that and the heuristic. */
  g: Uint32Array;
  f: Uint32Array;
  /** Where the nodes lie: columns and rows; on meshes x and z. */
  x: Float64Array;
  y: Float64Array;
  /** Steps that came after as many as were wanted. */
  leftOut: number;
  path: Path | null;
}

/** The lists of a cairn_graph. */
export function graphOf(wasm: Wasm, graph: number): IndexGraph {
  return wasm.scoped(() => {
    const pointer = wasm.struct("cairn_graph_lists");
    wasm.check(wasm.call.cairn_graph_get!(graph, pointer));
    const number = (member: string) => wasm.read("cairn_graph_lists", pointer, member);
    const list = <T>(from: { slice(begin: number, end: number): T; BYTES_PER_ELEMENT: number },
                     member: string, count: number): T => {
      const at = number(member) / from.BYTES_PER_ELEMENT;
      return from.slice(at, at + count);
    };
    const nodes = number("num_nodes");
    const edges = number("num_edges");
    return {
      level: number("level"),
      levels: number("levels"),
      places: list(wasm.f64, "places", 3 * nodes),
      ids: list(wasm.u32, "ids", nodes),
      nodeLevels: list(wasm.u8, "node_levels", nodes),
      depths: list(wasm.u32, "depths", nodes),
      edges: list(wasm.u32, "edges", 2 * edges),
      costs: list(wasm.u32, "costs", edges),
      kinds: list(wasm.u8, "kinds", edges),
      clusters: list(wasm.i32, "clusters", 4 * number("num_clusters")),
      entrances: list(wasm.i32, "entrances", 4 * number("num_entrances")),
      polygonClusters: list(wasm.u32, "polygon_clusters", number("num_polygons")),
    };
  });
}

/** The list of a cairn_trace. */
export function traceOf(wasm: Wasm, trace: number, path: Path | null): SearchTrace {
  return wasm.scoped(() => {
    const pointer = wasm.struct("cairn_trace_list");
    wasm.check(wasm.call.cairn_trace_get!(trace, pointer));
    const read = (member: string) => wasm.read("cairn_trace_list", pointer, member);
    const count = read("count");
    const first = read("events");
    const { size, fields } = layouts.cairn_trace_event;
    const each = <T extends { [index: number]: number }>(to: T, from: ArrayLike<number>,
                                                         unit: number, at: number): T => {
      for (let i = 0; i < count; ++i) to[i] = from[(first + i * size + at) / unit]!;
      return to;
    };
    return {
      steps: each(new Uint8Array(count), wasm.i32, 4, fields.step.at),
      levels: each(new Uint8Array(count), wasm.i32, 4, fields.level.at),
      searches: each(new Uint16Array(count), wasm.i32, 4, fields.search.at),
      nodes: each(new Uint32Array(count), wasm.u32, 4, fields.node.at),
      parents: each(new Uint32Array(count), wasm.u32, 4, fields.parent.at),
      g: each(new Uint32Array(count), wasm.u32, 4, fields.g.at),
      f: each(new Uint32Array(count), wasm.u32, 4, fields.f.at),
      x: each(new Float64Array(count), wasm.f64, 8, fields.x.at),
      y: each(new Float64Array(count), wasm.f64, 8, fields.y.at),
      leftOut: read("left_out"),
      path,
    };
  });
}
