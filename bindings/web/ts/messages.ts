// What CairnWorker and its thread say to each other.

import type { LoadOptions } from "./cairn.js";
import type { Status } from "./errors.js";
import type { PathCounts } from "./path.js";

/** The first message: what to load, and the flags that cancel calls, if both sides can share them. */
export interface Begin {
  module: WebAssembly.Module;
  maximumMemory: LoadOptions["maximumMemory"];
  cancelled: Int32Array | undefined;
}

/** A call of a method of an object; object 0 is the library. */
export interface Call {
  id: number;
  object: number;
  method: string;
  args: unknown[];
  /** Whether the caller wants to hear of progress. */
  progress: boolean;
  /** The position of the flag that cancels it; -1: none. */
  flag: number;
}

/** The result of a call, or how far it is. */
export type Reply =
  | { id: number; progress: number }
  | { id: number; value: unknown }
  | { id: number; object: number; kind: "index" | "world" }
  | { id: number; error: { status: Status | undefined; message: string } };

/** A path without methods. */
export interface PathData {
  cost: number;
  lowerBound: number;
  engine: string;
  expanded: number;
  numbers: Uint32Array;
  counts: PathCounts;
  waypoints: Float32Array;
  links: Uint32Array;
  width: number;
}

/** The answers of a batch, as copies: see `Paths`. */
export interface PathLists {
  statuses: Uint8Array;
  costs: Uint32Array;
  first: BigUint64Array;
  cells: Uint32Array;
  polygons: Uint32Array;
}
