// The tool that the pointer is, and the brush.

import { TERRAINS, WALL } from "./maps/terrain.js";

export type Tool = "look" | "paint" | "erase";

/** Sides of brushes, in cells. */
export const MOST_BRUSH = 24;

export class Tools {
  tool: Tool = "look";
  terrain = WALL;
  side = 3;
  private readonly listeners: (() => void)[] = [];

  listen(listener: () => void): void {
    this.listeners.push(listener);
  }

  set(change: { tool?: Tool; terrain?: number; side?: number }): void {
    if (change.tool !== undefined) this.tool = change.tool;
    if (change.terrain !== undefined && TERRAINS.some(({ byte }) => byte === change.terrain)) {
      this.terrain = change.terrain;
    }
    if (change.side !== undefined) this.side = Math.min(MOST_BRUSH, Math.max(1, change.side));
    for (const listener of this.listeners) listener();
  }
}
