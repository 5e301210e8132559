import { CairnError } from "./errors.js";
import { constants } from "./generated/layouts.js";
import { Index } from "./index_of.js";
import { CairnMap, Grid, Mesh, type GridOptions, type MeshArrays, type MeshOptions } from "./map.js";
import { plannersOf, type Planner } from "./planners.js";
import { Wasm } from "./wasm.js";
import { World, type WorldOptions } from "./world.js";

/**
 * What the library has. `"grids"`: HPA*, subgoal graphs, A*, jump point search, worlds and batches on
 * grids. `"all"`, of twice the size: also agents of several sizes (HAA*), navigation meshes (HNA*) and
 * index files.
 */
export type Parts = "grids" | "all";

export interface LoadOptions {
  /** What the library has; `"grids"`. */
  parts?: Parts;
  /** Where the module is, its bytes, or the compiled module: instead of that of `parts`. */
  wasm?: URL | string | BufferSource | WebAssembly.Module;
  /** The memory that the library may take, in bytes; 4 GiB. A call that needs more throws. */
  maximumMemory?: number;
}

/** The library, loaded: makes maps, indexes and worlds. All calls run on the calling thread. */
export class Cairn {
  /** The cost that stands for no path. */
  static readonly INFINITY: number = constants.CAIRN_INFINITY;

  /** @internal */
  constructor(private readonly wasm: Wasm) {}

  /** The version of the library. */
  get version(): string {
    return this.wasm.textAt(this.wasm.call.cairn_version!());
  }

  /** Whether it has a part, such as `"hna"` or `"world"`: see `cairn_has` in cairn.h. */
  has(part: string): boolean {
    const { wasm } = this;
    return wasm.scoped(() => wasm.call.cairn_has!(wasm.text(part)) !== 0);
  }

  /** The planners, with all their options. */
  get planners(): Planner[] {
    return plannersOf(this.wasm);
  }

  /** The memory of the library now, in bytes. It grows, and never shrinks. */
  get memory(): number {
    return this.wasm.memory.buffer.byteLength;
  }

  /** A grid of numbers, row by row, or of rows of text. */
  grid(
    width: number,
    height: number,
    cells: ArrayLike<number> | readonly string[],
    options: GridOptions = {},
  ): Grid {
    return Grid.create(this.wasm, width, height, cells, options);
  }

  /** A grid from the text or bytes of a MovingAI map (.map). */
  parseMap(file: string | Uint8Array, options: GridOptions = {}): Grid {
    return Grid.parse(this.wasm, file, options);
  }

  /** A navigation mesh from arrays. */
  mesh(arrays: MeshArrays, options: MeshOptions = {}): Mesh {
    return Mesh.create(this.wasm, arrays, options);
  }

  /** A mesh of the free cells of a grid, merged into rectangles at height 0. */
  meshFromGrid(grid: Grid, options: MeshOptions = {}): Mesh {
    return Mesh.fromGrid(this.wasm, grid, options);
  }

  /** An index from what `toBytes` gave. `map` must be given for `"hpa"` and `"subgoal"`. */
  indexFromBytes(bytes: Uint8Array, map?: CairnMap): Index {
    return Index.fromBytes(this.wasm, bytes, map);
  }

  /** A map that changes, and begins with an index. */
  world(index: Index, options: WorldOptions = {}): World {
    return World.create(index, options);
  }
}

/** Loads the library. Each call makes one of its own, with its own memory. */
export async function load(options: LoadOptions = {}): Promise<Cairn> {
  return new Cairn(await Wasm.create(await compile(options), options.maximumMemory ?? 2 ** 32));
}

/** Compiles the module that `load` would, for example to give it to several workers. */
export async function compile(
  options: Pick<LoadOptions, "parts" | "wasm"> = {},
): Promise<WebAssembly.Module> {
  return compiled(options.wasm ?? moduleWith(options.parts ?? "grids"));
}

async function compiled(
  wasm: URL | string | BufferSource | WebAssembly.Module,
): Promise<WebAssembly.Module> {
  if (wasm instanceof WebAssembly.Module) return wasm;
  if (typeof wasm !== "string" && !(wasm instanceof URL)) return WebAssembly.compile(wasm);
  const url = new URL(wasm, import.meta.url);
  if (url.protocol === "file:") {
    const name = "node:fs/promises"; // a variable, so that bundlers for browsers leave it alone
    const { readFile } = (await import(name)) as {
      readFile(url: URL): Promise<Uint8Array<ArrayBuffer>>;
    };
    return WebAssembly.compile(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new CairnError("io_error", `${url.href}: ${response.status}`);
  if (response.headers.get("Content-Type") === "application/wasm") {
    return WebAssembly.compileStreaming(response);
  }
  return WebAssembly.compile(await response.arrayBuffer());
}

function moduleWith(parts: Parts): URL {
  if (parts === "all") return new URL("./cairn.wasm", import.meta.url);
  if (parts === "grids") return new URL("./cairn-grids.wasm", import.meta.url);
  throw new CairnError("bad_option", `parts: there are "grids" and "all", not "${String(parts)}"`);
}
