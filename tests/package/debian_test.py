"""Makes Debian packages with cpack and tests them: what they hold and need, and that the tool, programs
and Python work with them, unpacked into an empty folder.

usage: debian_test.py programs|python --build FOLDER --work FOLDER ...
`programs` are the packages of the library, its development files and the tool; `python` those of the
library and of Python. The build folder holds what they are made of. Exits with 1 at the first fault.
"""

import argparse
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
EPOCH = 1_000_000_000  # the time that packages are made at
REQUEST = ("maps/rooms.map", (35, 252), (222, 217))  # of examples/first_path.*


def run(*command, **options):
    """What a command prints."""
    return subprocess.run([str(word) for word in command], check=True, text=True,
                          stdout=subprocess.PIPE, **options).stdout


def expect(holds, *message):
    if not holds:
        sys.exit(" ".join(map(str, message)))


def code_block(language):
    """The code in this language that docs/packages.md shows for installed packages."""
    page = (ROOT / "docs" / "packages.md").read_text()
    blocks = re.findall(rf"^```{language}\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    block, = [block for block in blocks if "maps/rooms.map" in block or "find_package" in block]
    return block


class Package:
    """A .deb file: its fields, control files, and files with their entries of the archive."""

    def __init__(self, file):
        self.file = file
        self.fields = {}
        for line in run("dpkg-deb", "-f", file).strip().splitlines():
            if line[0].isspace():
                self.fields[name] += "\n" + line
            else:
                name, value = line.split(":", 1)
                self.fields[name] = value.strip()
        self.name = self.fields["Package"]
        self.control = self.archive("--ctrl-tarfile")
        self.data = self.archive("--fsys-tarfile")
        self.files = {name: entry for name, (entry, _) in self.data.items() if not entry.isdir()}

    def archive(self, which):
        """The entries of an archive in the file, and their bytes, by name."""
        data = subprocess.run(["dpkg-deb", which, self.file], check=True,
                              stdout=subprocess.PIPE).stdout
        with tarfile.open(fileobj=io.BytesIO(data)) as tar:
            return {entry.name.removeprefix("./"):
                    (entry, tar.extractfile(entry).read() if entry.isfile() else b"")
                    for entry in tar}

    def bytes_of(self, name):
        return self.data[name][1]

    def needs(self):
        """The names of the packages that it depends on, with what is said of their versions."""
        fields = [re.split(r"\s*\|\s*", need)[0]
                  for need in re.split(r",\s*", self.fields.get("Depends", ""))]
        needs = {}
        for field in filter(None, fields):
            name, _, version = field.partition(" ")
            needs.setdefault(name, []).append(version)
        return needs

    def programs(self):
        """The names of its ELF files."""
        return [name for name in self.files if self.bytes_of(name).startswith(b"\x7fELF")]


def expected_files(options):
    """The files of each package, with the target of links: debian_files.txt for this build."""
    headers = [str(file.relative_to(ROOT / "include" / "cairn"))
               for file in (ROOT / "include" / "cairn").rglob("*.hpp")]
    not_built = set(options.known) - set(options.parts)
    headers = [name for name in headers if name.split("/")[0] not in not_built]
    names = {"version": options.version, "soversion": options.version.rsplit(".", 1)[0],
             "libdir": f"usr/{options.libdir}", "doc": "usr/share/doc",
             "config": options.config, "python": f"usr/{options.python_dir}",
             "module": options.module}
    packages = {}
    kind = "shared:" if options.shared else "static:"
    for line in (Path(__file__).parent / "debian_files.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        if not line.startswith(" "):
            files = packages.setdefault(line.format(**names), {})
            continue
        line = line.strip()
        if line.startswith(("static:", "shared:")):
            if not line.startswith(kind):
                continue
            line = line.removeprefix(kind).strip()
        each = [{}]
        if "{part}" in line:
            each = [{"part": part} for part in options.parts]
        if "{header}" in line:
            each = [{"header": header} for header in headers]
        for more in each:
            name, _, target = line.format(**names, **more).partition(" -> ")
            files[name] = target
    return packages


def check_files(packages, options):
    """Every file is expected, none is missing, and they are as Debian wants them."""
    expected = expected_files(options)
    others = {"python": ["cairn", "libcairn-dev"], "programs": ["python3-cairn"]}
    for name in others[options.set]:
        del expected[name]
    expect(set(packages) == set(expected), "packages", sorted(packages), "not", sorted(expected))
    version = f"{options.version}-1"
    architecture = run("dpkg", "--print-architecture").strip()
    for name, package in packages.items():
        files = {file: entry.linkname for file, entry in package.files.items()}
        expect(files == expected[name], name, "differs in",
               sorted(set(files.items()) ^ set(expected[name].items())))
        fields = package.fields
        expect(fields["Version"] == version, fields["Version"])
        expect(fields["Architecture"] == architecture, fields["Architecture"])
        expect(re.fullmatch(r"[^<>]+ <[^<>@ ]+@[^<>@ ]+>", fields["Maintainer"]),
               fields["Maintainer"])
        section = {"libcairn-dev": "libdevel", "cairn": "science", "python3-cairn": "python"}
        expect(fields["Section"] == section.get(name, "libs"), name, fields["Section"])
        expect(fields["Description"].count("\n") > 2, name, fields["Description"])
        listed = dict(reversed(line.split("  ", 1)) for line in
                      package.control["md5sums"][1].decode().splitlines())
        expect(set(listed) == {f for f, e in package.files.items() if e.isfile()},
               name, "md5sums", sorted(listed))
        for file, (entry, data) in package.data.items():
            expect(entry.uid == entry.gid == 0, name, file, "belongs to", entry.uid, entry.gid)
            expect(entry.mtime == EPOCH, name, file, "is of", entry.mtime)
            runs = entry.isdir() or file == "usr/bin/cairn"
            if not entry.issym():
                expect(entry.mode & 0o7777 == (0o755 if runs else 0o644), name, file,
                       oct(entry.mode))
            if entry.isfile():
                expect(hashlib.md5(data).hexdigest() == listed[file], name, file, "md5sum")
            for folder in (options.build, ROOT):
                expect(str(folder).encode() not in data, name, file, "names", folder)
        doc = f"usr/share/doc/{name}"
        terms = package.bytes_of(f"{doc}/copyright").decode().split("License: Expat\n")[-1]
        expect([word for word in terms.split() if word != "."] ==
               (ROOT / "LICENSE").read_text().split("\n\n", 2)[2].split(), name, terms)
        expect(gzip.decompress(package.bytes_of(f"{doc}/changelog.gz")) ==
               (ROOT / "CHANGELOG.md").read_bytes(), name, "changelog")
        first = gzip.decompress(package.bytes_of(f"{doc}/changelog.Debian.gz")).decode()
        expect(first.startswith(f"cairn ({version}) "), first)


def owner(file):
    """The package that has a file of this system; libraries may be found by either of /lib and /usr/lib."""
    for name in (file, f"/usr{file}", file.removeprefix("/usr")):
        found = subprocess.run(["dpkg-query", "-S", name], text=True, capture_output=True)
        if found.returncode == 0:
            return found.stdout.split(":")[0]
    return sys.exit(f"no package has {file}")


def check_depends(packages, options):
    """Each package needs those whose libraries its files link, and users of the libraries get all that
    these need."""
    library = f"libcairn{options.version.rsplit('.', 1)[0]}"
    same = [f"(= {options.version}-1)"]
    for name, package in packages.items():
        needs = package.needs()
        own = {Path(file).name for other in (package, packages[library]) for file in other.files}
        for file in package.programs():
            binary = options.work / "root" / file
            dynamic = run("readelf", "-d", binary)
            expect("RPATH" not in dynamic and "RUNPATH" not in dynamic, file, "has a search path")
            expect(".symtab" not in run("readelf", "-SW", binary), file, "is not stripped")
            found = {Path(words[0]).name: words[2 if "=>" in words else 0] for words in
                     map(str.split, run("ldd", binary, env=environment(options)).splitlines())}
            for soname in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic):
                if soname in own:
                    expect(name == library or needs.get(library) == same, name, "links", soname)
                else:
                    expect(owner(found[soname]) in needs, name, "links", soname, "but needs", needs)
    shlibs = packages[library].control["shlibs"][1].decode().splitlines()
    expect(f"libcairn {options.version.rsplit('.', 1)[0]} {library} (>= {options.version})" in shlibs,
           shlibs)
    expect("ldconfig" in packages[library].control["triggers"][1].decode(), "no trigger of ldconfig")


def check_development(packages, options):
    """Users of the libraries get what they link beside these, and the headers that Cairn's include."""
    library = f"libcairn{options.version.rsplit('.', 1)[0]}"
    needs = packages["libcairn-dev"].needs()
    expect(needs.get(library) == [f"(= {options.version}-1)"], "libcairn-dev needs", needs)
    static = [] if options.shared else ["--static"]
    words = run("pkg-config", *static, "--libs", "cairn", env=environment(options)).split()
    linked = {word[2:] for word in words if word.startswith("-l")}
    # Cairn's own libraries, and those that no package of Debian has: CUDA's.
    folders = [Path(word[2:]) for word in words if word.startswith("-L")]
    linked = {name for name in linked if not any((folder / f"lib{name}{end}").exists()
                                                 for folder in folders for end in (".a", ".so"))}
    expect(options.shared or {"tbb", "xxhash", "cairo"} <= linked, "pkg-config says", words)
    for name in linked:
        path = next((folder / f"lib{name}{end}" for end in (".so", ".a")
                     for folder in (options.system_libdir, Path("/usr/lib"))
                     if (folder / f"lib{name}{end}").exists()), None)
        expect(path, "there is no library", name)
        expect(owner(str(path)) in needs | {"libc6-dev": ""}, "libcairn-dev does not need",
               owner(str(path)))
    for header in ("/usr/include/tl/expected.hpp", "/usr/include/recastnavigation/DetourNavMesh.h"):
        expect(owner(header) in needs, "libcairn-dev does not need", owner(header))


def environment(options):
    """For programs that find everything of Cairn in the unpacked packages."""
    root = options.work / "root" / "usr"
    more = {"PKG_CONFIG_PATH": root / options.libdir / "pkgconfig",
            "LD_LIBRARY_PATH": root / options.libdir,
            "PYTHONPATH": root / options.python_dir, "PYTHONDONTWRITEBYTECODE": "1"}
    return {**os.environ, **{name: str(value) for name, value in more.items()}}


def check_programs(packages, options):
    """The tool runs, and the examples compile with pkg-config and CMake and find the tool's path."""
    env = environment(options)
    tool = options.work / "root" / "usr" / "bin" / "cairn"
    expect(run(tool, "--version", env=env) == f"cairn {options.version}\n", "the tool's version")
    texts = {"man": "man/man1/cairn.1.gz", "completion zsh": "zsh/vendor-completions/_cairn",
             "completion bash": "bash-completion/completions/cairn",
             "completion fish": "fish/vendor_completions.d/cairn.fish"}
    for words, file in texts.items():
        text = packages["cairn"].bytes_of(f"usr/share/{file}")
        text = gzip.decompress(text) if file.endswith(".gz") else text
        expect(run(tool, *words.split(), env=env).encode() == text, file, "is not the tool's")
    map_file, *ends = REQUEST
    found = json.loads(run(tool, "path", map_file, *(f"{x},{y}" for x, y in ends), "--planner",
                           "astar", "--json", cwd=ROOT, env=env))
    cells = 1 + sum(max(abs(x - u), abs(y - v)) for (x, y), (u, v) in
                    zip(found["turns"], found["turns"][1:]))
    build = options.work / "programs"
    shutil.rmtree(build, ignore_errors=True)
    (build / "bin").mkdir(parents=True)
    for name in ("maps", "examples"):
        (build / name).symlink_to(ROOT / name)
    for name, compiler in (("cc", options.c_compiler), ("c++", options.compiler)):
        (build / "bin" / name).symlink_to(compiler)
    path = os.pathsep.join(map(str, [tool.parent, build / "bin", os.environ["PATH"]]))
    commands = code_block("sh")
    if options.shared:
        commands = commands.replace(" --static", "")
    run("sh", "-ec", commands, cwd=build, env={**env, "PATH": path})
    (build / "page.cmake").write_text(code_block("cmake"))
    run("cmake", "-G", options.generator, "-S", ROOT / "tests" / "package" / "consumer",
        "-B", build / "cmake", "-DWAY=debian", f"-DCAIRN_SOURCE_DIR={ROOT}",
        f"-DPAGE={build / 'page.cmake'}",
        f"-DCMAKE_CXX_COMPILER={options.compiler}", f"-DCMAKE_C_COMPILER={options.c_compiler}",
        f"-DCMAKE_PREFIX_PATH={options.work / 'root' / 'usr'}")
    run("cmake", "--build", build / "cmake", "-j", "2", env=env)
    for folder in (build, build / "cmake"):
        exact = run(folder / "path_c", cwd=ROOT, env=env)
        expect(exact == f"{cells} cells, cost {found['cost']}\n", folder, exact, found)
        near = run(folder / "path_cpp", cwd=ROOT, env=env)
        length = float(near.split()[-1])
        expect(found["length"] - .1 <= length <= 1.1 * found["length"], folder, near, found)
    # Nothing was taken from the tree that the packages were made of.
    libraries = run("ldd", build / "path_c", env=env)
    expect(str(options.work / "root") in libraries, libraries)


def check_python(packages, options):
    """The Python package finds a shortest path, from the unpacked folder, and needs one Python."""
    map_file, start, goal = REQUEST
    program = f"""{code_block("python")}
import importlib.metadata
cost = cairn.build(cairn.load({map_file!r}), "astar").path({start}, {goal}).cost
print(cairn.__file__, importlib.metadata.version("cairn"), path.cost, cost)
"""
    if subprocess.run([options.python, "-c", "import numpy"], capture_output=True).returncode:
        print(f"{options.python} has no numpy")
        sys.exit(77)
    out = run(options.python, "-c", program, cwd=ROOT, env=environment(options)).split()
    folder = options.work / "root" / "usr" / options.python_dir / "cairn"
    expect(out[:2] == [str(folder / "__init__.py"), options.version] and out[2] == out[3], out)
    python = packages["python3-cairn"]
    expect({"python3-numpy", "python3"} <= set(python.needs()), python.needs())
    expect(len(python.needs()["python3"]) >= 2, "any version of Python", python.needs())
    for script in ("postinst", "prerm"):
        entry, text = python.control[script]
        expect(entry.mode & 0o111, script, "cannot be run")
        run("sh", "-n", "/dev/stdin", input=text.decode())


# For each set the components of the install rules, the target that a build may lack, and the checks.
SETS = {"programs": ("library;development;tool", None,
                     [check_files, check_depends, check_development, check_programs]),
        "python": ("library;python", "cairn_python", [check_files, check_depends, check_python])}


def make(options, components, target):
    """The packages of these components, made by cpack."""
    if target:
        run("cmake", "--build", options.build, "--target", target, "-j", "2")
    run("cpack", "--config", options.build / "CPackConfig.cmake", "-B", options.work / "packages",
        "-D", f"CPACK_COMPONENTS_ALL={components}", cwd=options.work,
        env={**os.environ, "SOURCE_DATE_EPOCH": str(EPOCH)})
    packages = map(Package, sorted((options.work / "packages").glob("*.deb")))
    return {package.name: package for package in packages}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("set", choices=SETS)
    for name in ("build", "work", "system-libdir"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    for name in ("version", "libdir", "compiler", "c-compiler", "generator", "python", "config"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("parts", "known"):  # the parts that are built, and all parts
        parser.add_argument(f"--{name}", type=lambda text: text.split(","), required=True)
    parser.add_argument("--shared", action="store_true")
    for name in ("python-dir", "module"):  # of the Python package, for `python`
        parser.add_argument(f"--{name}", default="")
    options = parser.parse_args()
    root = options.work / "root"
    shutil.rmtree(options.work, ignore_errors=True)
    root.mkdir(parents=True)
    components, target, checks = SETS[options.set]
    packages = make(options, components, target)
    for package in packages.values():
        run("dpkg", "-x", package.file, root)
    for check in checks:
        check(packages, options)


if __name__ == "__main__":
    main()
