"""Prints how many lines and branches the tests reached, from the profiles of a coverage build.

usage: coverage.py BUILD [PATH...]
Prints a table of the parts; with paths, instead, the lines and branches of the files whose names
begin with one of them that no test reached. Needs llvm-profdata and llvm-cov.

Instantiations of a template count once: a line or a branch is reached if one of them reached it. A
branch is one outcome, true or false, of a condition that is not a constant, or a case of a switch;
those of operators that the compiler makes (`= default`) do not count.
"""

import collections
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The table's rows, in order; a file belongs to the first that its path begins with.
FOLDERS = ["src", "components", "include", "apps"]
LIBRARY = ("src/", "components/", "include/")
HAS_COUNT, IS_ENTRY, IS_GAP = 3, 4, 5  # of a segment: line, column, count and these flags


def export(build):
    """What llvm-cov says about each file, by its path in the repository."""
    profile = build / "profiles" / "all.profdata"
    raw = sorted((build / "profiles").glob("*.profraw"))
    if not raw:
        sys.exit(f"coverage.py: no profiles in {build}/profiles; run ./dev coverage")
    merge = ["llvm-profdata", "merge", "-sparse", *raw, "-o", profile]
    subprocess.run(merge, check=True)
    programs = [arg for p in sorted((build / "bin").iterdir()) for arg in ("-object", p)]
    command = ["llvm-cov", "export", "-skip-functions", "-skip-expansions",
               f"-instr-profile={profile}", *programs[1:]]
    # It warns of inline functions that some of the programs never call.
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(run.stderr)
    found = {}
    for file in json.loads(run.stdout)["data"][0]["files"]:
        path = (build / file["filename"]).resolve()
        if path.is_relative_to(ROOT) and not path.is_relative_to(build):
            found[str(path.relative_to(ROOT))] = file
    return found


def line_counts(segments):
    """How often each line with code ran, by the rule of llvm-cov: a line counts as often as the
    code that begins on it or goes on from the line before it, whichever ran more often."""
    on_line = collections.defaultdict(list)
    for segment in segments:
        on_line[segment[0]].append(segment)
    counts = {}
    before = None
    last = segments[-1][0] if segments else 0
    for line in range(segments[0][0] if segments else 1, last + 1):
        here = on_line.get(line, [])
        begun = [s for s in here if s[HAS_COUNT] and s[IS_ENTRY] and not s[IS_GAP]]
        skipped = bool(here) and here[0][IS_ENTRY] and not here[0][HAS_COUNT]
        goes_on = before is not None and before[HAS_COUNT]
        if not skipped and (goes_on or begun):
            counts[line] = max([s[2] for s in begun] + [before[2] if goes_on else 0])
        before = here[-1] if here else before
    return counts


def branch_counts(path, file):
    """How often each outcome of each condition came: {(line, column): [true, false]}."""
    text = (ROOT / path).read_text(encoding="utf-8").split("\n")
    outcomes = collections.defaultdict(lambda: [0, 0])
    for line, column, _, _, true, false, *_ in file["branches"]:
        if "= default;" in text[line - 1]:
            continue
        outcomes[line, column][0] += true
        outcomes[line, column][1] += false
    # A constant condition, such as that of `if constexpr`, has code that runs but no outcomes.
    segments = [(s[0], s[1], s[2]) for s in file["segments"]]
    constant = []
    position = 0
    for place in sorted(outcomes):
        while position < len(segments) and segments[position][:2] <= place:
            position += 1
        if not any(outcomes[place]) and position > 0 and segments[position - 1][2] > 0:
            constant.append(place)
    for place in constant:
        del outcomes[place]
    return outcomes


def part_of(path):
    """The row of the table that a file belongs to."""
    folders = pathlib.PurePath(path).parts[:-1]
    return "/".join(folders[:1] if folders[0] == "include" else folders[:2])


def percent(reached, count):
    return f"{100 * reached / count:.1f}" if count else ""


def print_table(files):
    rows = collections.defaultdict(lambda: [0, 0, 0, 0])
    for path, (lines, branches) in files.items():
        outcomes = [count for pair in branches.values() for count in pair]
        figures = [len(lines), sum(c > 0 for c in lines.values()),
                   len(outcomes), sum(c > 0 for c in outcomes)]
        names = [part_of(path)]
        if path.startswith("src/"):
            names.append("all of src")
        if path.startswith(LIBRARY):
            names.append("all of the library")
        for name in names:
            rows[name] = [sum(pair) for pair in zip(rows[name], figures)]

    def order(name):
        if name.startswith("all"):
            return 2, name != "all of src", name
        return name.startswith("apps"), FOLDERS.index(name.split("/")[0]), name

    print("| part | lines | reached % | branches | reached % |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name in sorted(rows, key=order):
        lines, reached, branches, taken = rows[name]
        print(f"| {name} | {lines:,} | {percent(reached, lines)} | {branches:,} "
              f"| {percent(taken, branches)} |")


def print_missing(files, paths):
    for path, (lines, branches) in sorted(files.items()):
        if not path.startswith(tuple(paths)):
            continue
        text = (ROOT / path).read_text(encoding="utf-8").split("\n")
        for line in (line for line, count in lines.items() if count == 0):
            print(f"{path}:{line}: not reached: {text[line - 1].strip()}")
        for (line, column), counts in sorted(branches.items()):
            missing = [name for name, c in zip(("true", "false"), counts) if c == 0]
            if lines.get(line, 1) > 0 and missing:
                print(f"{path}:{line}:{column}: never {' or '.join(missing)}: "
                      f"{text[line - 1].strip()}")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    exported = export(pathlib.Path(sys.argv[1]).resolve())
    files = {path: (line_counts(file["segments"]), branch_counts(path, file))
             for path, file in exported.items() if path.split("/")[0] in FOLDERS}
    if sys.argv[2:]:
        print_missing(files, sys.argv[2:])
    else:
        print_table(files)


main()
