// Maps made from a kind, a size and a seed: the same everywhere.

import { Random } from "./random.js";
import { meshOfGrid } from "./rectangles.js";
import { GROUND, SWAMP, TREES, WALL, WATER, type GridData, type MapData } from "./terrain.js";

export interface Generator {
  name: string;
  title: string;
  about: string;
  make(size: number, seed: number): MapData;
}

export const GENERATORS: readonly Generator[] = [
  { name: "rooms", title: "Rooms", about: "Rooms with doors", make: rooms },
  { name: "caves", title: "Caves", about: "Winding caves", make: caves },
  { name: "maze", title: "Maze", about: "Corridors with few loops", make: maze },
  { name: "open", title: "Open ground", about: "Scattered rocks", make: open },
  { name: "hills", title: "Hills", about: "Weights, lakes and woods", make: hills },
  { name: "city", title: "City", about: "Streets, blocks and yards", make: city },
  {
    name: "rooms-mesh",
    title: "Mesh of rooms",
    about: "A navigation mesh",
    make: (size, seed) => meshOfGrid(rooms(size, seed)),
  },
  {
    name: "city-mesh",
    title: "Mesh of a city",
    about: "A navigation mesh",
    make: (size, seed) => meshOfGrid(city(size, seed)),
  },
];

function filled(size: number, value: number): GridData {
  return {
    kind: "grid",
    width: size,
    height: size,
    cells: new Uint8Array(size * size).fill(value),
  };
}

function paint(grid: GridData, x: number, y: number, width: number, height: number, value: number) {
  for (let row = Math.max(0, y); row < Math.min(grid.height, y + height); ++row) {
    const begin = row * grid.width;
    grid.cells.fill(value, begin + Math.max(0, x), begin + Math.min(grid.width, x + width));
  }
}

function rooms(size: number, seed: number): GridData {
  const random = new Random(seed);
  const grid = filled(size, GROUND);
  const least = Math.max(7, Math.round(size / 22));
  // Each part is divided by a wall with one or two doors, until parts are as small as a room.
  const divide = (x: number, y: number, width: number, height: number): void => {
    const across = width > height * 1.2 || (height <= width * 1.2 && random.below(2) === 0);
    const length = across ? width : height;
    if (length < 2 * least + 1 || (length < 3 * least && random.below(5) === 0)) return;
    const at = random.between(least, length - least - 1);
    const side = across ? height : width;
    if (across) paint(grid, x + at, y, 1, height, WALL);
    else paint(grid, x, y + at, width, 1, WALL);
    const doors = side > 3 * least ? 2 : 1;
    for (let door = 0; door < doors; ++door) {
      const wide = random.between(1, 3);
      const part = Math.floor(side / doors);
      const where = door * part + random.below(Math.max(1, part - wide));
      if (across) paint(grid, x + at, y + where, 1, wide, GROUND);
      else paint(grid, x + where, y + at, wide, 1, GROUND);
    }
    if (across) {
      divide(x, y, at, height);
      divide(x + at + 1, y, width - at - 1, height);
    } else {
      divide(x, y, width, at);
      divide(x, y + at + 1, width, height - at - 1);
    }
  };
  divide(1, 1, size - 2, size - 2);
  frame(grid);
  // A wall that ends at a door of another would close it: open what is shut in.
  return joined(grid, random);
}

function caves(size: number, seed: number): GridData {
  const random = new Random(seed);
  const grid = filled(size, GROUND);
  let cells = Uint8Array.from({ length: size * size }, () => (random.fraction() < 0.455 ? 1 : 0));
  for (let round = 0; round < 6; ++round) {
    const next = new Uint8Array(size * size);
    for (let y = 0; y < size; ++y) {
      for (let x = 0; x < size; ++x) {
        let walls = 0;
        for (let dy = -1; dy <= 1; ++dy) {
          for (let dx = -1; dx <= 1; ++dx) {
            const outside = x + dx < 0 || y + dy < 0 || x + dx >= size || y + dy >= size;
            walls += outside ? 1 : cells[(y + dy) * size + x + dx]!;
          }
        }
        next[y * size + x] = walls >= 5 ? 1 : 0;
      }
    }
    cells = next;
  }
  cells.forEach((wall, i) => (grid.cells[i] = wall ? WALL : GROUND));
  frame(grid);
  return joined(grid, random);
}

function maze(size: number, seed: number): GridData {
  const random = new Random(seed);
  const grid = filled(size, WALL);
  const corridor = size >= 256 ? 3 : 2;
  const step = corridor + 1;
  const columns = Math.floor((size - 1) / step);
  const open = (x: number, y: number, dx: number, dy: number): void =>
    paint(
      grid,
      x * step + 1 + (dx < 0 ? -1 : 0),
      y * step + 1 + (dy < 0 ? -1 : 0),
      corridor + Math.abs(dx),
      corridor + Math.abs(dy),
      GROUND,
    );
  const seen = new Uint8Array(columns * columns);
  const stack = [random.below(columns * columns)];
  seen[stack[0]!] = 1;
  open(stack[0]! % columns, Math.floor(stack[0]! / columns), 0, 0);
  const around = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ] as const;
  while (stack.length > 0) {
    const cell = stack[stack.length - 1]!;
    const x = cell % columns;
    const y = Math.floor(cell / columns);
    const ways = around.filter(([dx, dy]) => {
      const inside = x + dx >= 0 && y + dy >= 0 && x + dx < columns && y + dy < columns;
      return inside && seen[(y + dy) * columns + x + dx] === 0;
    });
    if (ways.length === 0) {
      stack.pop();
      continue;
    }
    const [dx, dy] = ways[random.below(ways.length)]!;
    open(x, y, dx, dy);
    open(x + dx, y + dy, 0, 0);
    seen[(y + dy) * columns + x + dx] = 1;
    stack.push((y + dy) * columns + x + dx);
  }
  for (let loop = 0; loop < columns * 1.5; ++loop) {
    const x = random.below(columns - 1);
    const y = random.below(columns - 1);
    const right = random.below(2);
    open(x, y, right, 1 - right);
  }
  return grid;
}

function open(size: number, seed: number): GridData {
  const random = new Random(seed);
  const grid = filled(size, GROUND);
  const noise = smooth(size, random, size / 10);
  for (let i = 0; i < grid.cells.length; ++i) {
    const rocks = Math.max(0, noise[i]! - 0.45) * 0.5;
    if (random.fraction() < 0.015 + rocks) grid.cells[i] = WALL;
  }
  for (let rock = 0; rock < size / 6; ++rock) {
    const radius = random.between(2, Math.max(3, Math.round(size / 40)));
    disc(grid, random.below(size), random.below(size), radius, WALL);
  }
  return grid;
}

function hills(size: number, seed: number): GridData {
  const random = new Random(seed);
  const grid = filled(size, GROUND);
  const height = smooth(size, random, size / 3.5);
  const rough = smooth(size, random, size / 12);
  const woods = smooth(size, random, size / 8);
  for (let i = 0; i < grid.cells.length; ++i) {
    const level = 0.78 * height[i]! + 0.22 * rough[i]!;
    if (level < 0.32) grid.cells[i] = WATER;
    else if (level < 0.345) grid.cells[i] = SWAMP;
    else if (level > 0.76) grid.cells[i] = WALL;
    else if (woods[i]! > 0.68 && level < 0.56) grid.cells[i] = TREES;
    else {
      const weight = Math.floor(1 + Math.max(0, (level - 0.42) / 0.34) * 9);
      if (weight > 1) grid.cells[i] = "0".charCodeAt(0) + Math.min(9, weight);
    }
  }
  return grid;
}

function city(size: number, seed: number): GridData {
  const random = new Random(seed);
  const grid = filled(size, GROUND);
  const columns: number[] = [];
  const rows: number[] = [];
  for (const list of [columns, rows]) {
    for (let at = 2; at < size - 6; at += random.between(9, Math.max(12, Math.round(size / 14)))) {
      list.push(at);
    }
    list.push(size + 1);
  }
  for (let j = 0; j + 1 < rows.length; ++j) {
    for (let i = 0; i + 1 < columns.length; ++i) {
      const x = columns[i]!;
      const y = rows[j]!;
      const width = Math.min(size - 2, columns[i + 1]! - random.between(2, 4)) - x;
      const height = Math.min(size - 2, rows[j + 1]! - random.between(2, 4)) - y;
      if (width < 4 || height < 4) continue;
      const kind = random.below(10);
      if (kind === 0) {
        // A park.
        for (let tree = 0; tree < (width * height) / 9; ++tree) {
          grid.cells[(y + random.below(height)) * size + x + random.below(width)] = TREES;
        }
        continue;
      }
      paint(grid, x, y, width, height, WALL);
      if (width < 9 || height < 9 || kind < 4) continue;
      // A yard with a gate.
      paint(grid, x + 3, y + 3, width - 6, height - 6, GROUND);
      const side = random.below(4);
      if (side % 2 === 0) {
        const gate = x + 3 + random.below(width - 7);
        paint(grid, gate, side === 0 ? y : y + height - 3, 2, 3, GROUND);
      } else {
        const gate = y + 3 + random.below(height - 7);
        paint(grid, side === 1 ? x : x + width - 3, gate, 3, 2, GROUND);
      }
    }
  }
  return grid;
}

function frame(grid: GridData): void {
  paint(grid, 0, 0, grid.width, 1, WALL);
  paint(grid, 0, grid.height - 1, grid.width, 1, WALL);
  paint(grid, 0, 0, 1, grid.height, WALL);
  paint(grid, grid.width - 1, 0, 1, grid.height, WALL);
}

function disc(grid: GridData, x: number, y: number, radius: number, value: number): void {
  for (let dy = -radius; dy <= radius; ++dy) {
    const half = Math.floor(Math.sqrt(radius * radius - dy * dy));
    paint(grid, x - half, y + dy, 2 * half + 1, 1, value);
  }
}

/** Smooth noise from 0 to 1: three octaves, of which the first has waves as long as `wave`. */
function smooth(size: number, random: Random, wave: number): Float32Array {
  const sum = new Float32Array(size * size);
  let share = 0.6;
  for (let octave = 0; octave < 3; ++octave, share /= 2.2, wave /= 2) {
    const points = Math.ceil(size / wave) + 2;
    const values = Float32Array.from({ length: points * points }, () => random.fraction());
    for (let y = 0; y < size; ++y) {
      const row = Math.floor(y / wave);
      const v = ease(y / wave - row);
      for (let x = 0; x < size; ++x) {
        const column = Math.floor(x / wave);
        const u = ease(x / wave - column);
        const at = row * points + column;
        const above = values[at]! * (1 - u) + values[at + 1]! * u;
        const below = values[at + points]! * (1 - u) + values[at + points + 1]! * u;
        sum[y * size + x]! += share * (above * (1 - v) + below * v);
      }
    }
  }
  const [least, most] = sum.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Infinity, -Infinity] as [number, number],
  );
  return sum.map((value) => (value - least) / (most - least));
}

function ease(t: number): number {
  return t * t * (3 - 2 * t);
}

/** The same map with small closed parts filled, and large ones joined by straight passages. */
function joined(grid: GridData, random: Random): GridData {
  const { width, height, cells } = grid;
  const part = new Int32Array(cells.length).fill(-1);
  const parts: number[][] = [];
  for (let i = 0; i < cells.length; ++i) {
    if (cells[i] === WALL || part[i] !== -1) continue;
    const members = [i];
    part[i] = parts.length;
    for (let next = 0; next < members.length; ++next) {
      const cell = members[next]!;
      const x = cell % width;
      const ways = [
        x > 0 ? cell - 1 : -1,
        x + 1 < width ? cell + 1 : -1,
        cell - width,
        cell + width,
      ];
      for (const to of ways) {
        if (to < 0 || to >= cells.length || cells[to] === WALL || part[to] !== -1) continue;
        part[to] = parts.length;
        members.push(to);
      }
    }
    parts.push(members);
  }
  parts.sort((a, b) => b.length - a.length);
  const main = parts[0];
  if (main === undefined) return grid;
  for (const members of parts.slice(1)) {
    if (members.length < 40) {
      for (const cell of members) cells[cell] = WALL;
      continue;
    }
    const from = members[random.below(members.length)]!;
    const to = main[random.below(main.length)]!;
    let x = from % width;
    let y = Math.floor(from / width);
    while (y * width + x !== to) {
      paint(grid, x, y, 2, 2, GROUND);
      const dx = (to % width) - x;
      const dy = Math.floor(to / width) - y;
      if (Math.abs(dx) > Math.abs(dy)) x += Math.sign(dx);
      else y += Math.sign(dy);
    }
  }
  if (height > 2) frame(grid);
  return grid;
}
