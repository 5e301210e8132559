"""What a call of path() costs beside C++: usage: python_overhead.py MAP PLANNER...

Run it by a Python that has the package `cairn`, as `./dev test python` makes one; it builds the
program cairn_path_times in build/release. Each planner answers the same random requests between
cells with a path: by AnySearcher in C++, by the package, and by ctypes over the same C library,
with a copy of the cells. Prints CSV: the least mean time of a call over several rounds, in
microseconds.
"""

import ctypes
import subprocess
import sys
import time
from pathlib import Path

import cairn
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build" / "release" / "bin" / "cairn_path_times"
REQUESTS = 2000
ROUNDS = 9


def requests_on(grid):
    rng = np.random.default_rng(1)
    ys, xs = np.nonzero(grid.free_mask)
    starts, goals = rng.integers(len(xs), size=(2, 3 * REQUESTS))
    rows = np.stack([xs[starts], ys[starts], xs[goals], ys[goals]], axis=1).astype(np.int32)
    found = cairn.build(grid).paths(rows)
    return rows[found.statuses == 0][:REQUESTS].tolist()


def in_cpp(map_file, planner, requests):
    text = "\n".join(" ".join(map(str, row)) for row in requests)
    run = subprocess.run([PROGRAM, map_file, planner, str(ROUNDS)], input=text, check=True,
                         capture_output=True, text=True)
    return float(run.stdout)


def least_mean(call, requests):
    """The least mean time of call(start, goal) in microseconds."""
    pairs = [(tuple(row[:2]), tuple(row[2:])) for row in requests]
    best = float("inf")
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        for start, goal in pairs:
            call(start, goal)
        best = min(best, time.perf_counter() - begin)
    return 1e6 * best / len(pairs)


class Cell(ctypes.Structure):
    _fields_ = [("x", ctypes.c_int32), ("y", ctypes.c_int32)]


class Answer(ctypes.Structure):
    """The first members of cairn_path, and room for the others."""

    _fields_ = [("size", ctypes.c_uint32), ("status", ctypes.c_int32), ("cost", ctypes.c_uint32),
                ("lower_bound", ctypes.c_uint32), ("engine", ctypes.c_char_p),
                ("expanded", ctypes.c_uint64), ("cells", ctypes.c_void_p),
                ("num_cells", ctypes.c_size_t), ("others", ctypes.c_uint8 * 88)]


def by_ctypes(map_file, planner):
    """A function that finds a path by ctypes alone."""
    library = ctypes.CDLL(str(next(Path(cairn.__file__).parent.glob("libcairn*"))))
    handles = [ctypes.c_void_p() for _ in range(4)]
    grid, index, searcher, answer = handles
    settings = ctypes.c_void_p()
    library.cairn_index_build.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p,
                                          ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p]
    assert library.cairn_map_load(map_file.encode(), settings, ctypes.byref(grid)) == 0
    assert library.cairn_index_build(planner.encode(), grid, None, 0, None,
                                     ctypes.byref(index)) == 0
    assert library.cairn_searcher_create(index, ctypes.byref(searcher)) == 0
    library.cairn_find.argtypes = [ctypes.c_void_p, ctypes.c_void_p, Cell, Cell, ctypes.c_void_p]
    library.cairn_answer_get.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    out = ctypes.byref(answer)
    size = ctypes.sizeof(Answer)
    last_message = library.cairn_last_message
    last_message.restype = ctypes.c_char_p

    def find(start, goal):
        if library.cairn_find(searcher, None, Cell(*start), Cell(*goal), out) != 0:
            raise ValueError(last_message())
        found = Answer(size)
        if library.cairn_answer_get(answer, ctypes.byref(found)) != 0:
            raise ValueError(last_message())
        return found.cost, ctypes.string_at(found.cells, 4 * found.num_cells)

    return find


def main():
    subprocess.run(["cmake", "--build", PROGRAM.parent.parent, "--target", PROGRAM.name],
                   check=True, stdout=sys.stderr)
    map_file = sys.argv[1]
    grid = cairn.load(map_file)
    requests = requests_on(grid)
    print("planner,cpp_us,python_us,ctypes_us")
    for planner in sys.argv[2:]:
        index = cairn.build(grid, planner)
        times = [in_cpp(map_file, planner, requests), least_mean(index.path, requests),
                 least_mean(by_ctypes(map_file, planner), requests)]
        print(planner, *(f"{time:.2f}" for time in times), sep=",", flush=True)


if __name__ == "__main__":
    main()
