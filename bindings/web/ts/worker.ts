/**
 * Builds and queries off the main thread: in a Web Worker, or a thread of node.
 *
 *     const worker = await CairnWorker.create();
 *     const index = await worker.build({ width, height, cells }, "hpa");
 *     const path = await index.path([0, 0], [5, 5]);
 */
import { compile, type LoadOptions } from "./cairn.js";
import { CairnError } from "./errors.js";
import type { Edits } from "./index_of.js";
import type { AgentOptions, GridOptions, MeshArrays, MeshOptions, Settings } from "./map.js";
import type { Begin, Call, PathData, PathLists, Reply } from "./messages.js";
import { Path } from "./path.js";
import type { QueryOptions } from "./query.js";
import type { BatchOptions, Place, Places, Requests } from "./searchable.js";
import type { WorldOptions } from "./world.js";

export type { PathLists } from "./messages.js";

/** What an index is built of: a grid, a map in MovingAI's format, or a mesh. */
export type MapSource =
  | {
      width: number;
      height: number;
      cells: Uint8Array | readonly string[];
      options?: GridOptions;
      agents?: AgentOptions;
    }
  | { map: string | Uint8Array; options?: GridOptions; agents?: AgentOptions }
  | { mesh: MeshArrays; options?: MeshOptions };

export interface CallOptions {
  /** Hears of the fraction that is done. */
  progress?: (fraction: number) => void;
  /**
   * Cancels the call. The promise is rejected at once. The work stops soon where threads can share
   * memory: in node, and on pages that are cross-origin isolated; elsewhere it runs to its end.
   */
  signal?: AbortSignal;
}

type WorkerPort = {
  postMessage(message: unknown): void;
  listen(message: (data: unknown) => void, failed: (error: unknown) => void): void;
  terminate(): void;
};

interface Waiting {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  progress: CallOptions["progress"];
  signal: AbortSignal | undefined;
  done(): void;
}

const FLAGS = 4096;

/** A thread with a library of its own. Its calls run one after the other. */
export class CairnWorker {
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;
  private ended = false;

  private constructor(
    private readonly port: WorkerPort,
    private readonly cancelled: Int32Array | undefined,
  ) {
    port.listen(
      (data) => this.receive(data as Reply),
      (error) => this.end(error),
    );
  }

  /** Starts the thread and loads the library there. */
  static async create(options: LoadOptions = {}): Promise<CairnWorker> {
    const module = await compile(options);
    const shares =
      typeof SharedArrayBuffer !== "undefined" &&
      (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated !== false;
    const cancelled = shares ? new Int32Array(new SharedArrayBuffer(4 * FLAGS)) : undefined;
    const worker = new CairnWorker(await start(), cancelled);
    const begin: Begin = { module, maximumMemory: options.maximumMemory, cancelled };
    worker.port.postMessage(begin);
    await worker.call(0, "ready", []);
    return worker;
  }

  /** Builds an index of a map. */
  build(
    map: MapSource,
    planner = "auto",
    settings: Settings = {},
    options: CallOptions = {},
  ): Promise<WorkerIndex> {
    return this.call(0, "build", [map, planner, settings], options) as Promise<WorkerIndex>;
  }

  /** An index from what `toBytes` gave, with its map where that must be given. */
  indexFromBytes(bytes: Uint8Array, map?: MapSource): Promise<WorkerIndex> {
    return this.call(0, "fromBytes", [bytes, map]) as Promise<WorkerIndex>;
  }

  /** Ends the thread. Calls that are not done are rejected. */
  terminate(): void {
    this.port.terminate();
    this.end(new CairnError("cancelled", "the worker was terminated"));
  }

  private end(error: unknown): void {
    this.ended = true;
    for (const waiting of [...this.waiting.values()]) {
      waiting.done();
      waiting.reject(error);
    }
    this.waiting.clear();
  }

  /** @internal */
  call(object: number, method: string, args: unknown[], options: CallOptions = {}): Promise<unknown> {
    const { progress, signal } = options;
    const { cancelled } = this;
    if (this.ended) {
      return Promise.reject(new CairnError("cancelled", "the worker has ended"));
    }
    if (signal?.aborted) return Promise.reject(new CairnError("cancelled", "the call was cancelled"));
    const id = ++this.last;
    const flag = signal === undefined || cancelled === undefined ? -1 : id % FLAGS;
    if (flag >= 0) Atomics.store(cancelled!, flag, 0);
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        if (flag >= 0) Atomics.store(cancelled!, flag, 1);
        reject(new CairnError("cancelled", "the call was cancelled"));
      };
      signal?.addEventListener("abort", abort);
      const done = (): void => signal?.removeEventListener("abort", abort);
      this.waiting.set(id, { resolve, reject, progress, signal, done });
      const call: Call = { id, object, method, args, progress: progress !== undefined, flag };
      try {
        this.port.postMessage(call);
      } catch (error) {
        this.waiting.delete(id);
        done();
        reject(error);
      }
    });
  }

  private receive(reply: Reply): void {
    const waiting = this.waiting.get(reply.id);
    if (waiting === undefined) return;
    if ("progress" in reply) {
      waiting.progress?.(reply.progress);
      return;
    }
    this.waiting.delete(reply.id);
    waiting.done();
    if ("error" in reply) {
      const { status, message } = reply.error;
      waiting.reject(status === undefined ? new Error(message) : new CairnError(status, message));
    } else if ("object" in reply) {
      const kind = reply.kind === "world" ? WorkerWorld : WorkerIndex;
      const made = new kind(this, reply.object);
      if (waiting.signal?.aborted) void made.free(); // it was made nevertheless
      waiting.resolve(made);
    } else {
      waiting.resolve(reply.value);
    }
  }
}

/** What answers queries in a worker. Each call gives a promise; see `Searchable`. */
export abstract class WorkerSearchable {
  /** @internal */
  constructor(
    private readonly worker: CairnWorker,
    private readonly object: number,
  ) {}

  /** @internal */
  protected async call<T>(method: string, args: unknown[], options?: CallOptions): Promise<T> {
    return (await this.worker.call(this.object, method, args, options)) as T;
  }

  async path(start: Place, goal: Place, options?: QueryOptions): Promise<Path | null> {
    const data = await this.call<PathData | null>("path", [start, goal, options]);
    if (data === null) return null;
    return new Path(
      data.cost, data.lowerBound, data.engine, data.expanded, data.numbers, data.counts,
      data.waypoints, data.links, data.width,
    );
  }
  cost(start: Place, goal: Place, options?: QueryOptions): Promise<number | null> {
    return this.call("cost", [start, goal, options]);
  }
  reachable(start: Place, goal: Place, options?: QueryOptions): Promise<boolean> {
    return this.call("reachable", [start, goal, options]);
  }
  costs(starts: Places, goals: Places, options?: QueryOptions): Promise<Uint32Array> {
    return this.call("costs", [starts, goals, options]);
  }
  nearest(
    start: Place,
    goals: Places,
    count?: number,
    options?: QueryOptions,
  ): Promise<{ goals: Uint32Array; costs: Uint32Array }> {
    return this.call("nearest", [start, goals, count, options]);
  }
  paths(
    requests: Requests,
    options: Omit<BatchOptions, "progress"> & QueryOptions = {},
    callOptions: CallOptions = {},
  ): Promise<PathLists> {
    return this.call("paths", [requests, options], callOptions);
  }
  /** Frees the object in the worker. */
  free(): Promise<void> {
    return this.call("free", []);
  }
}

/** An index in a worker. */
export class WorkerIndex extends WorkerSearchable {
  /** The bytes of an index file. */
  toBytes(): Promise<Uint8Array> {
    return this.call("toBytes", []);
  }
  /** A world that begins with this index. */
  world(options: WorldOptions = {}): Promise<WorkerWorld> {
    return this.call("world", [options]);
  }
}

/** A world in a worker. */
export class WorkerWorld extends WorkerSearchable {
  /** Changes the map; gives the edit's number. */
  edit(edits: Edits): Promise<number> {
    return this.call("edit", [edits]);
  }
  /** Does a piece of outstanding work; gives whether there may be more. */
  work(): Promise<boolean> {
    return this.call("work", []);
  }
}

/** Starts the thread: a Web Worker, or a thread of node. */
async function start(): Promise<WorkerPort> {
  if (typeof Worker !== "undefined") {
    const worker = new Worker(new URL("./worker_thread.js", import.meta.url), { type: "module" });
    return {
      postMessage: (message) => worker.postMessage(message),
      terminate: () => worker.terminate(),
      listen(message, failed) {
        worker.onmessage = (event) => message(event.data);
        worker.onerror = (event) => failed(new Error(event.message));
      },
    };
  }
  const name = "node:worker_threads"; // a variable, so that bundlers for browsers leave it alone
  const { Worker: Thread } = (await import(name)) as { Worker: new (url: URL) => NodeThread };
  const thread = new Thread(new URL("./worker_thread.js", import.meta.url));
  return {
    postMessage: (message) => thread.postMessage(message),
    terminate: () => void thread.terminate(),
    listen(message, failed) {
      thread.on("message", message);
      thread.on("error", failed);
    },
  };
}

interface NodeThread {
  postMessage(message: unknown): void;
  terminate(): Promise<number>;
  on(event: "message" | "error", use: (data: unknown) => void): void;
}
