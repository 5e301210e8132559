"""Prints the .cpp files to check after a change: usage: changed_sources.py COMMIT FOLDER...

These are the .cpp files in the folders whose code differs from the commit's. For every header whose
code differs and that none of them includes, the first .cpp file that includes it is printed, too.
Comments count as code only where they speak to clang-tidy (NOLINT).
"""

import pathlib
import re
import subprocess
import sys

# A literal is matched so that a // inside it does not start a comment.
LITERAL = r'''R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+[']'''
COMMENT = r"//(?!.*NOLINT).*|/\*(?:.|\n)*?\*/"
SPACE = re.compile(rf"({LITERAL})|(?:\s|{COMMENT})+")
INCLUDE = re.compile(r'^#include "(.+)"', re.MULTILINE)
ROOTS = ["", "include", "src", "components", "bindings/c", "bindings/c/include", "bindings/python/src", "apps", "apps/cairn", "apps/lab"]


def git(*arguments):
    run = subprocess.run(["git", *arguments], check=True, capture_output=True, text=True)
    return run.stdout.split("\n")[:-1]


def includes(file, known):
    """The headers of the project that a file includes itself."""
    for name in INCLUDE.findall(file.read_text()):
        for root in [file.parent, *map(pathlib.Path, ROOTS)]:
            if root / name in known:
                yield root / name
                break


def code(text):
    """The text with one space for every run of white space and comments."""
    return SPACE.sub(lambda found: found[1] or " ", text).strip()


def same_code(base, file):
    old = subprocess.run(["git", "show", f"{base}:{file}"], capture_output=True, text=True)
    return old.returncode == 0 and code(old.stdout) == code(file.read_text())


def main():
    base, folders = sys.argv[1], sys.argv[2:]
    patterns = [f"{f}/*.{ending}" for f in [*folders, "include"] for ending in ("cpp", "hpp", "h")]
    listed = git("ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns)
    files = {file for file in map(pathlib.Path, listed) if file.is_file()}
    direct = {file: set(includes(file, files)) for file in files}

    def all_includes(file):
        seen, stack = set(), [file]
        while stack:
            for header in direct[stack.pop()] - seen:
                seen.add(header)
                stack.append(header)
        return seen

    named = git("diff", "--name-only", base, "--", *patterns)
    named += git("ls-files", "--others", "--exclude-standard", "--", *patterns)
    named = map(pathlib.Path, named)
    changed = {file for file in named if file in files and not same_code(base, file)}
    sources = sorted(file for file in files if file.suffix == ".cpp")
    chosen = [file for file in sources if file in changed]
    unseen = {file for file in changed if file.suffix != ".cpp"}
    for file in chosen:
        unseen -= all_includes(file)
    for file in sources:
        found = unseen & all_includes(file) if unseen else set()
        if found:
            chosen.append(file)
            unseen -= found
    print("\n".join(map(str, sorted(chosen))), end="\n" if chosen else "")


main()
