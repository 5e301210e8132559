// A navigation mesh of a grid: its free cells in rectangles, with portals where these touch.

import { weightOf, type GridData, type MeshData } from "./terrain.js";

interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The mesh of a grid; a cell is a unit long, and all lies at height 0. */
export function meshOfGrid(grid: GridData): MeshData {
  const { rectangles, owner } = cover(grid);
  const portals: number[] = [];
  const { width, height } = grid;
  const at = (x: number, y: number): number =>
    x < width && y < height ? owner[y * width + x]! : -1;
  rectangles.forEach((one, number) => {
    const right = one.x + one.width;
    const below = one.y + one.height;
    // Runs of cells behind the right and the lower side that belong to one rectangle.
    runs(
      one.y,
      below,
      (y) => at(right, y),
      (to, from, end) => portals.push(number, to, right, 0, from, right, 0, end),
    );
    runs(
      one.x,
      right,
      (x) => at(x, below),
      (to, from, end) => portals.push(number, to, from, 0, below, end, 0, below),
    );
  });
  const vertices: number[] = [];
  for (const { x, y, width: w, height: h } of rectangles) {
    vertices.push(x, 0, y, x + w, 0, y, x + w, 0, y + h, x, 0, y + h);
  }
  return {
    kind: "mesh",
    vertices: Float64Array.from(vertices),
    first: Uint32Array.from({ length: rectangles.length + 1 }, (_, i) => 4 * i),
    corners: Uint32Array.from({ length: 4 * rectangles.length }, (_, i) => i),
    areas: undefined,
    portals: Float64Array.from(portals),
  };
}

/** Covers free cells with rectangles, row by row: each as wide as it can be, then as high. */
function cover({ width, height, cells }: GridData): { rectangles: Rectangle[]; owner: Int32Array } {
  const owner = new Int32Array(width * height).fill(-1);
  const rectangles: Rectangle[] = [];
  const open = (x: number, y: number): boolean =>
    weightOf(cells[y * width + x]!) > 0 && owner[y * width + x] === -1;
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) {
      if (!open(x, y)) continue;
      let wide = 1;
      while (x + wide < width && open(x + wide, y)) ++wide;
      let high = 1;
      const rowIsOpen = (row: number): boolean => {
        for (let i = x; i < x + wide; ++i) if (!open(i, row)) return false;
        return true;
      };
      while (y + high < height && rowIsOpen(y + high)) ++high;
      for (let row = y; row < y + high; ++row) {
        owner.fill(rectangles.length, row * width + x, row * width + x + wide);
      }
      rectangles.push({ x, y, width: wide, height: high });
    }
  }
  return { rectangles, owner };
}

/** Calls `found` for each run of equal numbers of at least 0. */
function runs(
  begin: number,
  end: number,
  numberAt: (at: number) => number,
  found: (number: number, from: number, end: number) => void,
): void {
  for (let from = begin; from < end;) {
    const number = numberAt(from);
    let to = from + 1;
    while (to < end && numberAt(to) === number) ++to;
    if (number >= 0) found(number, from, to);
    from = to;
  }
}
