"""The recipe for Conan 2. Not run by Cairn's tests, which only compare it with the CMake project."""

import re
from pathlib import Path

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy

# Options of the recipe and of the CMake project.
SWITCHES = {"with_c": "CAIRN_C", "with_detour": "CAIRN_DETOUR", "with_formats": "CAIRN_FORMATS",
            "with_metis": "CAIRN_METIS", "with_render": "CAIRN_RENDER", "with_tbb": "CAIRN_TBB",
            "with_tiled": "CAIRN_TILED", "with_tool": "CAIRN_BUILD_APP"}

# The required packages, each with the options one of which must be on; none: always.
REQUIREMENTS = {
    "cairo/1.18.0": ["with_render"],
    "cli11/2.4.2": ["with_tool"],
    "flatbuffers/24.12.23": [],
    "fmt/10.2.1": [],
    "lodepng/cci.20241228": ["with_formats", "with_render"],
    "metis/5.2.1": ["with_metis"],
    "nlohmann_json/3.11.3": ["with_formats", "with_tool"],
    "onetbb/2021.12.0": ["with_tbb"],
    "pugixml/1.14": ["with_tiled"],
    "recastnavigation/1.6.0": ["with_detour"],
    "tl-expected/1.1.0": [],
    "xxhash/0.8.2": [],
    "yaml-cpp/0.8.0": ["with_formats"],
    "zlib/1.3.1": ["with_tiled"],
    "zstd/1.5.6": ["with_tiled"],
}

# What Cairn's CMake files call packages and targets, where Conan's names may differ.
PACKAGES = {"cairo": "Cairo", "flatbuffers": "flatbuffers", "lodepng": "lodepng",
            "metis": "METIS", "recastnavigation": "Recast", "xxhash": "xxHash"}
TARGETS = {"cairo": "Cairo::Cairo", "metis": "METIS::METIS", "xxhash": "xxHash::xxHash",
           "recastnavigation::Recast": "Recast::Recast",
           "recastnavigation::Detour": "Recast::Detour",
           "recastnavigation::DetourCrowd": "Recast::DetourCrowd",
           "recastnavigation::DetourTileCache": "Recast::DetourTileCache",
           "yaml-cpp": "yaml-cpp"}


class Cairn(ConanFile):
    name = "cairn"
    description = "Hierarchical pathfinding on grids and navigation meshes"
    license = "MIT"
    topics = ("pathfinding", "navigation-mesh", "games")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], **{name: [True, False] for name in SWITCHES}}
    default_options = {"shared": False, "with_c": True, "with_detour": False,
                       "with_formats": True, "with_metis": False, "with_render": False,
                       "with_tbb": True, "with_tiled": True, "with_tool": False}

    def root(self):
        """The clone of Cairn that this recipe is in."""
        return Path(self.recipe_folder).parent.parent

    def set_version(self):
        text = (self.root() / "CMakeLists.txt").read_text(encoding="utf-8")
        self.version = re.search(r"project\(.*?VERSION\s+([0-9.]+)", text, re.DOTALL).group(1)

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md", "apps/*",
                        "bindings/*", "cmake/*", "components/*", "include/*", "src/*"):
            copy(self, pattern, self.root(), self.export_sources_folder)

    def validate(self):
        check_min_cppstd(self, 20)
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("Cairn is for Linux")
        if self.options.with_render and not self.options.with_formats:
            raise ConanInvalidConfiguration("with_render needs with_formats")
        if self.options.with_tiled and not self.options.with_formats:
            raise ConanInvalidConfiguration("with_tiled needs with_formats")
        if self.options.with_tool and not self.options.with_render:
            raise ConanInvalidConfiguration("with_tool needs with_render")

    def requirements(self):
        for reference, options in REQUIREMENTS.items():
            if not options or any(self.options.get_safe(option) for option in options):
                # Cairn's public headers include these.
                public = reference.startswith(("tl-expected/", "recastnavigation/"))
                self.requires(reference, transitive_headers=public)

    def build_requirements(self):
        self.tool_requires("flatbuffers/<host_version>")  # for flatc

    def layout(self):
        cmake_layout(self)

    def generate(self):
        deps = CMakeDeps(self)
        for package, name in PACKAGES.items():
            deps.set_property(package, "cmake_file_name", name)
        for package, name in TARGETS.items():
            deps.set_property(package, "cmake_target_name", name)
        deps.generate()
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["CMAKE_FIND_PACKAGE_PREFER_CONFIG"] = True
        toolchain.cache_variables["CAIRN_CUDA"] = "OFF"
        toolchain.cache_variables["CAIRN_MPI"] = "OFF"
        for kind in ("TESTS", "EXAMPLES", "BENCH", "FUZZ"):
            toolchain.cache_variables[f"CAIRN_BUILD_{kind}"] = False
        for option, switch in SWITCHES.items():
            toolchain.cache_variables[switch] = bool(self.options.get_safe(option))
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, Path(self.package_folder) / "licenses")
        CMake(self).install()

    def package_info(self):
        # A component for each part that was built, as the files for pkg-config describe them.
        for file in sorted(Path(self.package_folder, "lib", "pkgconfig").glob("cairn-*.pc")):
            part = file.stem.removeprefix("cairn-")
            needs = re.search(r"^Requires:(.*)$", file.read_text(), re.MULTILINE).group(1)
            component = self.cpp_info.components[part]
            component.set_property("cmake_target_name", f"cairn::{part}")
            component.libs = ["cairn" if part == "c" else f"cairn_{part}"]
            component.requires = [need.removeprefix("cairn-") for need in needs.split()]
        packages = [dependency.ref.name for dependency in self.dependencies.direct_host.values()]
        self.cpp_info.components["core"].requires = [f"{name}::{name}" for name in packages]
