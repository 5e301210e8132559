"""Paths by Cairn and by other packages in one run: usage: python_comparison.py MAP

Needs the Python packages cairn, scipy and networkx. All answer the same random requests on a grid,
with Cairn's integer costs, one after the other. Prints CSV: the time to prepare the map in
milliseconds, the mean time of a path in microseconds, and the mean of its cost over the least.
"""

import sys
import time

import cairn
import networkx
import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

REQUESTS = 50
STRAIGHT, DIAGONAL = 408, 577


def requests_on(grid):
    rng = np.random.default_rng(1)
    ys, xs = np.nonzero(grid.free_mask)
    starts, goals = rng.integers(len(xs), size=(2, 10 * REQUESTS))
    rows = np.stack([xs[starts], ys[starts], xs[goals], ys[goals]], axis=1).astype(np.int32)
    return rows[cairn.build(grid).paths(rows).statuses == 0][:REQUESTS]


def arcs(free):
    """(from, to, cost) of all legal moves between cells, each once, by the strict corner rule."""
    height, width = free.shape
    numbers = np.arange(free.size).reshape(free.shape)
    out = []
    for dx, dy, cost in ((1, 0, STRAIGHT), (0, 1, STRAIGHT), (1, 1, DIAGONAL), (-1, 1, DIAGONAL)):
        here = (slice(0, height - dy), slice(max(-dx, 0), width - max(dx, 0)))
        there = (slice(dy, height), slice(max(dx, 0), width + min(dx, 0)))
        legal = free[here] & free[there]
        if dx and dy:  # both cells beside the step must be free
            legal &= free[here[0], there[1]] & free[there[0], here[1]]
        out.append((numbers[here][legal], numbers[there][legal],
                    np.full(np.count_nonzero(legal), cost)))
    return [np.concatenate(column) for column in zip(*out)]


def by_cairn(planner):
    def prepare(free):
        index = cairn.build(free, planner, threads=1)
        return lambda request: index.path(request[:2], request[2:]).cost

    return prepare


def by_scipy(free):
    start, end, cost = arcs(free)
    graph = coo_array((cost.astype(float), (start, end)), (free.size, free.size)).tocsr()
    width = free.shape[1]

    def find(request):
        distances, before = dijkstra(graph, directed=False, return_predecessors=True,
                                     indices=request[1] * width + request[0])
        cell = goal = request[3] * width + request[2]
        cells = []
        while cell >= 0:
            cells.append(cell)
            cell = before[cell]
        return int(distances[goal])

    return find


def by_networkx(free):
    graph = networkx.Graph()
    graph.add_weighted_edges_from(zip(*(column.tolist() for column in arcs(free))))
    width = free.shape[1]

    def octile(a, b):
        dx, dy = abs(a % width - b % width), abs(a // width - b // width)
        return STRAIGHT * abs(dx - dy) + DIAGONAL * min(dx, dy)

    def find(request):
        start, goal = request[1] * width + request[0], request[3] * width + request[2]
        cells = networkx.astar_path(graph, start, goal, octile)
        return networkx.path_weight(graph, cells, "weight")

    return find


METHODS = [("cairn subgoal", by_cairn("subgoal")), ("cairn hpa", by_cairn("hpa")),
           ("cairn jps", by_cairn("jps")), ("cairn astar", by_cairn("astar")),
           ("scipy dijkstra", by_scipy), ("networkx astar_path", by_networkx)]


def main():
    grid = cairn.load(sys.argv[1])
    free = grid.free_mask
    requests = [tuple(row) for row in requests_on(grid).tolist()]
    least = None  # of the first method, which is exact, as most others are
    print("method,prepare_ms,path_us,cost")
    for name, prepare in METHODS:
        begin = time.perf_counter()
        find = prepare(free)
        prepared = time.perf_counter() - begin
        find(requests[0])
        rounds = 40 if name.startswith("cairn") else 1
        begin = time.perf_counter()
        for _ in range(rounds):
            costs = [find(request) for request in requests]
        took = (time.perf_counter() - begin) / rounds / len(requests)
        least = least or costs
        ratio = np.mean([cost / best for cost, best in zip(costs, least)])
        print(f"{name},{1e3 * prepared:.1f},{1e6 * took:.1f},{ratio:.4f}", flush=True)


if __name__ == "__main__":
    main()
