// The thread of a CairnWorker: makes the calls that come as messages.

import { load, type Cairn } from "./cairn.js";
import { CairnError } from "./errors.js";
import { Index } from "./index_of.js";
import type { CairnMap, Settings } from "./map.js";
import type { Begin, Call, PathData, PathLists, Reply } from "./messages.js";
import type { Path } from "./path.js";
import { Paths } from "./paths.js";
import type { Progress } from "./wasm.js";
import type { MapSource } from "./worker.js";
import { World } from "./world.js";

interface Port {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
}

let library: Promise<Cairn> | undefined;
let cancelled: Int32Array | undefined;
const objects = new Map<number, Index | World>();
let last = 0;

function mapOf(cairn: Cairn, source: MapSource): CairnMap {
  if ("mesh" in source) return cairn.mesh(source.mesh, source.options);
  const grid =
    "map" in source
      ? cairn.parseMap(source.map, source.options)
      : cairn.grid(source.width, source.height, source.cells, source.options);
  return source.agents === undefined ? grid : grid.withAgents(source.agents);
}

function dataOf(path: Path, width: number): PathData {
  return { ...path.parts, width };
}

function listsOf(paths: Paths): PathLists {
  const lists = {
    statuses: paths.statuses.slice(),
    costs: paths.costs.slice(),
    first: paths.first.slice(),
    cells: paths.cells.slice(),
    polygons: paths.polygons.slice(),
  };
  paths.free();
  return lists;
}

const METHODS = new Set([
  "cost", "reachable", "costs", "nearest", "toBytes", "edit", "work",
]);

/** The result of a call: an object that stays here, or a value. */
function made(cairn: Cairn, call: Call, progress: Progress | undefined): unknown {
  const { method, args } = call;
  if (call.object === 0) {
    if (method === "ready") return null;
    if (method === "build") {
      const [source, planner, settings] = args as [MapSource, string, Settings];
      const map = mapOf(cairn, source);
      try {
        return map.build(planner, settings, progress === undefined ? {} : { progress });
      } finally {
        map.free();
      }
    }
    const [bytes, source] = args as [Uint8Array, MapSource | undefined];
    const map = source === undefined ? undefined : mapOf(cairn, source);
    try {
      return cairn.indexFromBytes(bytes, map);
    } finally {
      map?.free();
    }
  }
  const object = objects.get(call.object);
  if (object === undefined) throw new CairnError("bad_option", "the object was freed");
  if (method === "free") {
    object.free();
    objects.delete(call.object);
    return null;
  }
  if (method === "path") {
    const path = object.path(...(args as Parameters<typeof object.path>));
    return path === null ? null : dataOf(path, object.width);
  }
  if (method === "paths") {
    const [requests, options] = args as Parameters<typeof object.paths>;
    return listsOf(object.paths(requests, progress ? { ...options, progress } : options));
  }
  if (method === "world" && object instanceof Index) return cairn.world(object, args[0] as object);
  const of = (object as unknown as Record<string, unknown>)[method];
  if (!METHODS.has(method) || typeof of !== "function") {
    throw new CairnError("unsupported", `there is no ${method}`);
  }
  return (of as (...args: unknown[]) => unknown).apply(object, args);
}

function buffersOf(value: unknown): ArrayBuffer[] {
  if (value === null || typeof value !== "object") return [];
  const parts = ArrayBuffer.isView(value) ? [value] : Object.values(value).filter(ArrayBuffer.isView);
  return [...new Set(parts.map((part) => (part as Uint8Array<ArrayBuffer>).buffer))].filter(
    (buffer) => buffer.byteLength > 0,
  );
}

async function answer(port: Port, call: Call): Promise<void> {
  const send = (reply: Reply, transfer: ArrayBuffer[] = []): void =>
    port.postMessage(reply, transfer);
  const { id } = call;
  const isCancelled = (): boolean =>
    call.flag >= 0 && cancelled !== undefined && Atomics.load(cancelled, call.flag) !== 0;
  const progress =
    call.progress || call.flag >= 0
      ? (fraction: number): boolean => {
          if (call.progress) send({ id, progress: fraction });
          return !isCancelled();
        }
      : undefined;
  try {
    const cairn = await library!;
    if (isCancelled()) throw new CairnError("cancelled", "the call was cancelled");
    const value = made(cairn, call, progress);
    if (value instanceof Index || value instanceof World) {
      if (isCancelled()) {
        value.free();
        throw new CairnError("cancelled", "the call was cancelled");
      }
      objects.set(++last, value);
      send({ id, object: last, kind: value instanceof World ? "world" : "index" });
    } else {
      send({ id, value }, buffersOf(value));
    }
  } catch (error) {
    const status = error instanceof CairnError ? error.status : undefined;
    send({ id, error: { status, message: error instanceof Error ? error.message : String(error) } });
  }
}

function receive(port: Port, data: Begin | Call): void {
  if ("module" in data) {
    cancelled = data.cancelled;
    const { module, maximumMemory } = data;
    library = load(maximumMemory === undefined ? { wasm: module } : { wasm: module, maximumMemory });
    library.catch(() => undefined); // the first call says so
  } else {
    void answer(port, data);
  }
}

const scope = globalThis as unknown as Port & { onmessage: unknown };
if (typeof (scope as { postMessage?: unknown }).postMessage === "function") {
  scope.onmessage = (event: { data: Begin | Call }) => receive(scope, event.data);
} else {
  const name = "node:worker_threads";
  const { parentPort } = (await import(name)) as {
    parentPort: Port & { on(event: string, use: (data: Begin | Call) => void): void };
  };
  parentPort.on("message", (data) => receive(parentPort, data));
}
