"""What the tests share: random grids, and paths by an independent Dijkstra."""

import heapq
import os

import numpy as np
import pytest

SCALE = float(os.environ.get("CAIRN_TEST_SCALE", "1"))
STRAIGHT, DIAGONAL = 408, 577


def cases(count):
    """A number of cases, scaled."""
    return max(1, round(count * SCALE))


def resident():
    """The bytes of memory that this process holds."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.fixture
def rng():
    return np.random.default_rng(20)


def random_grid(rng, height=24, width=31, blocked=0.3, most=1):
    """Weights of cells; 0 is an obstacle."""
    weights = rng.integers(1, most + 1, (height, width))
    return np.where(rng.random((height, width)) < blocked, 0, weights).astype(np.uint8)


def random_cell(rng, weights):
    """A free cell (x, y)."""
    ys, xs = np.nonzero(weights)
    i = rng.integers(len(xs))
    return int(xs[i]), int(ys[i])


def random_requests(rng, weights, count):
    ys, xs = np.nonzero(weights)
    starts, goals = rng.integers(len(xs), size=(2, count))
    return np.stack([xs[starts], ys[starts], xs[goals], ys[goals]], axis=1).astype(np.int32)


def moves(weights, x, y, neighbours=8, corners="strict"):
    """The legal steps from a cell, with their costs."""
    height, width = weights.shape

    def free(x, y):
        return 0 <= x < width and 0 <= y < height and bool(weights[y, x])

    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)):
        if not free(x + dx, y + dy):
            continue
        if dx and dy:
            if neighbours == 4:
                continue
            beside = free(x + dx, y) + free(x, y + dy)
            if beside < {"strict": 2, "both-blocked": 1, "free": 0}[corners]:
                continue
        a, b = int(weights[y, x]), int(weights[y + dy, x + dx])
        yield x + dx, y + dy, a, b, bool(dx and dy)


def step_cost(a, b, diagonal):
    """A step costs the mean of both weights."""
    return (DIAGONAL if diagonal else STRAIGHT) * (a + b) // 2


def distances(weights, start, neighbours=8, corners="strict", cost=step_cost):
    """The least costs from a cell to all others."""
    best = {start: 0}
    queue = [(0, start)]
    while queue:
        distance, cell = heapq.heappop(queue)
        if distance > best[cell]:
            continue
        for x, y, a, b, diagonal in moves(weights, *cell, neighbours, corners):
            other = distance + cost(a, b, diagonal)
            if other < best.get((x, y), np.inf):
                best[x, y] = other
                heapq.heappush(queue, (other, (x, y)))
    return best
