// A worker: holds a map with its worlds, and answers the page's calls one after another.

import { load, type Cairn, type Grid, type Index, type IndexGraph, type Path } from "cairn-path";
import { CrowdPaths, queryOf } from "./crowd.js";
import { MOST_STEPS, stepsOf } from "../steps.js";
import type { Answer, Call, Calls, Plan, Reply } from "./messages.js";
import { Plans, wordsOf, type Planned } from "./plans.js";
import { repairsOf } from "./repairs.js";

interface Scope {
  addEventListener(type: "message", listener: (event: MessageEvent<Call>) => void): void;
  postMessage(reply: Reply, transfer?: Transferable[]): void;
}

const scope = self as unknown as Scope;
/** The cost of a step of length 1: 408 on grids, set by the library on meshes. */
const GRID_UNIT = 408;

let cairn: Cairn;
let plans: Plans;
let crowd: CrowdPaths;

const nothing: Omit<Answer, "problem" | "refused" | "built"> = {
  cost: 0,
  unit: GRID_UNIT,
  expanded: 0,
  engine: "",
  cells: new Uint32Array(0),
  nodes: new Uint32Array(0),
  waypoints: new Float32Array(0),
  polygons: new Uint32Array(0),
  microseconds: 0,
  blocks: 0,
  repeats: 0,
};

/**
 * The median time of a call in microseconds. The clock of browsers is coarse: calls are timed in
 * blocks that are long enough for it, all blocks together for about as long as `milliseconds`.
 */
function timed(call: () => void, milliseconds: number) {
  const begin = performance.now();
  let estimate = 1;
  for (call(); performance.now() - begin < milliseconds / 8; ++estimate) call();
  const one = Math.max(1e-4, (performance.now() - begin) / estimate);
  const blocks = 5;
  const repeats = Math.max(1, Math.round((milliseconds * 0.9) / blocks / one));
  const times = Array.from({ length: blocks }, () => {
    const start = performance.now();
    for (let i = 0; i < repeats; ++i) call();
    return ((performance.now() - start) * 1000) / repeats;
  }).sort((a, b) => a - b);
  return { microseconds: times[blocks >> 1]!, blocks, repeats };
}

/** The call that is being answered, and when its progress was last told. */
let current = 0;
let told = 0;

function report(progress: number): void {
  const now = performance.now();
  if (now - told < 100) return;
  told = now;
  scope.postMessage({ id: current, progress });
}

function ask(plan: Plan, [start, goal]: Parameters<Calls["ask"]>[1], milliseconds: number): Answer {
  let planned: Planned;
  try {
    planned = plans.world(plan);
  } catch (error) {
    return { ...nothing, problem: wordsOf(error), refused: true, built: undefined };
  }
  const { world, built } = planned;
  const from = start as [number, number];
  const to = goal as [number, number];
  try {
    const query = world.query(queryOf(plan));
    try {
      const path = world.path(from, to, { query });
      if (path === null) {
        return { ...nothing, problem: "There is no path", refused: false, built };
      }
      const time = timed(() => world.path(from, to, { query }), milliseconds);
      return {
        problem: undefined,
        refused: false,
        cost: path.cost,
        unit: plans.map.kind === "grid" ? GRID_UNIT : unitOf(planned),
        expanded: path.expanded,
        engine: path.engine,
        cells: path.cells,
        nodes: path.nodes,
        waypoints: path.waypoints,
        polygons: path.polygons,
        ...time,
        built,
      };
    } finally {
      query.free();
    }
  } catch (error) {
    return { ...nothing, problem: wordsOf(error), refused: false, built };
  }
}

/** Uses the newest index of a plan. */
function withIndex<T>(plan: Plan, use: (index: Index) => T): T {
  const { index } = plans.world(plan).world.snapshot();
  try {
    return use(index);
  } finally {
    index.free();
  }
}

/** The graphs of an index, level by level, as the agent of a plan sees them. */
function graphsOf(index: Index, { query }: Plan): IndexGraph[] {
  const agent = [Number(query.size ?? 1), Number(query.capability ?? 0)] as const;
  const first = index.graph(1, agent);
  return [first, ...Array.from({ length: first.levels - 1 }, (_, i) => index.graph(i + 2, agent))];
}

/** x and y of the points of a path, in the middle of cells. */
function pathPoints(path: Path | null): Float32Array {
  if (path === null) return new Float32Array(0);
  const grid = plans.map.kind === "grid";
  return Float32Array.from(
    Array.from(path).flatMap((place) =>
      grid ? [place[0] + 0.5, place[1] + 0.5] : [place[0], place[2]!],
    ),
  );
}

function unitOf({ world }: Planned): number {
  const { map } = world;
  return "unitsPerLength" in map ? (map.unitsPerLength as number) : 1;
}

type Handlers = {
  [Name in keyof Calls]: (
    ...parameters: Parameters<Calls[Name]>
  ) => ReturnType<Calls[Name]> | Promise<ReturnType<Calls[Name]>>;
};

const handlers: Handlers = {
  async start(module) {
    cairn = await load({ wasm: module });
    plans = new Plans(cairn, report);
    crowd = new CrowdPaths(plans);
    return { version: cairn.version, planners: cairn.planners };
  },
  load(map) {
    crowd.clear();
    plans.load(map);
  },
  ask,
  edit(edits, plan, begins) {
    const cells = edits.reduce((sum, [, , width, height]) => sum + width * height, 0);
    if (plan !== undefined) {
      try {
        plans.world(plan); // the time for a build is not that of the edit
        if (begins) plans.keep(plan);
      } catch {
        plan = undefined;
      }
    }
    plans.edit(edits);
    const begin = performance.now();
    if (plan !== undefined) {
      try {
        plans.world(plan);
      } catch {
        // The next answer says why.
      }
    }
    return { milliseconds: performance.now() - begin, cells };
  },
  work(plan) {
    return plans.world(plan).world.work();
  },
  crowd: (plan, count, seed) => crowd.start(plan, count, seed),
  next: (plan, ids, places) => crowd.next(plan, ids, places),
  replan: (plan, requests) => crowd.replan(plan, requests),
  graphs: (plan) => withIndex(plan, (index) => graphsOf(index, plan)),
  repairs(plan) {
    const before = plans.kept(plan);
    if (before === undefined) return undefined;
    return withIndex(plan, (index) =>
      repairsOf(graphsOf(before, plan), graphsOf(index, plan), plans.map.kind === "mesh"),
    );
  },
  clearances(plan) {
    return (plans.mapFor("haa") as Grid).clearances(Number(plan.query.capability ?? 0));
  },
  trace(plan, [start, goal]) {
    // Labels answer without a search: what would be searched without them is shown.
    const { engine } = plan.query;
    const shows = engine === "astar" || engine === "levels";
    const planner = cairn.planners.find(
      ({ name, space }) => name === plan.planner && space === plans.map.kind,
    );
    const searches = !shows && planner?.query.some(({ name }) => name === "engine");
    const query = { ...queryOf(plan), ...(searches && { engine: "astar" }) };
    return withIndex(plan, (index) => {
      const trace = index.trace(
        start as [number, number],
        goal as [number, number],
        MOST_STEPS,
        query,
      );
      return stepsOf(
        trace,
        plans.map.kind === "grid" ? GRID_UNIT : unitOf(plans.world(plan)),
        pathPoints(trace.path),
      );
    });
  },
  save(plan) {
    return withIndex(plan, (index) => index.toBytes());
  },
  open(bytes) {
    let index: Index;
    let holdsMap = true;
    try {
      index = cairn.indexFromBytes(bytes);
    } catch {
      holdsMap = false; // if it is no index at all, the next line says so
      index = cairn.indexFromBytes(bytes, plans.mapFor("hpa"));
    }
    const plan = { planner: index.planner, build: optionsOf(index), query: {} };
    if (!holdsMap) {
      plans.adopt(plan, index);
      return { plan, map: undefined };
    }
    const { map } = index;
    if (!("cells" in map)) throw new Error("the index is of a mesh: drop the mesh instead");
    const { width, height, cells } = map as Grid;
    index.free();
    return { plan: { ...plan, build: {} }, map: { kind: "grid", width, height, cells } };
  },
};

/** The options of an index that are not the usual ones. */
function optionsOf(index: Index): Record<string, string> {
  const space = plans.map.kind;
  const planner = cairn.planners.find((one) => one.name === index.planner && one.space === space);
  const options: Record<string, string> = {};
  for (const { name, type, choices, usual } of planner?.options ?? []) {
    const number = index.option(name);
    const value = type === "flag" ? number !== 0 : type === "choice" ? choices[number]! : number;
    if (value !== usual) options[name] = String(value);
  }
  return options;
}

scope.addEventListener("message", ({ data: { id, name, parameters } }) => {
  const answer = async (): Promise<void> => {
    try {
      current = id;
      told = performance.now();
      const call = handlers[name] as (...all: unknown[]) => unknown;
      scope.postMessage({ id, result: await call(...parameters) });
    } catch (error) {
      scope.postMessage({ id, error: wordsOf(error) });
    }
  };
  void answer();
});
