import { CairnError } from "./errors.js";

/** A problem of a MovingAI scenario. */
export interface Problem {
  bucket: number;
  map: string;
  width: number;
  height: number;
  start: readonly [number, number];
  goal: readonly [number, number];
  /** The optimal length, as the file says. */
  length: number;
}

/** Reads the text of a MovingAI scenario (.scen) of grids. */
export function parseScenario(text: string): Problem[] {
  const lines = text.split(/\r?\n/);
  if (!/^version\s+1(\.0)?\s*$/.test(lines[0] ?? "")) {
    throw new CairnError("corrupt_file", "line 1: a scenario begins with `version 1`");
  }
  const problems: Problem[] = [];
  lines.forEach((line, i) => {
    if (i === 0 || line.trim() === "") return;
    const words = line.trim().split(/\t|\s+/);
    const numbers = words.filter((_, word) => word !== 1).map(Number);
    if (words.length !== 9 || !numbers.every(Number.isFinite)) {
      throw new CairnError("corrupt_file", `line ${i + 1}: a problem has a map and eight numbers`);
    }
    const [bucket, width, height, x, y, goalX, goalY, length] = numbers as [
      number, number, number, number, number, number, number, number,
    ];
    problems.push({
      bucket, map: words[1]!, width, height, start: [x, y], goal: [goalX, goalY], length,
    });
  });
  return problems;
}
