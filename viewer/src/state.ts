// What the page shows, as one value that never changes, and as the text of a link.

import { fromText, toText } from "./maps/text.js";

export type Place = readonly [number, number];

/** Where the map comes from. */
export type Source =
  | { kind: "made"; name: string; size: number; seed: number }
  | { kind: "example"; name: string }
  | { kind: "file"; name: string };

/** Options by their names, as text; those that are not named have their usual values. */
export type Options = Readonly<Record<string, string>>;

export interface View {
  /** The place in the middle of the window, and the pixels of a cell. */
  x: number;
  y: number;
  scale: number;
}

export interface State {
  source: Source;
  /** What was painted since, as `packChanges` gives it. */
  painted: Uint8Array;
  planner: string;
  /** Options of indexes, by planner. */
  build: Readonly<Record<string, Options>>;
  /** Options of queries, by planner; with the agent's size and capability. */
  query: Readonly<Record<string, Options>>;
  start: Place;
  goal: Place;
  layers: readonly string[];
  /** Undefined: all of the map. */
  view: View | undefined;
}

export const FIRST: State = {
  source: { kind: "made", name: "rooms", size: 256, seed: 7 },
  painted: new Uint8Array(0),
  planner: "hpa",
  build: {},
  query: {},
  start: [0, 0],
  goal: [0, 0],
  layers: ["nodes"],
  view: undefined,
};

/** Holds the state, and tells all who listen about each new one. */
export class Store {
  private readonly listeners: ((now: State, before: State) => void)[] = [];

  constructor(public now: State) {}

  listen(listener: (now: State, before: State) => void): void {
    this.listeners.push(listener);
  }

  set(change: Partial<State>): void {
    const before = this.now;
    this.now = { ...before, ...change };
    for (const listener of this.listeners) listener(this.now, before);
  }

  /** Sets an option of a planner; undefined for its usual value. */
  option(kind: "build" | "query", planner: string, name: string, value: string | undefined): void {
    const { [name]: _, ...others } = this.now[kind][planner] ?? {};
    const options = value === undefined ? others : { ...others, [name]: value };
    this.set({ [kind]: { ...this.now[kind], [planner]: options } });
  }
}

const pair = (place: Place): string => `${place[0]},${place[1]}`;

function writeOptions(options: Readonly<Record<string, Options>>): string {
  return Object.entries(options)
    .flatMap(([planner, all]) =>
      Object.entries(all).map(([name, value]) => `${planner}.${name}:${value}`),
    )
    .join(",");
}

function readOptions(text: string): Record<string, Options> {
  const all: Record<string, Record<string, string>> = {};
  for (const part of text.split(",")) {
    const match = /^([a-z-]+)\.([a-z_]+):([\w.+-]+)$/.exec(part);
    if (match !== null) (all[match[1]!] ??= {})[match[2]!] = match[3]!;
  }
  return all;
}

function writeSource(source: Source): string {
  if (source.kind === "made") return `${source.name}.${source.size}.${source.seed}`;
  return `${source.kind}:${source.name}`;
}

function readSource(text: string): Source | undefined {
  const made = /^([a-z-]+)\.(\d+)\.(\d+)$/.exec(text);
  if (made !== null) {
    const size = Math.min(1024, Math.max(16, Number(made[2])));
    return { kind: "made", name: made[1]!, size, seed: Number(made[3]) };
  }
  const other = /^(example|file):(.+)$/.exec(text);
  return other === null ? undefined : { kind: other[1] as "example" | "file", name: other[2]! };
}

/** The state as the part of an address behind #. */
export function writeState(state: State): string {
  const parts = new Map<string, string>();
  parts.set("map", writeSource(state.source));
  parts.set("planner", state.planner);
  const build = writeOptions(state.build);
  const query = writeOptions(state.query);
  if (build !== "") parts.set("index", build);
  if (query !== "") parts.set("query", query);
  parts.set("start", pair(state.start));
  parts.set("goal", pair(state.goal));
  parts.set("layers", state.layers.join(","));
  const { view } = state;
  if (view !== undefined) {
    parts.set("view", [view.x, view.y, view.scale].map((one) => one.toFixed(2)).join(","));
  }
  if (state.painted.length > 0) parts.set("painted", toText(state.painted));
  return [...parts].map(([name, value]) => `${name}=${encodeURI(value)}`).join("&");
}

function numbers(text: string | undefined, count: number): number[] | undefined {
  const found = (text ?? "").split(",").map(Number);
  return text !== undefined && found.length === count && found.every(Number.isFinite)
    ? found
    : undefined;
}

/** The state of a link; parts that are missing or wrong are as in FIRST. */
export function readState(hash: string): State {
  const parts = new Map<string, string>();
  for (const part of hash.replace(/^#/, "").split("&")) {
    const at = part.indexOf("=");
    if (at <= 0) continue;
    try {
      parts.set(part.slice(0, at), decodeURI(part.slice(at + 1)));
    } catch {
      // An address that was cut off: without this part.
    }
  }
  const source = readSource(parts.get("map") ?? "");
  if (source === undefined) return FIRST;
  const start = numbers(parts.get("start"), 2);
  const goal = numbers(parts.get("goal"), 2);
  const view = numbers(parts.get("view"), 3);
  const layers = parts.get("layers");
  return {
    source,
    painted: fromText(parts.get("painted") ?? "") ?? FIRST.painted,
    planner: /^[a-z-]+$/.exec(parts.get("planner") ?? "")?.[0] ?? FIRST.planner,
    build: readOptions(parts.get("index") ?? ""),
    query: readOptions(parts.get("query") ?? ""),
    start: (start as [number, number] | undefined) ?? FIRST.start,
    goal: (goal as [number, number] | undefined) ?? FIRST.goal,
    layers: layers === undefined ? FIRST.layers : layers.split(",").filter((one) => one !== ""),
    view:
      view !== undefined && view[2]! > 0
        ? { x: view[0]!, y: view[1]!, scale: view[2]! }
        : undefined,
  };
}
