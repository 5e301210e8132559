// The map that is painted on, with undo and redo. The polygons of a mesh are painted as the cells of a
// grid of one row: 1 is blocked.

import type { CellEdit } from "./core/messages.js";
import { applyChanges, packChanges } from "./maps/text.js";
import type { GridData, MeshData } from "./maps/terrain.js";

/** What one stroke of the brush has changed: the bytes before and after, by cell. */
type Stroke = Map<number, { before: number; after: number }>;

const MOST_STROKES = 200;

export class Painting {
  readonly grid: GridData;
  private readonly done: Stroke[] = [];
  private undone: Stroke[] = [];
  private stroke: Stroke | undefined;
  private begins = true;

  /** A map as it comes, and what was painted on it before. */
  constructor(
    private readonly original: GridData,
    painted: Uint8Array,
  ) {
    this.grid = { ...original, cells: original.cells.slice() };
    applyChanges(this.grid.cells, painted);
  }

  get canUndo(): boolean {
    return this.done.length > 0;
  }

  get canRedo(): boolean {
    return this.undone.length > 0;
  }

  /** What was painted, for a link. */
  get painted(): Uint8Array {
    return packChanges(this.original.cells, this.grid.cells);
  }

  begin(): void {
    this.stroke = new Map();
    this.begins = true;
  }

  /** Whether a stroke has begun, or was undone or redone, since the last call. */
  takeBegin(): boolean {
    const { begins } = this;
    this.begins = false;
    return begins;
  }

  /** Paints a square of a side around a cell; returns the edits of it. */
  put(x: number, y: number, side: number, value: number): CellEdit[] {
    const { width, height, cells } = this.grid;
    const half = (side - 1) >> 1;
    const x0 = Math.max(0, x - half);
    const y0 = Math.max(0, y - half);
    const x1 = Math.min(width, x - half + side);
    const y1 = Math.min(height, y - half + side);
    let changed = false;
    for (let row = y0; row < y1; ++row) {
      for (let column = x0; column < x1; ++column) {
        const cell = row * width + column;
        const before = cells[cell]!;
        if (before === value) continue;
        changed = true;
        cells[cell] = value;
        const known = this.stroke?.get(cell);
        this.stroke?.set(cell, { before: known?.before ?? before, after: value });
      }
    }
    return changed ? [[x0, y0, x1 - x0, y1 - y0, value]] : [];
  }

  end(): void {
    if (this.stroke !== undefined && this.stroke.size > 0) {
      this.done.push(this.stroke);
      if (this.done.length > MOST_STROKES) this.done.shift();
      this.undone = [];
    }
    this.stroke = undefined;
  }

  undo(): CellEdit[] {
    const stroke = this.done.pop();
    if (stroke === undefined) return [];
    this.undone.push(stroke);
    this.begins = true;
    return this.write([...stroke].map(([cell, { before }]) => [cell, before]));
  }

  redo(): CellEdit[] {
    const stroke = this.undone.pop();
    if (stroke === undefined) return [];
    this.done.push(stroke);
    this.begins = true;
    return this.write([...stroke].map(([cell, { after }]) => [cell, after]));
  }

  private write(cells: [number, number][]): CellEdit[] {
    for (const [cell, value] of cells) this.grid.cells[cell] = value;
    return runs(cells, this.grid.width);
  }
}

/** The polygons of a mesh as a grid. */
export function polygonRow({ first, blocked }: MeshData): GridData {
  const width = first.length - 1;
  return { kind: "grid", width, height: 1, cells: blocked ?? new Uint8Array(width) };
}

/** Cells with their bytes as rectangles one row high. */
function runs(cells: [number, number][], width: number): CellEdit[] {
  const edits: CellEdit[] = [];
  let end = -1;
  for (const [cell, value] of cells.sort((a, b) => a[0] - b[0])) {
    const last = edits[edits.length - 1];
    const x = cell % width;
    if (last !== undefined && cell === end && last[4] === value && x !== 0) ++last[2];
    else edits.push([x, Math.floor(cell / width), 1, 1, value]);
    end = cell + 1;
  }
  return edits;
}
