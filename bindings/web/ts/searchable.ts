import { isWithoutPath } from "./errors.js";
import { constants, layouts } from "./generated/layouts.js";
import { traceOf, type SearchTrace } from "./graph.js";
import { Handle } from "./handle.js";
import { mapAt, type CairnMap, type Cell } from "./map.js";
import { pathOf, type Path } from "./path.js";
import { Paths } from "./paths.js";
import { NO_POLYGON, Query, type QueryOptions } from "./query.js";
import { Search } from "./search.js";
import type { Progress } from "./wasm.js";

/** A cell (x, y) of a grid, or a point (x, y, z) of a mesh, with its polygon if that is known. */
export type Place =
  | Cell
  | readonly [number, number, number]
  | readonly [number, number, number, number];

/** Many places: an `Int32Array` of x and y, or a `Float64Array` of x, y and z; or a list. */
export type Places = Int32Array | Float64Array | readonly Place[];

/** Starts and goals: an `Int32Array` of x, y, x, y, or a `Float64Array` of x, y, z, x, y, z. */
export type Requests = Int32Array | Float64Array;

export interface BatchOptions {
  /** Only the start, turning points and the goal of paths on grids. */
  turning?: boolean;
  /** The memory that the batch may take, in bytes. */
  maxBytes?: number;
  /** A budget of expanded nodes and requests for all. */
  maxSpent?: number;
  /** For `"haa"`: the size and capability of each request's agent. */
  agents?: Int32Array;
  /** Hears of the fraction that is done; `false` stops the batch. */
  progress?: Progress;
}

/** What answers queries: an index or a world. */
export abstract class Searchable extends Handle {
  private searcher = 0;
  private answer = 0;
  private place = 0;
  private path_ = 0;
  private width_ = -1;

  /** The index whose options queries are of. @internal */
  abstract get queryIndex(): number;
  /** A new pointer to the map, as it is now. @internal */
  abstract newMap(): number;
  /** @internal */
  abstract newSearcher(out: number): number;

  /** The width of a grid; 0 for a mesh. @internal */
  get width(): number {
    if (this.width_ < 0) {
      const { wasm } = this;
      const map = this.newMap();
      try {
        this.width_ = wasm.scoped(() => {
          const info = wasm.struct("cairn_map_info");
          wasm.check(wasm.call.cairn_map_get!(map, info));
          return wasm.read("cairn_map_info", info, "width");
        });
      } finally {
        wasm.call.cairn_map_free!(map);
      }
    }
    return this.width_;
  }

  /** The map, as it is now: an object of its own, to be freed. */
  get map(): CairnMap {
    return mapAt(this.wasm, this.newMap());
  }

  /** The searcher, made when it is first needed, with room for places and answers. @internal */
  get ready(): number {
    void this.pointer;
    if (this.searcher === 0) {
      const { wasm } = this;
      this.place = this.own(wasm.allocate(2 * layouts.cairn_place.size), "free");
      this.path_ = this.own(wasm.allocate(layouts.cairn_path.size), "free");
      wasm.u32[this.path_ / 4] = layouts.cairn_path.size;
      this.searcher = this.own(
        wasm.made(this.newSearcher(wasm.out)),
        "cairn_searcher_free",
      );
    }
    return this.searcher;
  }

  /** Options of queries, parsed once: give them to other calls as `query`. */
  query(options: QueryOptions = {}): Query {
    return Query.create(this.wasm, this.queryIndex, this.width, options);
  }

  /** Calls use(query) with the pointer of a query that has these options. @internal */
  withQuery<T>(options: QueryOptions | undefined, use: (query: number) => T): T {
    if (options === undefined) return use(0);
    if (options.query !== undefined) return use(options.query.pointer);
    const query = this.query(options);
    try {
      return use(query.pointer);
    } finally {
      query.free();
    }
  }

  /** Writes a start and a goal; returns their pointers. @internal */
  put(start: Place, goal: Place): [number, number] {
    const { wasm } = this;
    wasm.look();
    const from = this.place;
    if (this.width > 0) {
      const at = from / 4;
      wasm.i32[at] = start[0];
      wasm.i32[at + 1] = start[1];
      wasm.i32[at + 2] = goal[0];
      wasm.i32[at + 3] = goal[1];
      return [from, from + 8];
    }
    const size = layouts.cairn_place.size;
    [start, goal].forEach((place, i) => {
      const at = from + i * size;
      wasm.f64[at / 8] = place[0];
      wasm.f64[at / 8 + 1] = place[1];
      wasm.f64[at / 8 + 2] = place[2] ?? NaN;
      wasm.u32[(at + layouts.cairn_place.fields.polygon.at) / 4] = place[3] ?? NO_POLYGON;
    });
    return [from, from + size];
  }

  /** The status of a query on a grid, 0 for the default one: the short way for what is most asked. */
  private findCell(start: Place, goal: Place, query: number): number {
    const { wasm, ready } = this;
    const [from, to] = this.put(start, goal);
    this.setAnswer(this.answer);
    return wasm.call.cairn_find!(ready, query, from, to, wasm.out) as number;
  }

  private find(status: number, partialPath = false): Path | null {
    const { wasm } = this;
    wasm.look();
    this.answer = this.kept(this.answer);
    const isPart = partialPath && status === constants.CAIRN_BUDGET_EXHAUSTED;
    if (status === constants.CAIRN_OK || isPart) {
      return pathOf(wasm, this.answer, this.path_, this.width);
    }
    if (isWithoutPath(status)) return null;
    throw wasm.errorOf(status);
  }

  /** An answer that a call has perhaps made at `out`. @internal */
  kept(answer: number): number {
    const made = this.wasm.u32[this.wasm.out / 4]!;
    if (answer === 0 && made !== 0) this.own(made, "cairn_answer_free");
    return made;
  }

  /** @internal */
  setAnswer(answer: number): void {
    this.wasm.look();
    this.wasm.u32[this.wasm.out / 4] = answer;
  }

  /**
   * Finds a path; `null` if there is none, if the start or the goal is an obstacle, or if all paths
   * cost more than `maxCost`.
   */
  path(start: Place, goal: Place, options?: QueryOptions): Path | null {
    if (options === undefined && this.width > 0) return this.find(this.findCell(start, goal, 0));
    const { wasm, ready } = this;
    const of = this.width > 0 ? wasm.call.cairn_find! : wasm.call.cairn_find_on_mesh!;
    return this.withQuery(options, (query) => {
      const [from, to] = this.put(start, goal);
      this.setAnswer(this.answer);
      return this.find(of(ready, query, from, to, wasm.out), options?.partialPath);
    });
  }

  /**
   * Finds a path, and tells what the search did: the first `maxEvents` steps. A query answered by
   * labels records none: use `engine: "astar"`, or an index without labels. A search that a limit
   * stops has a trace, too. Throws for worlds: trace on an index.
   */
  trace(start: Place, goal: Place, maxEvents = 100_000, options?: QueryOptions): SearchTrace {
    const { wasm, ready } = this;
    const of =
      this.width > 0 ? wasm.call.cairn_find_traced! : wasm.call.cairn_find_traced_on_mesh!;
    return wasm.scoped(() =>
      this.withQuery(options, (query) => {
        const [from, to] = this.put(start, goal);
        const trace = wasm.uint32s([0]);
        this.setAnswer(this.answer);
        const most = Math.min(maxEvents, 0xffffffff);
        const status = of(ready, query, from, to, most, wasm.out, trace);
        wasm.look();
        const made = wasm.u32[trace / 4]!;
        try {
          const spent = status === constants.CAIRN_BUDGET_EXHAUSTED && !options?.partialPath;
          if (spent) this.answer = this.kept(this.answer);
          const path = spent ? null : this.find(status, options?.partialPath);
          return traceOf(wasm, made, path);
        } finally {
          wasm.call.cairn_trace_free!(made);
        }
      }),
    );
  }

  /**
   * The cost of a path on a grid and its cells, as a view of the library's memory that ends with the
   * next call; `null` as `path`. Nothing is copied, so it is the fastest way to a path.
   */
  view(start: Cell, goal: Cell, query?: Query): { cost: number; cells: Uint32Array } | null {
    const { wasm } = this;
    if (this.width === 0) throw new TypeError("view: paths on a mesh have no cells");
    const status = this.findCell(start, goal, query === undefined ? 0 : query.pointer);
    wasm.look();
    this.answer = this.kept(this.answer);
    if (status !== constants.CAIRN_OK) {
      if (isWithoutPath(status)) return null;
      throw wasm.errorOf(status);
    }
    wasm.check(wasm.call.cairn_answer_get!(this.answer, this.path_));
    const { cost, cells, num_cells } = layouts.cairn_path.fields;
    const at = this.path_ / 4;
    const begin = wasm.u32[at + cells.at / 4]! / 4;
    const end = begin + wasm.u32[at + num_cells.at / 4]!;
    return { cost: wasm.u32[at + cost.at / 4]!, cells: wasm.u32.subarray(begin, end) };
  }

  /** Begins a search that goes on in slices: call `advance` until it returns `false`. */
  begin(start: Place, goal: Place, options: QueryOptions = {}): Search {
    return new Search(this, start, goal, options);
  }

  /** The path of a search that is done. @internal */
  taken(answer: number): Path | null {
    const { wasm } = this;
    const status = wasm.call.cairn_answer_get!(answer, this.path_);
    wasm.check(status);
    const found = wasm.read("cairn_path", this.path_, "status");
    if (found === constants.CAIRN_OK) {
      return pathOf(wasm, answer, this.path_, this.width);
    }
    if (isWithoutPath(found)) return null;
    throw wasm.errorOf(found);
  }

  /** The cost of a path; `null` as `path`. For hpa and haa without smoothing. */
  cost(start: Place, goal: Place, options?: QueryOptions): number | null {
    const costs = this.costs([start], [goal], options);
    return costs[0] === constants.CAIRN_INFINITY ? null : costs[0]!;
  }

  /** Whether there is a path. Next to no time with an index. */
  reachable(start: Place, goal: Place, options?: QueryOptions): boolean {
    const { wasm, ready } = this;
    const of = this.width > 0 ? wasm.call.cairn_reachable! : wasm.call.cairn_reachable_on_mesh!;
    return this.withQuery(options, (query) => {
      const [from, to] = this.put(start, goal);
      const status = of(ready, query, from, to);
      wasm.look();
      if (status === constants.CAIRN_OK) return true;
      if (isWithoutPath(status)) return false;
      throw wasm.errorOf(status);
    });
  }

  /** Places as a struct of cairn.h, and their number. @internal */
  places(places: Places): [number, number] {
    const { wasm } = this;
    const stride = this.width > 0 ? 2 : 3;
    const isList = Array.isArray(places);
    const list = places as readonly Place[];
    const numbers = isList
      ? list.flatMap((place) => place.slice(0, stride) as number[])
      : (places as Int32Array | Float64Array);
    const count = Math.floor(numbers.length / stride);
    if (count * stride !== numbers.length || (isList && count !== list.length)) {
      throw new TypeError(`places: each must be ${stride} numbers`);
    }
    const polygons =
      isList && stride === 3 && list.some((place) => place.length === 4)
        ? wasm.uint32s(list.map((place) => place[3] ?? NO_POLYGON))
        : 0;
    const pointer = wasm.struct("cairn_places", {
      count,
      [stride === 2 ? "cells" : "points"]:
        stride === 2 ? wasm.int32s(numbers) : wasm.doubles(numbers),
      polygons,
    });
    return [pointer, count];
  }

  /** The costs from each start to each goal, row by row; `Cairn.INFINITY` where there is no path. */
  costs(starts: Places, goals: Places, options?: QueryOptions): Uint32Array {
    const { wasm, ready } = this;
    return wasm.scoped(() => {
      const [from, rows] = this.places(starts);
      const [to, columns] = this.places(goals);
      const costs = wasm.take(4 * rows * columns);
      const status = this.withQuery(options, (query) =>
        wasm.call.cairn_costs!(ready, query, from, to, costs),
      );
      wasm.look();
      if (status !== constants.CAIRN_OK) {
        if (!isWithoutPath(status)) throw wasm.errorOf(status);
        return new Uint32Array(rows * columns).fill(constants.CAIRN_INFINITY);
      }
      return wasm.u32.slice(costs / 4, costs / 4 + rows * columns);
    });
  }

  /** The positions of the `count` goals of least cost, and these costs; goals without a path not. */
  nearest(
    start: Place,
    goals: Places,
    count?: number,
    options?: QueryOptions,
  ): { goals: Uint32Array; costs: Uint32Array } {
    const { wasm, ready } = this;
    return wasm.scoped(() => {
      const [from] = this.places([start]);
      const [to, all] = this.places(goals);
      const most = Math.min(count ?? all, all);
      const { size, fields } = layouts.cairn_goal_cost;
      const found = wasm.take(size * most);
      const number = wasm.uint32s([most]);
      const status = this.withQuery(options, (query) =>
        wasm.call.cairn_nearest!(ready, query, from, to, found, number),
      );
      wasm.look();
      if (!isWithoutPath(status)) wasm.check(status);
      const length = status === constants.CAIRN_OK ? wasm.u32[number / 4]! : 0;
      const read = (at: number) =>
        Uint32Array.from({ length }, (_, i) => wasm.u32[(found + i * size + at) / 4]!);
      return { goals: read(fields.goal.at), costs: read(fields.cost.at) };
    });
  }

  /** A path to the goal of least cost, and the position of that goal; `null` if there is none. */
  pathToNearest(
    start: Place,
    goals: Places,
    options?: QueryOptions,
  ): { which: number; path: Path } | null {
    const { wasm, ready } = this;
    return wasm.scoped(() => {
      const [from] = this.places([start]);
      const [to] = this.places(goals);
      const which = wasm.take(8);
      this.setAnswer(this.answer);
      const path = this.find(
        this.withQuery(options, (query) => {
          this.setAnswer(this.answer);
          return wasm.call.cairn_find_nearest!(ready, query, from, to, wasm.out, which);
        }),
      );
      return path === null ? null : { which: wasm.u32[which / 4]!, path };
    });
  }

  /** Requests as a struct of cairn.h. @internal */
  requests(requests: Requests, agents: Int32Array | undefined): number {
    const { wasm } = this;
    const stride = this.width > 0 ? 4 : 6;
    if (requests.length % stride !== 0) {
      throw new TypeError(`requests: each must be ${stride} numbers`);
    }
    const count = requests.length / stride;
    if (agents !== undefined && agents.length !== 2 * count) {
      throw new TypeError(`agents: must be ${2 * count} numbers`);
    }
    return wasm.struct("cairn_requests", {
      count,
      [stride === 4 ? "cells" : "points"]:
        stride === 4 ? wasm.int32s(requests) : wasm.doubles(requests),
      agents: agents && wasm.int32s(agents),
    });
  }

  /** Answers many requests. One without a path has its own status, and throws nothing. */
  paths(requests: Requests, options: BatchOptions & QueryOptions = {}): Paths {
    const { turning, maxBytes, maxSpent, agents, progress, ...query } = options;
    const { wasm, ready } = this;
    return wasm.scoped(() => {
      const given = this.requests(requests, agents as Int32Array | undefined);
      const batch = wasm.struct("cairn_batch_options", {
        turning: turning ? 1 : 0,
        max_bytes: maxBytes as number | undefined,
        max_spent: maxSpent as number | undefined,
      });
      return this.batch(query as QueryOptions, progress as Progress | undefined, (q, control) =>
        wasm.call.cairn_find_paths!(ready, q, given, batch, control, wasm.out),
      );
    });
  }

  /** Runs a call that makes a cairn_paths at `out`. @internal */
  batch(
    options: QueryOptions,
    progress: Progress | undefined,
    call: (query: number, control: number) => number,
  ): Paths {
    const { wasm } = this;
    const query = Object.keys(options).length === 0 ? undefined : options;
    return this.withQuery(query, (pointer) =>
      wasm.controlled(progress, (control) => {
        this.setAnswer(0);
        const status = call(pointer, control);
        wasm.look();
        const made = wasm.u32[wasm.out / 4]!;
        if (status !== constants.CAIRN_OK) {
          const error = wasm.errorOf(status);
          if (made !== 0) wasm.call.cairn_paths_free!(made);
          throw error;
        }
        return new Paths(wasm, made, this.width);
      }),
    );
  }

  /** The working memory of queries, in bytes. */
  get workingMemory(): number {
    return this.wasm.call.cairn_searcher_memory!(this.searcher) >>> 0;
  }
}
