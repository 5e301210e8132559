// Draws the map, the layers, the path and the agents on a canvas.

import type { Answer } from "../core/messages.js";
import type { GridData, MapData } from "../maps/terrain.js";
import { LayerCache } from "./cache.js";
import { Camera, type Box } from "./camera.js";
import { LIGHT, rgb, terrainColours, type Colours } from "./colours.js";
import type { Walkers } from "./crowd.js";
import { drawLayer, type LayerData, type LayerStyle } from "./layers.js";
import type { SearchView } from "./search.js";

/** Numbers of points, edges and rectangles that are too many to draw in each frame. */
const MUCH = 20_000;

export interface ShownLayer {
  name: string;
  data: LayerData;
  style: LayerStyle;
  /** Under the path instead of over it. */
  under: boolean;
  /** Its data changes from frame to frame. */
  live?: boolean;
}

export class Scene {
  readonly camera = new Camera();
  colours: Colours = LIGHT;
  layers: ShownLayer[] = [];
  answer: Answer | undefined;
  crowd: Walkers | undefined;
  search: SearchView | undefined;
  /** Cells to show as changed, with how strongly, 0 to 1. */
  changed: { cells: Box[]; strength: number } | undefined;
  /** The brush at the pointer: its cells. */
  brush: Box | undefined;
  /** The side of the agent, in cells. */
  agentSize = 1;
  /** Called before each frame with the seconds since the last; returns whether to go on. */
  animate: (seconds: number) => boolean = () => false;
  /** Called after each frame. */
  drawn: () => void = () => undefined;
  private readonly context: CanvasRenderingContext2D;
  private map: MapData | undefined;
  private texture: OffscreenCanvas | undefined;
  private fieldTexture: OffscreenCanvas | undefined;
  private pixels: Uint32Array = new Uint32Array(0);
  private readonly caches = { under: new LayerCache(), over: new LayerCache() };
  private wanted = false;
  private last = 0;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.context = canvas.getContext("2d", { alpha: false })!;
  }

  show(map: MapData): void {
    this.map = map;
    this.camera.bound(boxOf(map));
    this.recolour();
  }

  /** Makes the textures anew, for example in other colours. */
  recolour(): void {
    const { map } = this;
    this.pixels = terrainColours(this.colours);
    this.texture = undefined;
    this.fieldTexture = undefined;
    if (map?.kind === "grid") {
      this.texture = new OffscreenCanvas(map.width, map.height);
      this.refresh({ x: 0, y: 0, width: map.width, height: map.height });
    }
    this.redraw();
  }

  /** Shows cells that have changed. */
  refresh({ x, y, width, height }: Box): void {
    const { map, texture, pixels } = this;
    if (map?.kind !== "grid" || texture === undefined || width <= 0 || height <= 0) return;
    const image = new ImageData(width, height);
    const data = new Uint32Array(image.data.buffer);
    for (let row = 0; row < height; ++row) {
      for (let column = 0; column < width; ++column) {
        data[row * width + column] = pixels[map.cells[(y + row) * map.width + x + column]!]!;
      }
    }
    texture.getContext("2d")!.putImageData(image, x, y);
    this.redraw();
  }

  /** Takes the size of the element that the canvas fills. */
  resize(width: number, height: number): void {
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.max(1, Math.round(width * ratio));
    this.canvas.height = Math.max(1, Math.round(height * ratio));
    this.camera.resize(width, height);
    this.draw();
  }

  /** Draws soon: once, however often it is called. */
  redraw(): void {
    if (this.wanted) return;
    this.wanted = true;
    requestAnimationFrame((now) => {
      this.wanted = false;
      const seconds = Math.min(0.1, Math.max(0, (now - this.last) / 1000));
      this.last = now;
      const goOn = this.animate(seconds);
      this.draw();
      this.drawn();
      if (goOn) this.redraw();
    });
  }

  private draw(): void {
    const { canvas, context, camera } = this;
    const ratio = canvas.width / camera.width;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = this.colours.outside;
    context.fillRect(0, 0, camera.width, camera.height);
    this.paint(context);
  }

  /** Draws everything but the background. */
  private paint(context: CanvasRenderingContext2D): void {
    const { map } = this;
    if (map === undefined) return;
    context.lineJoin = "round";
    context.lineCap = "round";
    if (map.kind === "grid") this.paintGrid(context, map);
    else this.paintMesh(context, map);
    this.paintLayers(context, true);
    if (this.crowd !== undefined) this.paintCrowd(context, this.crowd);
    if (this.search !== undefined) {
      this.search.draw(context, this.camera, this.colours);
      return;
    }
    this.paintPath(context);
    this.paintLayers(context, false);
    this.paintBrush(context);
  }

  private paintGrid(context: CanvasRenderingContext2D, map: GridData): void {
    const { camera, texture } = this;
    if (texture === undefined) return;
    const [left, top] = camera.toPixel(0, 0);
    context.imageSmoothingEnabled = camera.scale < 1;
    context.drawImage(texture, left, top, map.width * camera.scale, map.height * camera.scale);
    if (camera.scale < 9) return;
    const { shown } = camera;
    context.strokeStyle = this.colours.lines;
    context.lineWidth = 1;
    context.beginPath();
    const [x0, y0] = [Math.max(0, Math.floor(shown.x)), Math.max(0, Math.floor(shown.y))];
    const x1 = Math.min(map.width, Math.ceil(shown.x + shown.width));
    const y1 = Math.min(map.height, Math.ceil(shown.y + shown.height));
    for (let x = x0; x <= x1; ++x) {
      context.moveTo(...camera.toPixel(x, y0));
      context.lineTo(...camera.toPixel(x, y1));
    }
    for (let y = y0; y <= y1; ++y) {
      context.moveTo(...camera.toPixel(x0, y));
      context.lineTo(...camera.toPixel(x1, y));
    }
    context.stroke();
  }

  private tracePolygon(
    context: CanvasRenderingContext2D,
    map: MapData & { kind: "mesh" },
    polygon: number,
  ): void {
    for (let i = map.first[polygon]!; i < map.first[polygon + 1]!; ++i) {
      const corner = 3 * map.corners[i]!;
      const pixel = this.camera.toPixel(map.vertices[corner]!, map.vertices[corner + 2]!);
      if (i === map.first[polygon]) context.moveTo(...pixel);
      else context.lineTo(...pixel);
    }
    context.closePath();
  }

  private paintMesh(context: CanvasRenderingContext2D, map: MapData & { kind: "mesh" }): void {
    const { colours } = this;
    context.fillStyle = colours.ground;
    context.strokeStyle = colours.polygon;
    context.lineWidth = 1;
    context.beginPath();
    for (let polygon = 0; polygon + 1 < map.first.length; ++polygon) {
      this.tracePolygon(context, map, polygon);
    }
    context.fill();
    context.stroke();
    if (map.blocked === undefined) return;
    context.fillStyle = colours.wall;
    context.beginPath();
    for (let polygon = 0; polygon + 1 < map.first.length; ++polygon) {
      if (map.blocked[polygon] === 1) this.tracePolygon(context, map, polygon);
    }
    context.fill();
  }

  private paintLayers(context: CanvasRenderingContext2D, under: boolean): void {
    const layers = this.layers.filter((layer) => layer.under === under);
    const still = layers.filter(({ live }) => live !== true);
    if (still.length > 0) {
      const paint = (to: CanvasRenderingContext2D): void => {
        for (const layer of still) this.paintLayer(to, layer);
      };
      const cache = under ? this.caches.under : this.caches.over;
      const parts = still.reduce(
        (sum, { data: { points, edges, rectangles } }) =>
          sum + (points?.length ?? 0) + (edges?.length ?? 0) + (rectangles?.length ?? 0),
        0,
      );
      cache.draw(context, this.camera, this.layers, parts > MUCH, paint, () => this.redraw());
    }
    for (const layer of layers) {
      if (layer.live === true) this.paintLayer(context, layer);
    }
  }

  private paintLayer(context: CanvasRenderingContext2D, { data, style }: ShownLayer): void {
    if (data.polygonColours !== undefined) this.paintPolygons(context, data.polygonColours, style);
    if (data.field !== undefined) {
      this.paintField(context, data.field, style.colours[0]!, data.fieldIsPart === true);
    }
    drawLayer(context, this.camera, data, style);
  }

  private paintPolygons(
    context: CanvasRenderingContext2D,
    numbers: Uint32Array,
    { colours }: LayerStyle,
  ): void {
    const { map } = this;
    if (map?.kind !== "mesh") return;
    colours.forEach((colour, which) => {
      context.fillStyle = colour;
      context.beginPath();
      for (let polygon = 0; polygon + 1 < map.first.length; ++polygon) {
        if (numbers[polygon]! % colours.length !== which) continue;
        this.tracePolygon(context, map, polygon);
      }
      context.fill();
    });
  }

  private paintField(
    context: CanvasRenderingContext2D,
    field: Float32Array,
    colour: string,
    isPart: boolean,
  ): void {
    const { map, camera } = this;
    if (map?.kind !== "grid") return;
    this.fieldTexture ??= new OffscreenCanvas(map.width, map.height);
    const image = new ImageData(map.width, map.height);
    const data = new Uint32Array(image.data.buffer);
    const [red, green, blue] = rgb(colour);
    const pixel = (blue << 16) | (green << 8) | red;
    let most = 4;
    for (let i = 0; i < field.length && !isPart; ++i) if (field[i]! > most) most = field[i]!;
    for (let i = 0; i < field.length; ++i) {
      const value = field[i]!;
      if (value < 0.05) continue;
      const alpha = isPart ? 115 * value : 230 * Math.sqrt(Math.min(1, value / (0.5 * most)));
      data[i] = (Math.round(alpha) << 24) | pixel;
    }
    this.fieldTexture.getContext("2d")!.putImageData(image, 0, 0);
    const [left, top] = camera.toPixel(0, 0);
    context.imageSmoothingEnabled = !isPart || camera.scale < 1;
    context.drawImage(
      this.fieldTexture,
      left,
      top,
      map.width * camera.scale,
      map.height * camera.scale,
    );
  }

  private paintCrowd(context: CanvasRenderingContext2D, crowd: Walkers): void {
    const { camera, colours, agentSize } = this;
    const { scale, width, height } = camera;
    const radius = Math.max(1.6, Math.min(6, 0.36 * scale)) * (scale > 3 ? agentSize : 1);
    const shift = (agentSize - 1) / 2;
    const { places } = crowd;
    const kinds = colours.agents.length;
    for (let kind = 0; kind < kinds; ++kind) {
      context.fillStyle = colours.agents[kind]!;
      context.beginPath();
      for (let i = kind; i < crowd.count; i += kinds) {
        const x = width / 2 + (places[2 * i]! + shift - camera.x) * scale;
        const y = height / 2 + (places[2 * i + 1]! + shift - camera.y) * scale;
        if (x < -9 || y < -9 || x > width + 9 || y > height + 9) continue;
        if (radius < 3) context.rect(x - radius, y - radius, 2 * radius, 2 * radius);
        else {
          context.moveTo(x + radius, y);
          context.arc(x, y, radius, 0, 2 * Math.PI);
        }
      }
      context.fill();
    }
  }

  /** The points of the path, in places. */
  get line(): [number, number][] {
    const { answer, map, agentSize } = this;
    if (answer === undefined || answer.problem !== undefined || map === undefined) return [];
    if (map.kind === "mesh") {
      const { waypoints } = answer;
      return Array.from({ length: waypoints.length / 3 }, (_, i) => [
        waypoints[3 * i]!,
        waypoints[3 * i + 2]!,
      ]);
    }
    const middle = agentSize / 2;
    return Array.from(answer.cells, (cell) => [
      (cell % map.width) + middle,
      Math.floor(cell / map.width) + middle,
    ]);
  }

  private paintPath(context: CanvasRenderingContext2D): void {
    const { camera, colours, line, agentSize } = this;
    if (line.length === 0) return;
    const trace = (): void => {
      context.beginPath();
      line.forEach(([x, y], i) => {
        const pixel = camera.toPixel(x, y);
        if (i === 0) context.moveTo(...pixel);
        else context.lineTo(...pixel);
      });
      context.stroke();
    };
    if (agentSize > 1) {
      context.strokeStyle = colours.path + "33";
      context.lineWidth = agentSize * camera.scale;
      trace();
    }
    const width = Math.min(5, Math.max(2.5, 0.3 * camera.scale));
    context.strokeStyle = colours.halo;
    context.lineWidth = width + 3;
    trace();
    context.strokeStyle = colours.path;
    context.lineWidth = width;
    trace();
  }

  private paintBrush(context: CanvasRenderingContext2D): void {
    const { camera, colours, changed, brush } = this;
    if (changed !== undefined) {
      context.globalAlpha = 0.6 * changed.strength;
      context.fillStyle = colours.changed;
      for (const { x, y, width, height } of changed.cells) {
        const pixel = camera.toPixel(x, y);
        context.fillRect(...pixel, width * camera.scale, height * camera.scale);
      }
      context.globalAlpha = 1;
    }
    if (brush === undefined) return;
    context.strokeStyle = colours.path;
    context.lineWidth = 1.5;
    const [x, y] = camera.toPixel(brush.x, brush.y);
    context.strokeRect(x, y, brush.width * camera.scale, brush.height * camera.scale);
  }
}

/** The place that a map takes. */
export function boxOf(map: MapData): Box {
  if (map.kind === "grid") return { x: 0, y: 0, width: map.width, height: map.height };
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i + 2 < map.vertices.length; i += 3) {
    x0 = Math.min(x0, map.vertices[i]!);
    x1 = Math.max(x1, map.vertices[i]!);
    y0 = Math.min(y0, map.vertices[i + 2]!);
    y1 = Math.max(y1, map.vertices[i + 2]!);
  }
  return { x: x0, y: y0, width: Math.max(1e-6, x1 - x0), height: Math.max(1e-6, y1 - y0) };
}
