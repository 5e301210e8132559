"""Cairn: paths on grid maps and navigation meshes.

>>> import numpy, cairn
>>> index = cairn.build(numpy.ones((40, 40), dtype=bool))
>>> path = index.path((2, 3), (30, 20))
>>> path.cost, len(path)
(14297, 29)

Cells are pairs (x, y); the cell (x, y) of an array is array[y, x]. Costs are integers: a straight
step costs 408, a diagonal one 577, times the weight of the terrain.
"""

import os
from typing import Any, List, NamedTuple, Optional, Tuple, Union

from ._cairn import (
    INFINITY,
    NONE,
    DiscPath,
    Discs,
    Grid,
    Index,
    Map,
    Mesh,
    Path,
    Paths,
    Query,
    Search,
    Searchable,
    World,
    __version__,
    has,
    load_problems,
)
from ._cairn import planners as _planners
from ._costmap import from_costmap
from ._errors import Error, Status
from ._plot import plot

__all__ = [
    "INFINITY", "NONE", "DiscPath", "Discs", "Error", "Field", "Grid", "Index", "Map", "Mesh",
    "Path", "Paths", "Planner", "Query", "Search", "Searchable", "Status", "World", "__version__",
    "build", "from_costmap", "has", "load", "load_problems", "planners", "plot",
]

_GRIDS = (".map", ".png", ".pgm", ".npy", ".tmj", ".tmx", ".yaml", ".yml")
_MESHES = (".mesh", ".bin", ".obj")


class Field(NamedTuple):
    """An option of a planner, or of its queries."""

    name: str
    type: str
    help: str
    least: float
    most: float
    default: Any
    choices: Tuple[str, ...]


class Planner(NamedTuple):
    """A planner of this build; options are those of build, query those of queries."""

    name: str
    space: str
    summary: str
    exact: bool
    has_index: bool
    has_labels: bool
    options: List[Field]
    query: List[Field]


def planners() -> List[Planner]:
    """The planners of this build, with all their options.

    >>> import cairn
    >>> [planner.name for planner in cairn.planners() if planner.space == "mesh"]
    ['hna', 'astar']
    >>> hpa = next(planner for planner in cairn.planners() if planner.name == "hpa")
    >>> hpa.options[0].name, hpa.options[0].least, hpa.options[0].most
    ('cluster_size', 2.0, 64.0)
    """
    return [
        Planner(*fields[:6], *([Field(*field) for field in group] for group in fields[6:]))
        for fields in _planners()
    ]


def build(
    map: Any,
    planner: Optional[str] = None,
    *,
    progress: Any = None,
    threads: int = 0,
    **options: Any,
) -> Index:
    """Builds the index of a planner.

    map: a Grid, a Mesh, or an array as Grid takes it. planner: 'hpa' unless said otherwise, of
    meshes 'hna', of grids for agents 'haa'; or 'subgoal', 'astar', 'jps'. options: those of the
    planner, as cairn.planners() lists them.

    progress is called with the fraction that is done, on this thread; True shows a bar. An
    exception in it, or Ctrl-C, stops the build. threads=0 means one for each processor.

    >>> import numpy, cairn
    >>> index = cairn.build(numpy.ones((40, 40), dtype=bool), "hpa", cluster_size=8, levels=2)
    >>> index.options["cluster_size"], index.options["levels"]
    (8, 2)
    """
    if not isinstance(map, Map):
        map = Grid(map)
    if planner is None:
        planner = "hna" if isinstance(map, Mesh) else "haa" if map.for_agents else "hpa"
    return Index.build(map, planner, progress=progress, threads=threads, **options)


def load(
    path: Union[str, "os.PathLike[str]"], map: Optional[Map] = None, **options: Any
) -> Union[Grid, Mesh, Index]:
    """Loads a map (.map, .png, .pgm, .npy, .yaml, .tmj, .tmx), a mesh (.mesh, .bin, .obj) or an index file.

    options: those of Grid.load, Mesh.load or Index.load. map: that of an index whose file does not hold it.
    """
    extension = os.path.splitext(os.fspath(path))[1].lower()
    if map is None and extension in _GRIDS:
        return Grid.load(path, **options)
    if map is None and extension in _MESHES:
        return Mesh.load(path, **options)
    return Index.load(path, map, **options)
