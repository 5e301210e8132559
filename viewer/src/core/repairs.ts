// What differs between the graphs of an index before and after an edit.

import { edgeKinds, type IndexGraph } from "cairn-path";

/** What an edit has repaired, for pictures: on all levels, what is new or removed, or costs otherwise. */
export interface Repairs {
  /** x, y, width and height of each cluster with a difference. */
  clusters: Float32Array;
  /** x and y of each place that the lists below name. */
  points: Float32Array;
  /** 0: as it is now; 1: what is removed. One for each place. */
  removed: Uint8Array;
  /** Pairs of numbers of places: edges that are new or cost otherwise, and edges that are removed. */
  edges: Uint32Array;
  /** How many nodes are new or removed. */
  nodes: number;
}

const MOST_IDS = 2 ** 22;

/** The edges of a graph by their ends and kind, with their positions. */
function edgesOf({ ids, edges, kinds }: IndexGraph): Map<number, number> {
  const all = new Map<number, number>();
  for (let i = 0; i < kinds.length; ++i) {
    if (kinds[i] === edgeKinds.subgoal) continue; // as the layer of the graph
    const [from, to] = [ids[edges[2 * i]!]!, ids[edges[2 * i + 1]!]!];
    all.set((from * MOST_IDS + to) * 8 + kinds[i]!, i);
  }
  return all;
}

/** Compares the graphs of all levels. */
export function repairsOf(
  before: readonly IndexGraph[],
  after: readonly IndexGraph[],
  onMesh: boolean,
): Repairs {
  const clusters: number[] = [];
  const points: number[] = [];
  const removed: number[] = [];
  const edges: number[] = [];
  let nodes = 0;
  for (let level = 0; level < Math.max(before.length, after.length); ++level) {
    const old = before[level];
    const now = after[level];
    const touched: [number, number][] = [];
    const place = (graph: IndexGraph, node: number, isRemoved: number): number => {
      const { places } = graph;
      const [x, y] = [places[3 * node]!, places[3 * node + (onMesh ? 2 : 1)]!];
      touched.push([x, y]);
      points.push(x + (onMesh ? 0 : 0.5), y + (onMesh ? 0 : 0.5));
      removed.push(isRemoved);
      return removed.length - 1;
    };
    const differing = (one: IndexGraph | undefined, other: IndexGraph | undefined, isRemoved: number) => {
      if (one === undefined) return;
      const known = new Set(other?.ids);
      one.ids.forEach((id, node) => {
        if (known.has(id)) return;
        ++nodes;
        place(one, node, isRemoved);
      });
      const others = other === undefined ? new Map<number, number>() : edgesOf(other);
      for (const [key, i] of edgesOf(one)) {
        const same = others.get(key);
        const isSame =
          same !== undefined && (isRemoved === 1 || other!.costs[same] === one.costs[i]);
        if (isSame) continue;
        edges.push(place(one, one.edges[2 * i]!, isRemoved), place(one, one.edges[2 * i + 1]!, isRemoved));
      }
    };
    differing(old, now, 1);
    differing(now, old, 0);
    const squares = (now ?? old)!.clusters;
    for (let i = 0; i < squares.length; i += 4) {
      const [x, y, width, height] = squares.subarray(i, i + 4) as unknown as [
        number, number, number, number,
      ];
      const isIn = ([u, v]: [number, number]): boolean =>
        u >= x && v >= y && u < x + width && v < y + height;
      if (!touched.some(isIn)) continue;
      clusters.push(x, y, width, height);
    }
  }
  return {
    clusters: Float32Array.from(clusters),
    points: Float32Array.from(points),
    removed: Uint8Array.from(removed),
    edges: Uint32Array.from(edges),
    nodes,
  };
}
