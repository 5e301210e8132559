#!/usr/bin/env python3
"""Checks that the code and the tests that docs/papers.md names exist.

usage: check_papers.py [PAGE]
Every row of the page's tables has four cells: item, code, tests, remark. Names in `code marks` in
the second cell are declarations of C++ in namespace cairn, without `cairn::`, or functions of a
script in tools/ (`lab_tables.hpa_sizes`); those in the third are tests (`Suite.Test`). Prints one
line for each name that does not exist and for each row that says nothing, and exits with 1 if
there is any.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ("include", "src", "apps", "components")
TOKEN = re.compile(r"[A-Za-z_]\w*|::|->|\d[\w.']*|\S")
# Comments, strings and characters. A quote in a number (1'000) is neither.
NO_CODE = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|(?<!\w)'(?:\\.|[^'\\\n])+'", re.DOTALL)
TEST = re.compile(r"^(?:TYPED_)?TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\s*\)|"
                  r"^RC_GTEST(?:_FIXTURE)?_PROP\(\s*(\w+),\s*(\w+),", re.MULTILINE)
OPENING, CLOSING = "([{<", ")]}>"


class Declarations:
    """The names that C++ sources declare in namespaces, classes and enumerations, each with those
    of the scopes around it (`cairn::hpa::Options::levels`). Bodies of functions are not read."""

    def __init__(self):
        self.names = set()

    def read(self, text):
        text = re.sub(r"\\\n", " ", text)
        text = re.sub(r"^\s*#.*$", "", NO_CODE.sub(" ", text), flags=re.MULTILINE)
        self.tokens = TOKEN.findall(text)
        self.at = 0
        self.scope([])

    def skip(self, opening):
        """Moves past the bracket that closes `opening`, which is the next token."""
        closing = CLOSING[OPENING.index(opening)]
        depth = 0
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            self.at += 1
            depth += (token == opening) - (token == closing)
            if depth == 0:
                return

    def scope(self, outer):
        """Reads declarations up to the end of a scope."""
        while self.at < len(self.tokens) and self.tokens[self.at] != "}":
            self.declaration(outer)
        self.at += 1

    def enumerators(self, outer):
        expected = True
        while self.at < len(self.tokens) and self.tokens[self.at] != "}":
            token = self.tokens[self.at]
            if token in "([{":
                self.skip(token)
                continue
            if expected and re.match(r"[A-Za-z_]", token):
                self.add(outer + [token])
            expected = token == ","
            self.at += 1
        self.at += 1

    def add(self, names):
        self.names.add("::".join(names))

    def declaration(self, outer):
        """Reads a declaration, and what its braces hold if it opens a scope."""
        if self.tokens[self.at] == "template" and self.tokens[self.at + 1:self.at + 2] == ["<"]:
            self.at += 1
            self.skip("<")
            return
        if self.tokens[self.at] in ("public", "private", "protected"):
            self.at += 2
            return
        kind, name, named = None, [], False  # named: what follows is no part of the name
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            if token in (";", "}"):
                break
            if token == "{":
                if kind in ("namespace", "class", "struct", "union"):
                    if name and kind != "namespace":
                        self.add(outer + name)
                    self.at += 1
                    self.scope(outer + name)
                    if kind == "namespace":
                        return
                    kind, named = None, True
                    continue
                if kind == "enum":
                    self.add(outer + name)
                    self.at += 1
                    self.enumerators(outer + name)
                    kind, named = None, True
                    continue
                if name:
                    self.add(outer + name)
                self.skip("{")
                # A body ends a function. An initialiser in its list is followed by one of these.
                if self.tokens[self.at:self.at + 1] and self.tokens[self.at] not in (",", "{", ";"):
                    return
                continue
            if token in ("(", "["):
                named = named or (token == "(" and bool(name))
                self.skip(token)
                continue
            if token == "<" and not named and self.angle():
                self.skip("<")
                continue
            if token == "," and not named and name:
                self.add(outer + name)
            if token in ("=", ":"):
                named = True
            if not named:
                if kind is None and token in ("namespace", "class", "struct", "union", "enum"):
                    kind = token
                elif kind == "enum" and token in ("class", "struct"):
                    pass
                elif token == "final":
                    pass
                elif re.match(r"[A-Za-z_]", token):
                    after = self.at > 0 and self.tokens[self.at - 1] == "::"
                    name = name + [token] if after and name else [token]
            self.at += 1
        if name:
            self.add(outer + name)
        if self.tokens[self.at:self.at + 1] == [";"]:
            self.at += 1

    def angle(self):
        """Whether the `<` at hand opens a list of arguments: whether it closes before a `;`."""
        depth = 0
        for token in self.tokens[self.at:self.at + 200]:
            depth += (token == "<") - (token == ">")
            if depth == 0:
                return True
            if token in ";{}":
                return False
        return False


def files(folders):
    for folder in folders:
        yield from (f for f in sorted((ROOT / folder).rglob("*"))
                    if f.suffix in (".hpp", ".cpp", ".cu"))


def declared():
    """All names declared in the sources, without `cairn::`, and the functions of scripts."""
    reader = Declarations()
    for file in files(SOURCES):
        reader.read(file.read_text(encoding="utf-8"))
    names = {name.removeprefix("cairn::") for name in reader.names if name.startswith("cairn::")}
    for script in (ROOT / "tools").glob("*.py"):
        text = script.read_text(encoding="utf-8")
        for function in re.findall(r"^def (\w+)\(", text, re.MULTILINE):
            names.add(f"{script.stem}.{function}")
    return names


def tests():
    """The names of all tests, `Suite.Test`."""
    found = set()
    for file in files(["tests"]):
        for groups in TEST.findall(file.read_text(encoding="utf-8")):
            found.add(".".join(part for part in groups if part))
    return found


def rows(page):
    """Yields (line number, cells) for each row of the page's tables, without their heads."""
    lines = page.read_text(encoding="utf-8").split("\n")
    for number, line in enumerate(lines, 1):
        after = lines[number] if number < len(lines) else ""
        if line.startswith("|") and not re.match(r"\|[\s:|-]+$", line) and not re.match(
                r"\|[\s:|-]+$", after):
            yield number, [c.strip() for c in re.split(r"(?<!\\)\|", line)[1:-1]]


def faults(page):
    known, known_tests = declared(), tests()
    for number, cells in rows(page):
        if len(cells) != 4:
            yield number, f"a row of {len(cells)} cells instead of four"
            continue
        _, code, held_by, remark = cells
        symbols, names = re.findall(r"`([^`]+)`", code), re.findall(r"`([^`]+)`", held_by)
        for symbol in symbols:
            if symbol not in known:
                yield number, f"nothing in the sources is named '{symbol}'"
        for name in names:
            if name not in known_tests:
                yield number, f"there is no test '{name}'"
        if not symbols and not remark:
            yield number, "neither code nor a reason why there is none"
        if symbols and not names and not remark:
            yield number, "neither a test nor a reason why there is none"


def main():
    page = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "papers.md"
    count = 0
    for number, fault in faults(page):
        print(f"{page}:{number}: {fault}")
        count += 1
    sys.exit(1 if count else 0)


if __name__ == "__main__":
    main()
