// The layers of the page: which there are for the map, and what they show.

import { edgeKinds, type IndexGraph } from "cairn-path";
import type { App } from "./app.js";
import { cellPoints, turns, type LayerData, type LayerStyle } from "./scene/layers.js";
import type { ShownLayer } from "./scene/scene.js";

export interface Layer {
  name: string;
  title: string;
  about: string;
  show(): ShownLayer;
}

/** Names of the layers that need the graph of the index. */
export const GRAPH_LAYERS = /^(clusters|entrances|graph\d*|separators)$/;

/** The layers whose data is there, or comes when they are chosen. */
export function layersOf(app: App): Layer[] {
  const layers: Layer[] = [];
  const add: Add = (name, title, about, under, data, style) => {
    const live = name === "flow";
    layers.push({
      name,
      title,
      about,
      show: () => ({ name, under, live, style, data: data() }),
    });
  };
  if (app.map === undefined) return layers;
  addIndex(app, add);
  if (app.planner?.hasIndex === true && app.painting !== undefined) addRepairs(app, add);
  addPath(app, add);
  const { crowd, clearances } = app;
  const { colours } = app.scene;
  if (app.planner?.name === "haa") {
    add(
      "clearances",
      "Clearance",
      "The tighter a place is for the agent's capability, the stronger the colour",
      true,
      () => ({
        fieldIsPart: true,
        field: clearances === undefined ? new Float32Array(0) : tightness(clearances),
      }),
      { colours: [colours.portal], line: 1, radius: 0 },
    );
  }
  if (crowd !== undefined && app.map.kind === "grid") {
    add(
      "flow",
      "Flow of the agents",
      "Where many agents have walked in the last seconds",
      true,
      () => ({ field: crowd.flow }),
      { colours: [colours.flow], line: 1, radius: 0 },
    );
  }
  return layers;
}

type Add = (
  name: string,
  title: string,
  about: string,
  under: boolean,
  data: () => LayerData,
  style: LayerStyle,
) => void;

/** Layers of the index of the planner. */
function addIndex(app: App, add: Add): void {
  const {
    planner,
    graphs,
    scene: { colours },
  } = app;
  if (planner?.hasIndex !== true) return;
  const clusters = planner.name === "hpa" || planner.name === "haa";
  const subgoals = planner.name === "subgoal";
  const mesh = app.map?.kind === "mesh";
  if (clusters) {
    add(
      "clusters",
      "Clusters",
      "The squares that the index divides the map into; thicker lines for higher levels",
      true,
      () => rectangles(graphs, ({ clusters: all }) => all),
      { colours: colours.cluster, line: 1, radius: 0 },
    );
    add(
      "entrances",
      "Entrances",
      "Where one can cross from a cluster to the next",
      true,
      () => rectangles(graphs.slice(0, 1), ({ entrances }) => entrances),
      { colours: [colours.portal], line: 1.5, radius: 0 },
    );
  }
  if (mesh) {
    add(
      "clusters",
      "Clusters",
      "Polygons of one colour are merged into one node of the graph, or lie far apart",
      true,
      () => ({ ...(graphs[0] && { polygonColours: graphs[0].polygonClusters }) }),
      { colours: colours.agents.map((one) => one + "44"), line: 1, radius: 0 },
    );
  }
  const count = Math.max(1, graphs.length);
  for (let level = 1; level <= count; ++level) {
    const name = level === 1 ? "graph" : `graph${level}`;
    const few = (graphs[level - 1]?.edges.length ?? 0) < 4000; // so that they do not hide the map
    const title = subgoals ? "Subgoal graph" : mesh ? "Graph of inter-edges" : "Abstract graph";
    add(
      name,
      count > 1 ? `${title}, level ${level}` : title,
      subgoals
        ? "Subgoals, at the corners of obstacles, and the edges that shortest paths use"
        : clusters && app.agent.size > 1
          ? "The nodes and edges of this agent"
          : "The nodes of the index and the edges between them",
      true,
      () => graphData(graphs[level - 1], mesh),
      {
        colours: [colours.changed],
        edgeColours: [colours.changed + (few ? "90" : "48")],
        line: 0.8 + 0.3 * level,
        radius: 2.4 + 0.6 * level,
        square: true,
        shrinks: true,
      },
    );
  }
  add(
    "separators",
    "Separators by depth",
    "The nodes that divide the graph for the labels: the larger and darker, the nearer to the top",
    false,
    () => separatorData(graphs[0], mesh),
    { colours: colours.depths, line: 1, radius: 2, shrinks: true },
  );
}

/** What the last stroke of the brush has changed in the index. */
function addRepairs({ repairs, scene: { colours } }: App, add: Add): void {
  const none = new Float32Array(0);
  add(
    "repaired",
    "What the last edit repaired",
    repairs === undefined
      ? "Clusters, nodes and edges of the index that differ from those before the last stroke"
      : `${repairs.clusters.length > 0 ? `Clusters: ${repairs.clusters.length / 4}, nodes` : "Nodes"}: ${repairs.nodes}, edges: ${repairs.edges.length / 2}; green: new or other costs, orange: removed`,
    false,
    () => ({
      rectangles: repairs?.clusters ?? none,
      points: repairs?.points ?? none,
      levels: repairs?.removed ?? new Uint8Array(0),
      edges: repairs?.edges ?? new Uint32Array(0),
    }),
    { colours: [colours.start, colours.goal], line: 1.4, radius: 2.6, square: true, shrinks: true },
  );
}

/** Layers of the path. */
function addPath(app: App, add: Add): void {
  const { map, answer, planner, scene } = app;
  const { colours } = scene;
  if (answer === undefined || answer.problem !== undefined) return;
  if (map?.kind === "mesh") {
    add(
      "nodes",
      "Turning points",
      "Where the string of the path turns",
      false,
      () => ({ points: Float32Array.from(scene.line.flat()) }),
      { colours: [colours.node], line: 1, radius: 3.4, square: true },
    );
  }
  if (map?.kind !== "grid") return;
  if (planner?.hasIndex) {
    add(
      "nodes",
      planner.name === "subgoal" ? "Subgoals of the path" : "Abstract nodes of the path",
      "Where the path goes through the graph of the index",
      false,
      () => cellPoints(answer.nodes, map.width, false),
      { colours: [colours.node], line: 1, radius: 3.4, square: true },
    );
    add(
      "abstract",
      "Abstract path",
      "The nodes of the path, joined by straight lines",
      false,
      () => cellPoints(answer.nodes, map.width, true),
      { colours: [colours.changed], line: 2, radius: 0 },
    );
  }
  add(
    "turns",
    "Turning points",
    "The cells where the path changes its direction",
    false,
    () => cellPoints(turns(answer.cells), map.width, false),
    { colours: [colours.goal], line: 1, radius: 2.6 },
  );
}

/** Rectangles of all levels. */
function rectangles(
  graphs: readonly IndexGraph[],
  of: (graph: IndexGraph) => Int32Array,
): LayerData {
  const lists = graphs.map(of);
  return {
    rectangles: Float32Array.from(lists.flatMap((list) => Array.from(list))),
    rectangleLevels: Uint8Array.from(
      lists.flatMap((list, level) => Array<number>(list.length / 4).fill(level)),
    ),
  };
}

function pointsOf({ places }: IndexGraph, mesh: boolean): Float32Array {
  const points = new Float32Array((2 * places.length) / 3);
  for (let i = 0; i < places.length / 3; ++i) {
    points[2 * i] = places[3 * i]! + (mesh ? 0 : 0.5);
    points[2 * i + 1] = mesh ? places[3 * i + 2]! : places[3 * i + 1]! + 0.5;
  }
  return points;
}

function graphData(graph: IndexGraph | undefined, mesh: boolean): LayerData {
  if (graph === undefined) return {};
  // Edges of subgoal graphs that no path needs are left out.
  const edges = graph.edges.filter((_, i) => graph.kinds[i >> 1] !== edgeKinds.subgoal);
  return { points: pointsOf(graph, mesh), edges };
}

/** Nodes by the depth of their separators: the level of a point falls with the depth. */
function separatorData(graph: IndexGraph | undefined, mesh: boolean): LayerData {
  if (graph === undefined) return {};
  const all = pointsOf(graph, mesh);
  const points: number[] = [];
  const levels: number[] = [];
  graph.depths.forEach((depth, i) => {
    if (depth === 0xffffffff) return;
    points.push(all[2 * i]!, all[2 * i + 1]!);
    levels.push(Math.max(0, 5 - depth));
  });
  return { points: Float32Array.from(points), levels: Uint8Array.from(levels) };
}

/** How tight each cell is, 0 to 1: most where only the smallest agent fits. */
function tightness(clearances: Uint8Array): Float32Array {
  const most = clearances.reduce((sum, one) => Math.max(sum, one), 1);
  return Float32Array.from(clearances, (one) => (one === 0 ? 0 : (most - one) / most));
}
