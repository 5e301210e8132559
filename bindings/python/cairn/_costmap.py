"""Grids from the costmaps of robots."""

import math
from typing import Any, Tuple

import numpy as np

from ._cairn import Grid


def from_costmap(
    data: Any,
    resolution: float,
    origin: Tuple[float, float] = (0.0, 0.0),
    yaw: float = 0.0,
    *,
    unknown_is_free: bool = False,
    occupied: int = 65,
    max_weight: int = 8,
    neighbours: int = 8,
    corners: str = "strict",
) -> Grid:
    """A grid with a position in the world, from an occupancy grid or a costmap.

    As in ROS, row 0 of `data` is the lowest one: data[0, 0] is the cell at `origin`, the lower left
    corner of the map in metres; cells have the side `resolution`, and the map is turned by `yaw`
    about its origin. So the cell (x, y) of the grid is data[height - 1 - y, x].

    Signed integers are an OccupancyGrid: percent from 0, and -1 for unknown cells; from `occupied`
    on they are obstacles. Unsigned bytes are a costmap: from 253 on obstacles, 255 is unknown. The
    others become weights that grow with their cost from 1 to max_weight; with max_weight=1 costs do
    not matter, which all planners can take.

    >>> import numpy, cairn
    >>> data = numpy.zeros((40, 60), dtype=numpy.int8)
    >>> grid = cairn.from_costmap(data, 0.05, (-1.0, -1.0))
    >>> grid.to_cell((-0.99, -0.99))
    (0, 39)
    >>> cairn.build(grid).world_path((-0.9, -0.9), (1.5, 0.5)).shape
    (50, 2)
    """
    costs = np.asarray(data)
    if costs.ndim != 2:
        raise ValueError("a costmap needs an array of 2 dimensions")
    if not 1 <= max_weight <= 255:
        raise ValueError("max_weight must be 1 to 255")
    if not (math.isfinite(resolution) and resolution > 0):
        raise ValueError("resolution must be above 0")
    if costs.dtype.kind == "i":
        unknown = costs < 0
        blocked = costs >= occupied
        span = max(occupied - 1, 1)
    elif costs.dtype == np.uint8:
        unknown = costs == 255
        blocked = costs >= 253
        span = 252
    else:
        raise TypeError("a costmap holds signed integers or unsigned bytes")
    known = np.clip(np.where(unknown, 0, costs).astype(np.int32), 0, span)
    weights = 1 + (known * (max_weight - 1) + span // 2) // span
    free = ~blocked | unknown if unknown_is_free else ~(blocked | unknown)
    weights = np.where(free, weights, 0).astype(np.uint8)
    return Grid(
        weights[::-1],
        neighbours=neighbours,
        corners=corners,
        resolution=resolution,
        origin=(float(origin[0]), float(origin[1])),
        yaw=yaw,
    )
