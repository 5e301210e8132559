"""Plots of maps and paths by Matplotlib."""

from typing import Any, Iterable, Optional, Union

import numpy as np

from ._cairn import DiscPath, Discs, Grid, Index, Mesh, Path, World


def plot(
    what: Union[Grid, Mesh, Index, World, Discs],
    paths: Union[Path, DiscPath, Iterable[Union[Path, DiscPath, None]], None] = None,
    *,
    ax: Any = None,
    color: Any = None,
) -> Any:
    """Draws a map, and paths on it, and returns the axes.

    `what` is a grid, a mesh, an index, a world or a Discs; of a mesh x and z are shown. Obstacles
    are black, the least weight white, larger ones grey. `paths` is a path, a Paths, or a list of
    paths, where None is left out. Of a disc its line is drawn, and the disc at both ends.
    """
    import matplotlib.pyplot as plt
    from matplotlib.collections import PolyCollection
    from matplotlib.patches import Circle

    if ax is None:
        _, ax = plt.subplots()
    if isinstance(what, World):
        what = what.snapshot()[0]
    if isinstance(what, Discs):
        what = what.mesh
    shown = what.map if isinstance(what, Index) else what
    if isinstance(shown, Mesh):
        vertices = shown.vertices[:, [0, 2]]
        shapes = [vertices[corners] for corners in shown.polygons if len(corners) > 2]
        ax.add_collection(PolyCollection(shapes, facecolors="0.95", edgecolors="0.6"))
        ax.autoscale_view()
        ax.set_aspect("equal")
    elif isinstance(shown, Grid):
        cells = shown.array
        free = np.ones(cells.shape, bool) if shown.for_agents else shown.free_mask
        least, most = (cells[free].min(), cells[free].max()) if free.any() else (0, 0)
        above = (cells.astype(float) - least) / max(float(most) - least, 1.0)
        ax.imshow(np.where(free, 1.0 - 0.5 * above, 0.0),
                  cmap="gray", vmin=0, vmax=1, interpolation="nearest")
    else:
        raise TypeError("plot takes a grid, a mesh, an index, a world or a Discs")
    for path in [paths] if isinstance(paths, (Path, DiscPath)) else paths or []:
        if path is None:
            continue
        if isinstance(path, DiscPath):
            centre = path.line()
            (drawn,) = ax.plot(centre[:, 0], centre[:, 2], color=color)
            for x, _, z, _ in (path.start, path.goal):
                ax.add_patch(Circle((x, z), path.radius, color=drawn.get_color(), alpha=0.3))
            continue
        line = path.points[:, [0, 2]] if path.cells is None else path.cells
        ax.plot(line[:, 0], line[:, 1], color=color)
    return ax
