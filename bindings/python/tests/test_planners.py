"""Every planner of grids against Dijkstra on small random grids."""

import copy
import pickle

import numpy as np
import pytest

import cairn
from conftest import (cases, distances, moves, random_cell, random_grid, random_requests,
                      step_cost)

EXACT = {planner.name: planner.exact for planner in cairn.planners() if planner.space == "grid"}


def legal_cost(weights, cells, **rules):
    """What a path over cells costs; fails if a step is not legal."""
    total = 0
    for (x, y), (to_x, to_y) in zip(cells, cells[1:]):
        steps = {(nx, ny): step_cost(a, b, diagonal)
                 for nx, ny, a, b, diagonal in moves(weights, x, y, **rules)}
        total += steps[to_x, to_y]
    return total


def check_answers(index, weights, starts, goals_of_each, rng, exact, **rules):
    """Compares all calls with Dijkstra."""
    goals = [random_cell(rng, weights) for _ in range(goals_of_each)]
    expected = np.empty((len(starts), len(goals)))
    for i, start in enumerate(starts):
        best = distances(weights, start, **rules)
        for j, goal in enumerate(goals):
            expected[i, j] = best.get(goal, np.inf)
            path = index.path(start, goal)
            assert index.reachable(start, goal) == (goal in best)
            if goal not in best:
                assert path is None and index.cost(start, goal) is None
                continue
            assert path.status == cairn.Status.OK
            cells = list(path)
            assert cells[0] == start and cells[-1] == goal
            assert legal_cost(weights, cells, **rules) == path.cost >= best[goal]
            assert index.cost(start, goal) >= path.cost
            np.testing.assert_array_equal(path.cells, cells)
            np.testing.assert_array_equal(
                path.numbers, path.cells[:, 1] * weights.shape[1] + path.cells[:, 0])
            if exact:
                assert path.cost == best[goal] == index.cost(start, goal)
    costs = index.costs(starts, goals)
    assert costs.shape == expected.shape and costs.dtype == np.uint32
    np.testing.assert_array_equal(costs == cairn.INFINITY, np.isinf(expected))
    if exact:
        finite = np.isfinite(expected)
        np.testing.assert_array_equal(costs[finite], expected[finite])
    # The order of the nearest is that of the index's own costs, then of positions.
    order = np.argsort(costs[0], kind="stable")
    reached = int(np.count_nonzero(costs[0] != cairn.INFINITY))
    positions, of_them = index.nearest(starts[0], goals, None)
    np.testing.assert_array_equal(positions, order[:reached])
    np.testing.assert_array_equal(of_them, costs[0][order[:reached]])
    found = index.path_to_nearest(starts[0], goals)
    if reached == 0:
        assert found is None
    else:
        assert costs[0][found[0]] == costs[0].min() and found[1][-1] == goals[found[0]]


@pytest.mark.parametrize("planner", sorted(set(EXACT) - {"haa"}))
@pytest.mark.parametrize("blocked", [0.1, 0.35])
def test_against_dijkstra(rng, planner, blocked):
    for _ in range(cases(8)):
        weights = random_grid(rng, blocked=blocked)
        index = cairn.build(weights, planner)
        starts = [random_cell(rng, weights) for _ in range(3)]
        check_answers(index, weights, starts, 8, rng, EXACT[planner])


@pytest.mark.parametrize("planner", ["hpa", "astar"])
@pytest.mark.parametrize("rules", [
    {"neighbours": 4}, {"corners": "both-blocked"}, {"corners": "free"},
])
def test_other_rules(rng, planner, rules):
    for _ in range(cases(4)):
        weights = random_grid(rng, most=5)
        index = cairn.build(cairn.Grid(weights, **rules), planner)
        starts = [random_cell(rng, weights) for _ in range(2)]
        check_answers(index, weights, starts, 6, rng, EXACT[planner], **rules)


def test_agents(rng):
    """An agent of size n stands where n x n cells are free: Dijkstra on the shrunk map."""
    for _ in range(cases(6)):
        free = rng.random((24, 31)) > 0.08
        trees = rng.random(free.shape) < 0.2
        letters = np.where(free, np.where(trees, b"T", b"."), b"@")
        agents = cairn.Grid(letters, terrain="letters").with_agents(
            3, capabilities=[[0], {0: 1, 1: 2}])
        assert agents.for_agents
        index = cairn.build(agents)
        assert index.planner == "haa"
        for size in (1, 2, 3):
            stands = free & ~trees
            for dx in range(size):
                for dy in range(size):
                    moved = np.zeros_like(stands)
                    moved[:stands.shape[0] - dy, :stands.shape[1] - dx] = (
                        (free & ~trees)[dy:, dx:])
                    stands = stands & moved
            weights = stands.astype(np.uint8)
            if not stands.any():
                continue
            requests = random_requests(rng, weights, 12)
            paths = index.paths(requests, agents=np.tile([size, 0], (12, 1)))
            for request, path in zip(requests.tolist(), paths):
                best = distances(weights, tuple(request[:2])).get(tuple(request[2:]))
                alone = index.path(request[:2], request[2:], size=size, capability=0)
                if best is None:
                    assert path is None and alone is None
                else:
                    assert legal_cost(weights, list(path)) == path.cost >= best
                    assert list(alone) == list(path)


def test_what_is_none_and_what_raises():
    free = np.ones((6, 8), bool)
    free[:, 4] = False
    index = cairn.build(free)
    assert index.path((0, 0), (7, 0)) is None
    assert index.path((4, 0), (0, 0)) is None
    assert index.path((0, 0), (4, 0)) is None
    assert index.path((0, 0), (3, 0), max_cost=100) is None
    assert not index.reachable((0, 0), (4, 4))
    for outside in [(-1, 0), (8, 0), (0, 6), (2 ** 31, 0), (-(10 ** 30), 0)]:
        with pytest.raises(cairn.Error) as error:
            index.path(outside, (0, 0))
        assert error.value.status == cairn.Status.START_OUTSIDE
        with pytest.raises(cairn.Error) as error:
            index.cost((0, 0), outside)
        assert error.value.status == cairn.Status.GOAL_OUTSIDE
    for cell in [(0.5, 1), "ab", 3, None, (1,), (1, 2, 3), ((), ())]:
        with pytest.raises(TypeError):
            index.path(cell, (0, 0))
    assert len(index.path((2, 2), (2, 2))) == 1


def test_cells_of_any_integer_type():
    index = cairn.build(np.ones((9, 9), bool))
    expected = list(index.path((1, 2), (7, 3)))
    for dtype in [np.int8, np.uint16, np.int64]:
        assert list(index.path(np.array([1, 2], dtype), np.array([7, 3], dtype))) == expected
    assert list(index.path([1, 2], [7, 3])) == expected


def test_options_and_queries():
    weights = np.ones((64, 64), np.uint8)
    weights[10:50, 30] = 0
    index = cairn.build(weights, "hpa", cluster_size=8, levels=2, labels=False)
    same = cairn.build(weights, "hpa", cluster_size=np.int64(8), levels=2, labels=np.bool_(False))
    assert same.options == index.options
    assert index.options["cluster_size"] == 8 and index.options["labels"] is False
    assert not index.has_labels and index.nbytes > 0
    query = index.query(detail="cost")
    assert len(index.path((0, 30), (60, 30), query=query)) == 0
    assert len(index.path((0, 30), (60, 30), detail="path", smoothing="none")) > 60
    with pytest.raises(TypeError):
        index.path((0, 0), (1, 1), query=query, detail="cost")
    for options in [{"detial": "cost"}, {"detail": "all"}]:
        with pytest.raises(cairn.Error) as error:
            index.path((0, 0), (1, 1), **options)
        assert error.value.status == cairn.Status.BAD_OPTION
    for planner, options in [("hpa", {"levels": 99}), ("hpa", {"level": 1})]:
        with pytest.raises(cairn.Error) as error:
            cairn.build(weights, planner, **options)
        assert error.value.status == cairn.Status.BAD_OPTION
    with pytest.raises(cairn.Error) as error:
        cairn.build(weights, "best")
    assert error.value.status == cairn.Status.UNSUPPORTED


def test_limits_and_blocked_cells():
    weights = np.ones((64, 64), np.uint8)
    weights[10:64, 30] = 0
    index = cairn.build(weights, "astar")
    with pytest.raises(cairn.Error) as error:
        index.path((0, 30), (60, 30), max_expanded=5)
    assert error.value.status == cairn.Status.BUDGET_EXHAUSTED
    hpa = cairn.build(weights, "hpa")
    free = hpa.path((0, 5), (20, 5))
    around = hpa.path((0, 5), (20, 5), blocked=[(10, y) for y in range(3, 9)])
    assert all(cell[0] != 10 or not 3 <= cell[1] < 9 for cell in around)
    assert around.cost > free.cost
    with pytest.raises(cairn.Error):
        hpa.path((0, 5), (20, 5), blocked=[(64, 0)])


def test_files_and_bytes(rng, tmp_path):
    weights = random_grid(rng)
    requests = random_requests(rng, weights, 20)
    grid = cairn.Grid(weights)
    for planner in ("hpa", "subgoal"):
        index = cairn.build(grid, planner)
        index.save(tmp_path / "index.bin2")
        expected = index.paths(requests)
        for other in [cairn.load(tmp_path / "index.bin2", grid),
                      cairn.Index.from_bytes(index.to_bytes(), grid)]:
            assert other.planner == planner
            np.testing.assert_array_equal(other.paths(requests).numbers, expected.numbers)
        with pytest.raises(cairn.Error) as error:
            cairn.load(tmp_path / "index.bin2", cairn.Grid(np.ones((9, 9), bool)))
        assert error.value.status == cairn.Status.WRONG_MAP
        with pytest.raises(cairn.Error):
            cairn.load(tmp_path / "index.bin2")
        index.save(tmp_path / "world.cairn", with_map=True)
        for checks in ("contents", "checksums", "none"):
            other = cairn.load(tmp_path / "world.cairn", checks=checks)
            np.testing.assert_array_equal(other.paths(requests).numbers, expected.numbers)
        with pytest.raises(ValueError):
            cairn.load(tmp_path / "world.cairn", checks="some")
    with pytest.raises(cairn.Error) as error:
        cairn.Index.from_bytes(b"nonsense" * 100, grid)
    assert error.value.status == cairn.Status.CORRUPT_FILE
    with pytest.raises(TypeError):
        cairn.Index.from_bytes(np.zeros(8), grid)


def test_problems(tmp_path):
    lines = ["version 1", "0\tm.map\t9\t8\t1\t2\t4\t2\t3.0", "0\tm.map\t9\t8\t0\t0\t1\t1\t1.41421"]
    (tmp_path / "m.map.scen").write_text("\n".join(lines) + "\n")
    requests, lengths = cairn.load_problems(tmp_path / "m.map.scen")
    assert requests.dtype == np.int32 and requests.tolist() == [[1, 2, 4, 2], [0, 0, 1, 1]]
    assert lengths.tolist() == [3.0, 1.41421]
    paths = cairn.build(np.ones((8, 9), bool)).paths(requests)
    np.testing.assert_allclose([path.length for path in paths], lengths, atol=1e-4)
    with pytest.raises(cairn.Error):
        cairn.load_problems(tmp_path / "none.scen")


@pytest.mark.filterwarnings("ignore:The truth value")
def test_any_arguments(rng):
    """Arguments without meaning give an answer or an exception, and nothing else."""
    grid = cairn.Grid(random_grid(rng), resolution=0.1)
    mesh = cairn.Mesh.from_grid(grid)
    indexes = [cairn.build(grid), cairn.build(mesh), cairn.build(mesh, "astar"),
               cairn.build(cairn.Grid(np.full((9, 9), b".")).with_agents(2))]
    worlds = [cairn.World(index, worker=False) for index in indexes]
    values = [None, True, 0, -1, 7, 2 ** 31, -2 ** 63, 2 ** 80, 0.5, np.nan, np.inf, -1e300, 1e38,
              "a", b"", (), [], {}, (1, 2), (3, 4, 5), (1, 2, 3, 4), (np.nan,) * 3, (1e300,) * 3,
              (1.5, 0, 1.5, 2 ** 32 - 1), (1.5, 0, 1.5, 9999), (0, 0, 0, -1), [(1, 2)], [(1, 2, 3)],
              [(1, 1, 1, 1)], [(np.nan,) * 6], [(np.inf,) * 6], [(5, 1, 1)], [(1, 1, 3, 3, 1)],
              np.zeros((0, 4)), np.zeros((2, 2, 2)), np.array("x"), np.zeros((3, 5), "i1"), object()]
    values += [indexes[0].paths([(1, 1, 8, 8)]), indexes[1].paths([(1.5, 0, 1.5, 8.5, 0, 8.5)]),
               indexes[0].query(smoothing="none"), indexes[1].query(), grid, mesh, *indexes[:2]]
    names = ["path", "cost", "reachable", "costs", "nearest", "path_to_nearest", "paths",
             "world_path", "edit", "edited", "paths_valid", "replan", "with_labels", "with_costs",
             "query"]
    keys = ["query", "detail", "max_cost", "max_expanded", "microseconds", "partial_path", "blocked",
            "agents", "polygons", "size", "capability", "turning", "max_bytes", "threads", "count"]
    allowed = (cairn.Error, TypeError, ValueError, OverflowError, IndexError, MemoryError)

    def some():
        return values[rng.integers(len(values))]

    for _ in range(cases(20_000)):
        target = [*indexes, *worlds][rng.integers(8)]
        method = getattr(target, names[rng.integers(len(names))], None)
        if method is None:
            continue
        options = {keys[rng.integers(len(keys))]: some() for _ in range(rng.integers(3))}
        if "threads" in options:  # a large number asks for as many
            options["threads"] = [None, 0, -1, 1, 1025, "a"][rng.integers(6)]
        try:
            method(*[some() for _ in range(rng.integers(4))], **options)
        except allowed:
            pass
    for function in [cairn.Grid, cairn.build, lambda value: cairn.Index.build(value, "hpa"), grid.to_cell, grid.to_world, grid.measure,
                     grid.with_agents, mesh.locate, cairn.Index.from_bytes, cairn.load, cairn.World,
                     lambda value: cairn.Mesh(value, value),
                     lambda value: cairn.Mesh([(0, 0, 0), (1, 0, 0), (0, 0, 1)], value)]:
        for value in values:
            try:
                function(value)
            except (*allowed, OSError):
                pass


def test_objects_without_a_copy():
    """What cannot be copied or made empty says so."""
    index = cairn.build(np.ones((5, 5), bool))
    for thing in [index, index.map, index.path((0, 0), (1, 1)), cairn.World(index)]:
        with pytest.raises(TypeError):
            copy.copy(thing)
        with pytest.raises(TypeError):
            pickle.dumps(thing)
    for kind in [cairn.Index, cairn.Path, cairn.Paths, cairn.Query, cairn.Map]:
        with pytest.raises(TypeError):
            kind()
    error = pickle.loads(pickle.dumps(cairn.Error(5, "none")))
    assert (error.status, str(error)) == (cairn.Status.NO_PATH, "none")


def test_edited_index(rng):
    weights = random_grid(rng, blocked=0.1)
    index = cairn.build(weights)
    after = weights.copy()
    after[3:9, 4:6] = 0
    other = index.edited([(4, 3, 2, 6, 0)])
    np.testing.assert_array_equal(index.map.array, weights)
    np.testing.assert_array_equal(other.map.array, after)
    starts = [random_cell(rng, after) for _ in range(2)]
    check_answers(other.with_labels(), after, starts, 6, rng, False)
    with pytest.raises(cairn.Error):
        index.edited([(0, 0, 99, 99, 0)])


@pytest.mark.parametrize("planner", ["hpa", "astar"])
@pytest.mark.parametrize("options", [{}, {"transitions": "by-width"}])
def test_other_costs(rng, planner, options):
    if planner == "astar" and options:
        pytest.skip("no such option")
    terrain = random_grid(rng, blocked=0.1)
    table = np.arange(256, dtype=np.uint8)
    table[1:10] = rng.permutation(np.arange(1, 10))
    index = cairn.build(terrain, planner, **options)
    other = index.with_costs(table.tolist(), threads=1)
    np.testing.assert_array_equal(other.map.array, terrain)
    starts = [random_cell(rng, terrain) for _ in range(2)]
    check_answers(other, table[terrain], starts, 6, rng, EXACT[planner])
    if planner == "hpa":
        afresh = cairn.build(cairn.Grid(terrain, weights=table.tolist()), planner, **options)
        goals = [random_cell(rng, terrain) for _ in range(6)]
        np.testing.assert_array_equal(other.costs(starts, goals), afresh.costs(starts, goals))


def test_other_costs_of_agents(rng):
    terrain = rng.choice([b".", b"T", b"@"], size=(20, 24), p=[0.6, 0.25, 0.15])
    index = cairn.build(cairn.Grid(terrain).with_agents(1, capabilities=[[0], {0: 1, 1: 2}]), "haa")
    other = index.with_costs([[0], {0: 3, 1: 1}])
    weights = np.where(terrain == b".", 3, np.where(terrain == b"T", 1, 0))
    costs = distances(weights, (start := random_cell(rng, weights)))
    for _ in range(20):
        goal = random_cell(rng, weights)
        path = other.path(start, goal, capability=1)
        if goal not in costs:
            assert path is None
            continue
        assert path.cost == legal_cost(weights, list(path)) >= costs[goal]
    with pytest.raises(cairn.Error):
        index.with_costs([[0], [1]])


def test_other_costs_that_are_refused():
    index = cairn.build(np.ones((8, 9), bool), "subgoal")
    with pytest.raises(cairn.Error, match="subgoal"):
        index.with_costs([2] * 256)
    index = cairn.build(np.ones((8, 9), bool), "hpa")
    with pytest.raises(ValueError):
        index.with_costs([2] * 255)
    walls = [2] * 256
    walls[0] = 0
    walls[1] = 0
    with pytest.raises(cairn.Error):
        index.with_costs(walls)


def test_plot(rng):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    weights = random_grid(rng, blocked=0.05, most=3)
    index = cairn.build(weights)
    path = index.path(random_cell(rng, weights), random_cell(rng, weights))
    ax = cairn.plot(index, [path, None])
    assert len(ax.lines) == 1 and len(ax.images) == 1
    assert cairn.plot(index.map, path, ax=ax) is ax
    mesh = cairn.Mesh.from_grid(cairn.Grid(weights))
    assert len(cairn.plot(mesh).collections) == 1
    letters = cairn.Grid(np.where(weights > 0, b".", b"@"), terrain="letters")
    shown = cairn.plot(letters).images[0].get_array()
    np.testing.assert_array_equal(shown, np.where(weights > 0, 1.0, 0.0))
    shown = cairn.plot(cairn.Grid(weights)).images[0].get_array()
    np.testing.assert_array_equal(shown, np.array([0.0, 1.0, 0.75, 0.5])[weights])
    with pytest.raises(TypeError):
        cairn.plot(weights)
