"""The examples in docstrings, and the types of the stubs."""

import ast
import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import cairn

NAMES = [getattr(cairn, name) for name in cairn.__all__]


def examples():
    """The module, its functions and classes, and their methods, whose text has an example."""
    for thing in [cairn, *NAMES]:
        texts = [(getattr(thing, "__name__", ""), thing.__doc__)]
        if isinstance(thing, type):
            texts += [(f"{thing.__name__}.{name}", member.__doc__)
                      for name, member in vars(thing).items()]
        for name, text in texts:
            if isinstance(text, str) and ">>>" in text:
                yield pytest.param(text, id=name)


@pytest.mark.parametrize("text", examples())
def test_example(text):
    test = doctest.DocTestParser().get_doctest(text, {}, "example", None, 0)
    assert doctest.DocTestRunner().run(test).failed == 0


def test_every_name_is_documented():
    for thing in [cairn.build, cairn.load, cairn.planners, cairn.plot, cairn.from_costmap]:
        assert thing.__doc__
    for kind in NAMES:
        if isinstance(kind, type):
            assert kind.__doc__, kind
            for name, member in vars(kind).items():
                if not name.startswith("_"):
                    assert getattr(member, "__doc__", None), f"{kind.__name__}.{name}"


ROOT = Path(__file__).resolve().parents[3]
FIRST = ["docs/python.md", "docs/start.md"]  # pages with a first path
PAGES = [page for page in [*FIRST, "docs/agents.md", "docs/robots.md"] if (ROOT / page).exists()]


def code_blocks(page):
    """The blocks of Python of a page."""
    return re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"),
                      re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_page(page, tmp_path, monkeypatch, capsys):
    """The code of a page runs as it stands, from top to bottom; its first path has 6 lines at most."""
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    blocks = code_blocks(page)
    assert blocks
    assert page not in FIRST or len(blocks[0].splitlines()) <= 6
    (tmp_path / "maps").symlink_to(ROOT / "maps")
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)
    shown = re.search(r"^```text\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    if page == "docs/start.md":
        assert capsys.readouterr().out == shown[1]


@pytest.mark.skipif(not cairn.has("tiled") or not PAGES, reason="without Tiled, or without pages")
def test_page_of_tiled(tmp_path, monkeypatch):
    """The page's code reads costs of tiles: one free tile, an obstacle, and one of weight 3."""
    monkeypatch.chdir(tmp_path)
    tiles = ['<tile id="1"><properties><property name="blocked" type="bool" value="true"/>',
             '<tile id="2"><properties><property name="cost" type="int" value="3"/>']
    Path("level.tmx").write_text(
        '<map orientation="orthogonal" width="3" height="1" tilewidth="8" tileheight="8">'
        '<tileset firstgid="1" name="t" tilewidth="8" tileheight="8" tilecount="3" columns="3">'
        + "".join(tile + "</properties></tile>" for tile in tiles) + "</tileset>"
        '<layer id="1" name="floor" width="3" height="1"><data encoding="csv">1,2,3</data></layer>'
        "</map>", encoding="ascii")
    names = {"cairn": cairn}
    for block in code_blocks("docs/tiled.md"):
        exec(compile(block, "docs/tiled.md", "exec"), names)
    assert names["grid"].array.tobytes() == b".@3"


@pytest.mark.skipif(shutil.which("mypy") is None, reason="mypy is not installed")
def test_types(tmp_path):
    """The package and its stubs are sound, and so is a program that uses them."""
    config = tmp_path / "mypy.ini"
    config.write_text("[mypy]\nstrict = True\n[mypy-matplotlib.*,tqdm.*]\n"
                      "ignore_missing_imports = True\n")
    program = tmp_path / "program.py"
    program.write_text("import cairn\nimport numpy as np\n"
                       "index = cairn.build(np.ones((9, 9), bool))\n"
                       "path = index.path((0, 0), (8, 8))\n"
                       "cost: int = path.cost if path is not None else 0\n"
                       "for x, y in path or []:\n    print(x, y)\n"
                       "print(index.paths([(0, 0, 8, 8)]).costs.sum())\n")
    for checked in [["-p", "cairn"], [str(program)]]:
        run = subprocess.run([sys.executable, "-m", "mypy", "--config-file", str(config), *checked],
                             capture_output=True, text=True, cwd=tmp_path)
        assert run.returncode == 0, run.stdout + run.stderr


def test_stubs_have_all_names():
    stub = os.path.join(os.path.dirname(cairn.__file__), "_cairn.pyi")
    with open(stub, encoding="utf-8") as file:
        stubs = ast.parse(file.read())
    module = cairn._cairn
    own = {name for name in vars(module) if not name.startswith("_")}
    kinds = {node.name: node for node in stubs.body if isinstance(node, ast.ClassDef)}
    functions = {node.name for node in stubs.body if isinstance(node, ast.FunctionDef)}
    values = {node.target.id for node in stubs.body if isinstance(node, ast.AnnAssign)}
    assert own == (set(kinds) | functions | values) - {"__version__"}
    for name, node in kinds.items():
        listed = {member.name for member in node.body if isinstance(member, ast.FunctionDef)}
        members = {member for member in vars(getattr(module, name)) if not member.startswith("_")}
        assert {member for member in listed if not member.startswith("_")} == members, name
