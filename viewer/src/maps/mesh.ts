// Where points lie on a mesh that is seen from above.

import type { MeshData } from "./terrain.js";

/** The place on the highest polygon at x and z: x, y, z and the polygon; undefined outside. */
export function onMesh(
  mesh: MeshData,
  x: number,
  z: number,
): [number, number, number, number] | undefined {
  const { vertices, first, corners } = mesh;
  let found: [number, number, number, number] | undefined;
  for (let polygon = 0; polygon + 1 < first.length; ++polygon) {
    const begin = first[polygon]!;
    const end = first[polygon + 1]!;
    let left = false;
    let right = false;
    for (let i = begin; i < end && !(left && right); ++i) {
      const from = 3 * corners[i]!;
      const to = 3 * corners[i + 1 < end ? i + 1 : begin]!;
      const side =
        (vertices[to]! - vertices[from]!) * (z - vertices[from + 2]!) -
        (vertices[to + 2]! - vertices[from + 2]!) * (x - vertices[from]!);
      if (side > 1e-9) left = true;
      if (side < -1e-9) right = true;
    }
    if (left && right) continue;
    const y = heightAt(mesh, polygon, x, z);
    if (found === undefined || y > found[1]) found = [x, y, z, polygon];
  }
  return found;
}

/** The height of the plane through three corners of a polygon that lie on no line. */
function heightAt(
  { vertices, first, corners }: MeshData,
  polygon: number,
  x: number,
  z: number,
): number {
  const [begin, end] = [first[polygon]!, first[polygon + 1]!];
  const a = 3 * corners[begin]!;
  for (let i = begin + 1; i + 1 < end; ++i) {
    const b = 3 * corners[i]!;
    const c = 3 * corners[i + 1]!;
    const [bx, by, bz] = [0, 1, 2].map((k) => vertices[b + k]! - vertices[a + k]!) as [
      number,
      number,
      number,
    ];
    const [cx, cy, cz] = [0, 1, 2].map((k) => vertices[c + k]! - vertices[a + k]!) as [
      number,
      number,
      number,
    ];
    const area = bx * cz - bz * cx;
    if (Math.abs(area) < 1e-12) continue;
    const u = ((x - vertices[a]!) * cz - (z - vertices[a + 2]!) * cx) / area;
    const v = ((z - vertices[a + 2]!) * bx - (x - vertices[a]!) * bz) / area;
    return vertices[a + 1]! + u * by + v * cy;
  }
  return vertices[a + 1]!;
}

/** The mean of the corners of a polygon: x, y and z. */
export function middleOf(mesh: MeshData, polygon: number): [number, number, number] {
  const { vertices, first, corners } = mesh;
  const [begin, end] = [first[polygon]!, first[polygon + 1]!];
  let [x, z] = [0, 0];
  for (let i = begin; i < end; ++i) {
    x += vertices[3 * corners[i]!]! / (end - begin);
    z += vertices[3 * corners[i]! + 2]! / (end - begin);
  }
  return [x, heightAt(mesh, polygon, x, z), z];
}
