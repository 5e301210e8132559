"""Builds the extension module of the Python package by CMake; pyproject.toml has all else.

Environment:
  CAIRN_PYTHON_BUILD  the build folder, if another than setuptools' own: one that is configured keeps
                      its settings
  CAIRN_CMAKE_ARGS    more arguments for CMake, such as -DCAIRN_DETOUR=OFF
  CAIRN_JOBS          parallel jobs (default: one per processor)
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent


def version():
    """The version that project() in CMakeLists.txt sets."""
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(.*?VERSION\s+([0-9.]+)", text, re.DOTALL).group(1)


class Build(build_ext):
    def build_extension(self, ext):
        build = Path(os.environ.get("CAIRN_PYTHON_BUILD") or Path(self.build_temp) / "cmake").resolve()
        settings = ["-DCMAKE_BUILD_TYPE=Release", "-DCAIRN_UNITY=ON", "-DCAIRN_CUDA=OFF",
                    *(f"-DCAIRN_BUILD_{name}=OFF"
                      for name in ("APP", "TESTS", "EXAMPLES", "BENCH", "FUZZ"))]
        if (build / "CMakeCache.txt").exists() and "CAIRN_PYTHON_BUILD" in os.environ:
            settings = []
        subprocess.run(
            ["cmake", "-S", ROOT, "-B", build, "-DCAIRN_PYTHON=ON", "-DCAIRN_C=ON",
             f"-DPython3_EXECUTABLE={sys.executable}", *settings,
             *shlex.split(os.environ.get("CAIRN_CMAKE_ARGS", ""))],
            check=True)
        jobs = os.environ.get("CAIRN_JOBS") or str(os.cpu_count() or 1)
        subprocess.run(["cmake", "--build", build, "--target", "cairn_python", "-j", jobs],
                       check=True)
        folder = Path(self.get_ext_fullpath(ext.name)).parent
        folder.mkdir(parents=True, exist_ok=True)
        built = build / "python" / "cairn"
        for file in [built / Path(self.get_ext_filename(ext.name)).name, *built.glob("libcairn*")]:
            shutil.copy2(file, folder)


setup(version=version(), ext_modules=[Extension("cairn._cairn", [])], cmdclass={"build_ext": Build})
