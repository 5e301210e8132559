"""Grids from arrays of every kind, and from files."""

import json

import numpy as np
import pytest

import cairn
from conftest import random_grid


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int16, np.uint16, np.int32, np.int64,
                                   np.uint64, ">i4", ">u2"])
def test_integers_are_weights(rng, dtype):
    weights = random_grid(rng, most=9)
    grid = cairn.Grid(weights.astype(dtype))
    assert grid.shape == weights.shape
    assert (grid.width, grid.height) == weights.shape[::-1]
    assert grid.free_cells == np.count_nonzero(weights)
    np.testing.assert_array_equal(grid.array, weights)
    np.testing.assert_array_equal(grid.free_mask, weights > 0)
    assert grid.fingerprint == cairn.Grid(weights).fingerprint


def test_bools_say_what_is_free(rng):
    weights = random_grid(rng)
    grid = cairn.Grid(weights > 0)
    np.testing.assert_array_equal(grid.free_mask, weights > 0)
    assert grid.fingerprint == cairn.Grid(weights).fingerprint


def test_letters():
    letters = np.array([[b".", b"@", b"5"], [b"G", b"T", b"."]])
    grid = cairn.Grid(letters)
    np.testing.assert_array_equal(grid.free_mask, [[1, 0, 1], [1, 0, 1]])
    codes = letters.view(np.uint8)
    np.testing.assert_array_equal(cairn.Grid(codes, terrain="letters").free_mask,
                                  [[1, 0, 0], [1, 0, 1]])
    assert cairn.Grid(codes, terrain="digits").fingerprint == grid.fingerprint
    weights = [0] * 256
    weights[ord("T")] = 3
    assert cairn.Grid(codes, weights=weights).free_cells == 1


@pytest.mark.parametrize("view", [
    lambda a: a[::-1], lambda a: a[:, ::-1], lambda a: a[::2, ::3], lambda a: a.T,
    lambda a: np.asfortranarray(a), lambda a: a[3:9, 4:5], lambda a: a[3:4],
    lambda a: np.broadcast_to(a[5], (7, a.shape[1])), lambda a: np.broadcast_to(a[:, :1], a.shape),
])
@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int32])
def test_strides(rng, view, dtype):
    array = view(random_grid(rng).astype(dtype))
    np.testing.assert_array_equal(cairn.Grid(array).array, array)


def test_arrays_may_be_read_only_and_change_later(rng):
    weights = random_grid(rng)
    kept = weights.copy()
    weights.flags.writeable = False
    grid = cairn.Grid(weights)
    weights.flags.writeable = True
    weights[:] = 1
    np.testing.assert_array_equal(grid.array, kept)
    grid.array[:] = 1
    np.testing.assert_array_equal(grid.array, kept)


@pytest.mark.parametrize("array, error", [
    (np.ones(5, bool), ValueError), (np.ones((2, 2, 2), bool), ValueError),
    (np.array(1), ValueError), (np.ones((3, 3)), TypeError), (np.ones((3, 3), "f4"), TypeError),
    (np.ones((3, 3), complex), TypeError), (np.full((3, 3), None), TypeError),
    (np.full((3, 3), 256), ValueError), (np.full((3, 3), -1), ValueError),
    (np.full((3, 3), b"ab"), TypeError), (np.full((3, 3), "."), TypeError),
    (np.ones((0, 3), bool), cairn.Error), (np.ones((3, 0), bool), cairn.Error),
    (np.ones((1, 40000), bool), cairn.Error),
])
def test_wrong_arrays(array, error):
    with pytest.raises(error):
        cairn.Grid(array)


@pytest.mark.parametrize("options", [
    {"neighbours": 5}, {"corners": "round"}, {"terrain": "mud"}, {"weights": [1]},
    {"straight": 10, "diagonal": 5}, {"resolution": -1.0}, {"resolution": float("nan")},
])
def test_wrong_options(options):
    with pytest.raises((ValueError, cairn.Error)):
        cairn.Grid(np.ones((3, 3), bool), **options)


def test_files(rng, tmp_path):
    letters = np.where(random_grid(rng) > 0, b".", b"@")
    grid = cairn.Grid(letters, terrain="letters")
    extensions = [".map"] + ([".png", ".pgm", ".yaml"] if cairn.has("more_formats") else [])
    for extension in extensions:
        file = tmp_path / f"a{extension}"
        grid.save(file)
        np.testing.assert_array_equal(cairn.load(file).free_mask, grid.free_mask)
        np.testing.assert_array_equal(cairn.load(str(file)).free_mask, grid.free_mask)
    with pytest.raises(cairn.Error) as error:
        cairn.load(tmp_path / "none.map")
    assert error.value.status == cairn.Status.IO_ERROR
    (tmp_path / "bad.map").write_bytes(b"type octile\nheight x\n")
    with pytest.raises(cairn.Error) as error:
        cairn.load(tmp_path / "bad.map")
    assert error.value.status == cairn.Status.CORRUPT_FILE


@pytest.mark.skipif(not cairn.has("tiled"), reason="built without Tiled")
def test_tiled_maps(rng, tmp_path):
    gids = rng.integers(0, 4, (7, 9))  # 0: no tile, 1: floor, 2: a wall, 3: mud
    tiles = [{"id": 1, "properties": [{"name": "blocked", "type": "bool", "value": True}]},
             {"id": 2, "properties": [{"name": "cost", "type": "int", "value": 3}]}]
    layer = {"type": "tilelayer", "name": "all", "width": 9, "height": 7,
             "data": gids.ravel().tolist()}
    file = tmp_path / "a.tmj"
    file.write_text(json.dumps(
        {"type": "map", "orientation": "orthogonal", "width": 9, "height": 7, "layers": [layer],
         "tilesets": [{"firstgid": 1, "tiles": tiles}]}))
    grid = cairn.load(file, terrain="digits")
    np.testing.assert_array_equal(grid.free_mask, (gids == 1) | (gids == 3))
    np.testing.assert_array_equal(grid.array == ord("3"), gids == 3)
    free = cairn.load(file, terrain="digits", empty_is_free=True)
    np.testing.assert_array_equal(free.free_mask, gids != 2)
    walls = cairn.load(file, terrain="digits", layer="all")
    np.testing.assert_array_equal(walls.free_mask, gids == 0)
    other = cairn.load(file, terrain="digits", wall_property="solid")
    np.testing.assert_array_equal(other.free_mask, gids != 0)
    with pytest.raises(cairn.Error, match="'none'"):
        cairn.load(file, layer="none")


def test_measure():
    grid = cairn.Grid(np.ones((5, 5), bool))
    assert grid.measure([(0, 0), (1, 0), (2, 1)]) == (408 + 577, pytest.approx(1 + 2 ** 0.5))
    assert grid.measure([(0, 0), (2, 0)]) is None
    with pytest.raises(cairn.Error):
        grid.measure([(0, 0), (5, 0)])
    with pytest.raises(TypeError):
        grid.measure([(0.5, 0.5)])


def test_world_coordinates(rng):
    grid = cairn.Grid(np.ones((40, 60), bool), resolution=0.5, origin=(10, -5), yaw=0.3)
    cells = rng.integers(0, 40, (50, 2)).astype(np.int32)
    centres = grid.to_world(cells)
    # Row 0 is the top one; y grows upwards.
    x = (cells[:, 0] + 0.5) * 0.5
    y = (40 - cells[:, 1] - 0.5) * 0.5
    np.testing.assert_allclose(centres[:, 0], 10 + np.cos(0.3) * x - np.sin(0.3) * y)
    np.testing.assert_allclose(centres[:, 1], -5 + np.sin(0.3) * x + np.cos(0.3) * y)
    np.testing.assert_array_equal(grid.to_cell(centres), cells)
    assert grid.to_cell(tuple(centres[0])) == tuple(cells[0])
    with pytest.raises(cairn.Error) as error:
        cairn.Grid(np.ones((4, 4), bool)).to_cell((0, 0))
    assert error.value.status == cairn.Status.UNSUPPORTED


def test_costmaps():
    percent = np.array([[0, 100, -1], [30, 64, 65]], np.int8)
    grid = cairn.from_costmap(percent, 1.0)
    np.testing.assert_array_equal(grid.array, [[1 + round(7 * 30 / 64), 8, 0], [1, 0, 0]])
    assert cairn.from_costmap(percent, 1.0, unknown_is_free=True).array[1, 2] == 1
    assert cairn.from_costmap(percent, 1.0, max_weight=1).array.max() == 1
    costs = np.array([[0, 252, 253, 254, 255]], np.uint8)
    np.testing.assert_array_equal(cairn.from_costmap(costs, 0.1).array, [[1, 8, 0, 0, 0]])
    with pytest.raises(TypeError):
        cairn.from_costmap(np.ones((2, 2)), 1.0)
    with pytest.raises(ValueError):
        cairn.from_costmap(np.ones(4, np.int8), 1.0)
    with pytest.raises(ValueError):
        cairn.from_costmap(percent, 0.0)


def test_paths_of_costmaps():
    wall = np.zeros((20, 30), np.int8)
    wall[:15, 10] = 100
    grid = cairn.from_costmap(wall, 0.1, (-1.0, 2.0))
    index = cairn.build(grid)
    start, goal = (-0.93, 2.02), (0.55, 2.04)
    path = index.world_path(start, goal)
    assert tuple(path[0]) == start and tuple(path[-1]) == goal
    assert path[:, 1].max() > 2.0 + 1.5, "it leads around the wall"
    steps = np.hypot(*np.diff(path, axis=0).T)
    assert steps.max() < 0.1 * 2 ** 0.5 + 0.08
    assert index.world_path(start, (0.05, 2.05)) is None, "a goal in the wall"
    with pytest.raises(cairn.Error):
        index.world_path(start, (9, 9))


def test_pictures(rng):
    if not cairn.has("render"):
        pytest.skip("built without pictures")
    grid = cairn.Grid(random_grid(rng))
    assert b"<svg" in grid.picture()[:400]
    assert cairn.build(grid).picture("png").startswith(b"\x89PNG")
    with pytest.raises(ValueError):
        grid.picture("gif")
