"""The programs of examples/python."""

import contextlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import cairn
from conftest import cases, random_grid, random_requests

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "examples" / "python"
pytestmark = pytest.mark.skipif(not EXAMPLES.exists(), reason="without the examples")


def run(name, *arguments):
    """Runs an example in the folder that holds maps/, and returns what it prints."""
    ran = subprocess.run([sys.executable, str(EXAMPLES / name), *arguments], cwd=ROOT,
                         capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_gallery(tmp_path):
    pytest.importorskip("matplotlib")
    run("gallery.py", str(tmp_path))
    pictures = {file.name for file in tmp_path.iterdir()}
    assert pictures == {file.name for file in (ROOT / "docs/pictures").glob("python-*.png")}
    for name in pictures:
        assert 5_000 < (tmp_path / name).stat().st_size < 60_000, name


def test_dask_example():
    pytest.importorskip("dask.array", reason="dask is not installed")
    printed = run("dask_paths.py", "maps/worked-example.map", "400")
    assert "400 requests in 8 partitions" in printed and "400 paths of" in printed


@contextlib.contextmanager
def scheduler(name):
    """Two processes of a scheduler."""
    import dask

    if name == "processes":
        with dask.config.set(scheduler="processes", num_workers=2):
            yield
        return
    distributed = pytest.importorskip("distributed", reason="distributed is not installed")
    with distributed.Client(n_workers=2, threads_per_worker=1, processes=True,
                            dashboard_address=None):
        yield


@pytest.mark.filterwarnings("ignore:make_current is deprecated")
@pytest.mark.parametrize("name", ["processes", "distributed"])
def test_dask_answers_are_those_of_one_process(name, rng, tmp_path, monkeypatch):
    array = pytest.importorskip("dask.array", reason="dask is not installed")
    import dask

    monkeypatch.syspath_prepend(str(EXAMPLES))
    import dask_paths

    weights = random_grid(rng, 40, 50)
    grid = cairn.Grid(np.where(weights > 0, b".", b"@"), terrain="letters")
    map_file, index_file = str(tmp_path / "a.map"), str(tmp_path / "a.cairn")
    grid.save(map_file)
    index = cairn.build(cairn.load(map_file), "subgoal")
    index.save(index_file)
    requests = random_requests(rng, weights, cases(500) + 3)
    expected = index.paths(requests)
    parts = array.from_array(requests, chunks=(max(len(requests) // 3, 1), 4))
    costs = parts.map_blocks(dask_paths.costs, index_file, map_file, dtype=np.uint32, drop_axis=1)
    paths = [dask.delayed(dask_paths.paths)(part, index_file, map_file)
             for part in parts.to_delayed().ravel()]
    with scheduler(name):
        np.testing.assert_array_equal(costs.compute(), expected.costs)
        found = dask.compute(*paths)
    np.testing.assert_array_equal(np.concatenate([numbers for numbers, first in found]),
                                  expected.numbers)
    lengths = np.concatenate([np.diff(first) for numbers, first in found])
    np.testing.assert_array_equal(lengths, np.diff(expected.first))
