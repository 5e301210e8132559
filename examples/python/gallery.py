#!/usr/bin/env python3
"""Pictures of paths, drawn by Matplotlib through cairn.plot: those of docs/python.md.

usage: gallery.py [FOLDER]
Writes five pictures into FOLDER (default: the current one). Run it in the folder that holds maps/.
"""

import sys
from pathlib import Path

import cairn
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

COLORS = ("#d1495b", "#00798c", "#edae49")


def part_of(name, left, top, width, height):
    """A rectangle of a map, as an array of bool."""
    return cairn.load(f"maps/{name}.map").free_mask[top : top + height, left : left + width]


def axes_for(title, columns=1, width=6.4, height=4.4):
    """Axes of a new figure, without ticks."""
    figure, axes = plt.subplots(1, columns, figsize=(width, height), dpi=90, squeeze=False,
                                layout="constrained")
    figure.suptitle(title, fontsize=11)
    for ax in axes[0]:
        ax.set_xticks([])
        ax.set_yticks([])
    return axes[0] if columns > 1 else axes[0][0]


def mark(ax, place, color="black"):
    ax.plot(place[0], place[1], "o", color=color, markersize=5, zorder=3)


def clusters():
    """A path of HPA*, and the clusters of its index."""
    size = 10
    index = cairn.build(part_of("caves", 20, 40, 100, 66), cluster_size=size)
    path = index.path((0, 4), (97, 65))
    ax = axes_for(f"A path of {path.length:.1f} cells over clusters of {size} x {size}")
    cairn.plot(index, path, ax=ax, color=COLORS[0])
    for x in range(size, index.map.width, size):
        ax.axvline(x - 0.5, color=COLORS[1], linewidth=0.5)
    for y in range(size, index.map.height, size):
        ax.axhline(y - 0.5, color=COLORS[1], linewidth=0.5)
    mark(ax, path.cells[0])
    mark(ax, path.cells[-1])


def costs():
    """The costs from one cell to all others, which one call finds."""
    free = part_of("rooms", 100, 0, 96, 64)
    index = cairn.build(free, "subgoal")
    start = (47, 31)
    ys, xs = np.nonzero(free)
    found = index.costs([start], np.stack([xs, ys], axis=1))[0]
    cells = np.full(free.shape, np.nan)
    reached = found != cairn.INFINITY
    cells[ys[reached], xs[reached]] = found[reached] / index.map.straight
    ax = axes_for("Lengths of the shortest paths from one cell")
    cairn.plot(index, ax=ax)
    picture = ax.imshow(cells, cmap="viridis", interpolation="nearest")
    ax.figure.colorbar(picture, ax=ax, label="cells", shrink=0.8)
    mark(ax, start, "white")


def agents():
    """Paths of agents that cover 1 x 1 to 3 x 3 cells: each takes the gaps that it fits through."""
    free = part_of("forest", 90, 135, 60, 40)
    grid = cairn.Grid(free).with_agents(3, key=[255] + [0] * 255)
    index = cairn.build(grid)
    ax = axes_for("One start, one goal, agents of three sizes")
    cairn.plot(cairn.Grid(free), ax=ax)
    for size, color in zip((1, 2, 3), COLORS):
        path = index.path((1, 37), (56, 2), size=size, nearest_reachable=True)
        middle = path.cells + (size - 1) / 2  # of the square that the agent covers
        ax.plot(middle[:, 0], middle[:, 1], color=color, label=f"{size} x {size}")
    ax.legend(loc="lower right", fontsize=8)


def edit():
    """A world before and after a door is closed: the path that leads through it is found again."""
    world = cairn.World(cairn.build(part_of("rooms", 105, 30, 60, 60), "subgoal"))
    requests = np.array([(2, 2, 57, 57)], dtype=np.int32)
    door = (32, 32, 2, 1)  # x, y, width, height
    left, right = axes_for("Before and after a door is closed", columns=2, width=7.2, height=3.9)
    before = world.paths(requests)
    cairn.plot(world, before, ax=left, color=COLORS[1])
    world.edit([(*door, 0)])
    after = world.replan(requests, before, 0)
    cairn.plot(world, after, ax=right, color=COLORS[1])
    right.add_patch(plt.Rectangle((door[0] - 0.5, door[1] - 0.5), door[2], door[3],
                                  color=COLORS[0], zorder=3))


def mesh():
    """A path over a mesh of rectangles, which HNA* finds and pulls tight."""
    walls = cairn.Mesh.from_grid(cairn.Grid(part_of("rooms", 120, 20, 60, 40)))
    path = cairn.build(walls).path((0.5, 0, 0.5), (59.5, 0, 39.5))
    ax = axes_for(f"A path of {path.length:.1f} over a mesh of {walls.num_polygons} rectangles")
    cairn.plot(walls, path, ax=ax, color=COLORS[0])
    ax.invert_yaxis()  # as on the grid: row 0 is the top one
    mark(ax, path.points[0][[0, 2]])
    mark(ax, path.points[-1][[0, 2]])


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    for draw in (clusters, costs, agents, edit, mesh):
        draw()
        plt.savefig(folder / f"python-{draw.__name__}.png", metadata={"Software": None})
        plt.close()


if __name__ == "__main__":
    main()
