// Reads the files that are dropped on the page.

import { readYamlNumbers } from "./text.js";
import { GROUND, WALL, type GridData, type MapData, type MeshData } from "./terrain.js";

/** The most cells and polygons that the page takes. */
export const MOST_CELLS = 2 ** 22;

const ALLOWED = new Set(Array.from(".GSTWO@123456789", (letter) => letter.charCodeAt(0)));

export class FileError extends Error {}

/** A grid from the text of a MovingAI map. Letters that the page does not know become walls. */
export function readMap(text: string): GridData {
  const lines = text.split(/\r?\n/);
  const begin = lines.findIndex((line) => line.trim() === "map");
  if (begin < 0 || begin > 8) throw new FileError("a MovingAI map has a line `map` at its top");
  const header = new Map(
    lines.slice(0, begin).map((line) => line.trim().split(/\s+/) as [string, string]),
  );
  const width = Number(header.get("width"));
  const height = Number(header.get("height"));
  checkSize(width, height);
  const cells = new Uint8Array(width * height);
  for (let y = 0; y < height; ++y) {
    const line = lines[begin + 1 + y] ?? "";
    if (line.length < width) throw new FileError(`row ${y} has ${line.length} cells, not ${width}`);
    for (let x = 0; x < width; ++x) {
      const value = line.charCodeAt(x);
      cells[y * width + x] = ALLOWED.has(value) ? value : WALL;
    }
  }
  return { kind: "grid", width, height, cells };
}

/** The text of a MovingAI map; maps with weights have digits. */
export function writeMap({ width, height, cells }: GridData): string {
  const rows = Array.from({ length: height }, (_, y) =>
    String.fromCharCode(...cells.subarray(y * width, (y + 1) * width)),
  );
  return `type octile\nheight ${height}\nwidth ${width}\nmap\n${rows.join("\n")}\n`;
}

function checkSize(width: number, height: number): void {
  const whole = Number.isInteger(width) && Number.isInteger(height);
  if (!whole || width < 1 || height < 1) throw new FileError("width and height must be above 0");
  if (width * height > MOST_CELLS) {
    throw new FileError(
      `${width} x ${height} cells are more than ${MOST_CELLS.toLocaleString("en")}`,
    );
  }
}

/** A grid from a picture: bright and opaque pixels are free. */
export async function readPicture(file: Blob): Promise<GridData> {
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new FileError("the picture cannot be read");
  });
  const { width, height } = bitmap;
  checkSize(width, height);
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d")!;
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const cells = Uint8Array.from({ length: width * height }, (_, i) => {
    const bright = 0.3 * data[4 * i]! + 0.59 * data[4 * i + 1]! + 0.11 * data[4 * i + 2]!;
    return bright >= 128 && data[4 * i + 3]! >= 128 ? GROUND : WALL;
  });
  return { kind: "grid", width, height, cells };
}

/** A grid from the costmap of a robot: its PGM, and the text of the YAML beside it if there is one. */
export function readCostmap(bytes: Uint8Array, yaml: string | undefined): GridData {
  const numbers = readYamlNumbers(yaml ?? "");
  const freeBelow = numbers.get("free_thresh") ?? 0.196;
  const negate = (numbers.get("negate") ?? 0) !== 0;
  const { width, height, most, values } = readPgm(bytes);
  const cells = Uint8Array.from(values, (value) => {
    const occupied = negate ? value / most : 1 - value / most;
    return occupied < freeBelow ? GROUND : WALL;
  });
  return { kind: "grid", width, height, cells };
}

function readPgm(bytes: Uint8Array) {
  let at = 0;
  const word = (): string => {
    for (;;) {
      while (at < bytes.length && bytes[at]! <= 32) ++at;
      if (bytes[at] !== 35) break; // a comment
      while (at < bytes.length && bytes[at] !== 10) ++at;
    }
    const begin = at;
    while (at < bytes.length && bytes[at]! > 32) ++at;
    return String.fromCharCode(...bytes.subarray(begin, Math.min(at, begin + 32)));
  };
  const kind = word();
  if (kind !== "P5" && kind !== "P2") throw new FileError("a PGM begins with P5 or P2");
  const [width, height, most] = [Number(word()), Number(word()), Number(word())];
  checkSize(width, height);
  if (!(most >= 1 && most <= 255)) throw new FileError("the PGM must have 8 bits for each cell");
  const count = width * height;
  if (kind === "P2") {
    return {
      width,
      height,
      most,
      values: Uint8Array.from({ length: count }, () => Number(word())),
    };
  }
  const values = bytes.subarray(at + 1, at + 1 + count);
  if (values.length < count)
    throw new FileError(`the PGM has ${values.length} cells, not ${count}`);
  return { width, height, most, values };
}

/** A mesh from the faces of a Wavefront OBJ; y is up. */
export function readObj(text: string): MeshData {
  const vertices: number[] = [];
  const polygons: number[][] = [];
  for (const line of text.split("\n")) {
    const words = line.trim().split(/\s+/);
    if (words[0] === "v") vertices.push(Number(words[1]), Number(words[2]), Number(words[3]));
    if (words[0] !== "f") continue;
    polygons.push(
      words.slice(1).map((corner) => {
        const number = parseInt(corner, 10);
        return number < 0 ? vertices.length / 3 + number : number - 1;
      }),
    );
  }
  return meshOf(vertices, polygons);
}

/** A mesh from the text of Polyanya's format (.mesh, version 2); y of the plane becomes z. */
export function readPolyanya(text: string): MeshData {
  const words = text.trim().split(/\s+/);
  let at = 0;
  const number = (): number => {
    const value = Number(words[at++]);
    if (!Number.isFinite(value)) throw new FileError(`word ${at} is no number`);
    return value;
  };
  if (words[at++] !== "mesh" || number() !== 2) {
    throw new FileError("a mesh begins with `mesh` and `2`");
  }
  const numVertices = number();
  const numPolygons = number();
  if (!(numVertices <= MOST_CELLS && numPolygons <= MOST_CELLS))
    throw new FileError("too many parts");
  const vertices: number[] = [];
  for (let i = 0; i < numVertices; ++i) {
    const x = number();
    const z = number();
    vertices.push(x, 0, z);
    for (let skip = number(); skip > 0; --skip) ++at;
  }
  const polygons: number[][] = [];
  for (let i = 0; i < numPolygons; ++i) {
    const corners = number();
    if (!(corners >= 3 && corners <= words.length))
      throw new FileError(`polygon ${i} has too few corners`);
    polygons.push(Array.from({ length: corners }, number));
    at += corners;
  }
  return meshOf(vertices, polygons);
}

function meshOf(vertices: number[], polygons: number[][]): MeshData {
  if (polygons.length === 0) throw new FileError("there are no polygons");
  if (!vertices.every(Number.isFinite)) throw new FileError("a vertex is no number");
  const most = vertices.length / 3;
  const corners: number[] = [];
  const first = [0];
  polygons.forEach((polygon, i) => {
    if (polygon.length < 3 || polygon.some((one) => !(one >= 0 && one < most))) {
      throw new FileError(`polygon ${i} has a corner that is no vertex`);
    }
    for (const corner of polygon) corners.push(corner);
    first.push(corners.length);
  });
  return {
    kind: "mesh",
    vertices: Float64Array.from(vertices),
    first: Uint32Array.from(first),
    corners: Uint32Array.from(corners),
    areas: undefined,
    portals: undefined,
  };
}

/** Reads a file by the end of its name; several files belong together (a costmap and its YAML). */
export async function readFiles(files: readonly File[]): Promise<{ name: string; map: MapData }> {
  const ending = (file: File): string => file.name.toLowerCase().split(".").pop() ?? "";
  const yaml = files.find((file) => /^ya?ml$/.test(ending(file)));
  const file = files.find((one) => one !== yaml);
  if (file === undefined) throw new FileError("drop the costmap together with its YAML");
  if (file.size > 64e6) throw new FileError("the file is larger than 64 MB");
  const { name } = file;
  switch (ending(file)) {
    case "map":
      return { name, map: readMap(await file.text()) };
    case "pgm":
      return {
        name,
        map: readCostmap(new Uint8Array(await file.arrayBuffer()), yaml && (await yaml.text())),
      };
    case "obj":
      return { name, map: readObj(await file.text()) };
    case "mesh":
      return { name, map: readPolyanya(await file.text()) };
    case "png":
    case "jpg":
    case "jpeg":
    case "webp":
    case "gif":
      return { name, map: await readPicture(file) };
    default:
      throw new FileError("files of this kind are not known");
  }
}
