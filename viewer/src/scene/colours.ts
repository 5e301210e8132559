// Colours of the scene, light and dark. Paths, ends and layers use Okabe and Ito's colours, which
// colour-blind people can tell apart; terrain differs in brightness, too.

import { GROUND, SWAMP, TREES, WALL, WATER } from "../maps/terrain.js";

export interface Colours {
  outside: string;
  wall: string;
  ground: string;
  trees: string;
  water: string;
  swamp: string;
  /** Weights 2 and 9; those between are mixed. */
  weights: readonly [string, string];
  lines: string;
  path: string;
  halo: string;
  node: string;
  start: string;
  goal: string;
  cluster: readonly string[];
  /** Of separators, from the deepest to the top. */
  depths: readonly string[];
  polygon: string;
  portal: string;
  agents: readonly string[];
  flow: string;
  changed: string;
  expanded: string;
  generated: string;
  current: string;
}

export const LIGHT: Colours = {
  outside: "#e9e6df",
  wall: "#3d4653",
  ground: "#fbfaf7",
  trees: "#7d9b76",
  water: "#a9c9dd",
  swamp: "#d9d8b4",
  weights: ["#f6eddb", "#b98f5c"],
  lines: "#00000014",
  path: "#0072b2",
  halo: "#ffffffd9",
  node: "#00507d",
  start: "#008a63",
  goal: "#c8500a",
  cluster: ["#7a6ea866", "#7a6ea8b0", "#5d4f96e0", "#41337c"],
  depths: ["#d9c07a", "#c99a56", "#c0703f", "#a04a45", "#70305a", "#3a1c5c"],
  polygon: "#3d465388",
  portal: "#b0559a",
  agents: ["#0072b2", "#008a63", "#c8500a", "#a94e8d"],
  flow: "#c8500a",
  changed: "#b0559a",
  expanded: "#4aa3d8",
  generated: "#f0c869",
  current: "#c8500a",
};

export const DARK: Colours = {
  outside: "#12161b",
  wall: "#0a0d11",
  ground: "#2f3843",
  trees: "#34553f",
  water: "#1f4763",
  swamp: "#4b4a33",
  weights: ["#353431", "#8a6a42"],
  lines: "#ffffff12",
  path: "#62bdf0",
  halo: "#0a0d11c0",
  node: "#b7e2fb",
  start: "#35c79a",
  goal: "#ff8c42",
  cluster: ["#b3a6e35c", "#b3a6e3a0", "#c9bff0d0", "#e6e0ff"],
  depths: ["#5e4b7d", "#8a4f87", "#bb5b7c", "#e07a5f", "#f4a85c", "#fbe08a"],
  polygon: "#aab4c288",
  portal: "#e08cc8",
  agents: ["#62bdf0", "#35c79a", "#ffa05c", "#e08cc8"],
  flow: "#ff8c42",
  changed: "#e08cc8",
  expanded: "#2f7fae",
  generated: "#9c7a2c",
  current: "#ff8c42",
};

type Rgb = [number, number, number];

export function rgb(colour: string): Rgb {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)) as Rgb;
}

/** The colour of each byte of a map as 0xAABBGGRR, as the pixels of a canvas lie in memory. */
export function terrainColours(colours: Colours): Uint32Array {
  const table = new Uint32Array(256);
  const put = (value: number, [red, green, blue]: Rgb): void => {
    table[value] = (255 << 24) | (blue << 16) | (green << 8) | red;
  };
  for (let value = 0; value < 256; ++value) put(value, rgb(colours.wall));
  put(WALL, rgb(colours.wall));
  put(TREES, rgb(colours.trees));
  put(WATER, rgb(colours.water));
  put(SWAMP, rgb(colours.swamp));
  for (const letter of [".", "G", "1"]) put(letter.charCodeAt(0), rgb(colours.ground));
  put(GROUND, rgb(colours.ground));
  const [low, high] = colours.weights.map(rgb) as [Rgb, Rgb];
  for (let weight = 2; weight <= 9; ++weight) {
    const part = (weight - 2) / 7;
    put(48 + weight, low.map((one, i) => Math.round(one + (high[i]! - one) * part)) as Rgb);
  }
  return table;
}

/** The colour of a byte as text. */
export function terrainColour(colours: Colours, value: number): string {
  const pixel = terrainColours(colours)[value]!;
  return `rgb(${pixel & 255} ${(pixel >> 8) & 255} ${(pixel >> 16) & 255})`;
}
