// Layers over the map, drawn from plain arrays. A layer whose data is not there is not offered.

import type { Camera } from "./camera.js";

/** What a layer shows: any of these. Places are in cells, or in units of a mesh. */
export interface LayerData {
  /** x, y, width and height of each. */
  rectangles?: Float32Array;
  /** The level of each rectangle, from 0. */
  rectangleLevels?: Uint8Array;
  /** x and y of each. */
  points?: Float32Array;
  /** The level of each point, from 0. */
  levels?: Uint8Array;
  /** Pairs of numbers of points. */
  edges?: Uint32Array;
  /** A number for each polygon of a mesh; equal ones have the same colour. */
  polygonColours?: Uint32Array;
  /** A number for each cell of the map, row by row; 0 shows nothing. */
  field?: Float32Array;
  /** The field is 0 to 1, and shown cell by cell; else its strongest cells set the scale. */
  fieldIsPart?: boolean;
}

export interface LayerStyle {
  /** The colour of each level; the last also of those above. */
  colours: readonly string[];
  /** Colours of edges, if they differ from those of points. */
  edgeColours?: readonly string[];
  /** Pixels. */
  line: number;
  radius: number;
  /** Points become smaller as the camera moves away: for layers of many points. */
  shrinks?: boolean;
  /** Squares instead of discs. */
  square?: boolean;
}

/** Draws a layer, except its field, which is a texture of the scene. */
export function drawLayer(
  context: CanvasRenderingContext2D,
  camera: Camera,
  data: LayerData,
  style: LayerStyle,
): void {
  const most = style.colours.length - 1;
  const colour = (level: number): string => style.colours[Math.min(level, most)] ?? "#888";
  const { rectangles, rectangleLevels, points, levels, edges } = data;
  if (rectangles !== undefined) {
    for (let level = 0; level <= most; ++level) {
      context.strokeStyle = colour(level);
      context.lineWidth = style.line * (1 + 0.75 * level);
      context.beginPath();
      for (let i = 0; i < rectangles.length / 4; ++i) {
        if (Math.min(rectangleLevels?.[i] ?? 0, most) !== level) continue;
        const [x, y] = camera.toPixel(rectangles[4 * i]!, rectangles[4 * i + 1]!);
        context.rect(
          x,
          y,
          rectangles[4 * i + 2]! * camera.scale,
          rectangles[4 * i + 3]! * camera.scale,
        );
      }
      context.stroke();
    }
  }
  if (points === undefined) return;
  if (edges !== undefined) {
    for (let level = 0; level <= most; ++level) {
      context.strokeStyle = style.edgeColours?.[level] ?? colour(level);
      context.lineWidth = style.line;
      context.beginPath();
      for (let i = 0; i + 1 < edges.length; i += 2) {
        const from = edges[i]!;
        const to = edges[i + 1]!;
        if (Math.min(levels?.[from] ?? 0, levels?.[to] ?? 0, most) !== level) continue;
        context.moveTo(...camera.toPixel(points[2 * from]!, points[2 * from + 1]!));
        context.lineTo(...camera.toPixel(points[2 * to]!, points[2 * to + 1]!));
      }
      context.stroke();
    }
  }
  if (style.radius <= 0) return;
  for (let level = 0; level <= most; ++level) {
    const fitting = style.shrinks ? Math.max(1.2, 0.6 * camera.scale) : style.radius;
    const radius = Math.min(style.radius, fitting) * (1 + 0.3 * level);
    context.fillStyle = colour(level);
    context.beginPath();
    for (let i = 0; i < points.length / 2; ++i) {
      if (Math.min(levels?.[i] ?? 0, most) !== level) continue;
      const [x, y] = camera.toPixel(points[2 * i]!, points[2 * i + 1]!);
      if (x < -9 || y < -9 || x > camera.width + 9 || y > camera.height + 9) continue;
      if (style.square) context.rect(x - radius, y - radius, 2 * radius, 2 * radius);
      else {
        context.moveTo(x + radius, y);
        context.arc(x, y, radius, 0, 2 * Math.PI);
      }
    }
    context.fill();
  }
}

/** The middles of cells as points, joined one after another. */
export function cellPoints(cells: ArrayLike<number>, width: number, joined: boolean): LayerData {
  const points = new Float32Array(2 * cells.length);
  for (let i = 0; i < cells.length; ++i) {
    points[2 * i] = (cells[i]! % width) + 0.5;
    points[2 * i + 1] = Math.floor(cells[i]! / width) + 0.5;
  }
  if (!joined) return { points };
  const edges = new Uint32Array(2 * Math.max(0, cells.length - 1));
  for (let i = 0; i + 1 < cells.length; ++i) edges.set([i, i + 1], 2 * i);
  return { points, edges };
}

/** The cells where a path changes its direction. */
export function turns(cells: Uint32Array): Uint32Array {
  return cells.filter((cell, i) => {
    if (i === 0 || i + 1 >= cells.length) return false;
    return cell - cells[i - 1]! !== cells[i + 1]! - cell;
  });
}
