#!/usr/bin/env python3
"""Many requests on the processes of dask: each maps the same index file, and answers partitions of
the requests.

usage: dask_paths.py [MAP] [NUMBER_OF_REQUESTS]
Run it in the folder that holds maps/. Needs dask, and distributed for a cluster on this machine.
"""

import functools
import os
import sys
import tempfile
import time

import cairn
import dask
import dask.array
import numpy as np


@functools.lru_cache(maxsize=4)
def index_of(index_file, map_file):
    """The index, once in each process. Its file is mapped into memory, which the processes share."""
    return cairn.load(index_file, cairn.load(map_file))


def costs(requests, index_file, map_file):
    """The costs of a partition of the requests, int32[n, 4]; cairn.INFINITY where there is no path.

    One thread, since dask has a process for each core."""
    return index_of(index_file, map_file).paths(requests, threads=1, detail="cost").costs.copy()


def paths(requests, index_file, map_file):
    """The paths of a partition: cells as y * width + x, and where each path begins among them."""
    found = index_of(index_file, map_file).paths(requests, threads=1)
    return found.numbers.copy(), found.first.copy()


def main():
    map_file = sys.argv[1] if len(sys.argv) > 1 else "maps/rooms.map"
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    grid = cairn.load(map_file)
    ys, xs = np.nonzero(grid.free_mask)
    starts, goals = np.random.default_rng(1).integers(len(xs), size=(2, number))
    requests = np.stack([xs[starts], ys[starts], xs[goals], ys[goals]], axis=1).astype(np.int32)

    with tempfile.TemporaryDirectory() as folder:
        index_file = os.path.join(folder, "index.cairn")
        cairn.build(grid, "subgoal").save(index_file)
        partitions = dask.array.from_array(requests, chunks=(max(number // 8, 1), 4))
        lazy = partitions.map_blocks(costs, index_file, map_file, dtype=np.uint32, drop_axis=1)
        each = [dask.delayed(paths)(part, index_file, map_file)
                for part in partitions.to_delayed().ravel()]
        with start_processes():
            begin = time.perf_counter()
            of_all = lazy.compute()
            print(f"{number} requests in {lazy.numblocks[0]} partitions: "
                  f"{time.perf_counter() - begin:.2f} s")
            cells = sum(numbers.size for numbers, first in dask.compute(*each))
    found = of_all != cairn.INFINITY
    print(f"{found.sum()} paths of {cells} cells, mean cost "
          f"{of_all[found].mean() / grid.straight:.1f} cells")


def start_processes():
    """A cluster of two processes on this machine, or without distributed a pool of processes."""
    try:
        from distributed import Client
    except ImportError:
        return dask.config.set(scheduler="processes", num_workers=2)
    return Client(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None)


if __name__ == "__main__":
    main()
