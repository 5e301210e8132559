// The map of a source.

import { readMap } from "./files.js";
import { GENERATORS } from "./generate.js";
import type { MapData } from "./terrain.js";
import type { Source } from "../state.js";

/** Maps of the repository, which come with the page. */
export const EXAMPLES: readonly { name: string; title: string }[] = [
  { name: "worked-example", title: "Worked example" },
  { name: "rooms", title: "Rooms" },
  { name: "caves", title: "Caves" },
  { name: "maze", title: "Maze" },
  { name: "city", title: "City" },
  { name: "forest", title: "Forest" },
  { name: "terrain", title: "Terrain" },
];

/** The map of a source, unless that is a file, which only its user has. */
export async function openSource(source: Source): Promise<MapData> {
  if (source.kind === "made") {
    const generator = GENERATORS.find(({ name }) => name === source.name) ?? GENERATORS[0]!;
    return generator.make(source.size, source.seed);
  }
  const response = await fetch(`maps/${encodeURIComponent(source.name)}.map`);
  if (source.kind === "file" || !response.ok) {
    throw new Error(`Drop the file ${source.name} on the page to see this link`);
  }
  return readMap(await response.text());
}

export function titleOf(source: Source): string {
  if (source.kind === "made") {
    const generator = GENERATORS.find(({ name }) => name === source.name);
    return `${generator?.title ?? source.name}, ${source.size} × ${source.size}`;
  }
  if (source.kind === "file") return source.name;
  return EXAMPLES.find(({ name }) => name === source.name)?.title ?? source.name;
}
