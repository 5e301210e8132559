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
CODE, SKIPPED, GAP = 0, 2, 3  # kinds of regions; a skipped one is a comment or empty lines


def export(build):
    """What llvm-cov says about each function: each instantiation of a template is one."""
    profile = build / "profiles" / "all.profdata"
    raw = sorted((build / "profiles").glob("*.profraw"))
    if not raw:
        sys.exit(f"coverage.py: no profiles in {build}/profiles; run ./dev coverage")
    merge = ["llvm-profdata", "merge", "-sparse", *raw, "-o", profile]
    subprocess.run(merge, check=True)
    programs = [arg for p in sorted((build / "bin").iterdir()) for arg in ("-object", p)]
    command = ["llvm-cov", "export", "-skip-expansions",
               f"-instr-profile={profile}", *programs[1:]]
    # It warns of inline functions that some of the programs never call.
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(run.stderr)
    return json.loads(run.stdout)["data"][0]["functions"]


def innermost(regions, at):
    """The innermost of the regions, sorted, that has begun before a place and ends after it."""
    found = None
    for region in regions:
        if region[0] > at:
            break
        if region[1] > at:
            found = region
    return found


def count_lines(regions, counts):
    """Adds how often the lines of a function ran, by the rule of llvm-cov: a line counts as often as
    the code that begins on it or goes on from the line before it, whichever ran more often."""
    begun = collections.defaultdict(list)
    ends = {}  # where the first region on a line ends
    for region in regions:
        begun[region[0][0]].append(region)
        line, column = region[1]
        ends[line] = min(column, ends.get(line, column))
    for line in range(regions[0][0][0], max(region[1][0] for region in regions) + 1):
        here = begun[line]
        before = innermost(regions, (line, 0))
        runs = [r[2] for r in here if r[3] == CODE]
        if before is not None and before[3] != SKIPPED:
            runs.append(before[2])
        skipped = here and here[0][3] == SKIPPED and here[0][0][1] <= ends.get(line, here[0][0][1])
        if runs and not skipped:
            counts[line] = max(counts.get(line, 0), *runs)


def count_branches(regions, branches, text, counts):
    """Adds how often each outcome of the conditions of a function came."""
    for line, column, true, false in branches:
        if "= default;" in text[line - 1]:
            continue
        if true == false == 0:
            # A constant condition, such as that of `if constexpr`, runs and has no outcome.
            around = innermost(regions, (line, column))
            if around is not None and around[2] > 0:
                continue
        outcomes = counts.setdefault((line, column), [0, 0])
        outcomes[0] += true
        outcomes[1] += false


def count_files(build):
    """The lines and branches of each file: {path: ({line: runs}, {place: [true, false]})}."""
    files = {}
    texts = {}
    for function in export(build):
        for number, name in enumerate(function["filenames"]):
            path = (build / name).resolve()
            if not path.is_relative_to(ROOT):
                continue
            path = str(path.relative_to(ROOT))
            regions = [((r[0], r[1]), (r[2], r[3]), r[4], r[7]) for r in function["regions"]
                       if r[5] == number and r[7] in (CODE, SKIPPED, GAP)]
            if path.split("/")[0] not in FOLDERS or not regions:
                continue
            regions.sort(key=lambda r: (r[0], (-r[1][0], -r[1][1])))
            lines, branches = files.setdefault(path, ({}, {}))
            if path not in texts:
                texts[path] = (ROOT / path).read_text(encoding="utf-8").split("\n")
            count_lines(regions, lines)
            own = [(b[0], b[1], b[4], b[5]) for b in function["branches"] if b[6] == number]
            count_branches(regions, own, texts[path], branches)
    return {path: (dict(sorted(lines.items())), branches)
            for path, (lines, branches) in files.items()}


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
    files = count_files(pathlib.Path(sys.argv[1]).resolve())
    if sys.argv[2:]:
        print_missing(files, sys.argv[2:])
    else:
        print_table(files)


main()
