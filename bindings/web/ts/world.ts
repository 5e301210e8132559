import { editsOf, Index, type Edits } from "./index_of.js";
import type { Paths } from "./paths.js";
import type { QueryOptions } from "./query.js";
import { Searchable, type Requests } from "./searchable.js";
import type { Progress, Wasm } from "./wasm.js";

export interface WorldOptions {
  /** An edit repairs labels itself if that takes at most about so long; 1000. */
  inlineMicroseconds?: number;
  /** Edits until a fresh order of labels is used; 64. */
  orderEdits?: number;
  /** Changed areas to check paths against quickly; 1024. */
  rememberedAreas?: number;
}

export interface ReplanOptions {
  /** Also finds new paths where edits have opened a cheaper one. */
  improvable?: boolean;
  /** For `"haa"`: the size and capability of each request's agent. */
  agents?: Int32Array;
  /** Hears of the fraction that is done; `false` stops the call. */
  progress?: Progress;
}

/** A map that changes, and its index. */
export class World extends Searchable {
  private first = 0;

  /** @internal */
  constructor(wasm: Wasm, pointer: number) {
    super(wasm, pointer, "cairn_world_free");
  }

  /** @internal */
  static create(index: Index, options: WorldOptions): World {
    const { wasm } = index;
    return wasm.scoped(() => {
      const given = wasm.struct("cairn_world_options", {
        inline_microseconds: options.inlineMicroseconds,
        no_worker: 1,
        order_edits: options.orderEdits,
        remembered_areas: options.rememberedAreas,
      });
      const status = wasm.call.cairn_world_create!(index.pointer, given, wasm.out);
      return new World(wasm, wasm.made(status));
    });
  }

  /** @internal */
  get queryIndex(): number {
    void this.pointer;
    if (this.first === 0) {
      const { wasm } = this;
      const index = wasm.made(wasm.call.cairn_world_snapshot!(this.pointer, wasm.out, 0));
      this.first = this.own(index, "cairn_index_free");
    }
    return this.first;
  }

  /** @internal */
  newSearcher(out: number): number {
    return this.wasm.call.cairn_searcher_create_for_world!(this.pointer, out) as number;
  }

  /** @internal */
  newMap(): number {
    const { index } = this.snapshot();
    try {
      return index.newMap();
    } finally {
      index.free();
    }
  }

  /** Changes the map at once: every query that begins later sees it. Returns the edit's number. */
  edit(edits: Edits): number {
    const { wasm } = this;
    return wasm.scoped(() => {
      const given = editsOf(wasm, edits);
      const number = wasm.take(8);
      wasm.check(wasm.call.cairn_world_edit!(this.pointer, given, number));
      return Number(wasm.u64[number / 8]!);
    });
  }

  /** The number of edits made. */
  get edits(): number {
    return Number(this.wasm.call.cairn_world_edits!(this.pointer));
  }

  /** The newest index, and the number of edits made before it. */
  snapshot(): { index: Index; edits: number } {
    const { wasm } = this;
    return wasm.scoped(() => {
      const edits = wasm.take(8);
      const index = wasm.made(wasm.call.cairn_world_snapshot!(this.pointer, wasm.out, edits));
      return { index: new Index(wasm, index), edits: Number(wasm.u64[edits / 8]!) };
    });
  }

  /** Does a piece of outstanding work, such as labels. Returns whether there may be more. */
  work(): boolean {
    const more = this.wasm.call.cairn_world_work!(this.pointer) !== 0;
    this.wasm.look();
    return more;
  }

  /** Throws if the last piece of work has failed. */
  checkWork(): void {
    this.wasm.check(this.wasm.call.cairn_world_work_status!(this.pointer));
  }

  private routes(requests: Requests, paths: Paths, agents: Int32Array | undefined): number {
    const { wasm } = this;
    const given = this.requests(requests, agents);
    const { first, steps, costs } = paths.steps;
    return wasm.struct("cairn_routes", { requests: given, first, steps, costs });
  }

  /** For each path, found when `edits` edits had been made, whether every step is legal now. */
  pathsValid(
    requests: Requests,
    paths: Paths,
    edits: number,
    options: ReplanOptions & QueryOptions = {},
  ): boolean[] {
    const { wasm, ready } = this;
    const { agents, improvable: _, progress: __, ...query } = options;
    return wasm.scoped(() => {
      const routes = this.routes(requests, paths, agents as Int32Array | undefined);
      const valid = wasm.take(paths.size);
      const given = Object.keys(query).length === 0 ? undefined : (query as QueryOptions);
      wasm.check(
        this.withQuery(given, (pointer) =>
          wasm.call.cairn_paths_valid!(ready, pointer, routes, BigInt(edits), valid),
        ),
      );
      return Array.from(wasm.u8.subarray(valid, valid + paths.size), (one) => one === 1);
    });
  }

  /** New paths for those that edits have broken: `routes` of the result says which. */
  replan(
    requests: Requests,
    paths: Paths,
    edits: number,
    options: ReplanOptions & QueryOptions = {},
  ): Paths {
    const { wasm, ready } = this;
    const { agents, improvable, progress, ...query } = options;
    return wasm.scoped(() => {
      const routes = this.routes(requests, paths, agents as Int32Array | undefined);
      return this.batch(query as QueryOptions, progress as Progress | undefined, (q, control) =>
        wasm.call.cairn_replan!(
          ready, q, routes, BigInt(edits), improvable ? 1 : 0, control, wasm.out,
        ),
      );
    });
  }
}
