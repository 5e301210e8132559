#!/usr/bin/env python3
"""Measures cairn-mpi beside one process, on random requests: a row of CSV for each way and round.

usage: mpi_pairs.py MAP INDEX REQUESTS ROUNDS [OPTION...]
The ways are `cairn path --requests` with two threads, `cairn-mpi batch` with one process of two threads, and
with two processes of one thread. In each round all ways answer the same REQUESTS random requests, one way after
another, and then none at all, which is their start. The options are those of the query. Seconds are those of the
whole program, so they include reading and writing; those of processors are the sum over all threads and processes. What
a way writes must be what the first one wrote.
"""

import csv
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import numpy


def sides(file):
    """Width and height of a MovingAI map."""
    with open(file, encoding="ascii") as text:
        header = dict(line.split() for line in text.read(200).splitlines()[1:3])
    return int(header["width"]), int(header["height"])


def ways(map_file, index, options):
    """The commands, with REQUESTS and OUT for two files."""
    batch = ["cairn-mpi", "batch", index, map_file, "REQUESTS", "OUT", *options]
    mpirun = ["mpirun", "--bind-to", "none"]
    return {
        "cairn path, 2 threads": ["cairn", "path", map_file, "--index", index, "--requests", "REQUESTS",
                                  "--statuses", "OUT", "--detail", "cost", *options],
        "1 process of 2 threads": [*mpirun, "-n", "1", *batch, "--threads", "2"],
        "2 processes of 1 thread": [*mpirun, "-n", "2", *batch, "--threads", "1"],
    }


def processors():
    """The seconds that all programs run so far have taken of processors."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measured(command, requests, out):
    """The seconds that a command takes, and those of processors."""
    names = {"REQUESTS": str(requests), "OUT": str(out)}
    begin, before = time.monotonic(), processors()
    subprocess.run([names.get(word, word) for word in command], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return time.monotonic() - begin, processors() - before


def main():
    map_file, index, count, rounds, *options = sys.argv[1:]
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    width, height = sides(map_file)
    random = numpy.random.default_rng(1)
    ends = random.integers(0, [width, height, width, height], (int(count), 4), dtype=numpy.int32)
    rows = csv.writer(sys.stdout)
    rows.writerow(["way", "round", "requests", "seconds", "start_seconds", "processor_seconds",
                   "start_processor_seconds"])
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        numpy.save(folder / "requests.npy", ends)
        numpy.save(folder / "none.npy", ends[:0])
        first = None
        for number in range(int(rounds)):
            for way, command in ways(map_file, index, options).items():
                out = folder / "out.npy"
                took, busy = measured(command, folder / "requests.npy", out)
                written = out.read_bytes()
                first = first or written
                if written != first:
                    sys.exit(f"{way}: other rows than those of {next(iter(ways('', '', [])))}")
                start, start_busy = measured(command, folder / "none.npy", out)
                rows.writerow([way, number + 1, count] +
                              [f"{value:.3f}" for value in (took, start, busy, start_busy)])
                sys.stdout.flush()


if __name__ == "__main__":
    main()
