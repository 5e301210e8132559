// Draws the first steps of a search: cells in a texture, nodes of graphs as points with lines.

import type { MapData } from "../maps/terrain.js";
import { isExpanding, isGenerating, type Steps } from "../steps.js";
import type { Camera } from "./camera.js";
import { rgb, type Colours } from "./colours.js";
import { drawLayer } from "./layers.js";

export class SearchView {
  /** How many steps are shown. */
  count = 0;
  private readonly texture: OffscreenCanvas | undefined;
  private readonly image: ImageData | undefined;
  private readonly pixels: Uint32Array;
  private drawn = 0;
  private colours: Colours | undefined;
  /** Whether cells are reached by jumps: then they are shown as points with lines. */
  private readonly jumps: boolean;

  constructor(
    readonly steps: Steps,
    private readonly map: MapData,
  ) {
    if (map.kind === "grid") {
      this.texture = new OffscreenCanvas(map.width, map.height);
      this.image = new ImageData(map.width, map.height);
    }
    this.pixels = new Uint32Array(this.image?.data.buffer ?? new ArrayBuffer(0));
    let far = 0;
    let near = 0;
    steps.parents.forEach((parent, i) => {
      if (parent < 0 || steps.levels[i] !== 0 || !isGenerating(steps.kinds[i]!)) return;
      const length = Math.hypot(steps.x[i]! - steps.x[parent]!, steps.y[i]! - steps.y[parent]!);
      if (length > 1.5) ++far;
      else ++near;
    });
    this.jumps = far > near;
  }

  /** The number of steps. */
  get size(): number {
    return this.steps.kinds.length;
  }

  draw(context: CanvasRenderingContext2D, camera: Camera, colours: Colours): void {
    const { map, steps, count } = this;
    const cells = map.kind === "grid" && !this.jumps;
    if (map.kind === "grid" && cells)
      this.drawCells(context, camera, colours, map.width, map.height);
    const half = map.kind === "grid" ? 0.5 : 0;
    const points: number[] = [];
    const levels: number[] = [];
    const edges: number[] = [];
    const add = (step: number, level: number): number => {
      points.push(steps.x[step]! + half, steps.y[step]! + half);
      levels.push(level);
      return levels.length - 1;
    };
    for (let i = 0; i < count; ++i) {
      const kind = steps.kinds[i]!;
      const expands = isExpanding(kind);
      if ((steps.levels[i] === 0 && cells) || (!expands && !isGenerating(kind))) continue;
      const at = add(i, expands ? 1 : 0);
      const parent = steps.parents[i]!;
      if (!expands && parent >= 0) edges.push(add(parent, 2), at);
    }
    const style = {
      colours: [colours.generated, colours.expanded, "transparent"],
      line: 1,
      radius: 3,
    };
    context.globalAlpha = 0.75;
    const lines = new Uint8Array(levels.length);
    const shown = Float32Array.from(points);
    drawLayer(
      context,
      camera,
      { points: shown, edges: Uint32Array.from(edges), levels: lines },
      {
        ...style,
        colours: [colours.generated],
        radius: 0,
      },
    );
    context.globalAlpha = 1;
    drawLayer(context, camera, { points: shown, levels: Uint8Array.from(levels) }, style);
    this.drawPath(context, camera, colours);
    if (count === 0) return;
    const last = count - 1;
    const [x, y] = camera.toPixel(steps.x[last]! + half, steps.y[last]! + half);
    context.strokeStyle = colours.current;
    context.lineWidth = 2.5;
    context.beginPath();
    context.arc(x, y, Math.max(6, 0.8 * camera.scale), 0, 2 * Math.PI);
    context.stroke();
  }

  private drawCells(
    context: CanvasRenderingContext2D,
    camera: Camera,
    colours: Colours,
    width: number,
    height: number,
  ): void {
    const { steps, count, pixels, texture, image } = this;
    if (texture === undefined || image === undefined) return;
    const pixel = (colour: string): number => {
      const [red, green, blue] = rgb(colour);
      return ((205 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
    };
    if (count < this.drawn || colours !== this.colours) {
      pixels.fill(0);
      this.drawn = 0;
      this.colours = colours;
    }
    if (this.drawn < count || count === 0) {
      const expanded = pixel(colours.expanded);
      const generated = pixel(colours.generated);
      for (let i = this.drawn; i < count; ++i) {
        const [x, y] = [Math.floor(steps.x[i]!), Math.floor(steps.y[i]!)];
        if (steps.levels[i] !== 0 || x < 0 || y < 0 || x >= width || y >= height) continue;
        const cell = y * width + x;
        if (isExpanding(steps.kinds[i]!)) pixels[cell] = expanded;
        else if (isGenerating(steps.kinds[i]!) && pixels[cell] !== expanded)
          pixels[cell] = generated;
      }
      this.drawn = count;
      texture.getContext("2d")!.putImageData(image, 0, 0);
    }
    const [left, top] = camera.toPixel(0, 0);
    context.imageSmoothingEnabled = camera.scale < 1;
    context.drawImage(texture, left, top, width * camera.scale, height * camera.scale);
  }

  /** The path to the node of the last step, through the nodes from which they were reached. */
  private drawPath(context: CanvasRenderingContext2D, camera: Camera, colours: Colours): void {
    const { steps, count, map } = this;
    const half = map.kind === "grid" ? 0.5 : 0;
    context.strokeStyle = colours.current;
    context.lineWidth = 2;
    context.beginPath();
    if (count === this.size && steps.path.length > 0) {
      for (let i = 0; i + 1 < steps.path.length; i += 2) {
        context.lineTo(...camera.toPixel(steps.path[i]!, steps.path[i + 1]!));
      }
    } else {
      for (
        let step = count - 1, most = count;
        step >= 0 && most > 0;
        step = steps.parents[step]!, --most
      ) {
        context.lineTo(...camera.toPixel(steps.x[step]! + half, steps.y[step]! + half));
      }
    }
    context.stroke();
  }
}
