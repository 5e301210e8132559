"""Maps that change, beside indexes built afresh; and meshes."""

import heapq
import threading

import numpy as np
import pytest

import cairn
from conftest import cases, random_cell, random_grid, random_requests


@pytest.mark.parametrize("planner", ["hpa", "subgoal", "astar", "jps"])
@pytest.mark.parametrize("worker", [True, False])
def test_world_answers_as_an_index_built_afresh(rng, planner, worker):
    weights = random_grid(rng, blocked=0.15)
    world = cairn.World(cairn.build(weights, planner), worker=worker)
    assert world.edits == 0
    # Among hpa's paths of one cost an edited index may choose another, which smooths differently.
    options = {"smoothing": "none"} if planner == "hpa" else {}
    for number in range(1, cases(12) + 1):
        edits = []
        for _ in range(rng.integers(1, 4)):
            x, y = int(rng.integers(28)), int(rng.integers(20))
            width, height, value = (int(rng.integers(1, 4)), int(rng.integers(1, 4)),
                                    int(rng.integers(2)))
            edits.append((x, y, width, height, value))
            weights[y:y + height, x:x + width] = value
        assert world.edit(edits) == number == world.edits
        fresh = cairn.build(weights, planner)
        requests = random_requests(rng, weights, 15)
        np.testing.assert_array_equal(world.paths(requests, **options).costs,
                                      fresh.paths(requests, **options).costs)
        for request in requests[:5].tolist():
            assert world.cost(request[:2], request[2:]) == fresh.cost(request[:2], request[2:])
            assert (world.reachable(request[:2], request[2:]) ==
                    fresh.reachable(request[:2], request[2:]))
        np.testing.assert_array_equal(world.costs(requests[:3, :2], requests[:, 2:]),
                                      fresh.costs(requests[:3, :2], requests[:, 2:]))
        index, edits_before = world.snapshot()
        assert edits_before == number
        np.testing.assert_array_equal(index.map.array, weights)
        if not worker:
            while world.work():
                pass
    world.check_work()


def test_forms_of_edits():
    world = cairn.World(cairn.build(np.ones((6, 7), bool)))
    assert world.edit((2, 1, 0)) == 1
    assert world.edit([(3, 1, 0), (4, 1, 0)]) == 2
    assert world.edit(np.array([[0, 4, 7, 1, 0]])) == 3
    expected = np.ones((6, 7), np.uint8)
    expected[1, 2:5] = 0
    expected[4] = 0
    np.testing.assert_array_equal(world.snapshot()[0].map.array, expected)
    for wrong, error in [((1, 2), ValueError), ((1, 2, 3, 4), ValueError),
                         ((0.5, 1, 0), TypeError), ((9, 9, 0), cairn.Error),
                         ((0, 0, 8, 1, 0), cairn.Error), ((0, 0, 256), cairn.Error),
                         ((0, 0, -1), cairn.Error), ([[[1, 2, 3]]], ValueError)]:
        with pytest.raises(error):
            world.edit(wrong)
    assert world.edits == 3


def test_replan(rng):
    weights = np.ones((30, 30), np.uint8)
    world = cairn.World(cairn.build(weights))
    requests = np.array([(0, 5, 29, 5), (0, 28, 29, 28), (0, 12, 29, 12)], np.int32)
    paths = world.paths(requests)
    assert world.paths_valid(requests, paths, world.edits).tolist() == [True] * 3
    world.edit((15, 0, 1, 20, 0))
    valid = world.paths_valid(requests, paths, 0)
    assert valid.dtype == bool and valid.tolist() == [False, True, False]
    again = world.replan(requests, paths, 0)
    assert again.routes.tolist() == [0, 2]
    fresh = world.snapshot()[0].paths(requests)
    assert again.costs.tolist() == fresh.costs[[0, 2]].tolist()
    with pytest.raises(ValueError):
        world.paths_valid(requests[:2], paths, 0)
    now = world.replan(requests, world.paths(requests), world.edits)
    assert len(now) == 0 and now.routes.tolist() == [] and paths.routes is None
    broken = world.replan(requests, paths, 0, improvable=True)
    assert set(broken.routes.tolist()) >= {0, 2}


def test_edits_from_other_threads(rng):
    weights = random_grid(rng, 40, 40, blocked=0.1)
    world = cairn.World(cairn.build(weights))
    done = threading.Event()
    failures = []

    def ask():
        while not done.is_set():
            request = random_requests(np.random.default_rng(), weights, 1)[0].tolist()
            try:
                world.path(request[:2], request[2:])
                world.paths([request] * 5, threads=1)
            except Exception as error:  # noqa: BLE001
                failures.append(error)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(cases(100)):
        world.edit((*random_cell(rng, weights), int(rng.integers(2))))
    done.set()
    for thread in threads:
        thread.join()
    assert not failures


def centre_distances(mesh, start):
    """Dijkstra over lines from centre to centre of polygons that share an edge."""
    polygons = [corners.tolist() for corners in mesh.polygons]
    vertices = mesh.vertices
    centres = np.array([vertices[corners].mean(axis=0) for corners in polygons])
    edges = {}
    for number, corners in enumerate(polygons):
        for a, b in zip(corners, corners[1:] + corners[:1]):
            edges.setdefault(frozenset((a, b)), []).append(number)
    beside = {}
    for pair in edges.values():
        if len(pair) == 2:
            beside.setdefault(pair[0], set()).add(pair[1])
            beside.setdefault(pair[1], set()).add(pair[0])
    best, queue = {start: 0.0}, [(0.0, start)]
    while queue:
        distance, at = heapq.heappop(queue)
        if distance > best[at]:
            continue
        for other in beside.get(at, ()):
            far = distance + float(np.linalg.norm(centres[at] - centres[other]))
            if far < best.get(other, np.inf):
                best[other] = far
                heapq.heappush(queue, (far, other))
    return best, centres


def triangles(rng, side=9, removed=0.15):
    """A mesh of triangles on a wavy floor, with holes."""
    vertices = [(x, np.sin(x + z), z) for z in range(side + 1) for x in range(side + 1)]
    polygons = []
    for z in range(side):
        for x in range(side):
            a = z * (side + 1) + x
            b, c, d = a + 1, a + side + 2, a + side + 1
            for polygon in [(a, b, c), (a, c, d)]:
                if rng.random() >= removed:
                    polygons.append(polygon)
    return vertices, polygons


@pytest.mark.parametrize("planner", ["astar", "hna"])
def test_mesh_against_dijkstra(rng, planner):
    for _ in range(cases(4)):
        vertices, polygons = triangles(rng)
        mesh = cairn.Mesh(vertices, polygons, scoring="centres")
        assert mesh.num_polygons == len(polygons)
        assert [corners.tolist() for corners in mesh.polygons] == [list(p) for p in polygons]
        np.testing.assert_allclose(mesh.vertices, np.array(vertices, np.float32))
        index = cairn.build(mesh, planner)
        start = int(rng.integers(len(polygons)))
        best, centres = centre_distances(mesh, start)
        np.testing.assert_array_equal(mesh.locate(centres), np.arange(len(polygons)))
        a = (*centres[start].tolist(), start)
        for goal in rng.integers(len(polygons), size=20).tolist():
            b = (*centres[goal].tolist(), goal)
            path = index.path(a, b)
            assert index.reachable(a, b) == (goal in best)
            if goal not in best:
                assert path is None
                continue
            length = index.cost(a, b) / mesh.units_per_length
            assert length == pytest.approx(best[goal], rel=1e-3, abs=1e-3)
            assert path.cost == index.cost(a, b)
            assert path.polygons[0] == start and path.polygons[-1] == goal
            assert path.cells is None and len(path) == len(path.points) == len(path.links)
            np.testing.assert_allclose(path.points[[0, -1]], [a[:3], b[:3]], atol=1e-5)
            assert path.length <= length + 1e-3


def test_meshes_in_batches(rng):
    vertices, polygons = triangles(rng)
    mesh = cairn.Mesh(vertices, polygons)
    index = cairn.build(mesh)
    assert index.planner == "hna"
    _, centres = centre_distances(mesh, 0)
    ends = rng.integers(len(polygons), size=(30, 2))
    requests = np.concatenate([centres[ends[:, 0]], centres[ends[:, 1]]], axis=1)
    paths = index.paths(requests)
    named = index.paths(requests, polygons=ends)
    assert paths.numbers is None and paths.cells is None
    for i, (start, goal) in enumerate(ends):
        alone = index.path(centres[start].tolist(), centres[goal].tolist())
        if alone is None:
            assert paths[i] is None and named[i] is None
            continue
        np.testing.assert_array_equal(paths[i].polygons, alone.polygons)
        np.testing.assert_array_equal(named[i].polygons, alone.polygons)
        own = slice(int(paths.first_point[i]), int(paths.first_point[i + 1]))
        np.testing.assert_array_equal(paths.points[own], alone.points)
    costs = index.costs(centres[ends[:3, 0]], centres[ends[:, 1]])
    np.testing.assert_array_equal(np.diag(costs), [
        index.paths(requests[:3]).costs[i] for i in range(3)])
    for wrong in [np.zeros((2, 4)), np.zeros((2, 6), complex)]:
        with pytest.raises((ValueError, TypeError)):
            index.paths(wrong)
    for place in [(0, 0), (0, 0, 0, 0, 0), "abc", None]:
        with pytest.raises(TypeError):
            index.path(place, (0, 0, 0))


def test_world_of_a_mesh(rng):
    grid = cairn.Grid(random_grid(rng, blocked=0.15))
    mesh = cairn.Mesh.from_grid(grid)
    world = cairn.World(cairn.build(mesh))
    cells = random_requests(rng, grid.array, 20)
    requests = np.zeros((20, 6))
    requests[:, [0, 2, 3, 5]] = cells + 0.5
    before = world.paths(requests)
    used = np.unique(before.polygons)[:2]
    world.edit([(int(polygon), 0, 1) for polygon in used])
    after, _ = world.snapshot()
    np.testing.assert_array_equal(np.nonzero(after.map.blocked)[0], used)
    assert not np.isin(world.paths(requests).polygons, used).any()


def test_connections(rng):
    square = [(0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1)]
    far = [(x + 5, y, z) for x, y, z in square]
    polygons = [(0, 1, 2, 3), (4, 5, 6, 7)]
    there, back = (0.5, 0, 0.5), (5.5, 0, 0.5)
    assert cairn.build(cairn.Mesh(square + far, polygons)).path(there, back) is None
    ladder = (0, 1, (0.9, 0, 0.5), (5.1, 0, 0.5), 0, True)
    index = cairn.build(cairn.Mesh(square + far, polygons, connections=[ladder]))
    assert index.path(there, back).length == pytest.approx(5)
    assert index.path(back, there) is None


def portals_between(vertices, polygons, numbers, joined):
    """The portals of shared edges of which at least one polygon's number is in `joined`."""
    edges = {}
    for number, corners in zip(numbers, polygons):
        for a, b in zip(corners, corners[1:] + corners[:1]):
            edges.setdefault(frozenset((a, b)), []).append(number)
    return [(*pair, *(vertices[i] for i in edge)) for edge, pair in edges.items()
            if len(pair) == 2 and joined & set(pair)]


@pytest.mark.parametrize("planner", ["astar", "hna"])
def test_polygons_removed_and_added(rng, planner):
    """A mesh that loses polygons and gets them back under new numbers, against one built afresh."""
    found = 0
    for _ in range(1 + cases(3)):
        vertices, polygons = triangles(rng, 6)
        mesh = cairn.Mesh(vertices, polygons, scoring="centres")
        index = cairn.build(mesh, planner)
        removed = np.nonzero(rng.random(len(polygons)) < 0.3)[0]
        again = removed[rng.random(len(removed)) < 0.7]
        numbers = {int(p): p for p in range(len(polygons)) if p not in removed}
        numbers |= {len(polygons) + i: int(p) for i, p in enumerate(again)}
        added = {"vertices": vertices, "polygons": [polygons[p] for p in again],
                 "areas": [1] * len(again),
                 "portals": portals_between(vertices, [polygons[p] for p in numbers.values()],
                                            list(numbers), set(range(len(polygons), 999)))}
        changed = mesh.changed(removed.tolist(), **added)
        assert changed.num_polygons == len(polygons) + len(again)
        assert changed.areas[len(polygons):].tolist() == [1] * len(again)
        sizes = [len(corners) for corners in changed.polygons]
        assert sizes == [3 if p in numbers else 0 for p in range(len(sizes))]
        assert mesh.num_polygons == len(polygons) and not mesh.blocked.any()
        fresh = cairn.Mesh(vertices, [polygons[p] for p in numbers.values()], scoring="centres")
        number = dict(zip(numbers, range(len(numbers))))
        start = int(rng.choice(list(numbers)))
        best, centres = centre_distances(fresh, number[start])
        for other in (index.changed(removed, **added), cairn.build(changed, planner)):
            assert other.map.num_polygons == changed.num_polygons
            a = (*centres[number[start]].tolist(), start)
            for goal in rng.choice(list(numbers), 20).tolist():
                b = (*centres[number[goal]].tolist(), goal)
                assert other.reachable(a, b) == (number[goal] in best)
                if number[goal] in best:
                    found += 1
                    assert other.cost(a, b) / changed.units_per_length == pytest.approx(
                        best[number[goal]], rel=1e-3, abs=1e-3)
        if len(again):
            blocked = changed.changed(edits=[(len(polygons), 0, 1)])
            assert blocked.blocked[len(polygons)] and not changed.blocked[len(polygons)]
    assert found > 0


def test_wrong_changes_of_meshes():
    square = [(0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1)]
    mesh = cairn.Mesh(square, [(0, 1, 2, 3)])
    index = cairn.build(mesh)
    next_to = {"vertices": [(x + 1, y, z) for x, y, z in square], "polygons": [(0, 1, 2, 3)]}
    for thing in (mesh, index):
        assert thing.changed() is not thing
        for removed in ([], (), np.zeros(0), [0], np.array([0], np.uint8), 0):
            thing.changed(removed, **next_to)
        for removed in ([1], [0, 0], [2 ** 32 - 1]):
            with pytest.raises(cairn.Error):
                thing.changed(removed)
        for removed in ([-1], [2 ** 32], [0.5], ["a"], None):
            with pytest.raises((TypeError, ValueError)):
                thing.changed(removed)
        for wrong in [{"polygons": [(0, 1)]}, {"edits": [(9, 0, 0)]}, {"edits": [(0, 64, 0)]},
                      {"portals": [(0, 1, square[0], square[1])]},
                      {"vertices": [(0, 0, 0), (1, 0, 0), (2, 0, 0)], "polygons": [(0, 1, 2)]}]:
            with pytest.raises(cairn.Error):
                thing.changed(**wrong)
        for wrong in [{"polygon": []}, {"vertices": [(0, 0)]}, {"edits": [(0, 0)]},
                      {"areas": [1, 2]}, {"vertices": "ab"}, {"polygons": 3}]:
            with pytest.raises((TypeError, ValueError)):
                thing.changed(**wrong)
        thing.changed(vertices=[(2, 0, 0), (3, 0, 0), (4, 0, 0)], polygons=[(0, 1, 2)],
                      accept_odd=True)
    grid = cairn.build(np.ones((4, 4), bool))
    with pytest.raises(cairn.Error) as error:
        grid.changed([0])
    assert error.value.status == cairn.Status.UNSUPPORTED


def test_portals():
    """Squares in a row that share no vertex: the portals alone join them."""
    squares = 4
    vertices = [(x, 0, z) for i in range(squares)
                for x, z in [(i, 0), (i + 1, 0), (i + 1, 1), (i, 1)]]
    polygons = [(4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3) for i in range(squares)]

    def door(i, *rest):
        return (i, i + 1, (i + 1, 0, 0.25), (i + 1, 0, 0.75), *rest)

    def at(i):
        return i + 0.5, 0, 0.5

    def ways(portals, **options):
        index = cairn.build(cairn.Mesh(vertices, polygons, portals=portals, **options))
        return [[index.reachable(at(i), at(j)) for j in range(squares)] for i in range(squares)]

    everywhere = np.ones((squares, squares), bool)
    alone = np.eye(squares, dtype=bool)
    np.testing.assert_array_equal(ways([]), alone)
    doors = [door(0), door(1, np.inf), door(2, 0.5, 0)]
    np.testing.assert_array_equal(ways(doors), everywhere)
    far = ways(doors, radius=0.26)  # the last door is too narrow
    assert far[0][2] and not far[0][3]
    np.testing.assert_array_equal(ways([door(i, 1.0, 1) for i in range(3)]), np.triu(everywhere))
    np.testing.assert_array_equal(ways([door(i, 1.0, 2) for i in range(3)]), np.tril(everywhere))
    # Shared corners make portals, unless portals are given.
    row = [(x, 0, z) for z in (0, 1) for x in range(3)]
    pair = [(0, 1, 4, 3), (1, 2, 5, 4)]
    assert cairn.build(cairn.Mesh(row, pair)).reachable(at(0), at(1))
    assert not cairn.build(cairn.Mesh(row, pair, portals=[])).reachable(at(0), at(1))
    for wrong in [[(0, 1)], [(0, 1, (1, 0, 0), (1, 0, 1), 1, 0, 0)], [(0, 1, (1, 0), (1, 0, 1))],
                  [(0, 9, (1, 0, 0), (1, 0, 1))], [door(0, -1.0)], [door(0, 1.0, 3)], [3], 3,
                  [(0, -1, (1, 0, 0), (1, 0, 1))], [door(0, "wide")]]:
        with pytest.raises((cairn.Error, TypeError, ValueError)):
            cairn.Mesh(vertices, polygons, portals=wrong)


def test_mesh_options_and_files(rng, tmp_path):
    vertices, polygons = triangles(rng, 4)
    areas = [i % 2 for i in range(len(polygons))]
    mesh = cairn.Mesh(vertices, polygons, areas, area_costs={1: 3.0}, units_per_length=100)
    assert mesh.areas.tolist() == areas and mesh.units_per_length == pytest.approx(100)
    if cairn.has("more_formats"):
        flat = cairn.Mesh([(x, 0, z) for x, _, z in vertices], polygons)
        flat.save(tmp_path / "a.mesh")
        assert cairn.load(tmp_path / "a.mesh").num_polygons == mesh.num_polygons
    index = cairn.build(mesh)
    index.save(tmp_path / "index")
    assert cairn.load(tmp_path / "index").map.num_polygons == mesh.num_polygons
    for wrong in [lambda: cairn.Mesh(vertices, [(0, 1, 99999)]),
                  lambda: cairn.Mesh(vertices, polygons, areas[:1]),
                  lambda: cairn.Mesh(vertices, polygons, scoring="best"),
                  lambda: cairn.Mesh(vertices, polygons, rounds=1),
                  lambda: cairn.Mesh(vertices, [(0, 1)]),
                  lambda: cairn.Mesh([(0, 0)], [(0, 0, 0)]),
                  lambda: cairn.Mesh(vertices, polygons, area_costs={64: 1.0})]:
        with pytest.raises((cairn.Error, ValueError, TypeError)):
            wrong()
