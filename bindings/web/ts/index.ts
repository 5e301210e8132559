/**
 * Hierarchical pathfinding on grids and navigation meshes, in WebAssembly.
 *
 *     const cairn = await load();
 *     const grid = cairn.grid(3, 2, ["..@", "..."]);
 *     const path = grid.build("subgoal").path([0, 0], [2, 1]);
 */
export { Cairn, compile, load, type LoadOptions, type Parts } from "./cairn.js";
export { CairnError, statusName, type Status } from "./errors.js";
export { edgeKinds, traceSteps, type IndexGraph, type SearchTrace } from "./graph.js";
export { Handle } from "./handle.js";
export { Index, type Edits, type PolygonEdit, type TerrainEdit } from "./index_of.js";
export {
  CairnMap, Grid, Mesh, type AgentOptions, type BuildOptions, type Cell, type Connection,
  type GridOptions, type MeshArrays, type MeshOptions, type Portal, type Settings,
} from "./map.js";
export { Path } from "./path.js";
export { Paths } from "./paths.js";
export type { Field, Planner } from "./planners.js";
export { Query, type Limits, type QueryOptions } from "./query.js";
export { parseScenario, type Problem } from "./scenario.js";
export { Search } from "./search.js";
export {
  Searchable, type BatchOptions, type Place, type Places, type Requests,
} from "./searchable.js";
export type { Progress } from "./wasm.js";
export { World, type ReplanOptions, type WorldOptions } from "./world.js";
