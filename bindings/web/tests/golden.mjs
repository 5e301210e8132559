// Hashes of answers to seeded requests, as golden.c has them: equal everywhere.

const WIDTH = 97;
const HEIGHT = 83;
const QUERIES = 60;
const AGENTS = 20;

let state = 0;
function below(most) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return (state >>> 8) % most;
}

let hash = 0n;
function begin(seed) {
  state = seed;
  hash = 0xcbf29ce484222325n;
}
function add(word) {
  hash = BigInt.asUintN(64, (hash ^ BigInt(word)) * 0x100000001b3n);
}

function gridOf(cairn, weighted) {
  const cells = new Uint8Array(WIDTH * HEIGHT);
  for (let i = 0; i < cells.length; ++i) {
    cells[i] = below(100) < 25 ? 0 : weighted ? 1 + below(4) : 1;
  }
  return cairn.grid(WIDTH, HEIGHT, cells);
}

function addPath(path) {
  add(path.cost);
  path.cells.forEach(add);
  path.polygons.forEach(add);
  new Uint32Array(path.waypoints.buffer, 0, path.waypoints.length).forEach(add);
}

function addQueries(index, mesh) {
  for (let i = 0; i < QUERIES; ++i) {
    const [x, y, u, v] = [below(WIDTH), below(HEIGHT), below(WIDTH), below(HEIGHT)];
    let path = null;
    try {
      path = mesh
        ? index.path([x + 0.5, 0, y + 0.5], [u + 0.5, 0, v + 0.5])
        : index.path([x, y], [u, v]);
    } catch (error) {
      if (!/outside/.test(error.status)) throw error;
    }
    add(path === null ? 0 : 1);
    if (path !== null) addPath(path);
  }
}

/** The hash of each name, by the library of the package. */
export function golden(cairn) {
  const hashes = {};
  const end = (name) => {
    hashes[name] = hash.toString(16).padStart(16, "0");
  };
  const planner = (name, kind, map, settings, saved) => {
    begin(7);
    const index = map.build(kind, settings);
    addQueries(index, name.startsWith("hna"));
    if (saved) index.toBytes().forEach(add);
    end(name);
    return index;
  };
  const worldOf = (name, index) => {
    begin(11);
    const world = cairn.world(index);
    const requests = Int32Array.from({ length: 4 * AGENTS }, (_, i) =>
      below(i % 2 === 0 ? WIDTH : HEIGHT),
    );
    const paths = world.paths(requests);
    for (let i = 0; i < 10; ++i) {
      const edit = [below(WIDTH - 5), below(HEIGHT - 5), 1 + below(5), 1 + below(5), below(2)];
      world.edit([edit]);
      while (world.work());
      addQueries(world, false);
    }
    const again = world.replan(requests, paths, 0, { improvable: true });
    for (let i = 0; i < again.size; ++i) {
      add(again.routes[i]);
      add(again.costs[i]);
    }
    again.cells.forEach(add);
    again.free();
    paths.free();
    world.free();
    end(name);
  };

  begin(1);
  const uniform = gridOf(cairn, false);
  const weighted = gridOf(cairn, true);
  const hpa = planner("hpa", "hpa", uniform, {}, true);
  planner("hpa weighted", "hpa", weighted, { clusterSize: 10, levels: 2 }, true).free();
  const subgoal = planner("subgoal", "subgoal", uniform, {}, true);
  planner("astar", "astar", weighted, {}, false).free();
  planner("jps", "jps", uniform, {}, false).free();
  worldOf("world of hpa", hpa);
  worldOf("world of subgoal", subgoal);
  const key = new Uint8Array(256).fill(255);
  key[1] = 0;
  planner("haa", "haa", uniform.withAgents({ maxSize: 2, key }), {}, true).free();
  planner("hna", "hna", cairn.meshFromGrid(uniform), {}, true).free();
  return hashes;
}
