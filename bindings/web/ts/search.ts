import { constants } from "./generated/layouts.js";
import type { Path } from "./path.js";
import { Query, type QueryOptions } from "./query.js";
import type { Place, Searchable } from "./searchable.js";
import { Handle } from "./handle.js";

/** A search that goes on in slices. Any other call on its index or world abandons it. */
export class Search extends Handle {
  /** Whether it is finished. */
  done: boolean;
  private readonly query: Query;

  /** @internal */
  constructor(
    private readonly of: Searchable,
    start: Place,
    goal: Place,
    options: QueryOptions,
  ) {
    const { wasm, ready, width } = of;
    const query = options.query ?? of.query(options);
    const begin = width > 0 ? wasm.call.cairn_begin! : wasm.call.cairn_begin_on_mesh!;
    const [from, to] = of.put(start, goal);
    of.setAnswer(0);
    const status = begin(ready, query.pointer, from, to, wasm.out) as number;
    wasm.look();
    super(wasm, wasm.u32[wasm.out / 4]!, "cairn_answer_free");
    this.query = query;
    this.done = status !== constants.CAIRN_OK;
  }

  /** Goes on, for up to so many nodes or so long. Returns whether it is not finished yet. */
  advance(limit: { nodes?: number; microseconds?: number } = {}): boolean {
    void this.pointer;
    if (this.done) return false;
    const more = this.wasm.call.cairn_advance!(
      this.of.ready,
      BigInt(limit.nodes ?? 0),
      BigInt(limit.microseconds ?? 0),
    );
    this.wasm.look();
    this.done = more === 0;
    return !this.done;
  }

  /** The path, once the search is done; `null` if there is none. */
  get path(): Path | null {
    void this.query;
    return this.done ? this.of.taken(this.pointer) : null;
  }
}
