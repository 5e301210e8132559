import { constants } from "./generated/layouts.js";
import { Handle } from "./handle.js";
import type { Cell, Settings } from "./map.js";
import type { Wasm } from "./wasm.js";

/** Limits of one query; in a batch, of each request. */
export interface Limits {
  /** The largest cost of a path. */
  maxCost?: number;
  /** The nodes that a query may expand. */
  maxExpanded?: number;
  /** How long it may take, from when the query is made. */
  microseconds?: number;
  /** A query that is stopped returns a path towards the goal. */
  partialPath?: boolean;
  /** Cells where units stand, which are walls for the query. */
  blocked?: readonly Cell[] | Uint32Array;
  /** Options that were parsed before by `query`; no others may be given with it. */
  query?: Query;
}

/** Limits, and options of queries of the planner, by the names that `Cairn.planners` lists. */
export type QueryOptions = Limits & { readonly [name: string]: unknown };

/** Options of queries, parsed once. */
export class Query extends Handle {
  /** @internal */
  constructor(wasm: Wasm, pointer: number) {
    super(wasm, pointer, "cairn_query_free");
  }

  /** @internal */
  static create(wasm: Wasm, index: number, width: number, options: QueryOptions): Query {
    const { maxCost, maxExpanded, microseconds, partialPath, blocked, query, ...settings } = options;
    return wasm.scoped(() => {
      const [pointer, count] = wasm.settings(settings as Settings);
      let made = new Query(
        wasm,
        wasm.made(wasm.call.cairn_query_create!(index, pointer, count, wasm.out)),
      );
      const replace = (status: number): void => {
        made.free();
        made = new Query(wasm, wasm.made(status));
      };
      if (blocked !== undefined && blocked.length > 0) {
        const cells =
          blocked instanceof Uint32Array
            ? blocked.slice()
            : Uint32Array.from(blocked, ([x, y]) => y * width + x);
        cells.sort();
        const numbers = wasm.uint32s(cells);
        replace(
          wasm.call.cairn_query_with_blocked!(made.pointer, numbers, cells.length, wasm.out),
        );
      }
      if ((maxCost ?? maxExpanded ?? microseconds ?? partialPath) !== undefined) {
        const limits = wasm.struct("cairn_limits", {
          max_cost: maxCost,
          max_expanded: maxExpanded,
          microseconds,
          partial_path: partialPath ? 1 : 0,
        });
        replace(wasm.call.cairn_query_with_limits!(made.pointer, limits, wasm.out));
      }
      return made;
    });
  }
}

export const NO_POLYGON = constants.CAIRN_NONE;
