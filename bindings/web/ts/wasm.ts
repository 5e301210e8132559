import { CairnError, statusName } from "./errors.js";
import { constants, layouts } from "./generated/layouts.js";

export type StructName = keyof typeof layouts;

/** A function that hears of progress, 0 to 1, and may return `false` to stop the call. */
export type Progress = (fraction: number) => boolean | void;

/** What WebAssembly exports: functions of cairn.h by their names, and `malloc` and `free`. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Exports = Record<string, (...args: any[]) => any>;

interface Field {
  readonly at: number;
  readonly kind: string;
}

const SCRATCH = 1 << 16;
const HINT = '; load({ parts: "all" }) has HAA*, meshes and index files, too';
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** An instance of the library: its memory, its functions, and how values get in and out. */
export class Wasm {
  readonly call: Exports;
  u8!: Uint8Array;
  u32!: Uint32Array;
  i32!: Int32Array;
  f32!: Float32Array;
  f64!: Float64Array;
  u64!: BigUint64Array;
  progress: Progress | undefined;
  failure: unknown;
  /** The place of a pointer that functions write a new object to. */
  readonly out: number;
  private readonly scratch: number;
  private used = 0;
  private readonly large: number[] = [];
  private readonly names = new Map<number, string>();

  private constructor(
    readonly memory: WebAssembly.Memory,
    exports: Exports,
  ) {
    this.call = exports;
    this.look();
    this.out = this.allocate(8);
    this.scratch = this.allocate(SCRATCH);
  }

  static async create(module: WebAssembly.Module, maximumMemory: number): Promise<Wasm> {
    const page = 65536;
    const initial = 32;
    const maximum = Math.min(65536, Math.floor(maximumMemory / page));
    if (!(maximum >= initial)) {
      throw new CairnError("bad_option", `maximumMemory: must be at least ${initial * page}`);
    }
    const memory = new WebAssembly.Memory({ initial, maximum });
    let wasm: Wasm | undefined;
    const instance = await WebAssembly.instantiate(module, {
      env: {
        memory,
        progress: (fraction: number) => wasm?.report(fraction) ?? 0,
        number: (text: number, length: number) =>
          Number(decoder.decode(new Uint8Array(memory.buffer, text, length))),
      },
      wasi_snapshot_preview1: systemCalls(memory),
    });
    const exports = instance.exports as Exports;
    exports._initialize!();
    wasm = new Wasm(memory, exports);
    wasm.check(
      exports.cairn_check_version!(constants.CAIRN_VERSION_MAJOR, constants.CAIRN_VERSION_MINOR),
    );
    return wasm;
  }

  /** Makes the views anew after the memory has grown, which ends those before. */
  look(): void {
    if (this.u8 !== undefined && this.u8.length > 0) return; // faster than to ask the memory
    const { buffer } = this.memory;
    this.u8 = new Uint8Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.f32 = new Float32Array(buffer);
    this.f64 = new Float64Array(buffer);
    this.u64 = new BigUint64Array(buffer);
  }

  allocate(bytes: number): number {
    const pointer = this.call.malloc!(bytes) >>> 0;
    this.look();
    if (pointer === 0) throw new CairnError("out_of_memory", "there is not enough memory");
    return pointer;
  }

  /** Runs work() with memory from `take`, which is free again afterwards. */
  scoped<T>(work: () => T): T {
    this.look();
    const used = this.used;
    const large = this.large.length;
    try {
      return work();
    } finally {
      this.used = used;
      while (this.large.length > large) this.call.free!(this.large.pop());
    }
  }

  /** Memory for so many bytes, aligned to 8, until the end of `scoped`. */
  take(bytes: number): number {
    const size = (bytes + 7) & ~7;
    if (bytes > SCRATCH || this.used + size > SCRATCH) {
      const pointer = this.allocate(Math.max(bytes, 1));
      this.large.push(pointer);
      return pointer;
    }
    const pointer = this.scratch + this.used;
    this.used += size;
    return pointer;
  }

  /** A text as C takes it, until the end of `scoped`. */
  text(text: string): number {
    const bytes = encoder.encode(text);
    const pointer = this.take(bytes.length + 1);
    this.u8.set(bytes, pointer);
    this.u8[pointer + bytes.length] = 0;
    return pointer;
  }

  /** The text at a pointer. */
  textAt(pointer: number): string {
    if (pointer === 0) return "";
    return decoder.decode(this.u8.subarray(pointer, this.u8.indexOf(0, pointer)));
  }

  /** The same for a text that stays as long as the library, such as a name. */
  nameAt(pointer: number): string {
    let name = this.names.get(pointer);
    if (name === undefined) this.names.set(pointer, (name = this.textAt(pointer)));
    return name;
  }

  /** Copies of numbers, until the end of `scoped`; 0 for none. */
  bytes(values: ArrayLike<number>): number {
    const pointer = this.take(values.length);
    this.u8.set(values, pointer);
    return pointer;
  }
  uint32s(values: ArrayLike<number>): number {
    const pointer = this.take(4 * values.length);
    this.u32.set(values, pointer / 4);
    return pointer;
  }
  int32s(values: ArrayLike<number>): number {
    const pointer = this.take(4 * values.length);
    this.i32.set(values, pointer / 4);
    return pointer;
  }
  doubles(values: ArrayLike<number>): number {
    const pointer = this.take(8 * values.length);
    this.f64.set(values, pointer / 8);
    return pointer;
  }

  /** A struct of zeros, with its `size`, until the end of `scoped`. */
  struct(name: StructName, members: Readonly<Record<string, number | bigint | undefined>> = {}) {
    const size = layouts[name].size;
    const pointer = this.take(size);
    this.u8.fill(0, pointer, pointer + size);
    if ("size" in layouts[name].fields) this.u32[pointer / 4] = size;
    for (const [field, value] of Object.entries(members)) {
      if (value !== undefined) this.write(name, pointer, field, value);
    }
    return pointer;
  }

  write(name: StructName, pointer: number, field: string, value: number | bigint): void {
    const { at, kind } = fieldOf(name, field);
    const where = pointer + at;
    if (kind === "u64") this.u64[where / 8] = BigInt(value);
    else if (kind === "f64") this.f64[where / 8] = Number(value);
    else if (kind === "f32") this.f32[where / 4] = Number(value);
    else if (kind === "u8") this.u8[where] = Number(value);
    else this.u32[where / 4] = Number(value);
  }

  /** A member of a struct; those of 64 bits are read by `read64`. */
  read(name: StructName, pointer: number, field: string): number {
    const { at, kind } = fieldOf(name, field);
    const where = pointer + at;
    if (kind === "u64") return Number(this.u64[where / 8]);
    if (kind === "f64") return this.f64[where / 8]!;
    if (kind === "f32") return this.f32[where / 4]!;
    if (kind === "i32") return this.i32[where / 4]!;
    if (kind === "u8") return this.u8[where]!;
    return this.u32[where / 4]!;
  }
  read64(name: StructName, pointer: number, field: string): bigint {
    return this.u64[(pointer + fieldOf(name, field).at) / 8]!;
  }

  /** Throws unless a call has returned "ok". */
  check(status: number): void {
    this.look();
    if (status !== constants.CAIRN_OK) throw this.errorOf(status);
  }

  errorOf(status: number): unknown {
    if (status === constants.CAIRN_CANCELLED && this.failure !== undefined) {
      const failure = this.failure;
      this.failure = undefined;
      return failure;
    }
    const message = this.textAt(this.call.cairn_last_message!());
    const isMissing = /^this library is built without |in this build: /.test(message);
    return new CairnError(statusName(status), isMissing ? message + HINT : message);
  }

  /** The object that a function has made at `out`. */
  made(status: number): number {
    this.check(status);
    return this.u32[this.out / 4]!;
  }

  /** Settings as an array of cairn_setting, and their number. */
  settings(options: Readonly<Record<string, unknown>>): [number, number] {
    const given = Object.entries(options).filter(([, value]) => value !== undefined);
    const size = layouts.cairn_setting.size;
    const pointer = this.take(size * given.length);
    given.forEach(([name, value], i) => {
      const at = pointer + i * size;
      const text = this.text(name.replace(/[A-Z]/g, (letter) => "_" + letter.toLowerCase()));
      this.write("cairn_setting", at, "name", text);
      this.write("cairn_setting", at, "value", this.text(String(value)));
    });
    return [pointer, given.length];
  }

  /** Runs work(control) with a cairn_control that calls `progress`; 0 without one. */
  controlled<T>(progress: Progress | undefined, work: (control: number) => T): T {
    if (progress === undefined) return work(0);
    const before = this.progress;
    this.progress = progress;
    this.failure = undefined;
    try {
      const control = this.take(layouts.cairn_control.size);
      this.call.cairn_web_control!(control);
      return work(control);
    } finally {
      this.progress = before;
    }
  }

  private report(fraction: number): number {
    this.look();
    try {
      return this.progress?.(fraction) === false ? 1 : 0;
    } catch (error) {
      this.failure = error;
      return 1;
    }
  }
}

function fieldOf(name: StructName, field: string): Field {
  const fields = layouts[name].fields as Readonly<Record<string, Field>>;
  const found = fields[field];
  if (found === undefined) throw new TypeError(`${name} has no member ${field}`);
  return found;
}

/** What the C library asks the system for: the time. It has no files. */
function systemCalls(memory: WebAssembly.Memory): WebAssembly.ModuleImports {
  const refused = 52; // WASI's number for a function that is not supported
  return {
    clock_time_get(_clock: number, _precision: bigint, time: number): number {
      const nanoseconds = BigInt(Math.round(performance.now() * 1e6));
      new DataView(memory.buffer).setBigUint64(time, nanoseconds, true);
      return 0;
    },
    fd_close: () => refused,
    fd_seek: () => refused,
    fd_write: () => refused,
  };
}
