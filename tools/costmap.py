#!/usr/bin/env python3
"""Makes the costmap of a robot from a MovingAI map, as Nav2's inflation layer does.

usage: costmap.py MAP.map FACTOR CELLS OUT.pgm
Each cell of the map becomes FACTOR x FACTOR cells, of which at most the first CELLS columns and rows are
kept. A byte of the picture is the weight of a cell (`--weights literal`): 0 in walls; beside a wall 253, and
less with each of 12 cells farther away, down to 1.
"""

import math
import sys

import numpy


def free_cells(file):
    """A map's cells, True where free."""
    with open(file, encoding="ascii") as text:
        lines = text.read().splitlines()
    return numpy.array([[letter in ".GS" for letter in row] for row in lines[4:]])


def dilated(cells):
    """The cells and all next to them."""
    padded = numpy.pad(cells, 1)
    rows = padded[:-2] | padded[1:-1] | padded[2:]
    return rows[:, :-2] | rows[:, 1:-1] | rows[:, 2:]


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    factor, most = int(sys.argv[2]), int(sys.argv[3])
    free = numpy.kron(free_cells(sys.argv[1]), numpy.ones((factor, factor), bool))[:most, :most]
    weights = numpy.where(free, 1, 0).astype(numpy.uint8)
    near = ~free
    for away in range(12):
        wider = dilated(near)
        weights[wider & ~near] = 1 + math.floor(252 * math.exp(-0.35 * away))
        near = wider
    height, width = weights.shape
    with open(sys.argv[4], "wb") as out:
        out.write(b"P5\n%d %d\n255\n" % (width, height) + weights.tobytes())


if __name__ == "__main__":
    main()
