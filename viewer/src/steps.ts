// The steps of a search, one after another: of the library, or of a trace file of Posthoc.

import { traceSteps, type SearchTrace } from "cairn-path";

export type StepKind = keyof typeof traceSteps;

/** The number of a kind, and its name. */
const NUMBERS: ReadonlyMap<string, number> = new Map(Object.entries(traceSteps));
const NAMES = new Map(
  Object.entries(traceSteps).map(([name, number]) => [number as number, name as StepKind]),
);

/** The name of the kind of a step. */
export function nameOfStep(kind: number): StepKind {
  return NAMES.get(kind) ?? "source";
}

export interface Steps {
  /** Numbers of `traceSteps`. */
  kinds: Uint8Array;
  /** 0: cells, or portals of a mesh; from 1 on the graph of an index. */
  levels: Uint8Array;
  x: Float32Array;
  y: Float32Array;
  /** The step that reached the node from which this one was reached; -1 for none. */
  parents: Int32Array;
  /** The length from the start, and that and the least to the goal. */
  g: Float32Array;
  f: Float32Array;
  /** x and y of each point of the path. */
  path: Float32Array;
  leftOut: number;
}

/** The most steps that are played. */
export const MOST_STEPS = 100_000;

export function isGenerating(kind: number): boolean {
  return kind === traceSteps.generating;
}

export function isExpanding(kind: number): boolean {
  return kind === traceSteps.expanding;
}

/** The steps of a search of the library; `unit` is the cost of a step of length 1. */
export function stepsOf(trace: SearchTrace, unit: number, path: Float32Array): Steps {
  const latest = new Map<number, number>();
  const parents = Int32Array.from(trace.nodes, (node, i) => {
    const search = trace.searches[i]! * 2 ** 32;
    const parent = latest.get(search + trace.parents[i]!) ?? -1;
    latest.set(search + node, i);
    return parent;
  });
  return {
    kinds: trace.steps.slice(),
    levels: trace.levels.slice(),
    x: Float32Array.from(trace.x),
    y: Float32Array.from(trace.y),
    parents,
    g: Float32Array.from(trace.g, (cost) => cost / unit),
    f: Float32Array.from(trace.f, (cost) => cost / unit),
    path,
    leftOut: trace.leftOut,
  };
}

interface PosthocEvent {
  type?: unknown;
  id?: unknown;
  pId?: unknown;
  x?: unknown;
  y?: unknown;
  level?: unknown;
  g?: unknown;
  f?: unknown;
  points?: unknown;
  left_out?: unknown;
}

/** The steps of a trace file of Posthoc, as `cairn path --trace` and other programs write them. */
export function readTrace(text: string): Steps {
  const parsed = JSON.parse(text) as { events?: unknown };
  if (!Array.isArray(parsed.events)) throw new Error("a trace has a list of events");
  const latest = new Map<unknown, number>();
  const rows: number[][] = [];
  let leftOut = 0;
  let path: number[] = [];
  const number = (value: unknown): number => (Number.isFinite(value) ? (value as number) : 0);
  for (const event of parsed.events as PosthocEvent[]) {
    if (event.type === "path" && Array.isArray(event.points)) {
      path = (event.points as PosthocEvent[]).flatMap(({ x, y }) => [number(x), number(y)]);
    }
    if (event.type === "cut") leftOut += number(event.left_out);
    const kind = NUMBERS.get(String(event.type));
    if (kind === undefined || !Number.isFinite(event.x) || !Number.isFinite(event.y)) continue;
    if (rows.length >= MOST_STEPS) {
      ++leftOut;
      continue;
    }
    const parent = latest.get(event.pId) ?? -1;
    latest.set(event.id, rows.length);
    rows.push([
      kind,
      number(event.level),
      number(event.x),
      number(event.y),
      parent,
      number(event.g),
      number(event.f),
    ]);
  }
  if (rows.length === 0) throw new Error("the trace has no events with a place");
  const column = (at: number): number[] => rows.map((row) => row[at]!);
  return {
    kinds: Uint8Array.from(column(0)),
    levels: Uint8Array.from(column(1)),
    x: Float32Array.from(column(2)),
    y: Float32Array.from(column(3)),
    parents: Int32Array.from(column(4)),
    g: Float32Array.from(column(5)),
    f: Float32Array.from(column(6)),
    path: Float32Array.from(path),
    leftOut,
  };
}
