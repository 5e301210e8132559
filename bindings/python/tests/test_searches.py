"""Queries in slices, against whole ones."""

import gc
import threading

import numpy as np
import pytest

import cairn
from conftest import cases, random_grid, random_requests

PLANNERS = sorted({planner.name for planner in cairn.planners() if planner.space == "grid"})


def finish(search, budget=1):
    slices = 0
    while search.advance(budget):
        assert not search.done
        slices += 1
    assert search.done and not search.advance()
    return slices


def same(path, other):
    if path is None or other is None:
        assert path is None and other is None
        return
    assert path.cost == other.cost and list(path) == list(other)


@pytest.mark.parametrize("planner", PLANNERS)
def test_slices_find_the_same_paths(rng, planner):
    slices = 0
    for _ in range(cases(6)):
        weights = random_grid(rng)
        grid = cairn.Grid(weights)
        index = cairn.build(grid.with_agents(2) if planner == "haa" else grid, planner)
        world = cairn.World(index, worker=False)
        for request in random_requests(rng, weights, 10).tolist():
            start, goal = request[:2], request[2:]
            path = index.path(start, goal)
            for searchable in (index, world):
                search = searchable.begin(start, goal)
                slices += finish(search, int(rng.integers(1, 20)))
                same(search.path, path)
                assert search.path is search.path
    if planner in ("astar", "jps"):
        assert slices > 0


@pytest.mark.parametrize("planner, options", [("hna", {"labels": False}), ("astar", {})])
def test_slices_on_a_mesh(rng, planner, options):
    slices = 0
    for _ in range(cases(6)):
        weights = random_grid(rng, 12, 15, blocked=0.2)
        mesh = cairn.Mesh.from_grid(cairn.Grid(weights))
        index = cairn.build(mesh, planner, **options)
        for x, y, to_x, to_y in random_requests(rng, weights, 10).tolist():
            points = [(x + 0.5, 0, y + 0.5), (to_x + 0.5, 0, to_y + 0.5)]
            start, goal = [(*point, int(polygon))
                           for point, polygon in zip(points, mesh.locate(points))]
            search = index.begin(start, goal)
            slices += finish(search)
            same(search.path, index.path(start, goal))
    assert slices > 0


def test_ends_and_limits():
    free = np.ones((60, 60), bool)
    free[:, 30] = False
    free[0, 30] = True
    index = cairn.build(free, "astar")
    search = index.begin((20, 40), (40, 40))
    assert search.advance(1) and not search.done and "not finished" in repr(search)
    with pytest.raises(RuntimeError):
        search.path
    finish(outside := index.begin((-1, 0), (5, 5)))
    with pytest.raises(cairn.Error) as error:
        outside.path
    assert error.value.status == cairn.Status.START_OUTSIDE
    with pytest.raises(TypeError):
        index.begin((0, 0), "goal")
    with pytest.raises(cairn.Error):
        index.begin((0, 0), (5, 5), nothing=1)
    finish(blocked := index.begin((0, 0), (30, 5)))
    assert blocked.path is None
    # Other queries do not disturb one that is not finished.
    assert index.path((0, 0), (5, 5)) is not None
    finish(search, 50)
    same(search.path, index.path((20, 40), (40, 40)))
    finish(costly := index.begin((20, 40), (40, 40), max_cost=1000))
    assert costly.path is None
    finish(stopped := index.begin((20, 40), (40, 40), max_expanded=20))
    with pytest.raises(cairn.Error) as error:
        stopped.path
    assert error.value.status == cairn.Status.BUDGET_EXHAUSTED and str(error.value)
    finish(part := index.begin((20, 40), (40, 40), max_expanded=20, partial_path=True))
    assert part.path.status == cairn.Status.BUDGET_EXHAUSTED and len(part.path) > 1
    index = cairn.build(free, "hpa", labels=False)
    query = index.query(blocked=[(30, 0)])
    search = index.begin((20, 40), (40, 40), query=query)
    del query
    gc.collect()
    finish(search)
    assert search.path is None


def test_searches_end_at_any_time(rng):
    weights = random_grid(rng, 80, 80, blocked=0.2)
    index = cairn.build(weights, "astar")
    for x, y, to_x, to_y in random_requests(rng, weights, 200).tolist():
        search = index.begin((x, y), (to_x, to_y))
        search.advance(int(rng.integers(1, 50)))
        if rng.random() < 0.5:
            del search
        index.cost((x, y), (to_x, to_y))
    # A search outlives its index.
    path = index.path((x, y), (to_x, to_y))
    search = index.begin((x, y), (to_x, to_y), max_expanded=10 ** 9)
    del index
    gc.collect()
    finish(search, 100)
    same(search.path, path)


def test_one_thread_at_a_time():
    """A second thread is refused while the first is at work, and both see the same path."""
    free = np.ones((1200, 1200), bool)
    free[1:, 600] = False
    search = cairn.build(free, "astar").begin((0, 1199), (1199, 1199))
    refused = []

    def work():
        try:
            while search.advance(20_000):
                pass
        except RuntimeError:
            refused.append(True)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    while search.advance():
        pass
    assert search.path is not None and len(refused) <= 2
