import { CairnError } from "./errors.js";
import type { Wasm } from "./wasm.js";

interface Held {
  wasm: Wasm;
  /** Pointers, with the functions that free them; the object's own is the first. */
  owned: [pointer: number, free: string][];
}

function release(held: Held): void {
  for (const [pointer, free] of held.owned.reverse()) held.wasm.call[free]!(pointer);
  held.owned = [];
}

const forgotten = new FinalizationRegistry<Held>(release);

declare global {
  interface SymbolConstructor {
    readonly dispose: unique symbol;
  }
}

/**
 * An object in the memory of the library. `free` gives its memory back, and so does `using` where
 * JavaScript has it; else that happens some time after nothing refers to the object any more.
 */
export abstract class Handle {
  /** @internal */
  readonly held: Held;

  /** @internal */
  constructor(wasm: Wasm, pointer: number, free: string) {
    this.held = { wasm, owned: [[pointer, free]] };
    forgotten.register(this, this.held, this);
  }

  /** Frees another pointer with this object. @internal */
  own(pointer: number, free: string): number {
    this.held.owned.push([pointer, free]);
    return pointer;
  }

  /** @internal */
  get wasm(): Wasm {
    return this.held.wasm;
  }

  /** @internal */
  get pointer(): number {
    const own = this.held.owned[0];
    if (own === undefined) throw new CairnError("bad_option", "the object was freed");
    return own[0];
  }

  /** Gives the memory back; the object must not be used afterwards. May be called twice. */
  free(): void {
    forgotten.unregister(this);
    release(this.held);
  }

  declare [Symbol.dispose]: () => void;
}

const dispose: symbol | undefined = Symbol.dispose;
if (dispose !== undefined) {
  Object.defineProperty(Handle.prototype, dispose, {
    value(this: Handle) {
      this.free();
    },
  });
}
