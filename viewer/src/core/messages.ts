// What the page and its workers say to each other.

import type { IndexGraph, Planner } from "cairn-path";
import type { GridData, MapData } from "../maps/terrain.js";
import type { Options } from "../state.js";
import type { Steps } from "../steps.js";
import type { Repairs } from "./repairs.js";

/** A planner with the options of its index and of its queries. */
export interface Plan {
  planner: string;
  build: Options;
  query: Options;
}

export interface Built {
  /** How long it took to build the index. */
  milliseconds: number;
  bytes: number;
  labels: boolean;
}

export interface Answer {
  /** Undefined if there is a path; else why there is none. */
  problem: string | undefined;
  /** Whether the library refused, for example because the planner does not take the map. */
  refused: boolean;
  cost: number;
  /** The cost of a step of length 1. */
  unit: number;
  expanded: number;
  engine: string;
  /** On grids the cells, else empty. */
  cells: Uint32Array;
  /** On grids the cells of abstract nodes or subgoals. */
  nodes: Uint32Array;
  /** On meshes x, y and z of each turning point, and the polygons. */
  waypoints: Float32Array;
  polygons: Uint32Array;
  /** The median of `blocks` blocks of `repeats` queries each, for one query. */
  microseconds: number;
  blocks: number;
  repeats: number;
  built: Built | undefined;
}

/** Places: x and y of cells, or x, y and z of points on a mesh. */
export type Ends = readonly [readonly number[], readonly number[]];

/**
 * Sets the terrain of a rectangle: x, y, width, height and the byte. On a mesh the first polygon, 0, their
 * number, 1, and 1 to block them or 0 to free them.
 */
export type CellEdit = [number, number, number, number, number];

export interface Repair {
  /** How long the world took for the edit, with its index. */
  milliseconds: number;
  cells: number;
}

/**
 * Paths of agents: that of agent `ids[i]` is `cells` from `first[i]` to `first[i + 1]`, or on a mesh so many
 * `points`.
 */
export interface Routes {
  ids: Uint32Array;
  first: Uint32Array;
  cells: Uint32Array;
  /** On a mesh x, y and z of each turning point. */
  points: Float32Array;
  /** How long the batch took. */
  milliseconds: number;
}

/** x and y of cells, or x, y and z of points on a mesh. */
export type Places = Int32Array | Float64Array;

/** Where agents are, and where they are going: two places of each. */
export type Requests = Places;

/** The calls of a worker, by name: what it takes and what it returns. */
export interface Calls {
  start: (module: WebAssembly.Module) => { version: string; planners: Planner[] };
  load: (map: MapData) => void;
  ask: (plan: Plan, ends: Ends, milliseconds: number) => Answer;
  /** `begins`: the first of a stroke. */
  edit: (edits: CellEdit[], plan: Plan | undefined, begins: boolean) => Repair;
  /** Does outstanding work of the world of a plan; whether there may be more. */
  work: (plan: Plan) => boolean;
  /** Makes agents at random places, with random goals. */
  crowd: (plan: Plan, count: number, seed: number) => Routes;
  /** New goals, and paths to them, for agents at these places. */
  next: (plan: Plan, ids: Uint32Array, places: Places) => Routes;
  /** New paths for the agents whose paths edits have broken. */
  replan: (plan: Plan, requests: Requests) => Routes;
  /** The graphs of the index, level by level. */
  graphs: (plan: Plan) => IndexGraph[];
  /** What the edits since the last stroke began have changed in the index; undefined: not known. */
  repairs: (plan: Plan) => Repairs | undefined;
  /** For each cell the largest agent of the plan's capability that can stand there. */
  clearances: (plan: Plan) => Uint8Array;
  /** What a search does, step by step. */
  trace: (plan: Plan, ends: Ends) => Steps;
  /** The index of a plan as a file. */
  save: (plan: Plan) => Uint8Array;
  /** Opens the file of an index. Its map is the one that it holds; undefined: the one shown. */
  open: (bytes: Uint8Array) => { plan: Plan; map: GridData | undefined };
}

export interface Call {
  id: number;
  name: keyof Calls;
  parameters: unknown[];
}

export interface Reply {
  id: number;
  result?: unknown;
  error?: string;
  /** How much of the call is done, 0 to 1; the result comes later. */
  progress?: number;
}
