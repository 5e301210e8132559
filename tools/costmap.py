#!/usr/bin/env python3
"""Makes the costmap of a robot from a MovingAI map, as Nav2's inflation layer does.

usage: costmap.py MAP.map FACTOR CELLS OUT.yaml
Each cell of the map becomes FACTOR x FACTOR cells, of which at most the first CELLS columns and rows are
kept. OUT.yaml names a picture beside it, OUT.pgm, whose values are percent (mode raw): 100 in walls, 99 beside
a wall, less with each of 12 cells farther away, and 0 beyond. Cairn reads them as weights from 9 to 1.
"""

import math
import pathlib
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
    percent = numpy.where(free, 0, 100).astype(numpy.uint8)
    near = ~free
    for away in range(12):
        wider = dilated(near)
        percent[wider & ~near] = math.floor(99 * math.exp(-0.2 * away))
        near = wider
    height, width = percent.shape
    yaml = pathlib.Path(sys.argv[4])
    picture = yaml.with_suffix(".pgm")
    picture.write_bytes(b"P5\n%d %d\n255\n" % (width, height) + percent.tobytes())
    yaml.write_text(f"image: {picture.name}\nmode: raw\nresolution: 0.05\norigin: [0, 0, 0]\nnegate: 0\n"
                    "occupied_thresh: 0.65\nfree_thresh: 0.25\n", encoding="utf-8")


if __name__ == "__main__":
    main()
