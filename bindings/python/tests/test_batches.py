"""Batches: arrays in and out without copies, threads, memory, cancelling."""

import gc
import os
import signal
import threading
import time
import weakref

import numpy as np
import pytest

import cairn
from conftest import cases, random_grid, random_requests, resident


def check_batch(index, requests, paths, **options):
    """A batch answers as single queries do."""
    assert len(paths) == len(requests) == len(paths.statuses)
    for i, request in enumerate(np.asarray(requests).tolist()):
        alone = index.path(request[:2], request[2:], **options)
        if alone is None:
            assert paths[i] is None and paths.costs[i] == cairn.INFINITY
            assert paths.statuses[i] != cairn.Status.OK
        else:
            assert list(paths[i]) == list(alone)
            assert paths.costs[i] == alone.cost == paths[i].cost
            own = slice(int(paths.first[i]), int(paths.first[i + 1]))
            np.testing.assert_array_equal(paths.numbers[own], alone.numbers)
            np.testing.assert_array_equal(paths.cells[own], alone.cells)


@pytest.mark.parametrize("planner", ["hpa", "subgoal", "astar", "jps"])
def test_batch_equals_single_queries(rng, planner):
    weights = random_grid(rng)
    index = cairn.build(weights, planner)
    requests = random_requests(rng, weights, 40)
    check_batch(index, requests, index.paths(requests))


@pytest.mark.parametrize("view", [
    lambda a: a[::-1], lambda a: a[::3], lambda a: np.asfortranarray(a), lambda a: a.astype("i8"),
    lambda a: a.astype("u1"), lambda a: a.astype(">i4"), lambda a: a.tolist(), lambda a: a[:0],
    lambda a: [tuple(row) for row in a], lambda a: a[:1], lambda a: np.broadcast_to(a[0], (5, 4)),
    lambda a: np.pad(a, ((0, 0), (1, 2)))[:, 1:5], lambda a: np.repeat(a, 2, axis=1)[:, ::2],
    lambda a: np.lib.stride_tricks.as_strided(a, (len(a) - 1, 4), (16, 4)),
])
def test_requests_of_any_layout(rng, view):
    weights = random_grid(rng)
    index = cairn.build(weights)
    requests = view(random_requests(rng, weights, 20))
    check_batch(index, requests, index.paths(requests))
    if isinstance(requests, np.ndarray):
        requests.flags.writeable = False
        check_batch(index, requests, index.paths(requests))


def test_no_requests():
    for index, columns in [(cairn.build(np.ones((9, 9), bool)), 4),
                           (cairn.build(cairn.Mesh.from_grid(cairn.Grid(np.ones((9, 9), bool)))),
                            6)]:
        for none in [[], np.zeros((0, columns))]:
            paths = index.paths(none)
            assert len(paths) == 0 and list(paths) == [] and paths.costs.tolist() == []
            assert paths.first.tolist() == [0]
            assert index.costs([], []).shape == (0, 0)


def test_unaligned_requests(rng):
    weights = random_grid(rng)
    index = cairn.build(weights)
    requests = random_requests(rng, weights, 20)
    packed = np.zeros(20, np.dtype([("flag", "u1"), ("request", "i4", 4)]))
    packed["request"] = requests
    check_batch(index, requests, index.paths(packed["request"]))


@pytest.mark.parametrize("requests, error", [
    (np.zeros((3, 3), "i4"), ValueError), (np.zeros((3, 5), "i4"), ValueError),
    (np.zeros((2, 2, 4), "i4"), ValueError), (np.zeros((3, 4)), TypeError),
    (np.full((3, 4), 2 ** 40), ValueError), ([("a", "b", "c", "d")], TypeError),
    ([None], (ValueError, TypeError)), (7, ValueError),
])
def test_wrong_requests(requests, error):
    with pytest.raises(error):
        cairn.build(np.ones((9, 9), bool)).paths(requests)


def test_statuses():
    free = np.ones((9, 9), bool)
    free[:, 4] = False
    index = cairn.build(free)
    paths = index.paths([(0, 0, 3, 3), (-1, 0, 3, 3), (0, 0, 9, 0), (4, 0, 0, 0), (0, 0, 4, 0),
                         (0, 0, 8, 8)])
    names = [cairn.Status(status).name for status in paths.statuses]
    assert names == ["OK", "START_OUTSIDE", "GOAL_OUTSIDE", "START_BLOCKED", "GOAL_BLOCKED",
                     "NO_PATH"]
    assert [path is None for path in paths] == [False] + 5 * [True]
    with pytest.raises(IndexError):
        paths[6]
    assert paths[-6].cost == paths[0].cost
    with pytest.raises(ValueError):
        index.paths([(0, 0, 1, 1)], agents=[(1, 0), (1, 0)])
    with pytest.raises(cairn.Error) as error:
        index.paths(np.zeros((1000, 4), "i4"), max_bytes=10)
    assert error.value.status == cairn.Status.TOO_LARGE


def test_arrays_borrow():
    """Arrays have no memory of their own, are read-only, and keep what they borrow from alive."""
    paths = cairn.build(np.ones((50, 50), bool)).paths([(0, 0, 40, 20), (3, 3, 9, 30)])
    arrays = [paths.numbers, paths.costs, paths.statuses, paths.first]
    for array, again in zip(arrays, [paths.numbers, paths.costs, paths.statuses, paths.first]):
        assert not array.flags.owndata and array.base is paths
        assert not array.flags.writeable
        assert np.shares_memory(array, again)
    kept = arrays[0].copy()
    del paths, array, again
    gc.collect()
    cairn.build(np.ones((50, 50), bool)).paths([(9, 9, 1, 1)])
    np.testing.assert_array_equal(arrays[0], kept)
    path = cairn.build(np.ones((50, 50), bool)).path((0, 0), (40, 20))
    numbers = path.numbers
    assert numbers.base is path
    kept = numbers.copy()
    del path
    gc.collect()
    np.testing.assert_array_equal(numbers, kept)


def test_turning(rng):
    index = cairn.build(np.ones((30, 30), bool))
    whole, turns = (index.paths([(0, 0, 20, 7)], turning=turning)[0] for turning in (False, True))
    assert len(turns) < len(whole)
    assert turns[0] == whole[0] and turns[-1] == whole[-1]
    assert turns.length == pytest.approx(whole.length)


def test_a_million_requests(rng):
    weights = random_grid(rng, 64, 64, blocked=0.2)
    index = cairn.build(weights, "subgoal")
    count = cases(1_000_000)
    requests = random_requests(rng, weights, count)
    fractions = []
    paths = index.paths(requests, progress=fractions.append)
    assert len(paths) == count and len(paths.first) == count + 1
    assert fractions == sorted(fractions) and fractions[-1] == 1
    some = rng.integers(count, size=50)
    for i in some:
        assert index.cost(requests[i, :2], requests[i, 2:]) == (
            None if paths.costs[i] == cairn.INFINITY else paths.costs[i])
    # The numbers of cells fit the numbers of each list.
    assert paths.first[-1] == len(paths.numbers)
    ends = paths.numbers[(paths.first[1:] - np.uint64(1)).astype("i8")[paths.statuses == 0]]
    goals = (requests[:, 3] * 64 + requests[:, 2])[paths.statuses == 0]
    np.testing.assert_array_equal(ends, goals)


def test_threads(rng):
    """One index serves many threads."""
    weights = random_grid(rng, 60, 60)
    index = cairn.build(weights)
    world = cairn.World(index)
    requests = random_requests(rng, weights, 200)
    expected = [index.cost(r[:2], r[2:]) for r in requests.tolist()]
    wrong = []

    def work(searchable):
        for _ in range(cases(10)):
            got = [searchable.cost(r[:2], r[2:]) for r in requests.tolist()]
            batch = searchable.paths(requests[:20], threads=1)
            if got != expected or len(batch) != 20:
                wrong.append(got)

    threads = [threading.Thread(target=work, args=[each]) for each in [index, world] * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_other_threads_run_meanwhile(rng):
    """Long calls release the interpreter's lock."""
    weights = random_grid(rng, 200, 200, blocked=0.2)
    index = cairn.build(weights, "astar")
    requests = random_requests(rng, weights, 3000)
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.monotonic()
    index.paths(requests, threads=1)
    end = time.monotonic()
    done.set()
    thread.join()
    if end - begin > 0.1:
        assert sum(begin < at < end for at in ticks) >= 5


def test_progress_and_its_exceptions(rng):
    weights = random_grid(rng, 150, 150)
    fractions = []
    owner = threading.get_ident()

    def note(fraction):
        assert threading.get_ident() == owner
        fractions.append(fraction)

    index = cairn.build(weights, progress=note)
    assert fractions == sorted(fractions) and fractions[-1] == 1

    class Stop(Exception):
        pass

    def stop(fraction):
        raise Stop

    with pytest.raises(Stop):
        cairn.build(weights, progress=stop)
    with pytest.raises(Stop):
        index.paths(random_requests(rng, weights, 500), progress=stop)
    with pytest.raises(TypeError):
        cairn.build(weights, progress=3)
    cairn.build(weights, progress=True)


@pytest.mark.parametrize("call", ["build", "discs", "paths", "costs"])
def test_interrupt(rng, call):
    """Ctrl-C cancels a long call soon, and the index can be used after that."""
    weights = random_grid(rng, 700, 700, blocked=0.2)
    if call == "build":
        def work():
            cairn.build(weights, "hpa", threads=1)
    elif call == "discs":
        mesh = cairn.Mesh.from_grid(cairn.Grid(weights[:300]))

        def work():
            cairn.Discs(mesh, [0.2, 0.4, 0.6], threads=1)
    else:
        index = cairn.build(weights, "astar")
        cells = random_requests(rng, weights, 20_000)
        if call == "paths":
            def work():
                index.paths(cells, threads=1)
        else:
            def work():
                index.costs(cells[:, :2], cells[:400, 2:])
    timer = threading.Timer(0.15, os.kill, (os.getpid(), signal.SIGINT))
    begin = time.monotonic()
    timer.start()
    try:
        work()
        interrupted = False
    except KeyboardInterrupt:
        interrupted = True
    took = time.monotonic() - begin
    if not interrupted:  # a fast machine: the signal must still come
        with pytest.raises(KeyboardInterrupt):
            time.sleep(5)
    else:
        assert took < 5
    timer.join()
    if call in ("paths", "costs"):
        assert len(index.paths(cells[:3])) == 3


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="reads /proc")
def test_memory_is_flat(rng):
    """Calls, also those that fail, keep no memory."""
    weights = random_grid(rng, 40, 40)
    grid = cairn.Grid(weights)
    index = cairn.build(grid)
    world = cairn.World(index, worker=False)
    requests = random_requests(rng, weights, 50)
    ends = [(tuple(r[:2]), tuple(r[2:])) for r in requests.tolist()]

    def some(count):
        for i in range(count):
            start, goal = ends[i % len(ends)]
            path = index.path(start, goal)
            if path is not None:
                path.numbers, path.cells, path.status
            index.cost(start, goal)
            if i % 50 == 0:
                batch = world.paths(requests)
                batch.numbers, batch.costs, batch[0]
                index.costs(requests[:, :2], requests[:5, 2:])
                index.nearest(start, requests[:, 2:], 3)
                index.path(start, goal, smoothing="none")
                cairn.Grid(weights).array
                for wrong in [lambda: index.path((-1, 0), goal), lambda: index.path(0, goal),
                              lambda: index.path(start, goal, nothing=1),
                              lambda: cairn.Grid(weights[0])]:
                    with pytest.raises((cairn.Error, TypeError, ValueError)):
                        wrong()

    some(2000)
    gc.collect()
    before = resident()
    some(cases(1_000_000))
    gc.collect()
    assert resident() - before < 4_000_000


def test_objects_end(rng):
    index = cairn.build(np.ones((9, 9), bool))
    grid = index.map
    refs = [weakref.ref(index), weakref.ref(grid)]
    world = cairn.World(index)
    del index, grid
    gc.collect()
    assert refs[0]() is None
    assert world.cost((0, 0), (3, 0)) == 3 * 408
    del world
    gc.collect()
    assert refs[1]() is None
