// What the npm package takes beside C++: usage: node tools/web_times.mjs MAP PLANNER...
//
// The module of grids is measured, or that of all parts if haa is among the planners.
//
// Uses the package that `./dev test web` has installed in build/web-tests, and the program
// cairn_path_times, which it builds in build/release. Prints CSV. A line for each module: its bytes and
// those of what brotli makes of it, and the milliseconds from `load` to the first answer on a tiny map.
// Then for each planner: milliseconds to build the index of the map for the first and the
// second time, and for the first ten queries; then the least mean times of a query over several
// rounds, in microseconds: by AnySearcher in C++, by view() and path(), which answer the same requests, and in a
// batch.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";

const ROOT = new URL("..", import.meta.url).pathname;
const DIST = `${ROOT}build/web-tests/node_modules/cairn-path/dist`;
const REQUESTS = 2000;
const ROUNDS = 9;

const [mapFile, ...planners] = process.argv.slice(2);
const PARTS = planners.includes("haa") ? "all" : "grids";
execFileSync("cmake", ["--build", `${ROOT}build/release`, "--target", "cairn_path_times"], {
  stdio: ["ignore", 2, 2],
});

function timed(work) {
  const begin = performance.now();
  const value = work();
  return [performance.now() - begin, value];
}

const { load } = await import(`${DIST}/index.js`);
console.log("parts,bytes,brotli_bytes,first_answer_ms");
const loaded = {};
for (const [parts, file] of [["grids", "cairn-grids.wasm"], ["all", "cairn.wasm"]]) {
  const begin = performance.now();
  loaded[parts] = await load({ parts });
  loaded[parts].grid(3, 1, ["..."]).build("subgoal").path([0, 0], [2, 0]);
  const first = performance.now() - begin;
  const wasm = readFileSync(`${DIST}/${file}`);
  console.log([parts, wasm.length, brotliCompressSync(wasm).length, first.toFixed(1)].join());
}
const cairn = loaded[PARTS];

function requestsOn(grid) {
  let state = 1;
  const below = (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) % most;
  };
  const index = grid.build("jps");
  const found = [];
  while (found.length < REQUESTS) {
    const request = [0, 0, 0, 0].map((_, i) => below(i % 2 ? grid.height : grid.width));
    if (index.reachable(request.slice(0, 2), request.slice(2))) found.push(request);
  }
  index.free();
  return found;
}

const grid = cairn.parseMap(readFileSync(mapFile));
const requests = requestsOn(grid);
const text = requests.map((request) => request.join(" ")).join("\n");
const flat = Int32Array.from(requests.flat());
const pairs = requests.map((request) => [request.slice(0, 2), request.slice(2)]);

console.log("planner,build_ms,second_build_ms,first_ten_ms,cpp_us,view_us,path_us,batch_us");
for (const planner of planners) {
  const [build, index] = timed(() => grid.build(planner));
  const [again, second] = timed(() => grid.build(planner));
  second.free();
  const all = () => {
    for (const [start, goal] of pairs) index.path(start, goal);
  };
  const [ten] = timed(() => pairs.slice(0, 10).map(([start, goal]) => index.path(start, goal)));
  const least = (work) => {
    let best = Infinity;
    for (let round = 0; round < ROUNDS; ++round) best = Math.min(best, timed(work)[0]);
    return ((1000 * best) / REQUESTS).toFixed(2);
  };
  const cpp = Number(
    execFileSync(`${ROOT}build/release/bin/cairn_path_times`, [mapFile, planner, String(ROUNDS)], {
      input: text,
    }),
  );
  const path = least(all);
  const view = least(() => {
    for (const [start, goal] of pairs) index.view(start, goal);
  });
  const batch = least(() => index.paths(flat).free());
  const milliseconds = [build, again, ten].map((time) => time.toFixed(1));
  console.log([planner, ...milliseconds, cpp.toFixed(2), view, path, batch].join());
  index.free();
}
