// What can be saved: pictures, drawings, answers, maps, indexes and links.

import type { App } from "./app.js";
import { download } from "./dom.js";
import { writeMap } from "./maps/files.js";
import { titleOf } from "./maps/open.js";
import { terrainColour } from "./scene/colours.js";
import { boxOf } from "./scene/scene.js";
import { writeState } from "./state.js";

function nameOf(app: App): string {
  return titleOf(app.store.now.source)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}

/** The place of a start or goal in the middle of its agent. */
function middle(app: App, [x, y]: readonly [number, number]): [number, number] {
  const shift = app.map?.kind === "mesh" ? 0 : app.agent.size / 2;
  return [x + shift, y + shift];
}

export async function png(app: App): Promise<void> {
  const { scene, store } = app;
  const { canvas, camera } = scene;
  const copy = new OffscreenCanvas(canvas.width, canvas.height);
  const context = copy.getContext("2d")!;
  context.drawImage(canvas, 0, 0);
  const ratio = canvas.width / camera.width;
  context.scale(ratio, ratio);
  for (const [end, colour] of [
    ["start", scene.colours.start],
    ["goal", scene.colours.goal],
  ] as const) {
    const [x, y] = camera.toPixel(...middle(app, store.now[end]));
    context.fillStyle = colour;
    context.strokeStyle = scene.colours.ground;
    context.lineWidth = 2.5;
    context.beginPath();
    if (end === "start") context.arc(x, y, 8, 0, 2 * Math.PI);
    else
      for (const [dx, dy] of [
        [0, -10],
        [10, 0],
        [0, 10],
        [-10, 0],
      ] as const)
        context.lineTo(x + dx, y + dy);
    context.closePath();
    context.fill();
    context.stroke();
  }
  download(`${nameOf(app)}.png`, await copy.convertToBlob({ type: "image/png" }));
}

/** The map and the path as an SVG: one unit for each cell. */
export function svgText(app: App): string {
  const { scene, map, store } = app;
  if (map === undefined) return "";
  const { colours } = scene;
  const box = boxOf(map);
  const parts: string[] = [];
  if (map.kind === "grid") {
    // Runs of equal cells of a row, one path for each terrain.
    const shapes = new Map<string, string[]>();
    for (let y = 0; y < map.height; ++y) {
      for (let x = 0; x < map.width;) {
        const value = map.cells[y * map.width + x]!;
        let end = x + 1;
        while (end < map.width && map.cells[y * map.width + end] === value) ++end;
        const colour = terrainColour(colours, value);
        if (!shapes.has(colour)) shapes.set(colour, []);
        shapes.get(colour)!.push(`M${x} ${y}h${end - x}v1h${x - end}z`);
        x = end;
      }
    }
    for (const [colour, shape] of shapes)
      parts.push(`<path fill="${colour}" d="${shape.join("")}"/>`);
  } else {
    const outline: string[] = [];
    for (let polygon = 0; polygon + 1 < map.first.length; ++polygon) {
      const corners = Array.from(
        map.corners.subarray(map.first[polygon], map.first[polygon + 1]),
        (corner) => `${map.vertices[3 * corner]} ${map.vertices[3 * corner + 2]}`,
      );
      outline.push(`M${corners.join("L")}z`);
    }
    parts.push(
      `<path fill="${colours.ground}" stroke="#8888" stroke-width="${box.width / 1500}" d="${outline.join("")}"/>`,
    );
  }
  const thick = Math.max(box.width, box.height) / 180;
  const { line } = scene;
  if (line.length > 0) {
    const points = line.map(([x, y]) => `${x},${y}`).join(" ");
    parts.push(
      `<polyline fill="none" stroke="${colours.path}" stroke-width="${thick}" stroke-linejoin="round" stroke-linecap="round" points="${points}"/>`,
    );
  }
  for (const [end, colour] of [
    ["start", colours.start],
    ["goal", colours.goal],
  ] as const) {
    const [x, y] = middle(app, store.now[end]);
    parts.push(
      `<circle cx="${x}" cy="${y}" r="${1.6 * thick}" fill="${colour}"><title>${end}</title></circle>`,
    );
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box.x} ${box.y} ${box.width} ${box.height}" shape-rendering="geometricPrecision">` +
    `<rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" fill="${colours.outside}"/>${parts.join("")}</svg>\n`
  );
}

export function svg(app: App): void {
  download(`${nameOf(app)}.svg`, new Blob([svgText(app)], { type: "image/svg+xml" }));
}

/** The state and the answer, for programs. */
export function jsonText(app: App): string {
  const { answer, map, store } = app;
  const { source, planner, build, query, start, goal } = store.now;
  const width = map?.kind === "grid" ? map.width : 1;
  return (
    JSON.stringify(
      {
        version: app.version,
        link: address(app),
        source,
        planner,
        index: build[planner] ?? {},
        query: query[planner] ?? {},
        start,
        goal,
        answer: answer && {
          problem: answer.problem,
          cost: answer.cost,
          unit: answer.unit,
          expanded: answer.expanded,
          engine: answer.engine,
          microseconds: answer.microseconds,
          ...(map?.kind === "grid"
            ? {
                cells: Array.from(answer.cells, (cell) => [cell % width, Math.floor(cell / width)]),
              }
            : { waypoints: app.scene.line, polygons: Array.from(answer.polygons) }),
        },
      },
      undefined,
      1,
    ) + "\n"
  );
}

export function json(app: App): void {
  download(`${nameOf(app)}.json`, new Blob([jsonText(app)], { type: "application/json" }));
}

export function map(app: App): void {
  if (app.map?.kind !== "grid") throw new Error("Only grids are saved as maps");
  download(`${nameOf(app)}.map`, new Blob([writeMap(app.map)], { type: "text/plain" }));
}

export async function index(app: App): Promise<void> {
  const { plan } = app;
  if (app.planner?.hasIndex !== true) throw new Error("This planner has no index");
  const bytes = await app.core.call("save", plan);
  download(`${nameOf(app)}.${plan.planner}.cairn`, new Blob([bytes as Uint8Array<ArrayBuffer>]));
}

function address(app: App): string {
  return `${location.href.split("#")[0]}#${writeState(app.store.now)}`;
}

export async function copyLink(app: App): Promise<void> {
  const link = address(app);
  history.replaceState(undefined, "", link);
  try {
    await navigator.clipboard.writeText(link);
  } catch {
    app.message("The address of this page is the link");
    return;
  }
  const file = app.store.now.source.kind === "file";
  app.message(file ? "Link copied. The file itself is not in it." : "Link copied");
}
