"""Discs on meshes of random grids, against distances that are computed here."""

import gc
import os
import threading
import weakref

import numpy as np
import pytest

import cairn
from conftest import cases, random_cell, random_grid, resident

pytestmark = pytest.mark.skipif(not cairn.has("hna"), reason="needs the part hna")
MOST = 0.9


def test_a_mesh_is_needed():
    with pytest.raises(TypeError):
        cairn.Discs(None, [0.4])


def room(weights, points):
    """How far the nearest obstacle or border is from points (x, z); negative inside one."""
    points = np.atleast_2d(points)
    height, width = weights.shape
    x, z = points[:, 0], points[:, 1]
    nearest = np.min([x, width - x, z, height - z], axis=0)
    for row, column in zip(*np.nonzero(weights == 0)):
        dx = np.maximum(np.maximum(column - x, x - column - 1), 0)
        dz = np.maximum(np.maximum(row - z, z - row - 1), 0)
        nearest = np.minimum(nearest, np.where(dx + dz > 0, np.hypot(dx, dz), -1))
    return nearest


def joined(weights, start, goal, radius, step=1 / 16):
    """Whether steps between near points that are `radius` from all walls lead to the goal."""
    height, width = weights.shape
    xs, zs = np.meshgrid(np.arange(0, width + step, step), np.arange(0, height + step, step))
    free = (room(weights, np.stack([xs.ravel(), zs.ravel()], 1)) >= radius).reshape(xs.shape)
    at = tuple(int(round(c / step)) for c in (start[1], start[0]))
    to = tuple(int(round(c / step)) for c in (goal[1], goal[0]))
    if not (free[at] and free[to]):
        return False
    seen = np.zeros_like(free)
    seen[at] = True
    while True:
        grown = np.pad(seen, 1)
        grown = np.max([grown[i:i + free.shape[0], j:j + free.shape[1]]
                        for i in range(3) for j in range(3)], axis=0) & free
        if (grown == seen).all():
            return bool(seen[to])
        seen = grown


def centre(cell):
    return cell[0] + 0.5, 0.0, cell[1] + 0.5


def some_discs(rng, **options):
    weights = random_grid(rng, 9, 12, blocked=0.18)
    mesh = cairn.Mesh.from_grid(cairn.Grid(weights))
    return weights, cairn.Discs(mesh, [0.3, MOST], **options)


def test_lines_keep_the_radius(rng):
    arcs = found = 0
    for _ in range(cases(40)):
        weights, discs = some_discs(rng)
        for _ in range(10):
            start, goal = centre(random_cell(rng, weights)), centre(random_cell(rng, weights))
            radius = float(rng.uniform(0, MOST))
            path = discs.path(start, goal, radius, reach=0)
            assert (path is not None) == discs.reachable(start, goal, radius)
            assert discs.cost(start, goal, radius, reach=0) == (path.cost if path else None)
            if path is None:
                continue
            found += 1
            line = path.line()
            steps = np.diff(line[:, [0, 2]], axis=0)
            assert path.points.shape == (len(path), 3) and path.points.dtype == np.float32
            np.testing.assert_allclose(line[[0, -1]], [start, goal], atol=1e-5)
            assert np.hypot(*steps.T).sum() <= path.length + 1e-4
            assert np.hypot(*steps.T).sum() == pytest.approx(path.length, rel=0.02, abs=1e-4)
            fine = np.concatenate([line[:1, [0, 2]], *(
                line[i, [0, 2]] + np.linspace(0, 1, 9)[:, None] * step
                for i, step in enumerate(steps))])
            assert room(weights, fine).min() >= radius * 0.99 - 1e-4
            bends = np.nonzero(path.turns)[0]
            arcs += len(bends)
            for i in bends:
                for point in path.points[[i, i + 1]]:
                    assert np.hypot(*(point - path.corners[i])[[0, 2]]) == pytest.approx(
                        radius, abs=1e-4)
            # Finer polylines are nearer to the line.
            finer = path.line(tolerance=1e-5)
            assert len(finer) >= len(line)
            assert np.hypot(*np.diff(finer[:, [0, 2]], axis=0).T).sum() == pytest.approx(
                path.length, rel=1e-3, abs=1e-4)
            assert path.start[:3] == pytest.approx(start) and path.polygons[-1] == path.goal[3]
    assert found > 0 and (arcs > 0 or cases(40) < 10)


def test_widest_against_a_raster(rng):
    for _ in range(cases(8)):
        weights, discs = some_discs(rng)
        for _ in range(3):
            start, goal = centre(random_cell(rng, weights)), centre(random_cell(rng, weights))
            widest = discs.widest(start, goal)
            ends = [start[::2], goal[::2]]
            if widest is None:
                assert not joined(weights, *ends, 0.1)
                assert not discs.reachable(start, goal, 0)
                continue
            assert discs.reachable(start, goal, widest)
            if widest > 0.1:
                assert joined(weights, *ends, widest - 0.1)
            if widest < MOST:
                assert not joined(weights, *ends, widest + 0.1)
                assert not discs.reachable(start, goal, widest + 1e-6)


def test_clearance(rng):
    for _ in range(cases(20)):
        weights, discs = some_discs(rng)
        points = np.zeros((50, 3))
        points[:, [0, 2]] = rng.uniform(-1, 13, (50, 2))
        expected = room(weights, points[:, [0, 2]])
        distances = discs.clearance(points)
        inside = expected > 0
        np.testing.assert_allclose(distances[inside], expected[inside], atol=1e-5)
        assert (np.isnan(distances) | (distances == 0))[~inside].all()
        beyond = np.max([-points, points - [12, np.inf, 9]], axis=0)[:, [0, 2]].max(axis=1)
        assert np.isnan(distances[beyond > 0.5]).all()
        for i in np.nonzero(inside)[0][:3]:
            assert discs.clearance(tuple(points[i])) == distances[i]
    assert discs.clearance(np.empty((0, 3))).shape == (0,)


def rooms():
    """Two rooms with a door of one cell and one of two."""
    free = np.ones((5, 11), bool)
    free[2, [0, 2, 3, 4, 5, 6, 7, 10]] = False
    return cairn.Mesh.from_grid(cairn.Grid(free))


A, B = (1.5, 0, 1), (1.5, 0, 4)


def test_what_is_none_and_what_raises():
    mesh = rooms()
    discs = cairn.Discs(mesh, [0.9, 0.4, 0.4], mu=4)
    assert discs.radii.tolist() == [0.4, 0.9] and discs.mesh is mesh
    assert discs.num_gates > 0 and discs.nbytes > 0
    assert "2 radii" in repr(discs) and "radius 0.9" in repr(discs.path(A, B, 0.9))
    assert discs.path(A, B, 0.5).engine == "none" or discs.path(A, B, 0.5).cost > 0
    assert discs.path(A, B, 0.9, max_cost=10) is None
    assert discs.path((0.1, 0, 0.1), B, 0.9, reach=0) is None
    moved = discs.path((0.6, 0, 0.6), B, 0.9)
    assert moved.start[:3] != (0.6, 0, 0.6) and discs.clearance(moved.start[:3]) >= 0.9
    assert not discs.reachable((0.1, 0, 0.1), B, 0.9)
    assert discs.widest((0.25, 0, 0.5), A) == 0.25
    for call in [lambda: discs.path(A, B, 0.91), lambda: discs.path(A, B, -1),
                 lambda: discs.path(A, B, float("nan")), lambda: discs.path(A, B, 0.5, reach=-1),
                 lambda: discs.path((99, 0, 99), B, 0.5), lambda: discs.reachable(A, B, 2),
                 lambda: discs.widest(A, (99, 0, 99)), lambda: discs.widest(A, (1, 0, 1, 999)),
                 lambda: cairn.Discs(mesh, []), lambda: cairn.Discs(mesh, [0]),
                 lambda: cairn.Discs(mesh, [float("inf")]),
                 lambda: cairn.Discs(mesh, [0.5], levels=99),
                 lambda: cairn.Discs(mesh, [0.5], nothing=1)]:
        with pytest.raises(cairn.Error):
            call()
    for call in [lambda: discs.path(A, B), lambda: discs.path(A, B, "wide"),
                 lambda: discs.path((0, 0), B, 0.5), lambda: discs.path(A, B, 0.5, nothing=1),
                 lambda: cairn.Discs(cairn.Grid(np.ones((4, 4), bool)), [0.5]),
                 lambda: cairn.Discs(mesh, ["wide"])]:
        with pytest.raises(TypeError):
            call()
    for wrong in [np.zeros((2, 2)), np.zeros((2, 2, 3))]:
        with pytest.raises(ValueError):
            discs.clearance(wrong)
    for wrong in [0, -1.0, float("nan")]:
        with pytest.raises(ValueError):
            discs.path(A, B, 0.9).line(tolerance=wrong)
    with pytest.raises(ValueError):
        discs.path(A, B, 0.9).points[0, 0] = 1


def test_arrays_borrow():
    """Arrays keep the path alive, and radii the index."""
    discs = cairn.Discs(rooms(), [0.4, 0.9])
    path = discs.path(A, B, 0.9)
    points, turns, corners, polygons = path.points, path.turns, path.corners, path.polygons
    expected = [array.tolist() for array in (points, turns, corners, polygons)]
    radii, ref = discs.radii, weakref.ref(discs)
    del path, discs
    gc.collect()
    assert [array.tolist() for array in (points, turns, corners, polygons)] == expected
    assert radii.tolist() == [0.4, 0.9] and ref() is not None
    del radii
    gc.collect()
    assert ref() is None


def test_progress_and_its_exceptions(rng):
    told = []
    some_discs(rng, progress=told.append, threads=1)
    assert told == sorted(told) and told[-1] == 1

    class Stop(Exception):
        pass

    def stop(fraction):
        raise Stop

    with pytest.raises(Stop):
        some_discs(rng, progress=stop)


def test_threads(rng):
    weights, discs = some_discs(rng)
    requests = [(centre(random_cell(rng, weights)), centre(random_cell(rng, weights)),
                 float(rng.uniform(0, MOST))) for _ in range(100)]

    def answers():
        paths = [discs.path(*request) for request in requests]
        return [(path.cost, path.points.tolist()) if path else None for path in paths]

    expected = answers()
    got = [None] * 4

    def work(i):
        got[i] = answers()

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(got))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(answer == expected for answer in got)


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="reads /proc")
def test_memory_is_flat():
    """Calls, also those that fail, keep no memory."""
    mesh = rooms()
    discs = cairn.Discs(mesh, [0.4, 0.9])

    def some(count):
        for i in range(count):
            path = discs.path(A, B, 0.9 - i % 10 / 20)
            path.points, path.corners, path.line()
            discs.widest(A, B)
            if i % 50 == 0:
                cairn.Discs(mesh, [0.7], threads=1).clearance([A, B])
                with pytest.raises(cairn.Error):
                    discs.path(A, B, 2)

    some(2000)
    gc.collect()
    before = resident()
    some(cases(60_000))
    gc.collect()
    assert resident() - before < 4_000_000


def test_plot(rng):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    discs = cairn.Discs(rooms(), [0.9])
    path = discs.path(A, B, 0.9)
    axes = cairn.plot(discs, [path, None])
    np.testing.assert_allclose(np.transpose(axes.lines[0].get_data()), path.line()[:, [0, 2]])
    assert [patch.radius for patch in axes.patches] == [0.9, 0.9]
    assert len(cairn.plot(discs.mesh, path, ax=axes).lines) == 2
