"""The examples in docstrings, and the types of the stubs."""

import doctest
import shutil
import subprocess
import sys

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


@pytest.mark.skipif(shutil.which("mypy") is None, reason="mypy is not installed")
@pytest.mark.parametrize("tool", [["mypy", "--strict"], ["mypy.stubtest"]], ids=lambda t: t[0])
def test_stubs(tool, tmp_path):
    """The stubs are sound, and have all names of the package."""
    config = tmp_path / "mypy.ini"
    config.write_text("[mypy]\n[mypy-matplotlib.*,tqdm.*]\nignore_missing_imports = True\n")
    option = "--mypy-config-file" if tool[0] == "mypy.stubtest" else "--config-file"
    package = ["cairn"] if tool[0] == "mypy.stubtest" else ["-p", "cairn"]
    run = subprocess.run([sys.executable, "-m", *tool, *package,
                          option, str(config)], capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr
