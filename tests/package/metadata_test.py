"""Compares CITATION.cff, the port for vcpkg, the recipe for Conan and the npm package with the CMake
project, with the changelog and with docs/papers.md. Exits with 1 at the first difference, with 77 if
there is no module yaml."""

import ast
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PORT = ROOT / "packaging" / "vcpkg" / "ports" / "cairn"
RECIPE = ROOT / "packaging" / "conan" / "conanfile.py"

# CMake's names of packages: vcpkg's, and Conan's.
NAMES = {
    "CLI11": ("cli11", "cli11"),
    "Cairo": ("cairo", "cairo"),
    "FlatBuffers": ("flatbuffers", "flatbuffers"),
    "METIS": ("metis", "metis"),
    "Recast": ("recastnavigation", "recastnavigation"),
    "TBB": ("tbb", "onetbb"),
    "ZLIB": ("zlib", "zlib"),
    "fmt": ("fmt", "fmt"),
    "lodepng": ("lodepng", "lodepng"),
    "nlohmann_json": ("nlohmann-json", "nlohmann_json"),
    "pugixml": ("pugixml", "pugixml"),
    "tl-expected": ("tl-expected", "tl-expected"),
    "xxHash": ("xxhash", "xxhash"),
    "yaml-cpp": ("yaml-cpp", "yaml-cpp"),
    "zstd": ("zstd", "zstd"),
}


def expect(holds, *message):
    if not holds:
        sys.exit(" ".join(map(str, message)))


def text_of(*names):
    return ROOT.joinpath(*names).read_text(encoding="utf-8")


def version():
    return re.search(r"project\(.*?VERSION\s+([0-9.]+)", text_of("CMakeLists.txt"), re.DOTALL)[1]


def needed_packages():
    """By CMake: for each option the packages that it needs; those under None are always needed."""
    parts = text_of("cmake", "Parts.cmake")
    dependencies = text_of("cmake", "Dependencies.cmake")
    formats = re.search(r"set\(format_packages (\w[^)]*)\)", parts)[1]
    switch_of = {}
    for package, rest in re.findall(r"^cairn_package\((\S+)([^)]*)\)", dependencies, re.MULTILINE):
        switch = re.search(r"SWITCH (\w+)", rest)
        switch_of[package] = switch[1] if switch else None
    needed = {}
    for rest in re.findall(r"^cairn_part\(([^)]*)\)", parts, re.MULTILINE):
        packages = re.search(r"PACKAGES (.*?)(?: SWITCHES|$)", " ".join(rest.split()))
        switches = re.search(r"SWITCHES (\w+)", rest)
        if packages:
            for package in packages[1].replace("${format_packages}", formats).split():
                switch = switches[1] if switches else switch_of[package]
                needed.setdefault(switch, set()).add(package)
    for package, switch in re.findall(r'cairn_require\((\w+) "the command line tool" (\w+)\)',
                                      dependencies):
        needed.setdefault(switch, set()).add(package)
    expect({"fmt", "xxHash"} <= needed[None] and len(needed) > 5, "CMake's files were not understood")
    return needed


def switches():
    """The options that CMake knows."""
    return set(re.findall(r"^option\((\w+)", text_of("cmake", "Options.cmake") +
                          text_of("cmake", "Parts.cmake"), re.MULTILINE))


def check_port(needed):
    port = json.loads(PORT.joinpath("vcpkg.json").read_text(encoding="utf-8"))
    expect(port["version"] == version(), "vcpkg.json is of version", port["version"])
    portfile = PORT.joinpath("portfile.cmake").read_text(encoding="utf-8")
    block = re.search(r"FEATURES\n(.*?)\)", portfile, re.DOTALL)[1]
    options = dict(line.split() for line in block.splitlines())
    expect(set(options) == set(port["features"]), "features", sorted(options))
    expect(set(port["default-features"]) <= set(options), "default-features")
    expect(set(options.values()) <= switches(), "no option of CMake:", options)

    def packages(dependencies):
        names = {need if isinstance(need, str) else need["name"] for need in dependencies
                 if isinstance(need, str) or not need.get("host")}
        return names - {"cairn"}

    expect(packages(port["dependencies"]) == {NAMES[name][0] for name in needed[None]},
           "vcpkg.json: dependencies")
    for feature, option in options.items():
        found = packages(port["features"][feature].get("dependencies", []))
        expect(found == {NAMES[name][0] for name in needed.get(option, set())},
               "vcpkg.json:", feature, found)
    expect(set(needed) - {None} <= set(options.values()), "options without a feature")
    usage = PORT.joinpath("usage").read_text(encoding="utf-8")
    expect(f"find_package(cairn {version().rsplit('.', 1)[0]} " in usage, "usage")


def check_recipe(needed):
    tables = {}
    for node in ast.parse(RECIPE.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict):
            tables[node.targets[0].id] = ast.literal_eval(node.value)
    expect(set(tables["SWITCHES"].values()) <= switches(), "no option of CMake:", tables["SWITCHES"])
    found = {}
    for reference, options in tables["REQUIREMENTS"].items():
        for option in options or [None]:
            switch = tables["SWITCHES"][option] if option else None
            found.setdefault(switch, set()).add(reference.split("/")[0])
    expect(found == {switch: {NAMES[name][1] for name in packages}
                     for switch, packages in needed.items()}, "conanfile.py:", found)
    expect({name.split("::")[0] for table in ("PACKAGES", "TARGETS") for name in tables[table]} <=
           {name for _, name in NAMES.values()}, "conanfile.py: names of CMake")


def check_citation(yaml):
    cff = yaml.safe_load(text_of("CITATION.cff"))
    expect(cff["cff-version"] == "1.2.0", "cff-version")
    for key in ("message", "title", "authors", "license"):
        expect(cff.get(key), "CITATION.cff has no", key)
    expect(cff["version"] == version(), "CITATION.cff is of version", cff["version"])
    dates = dict(re.findall(r"^## \[([0-9.]+)\] - (\S+)$", text_of("CHANGELOG.md"), re.MULTILINE))
    expect(cff["date-released"] == dates[version()], "date-released", cff["date-released"])
    # docs/papers.md has a line for each paper, below its algorithm's heading.
    papers = {}
    page = text_of("docs", "papers.md")
    for authors, title, year in re.findall(r"^([A-Z]\. [^:\n]+): \*(.+)\*, (\d{4})", page,
                                           re.MULTILINE):
        papers[title] = (re.sub(r"[A-Z]\. ", "", authors), int(year))
    expect(len(papers) == 4, "docs/papers.md was not understood:", papers)
    found = {}
    for reference in cff["references"]:
        expect(reference["type"] in ("article", "conference-paper", "generic"), reference["type"])
        names = ", ".join(author["family-names"] for author in reference["authors"])
        found[reference["title"]] = (names, reference["year"])
    expect(found == papers, "CITATION.cff", found, "is not", papers)


def check_web():
    package = json.loads(text_of("bindings", "web", "package.json"))
    expect(package["version"] == version(), "bindings/web/package.json is of version",
           package["version"])
    lock = json.loads(text_of("bindings", "web", "package-lock.json"))
    expect(lock["version"] == version(), "bindings/web/package-lock.json is of version",
           lock["version"])


def main():
    needed = needed_packages()
    check_port(needed)
    check_recipe(needed)
    check_web()
    try:
        import yaml
    except ImportError:
        sys.exit(77)
    check_citation(yaml)


if __name__ == "__main__":
    main()
