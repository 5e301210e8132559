#!/usr/bin/env python3
"""Writes the structs and constants of cairn.h as TypeScript, as clang lays them out for WebAssembly.

usage: layouts.py COMPILER HEADER OUT [FLAG...]
"""

import re
import subprocess
import sys
from pathlib import Path

NUMBERS = {"int32_t": "i32", "cairn_status": "i32", "uint32_t": "u32", "size_t": "u32",
           "ptrdiff_t": "i32", "uint8_t": "u8", "uint64_t": "u64", "double": "f64", "float": "f32"}
FIELD = re.compile(r"^ +(\d+) \|   (?P<type>\S.*?) (?P<name>\w+)$")


def kind(name):
    if "*" in name:
        return "u32"
    return NUMBERS.get(name, "struct")


def layouts(text):
    """The structs by name: their size, and the position and kind of each member."""
    structs = {}
    for dump in text.split("*** Dumping AST Record Layout")[1:]:
        lines = dump.strip("\n").split("\n")
        head = re.match(r" +0 \| (?:struct )?(cairn_\w+)$", lines[0])
        if not head:
            continue
        fields = {}
        for line in lines[1:]:
            if found := FIELD.match(line):
                fields[found["name"]] = (int(found[1]), kind(found["type"]))
        size = re.search(r"\[sizeof=(\d+)", dump)
        structs[head[1]] = (int(size[1]), fields)
    return structs


def constants(header, macros):
    """The numbers of enumerators, and those of macros."""
    found = {name: int(value, 0) for name, value in re.findall(r"\b(CAIRN_[A-Z_]+) = (\w+)", header)}
    for name, value in re.findall(r"#define (CAIRN_[A-Z_]+) ((?:0x)?[0-9a-f]+)u?$", macros, re.M):
        found[name] = int(value, 0)
    return found


def main():
    compiler, header, out, *flags = sys.argv[1:]
    run = lambda *more: subprocess.run(  # noqa: E731
        [compiler, "--target=wasm32-wasi", *flags, *more, header], check=True,
        capture_output=True, text=True).stdout
    structs = layouts(run("-x", "c", "-fsyntax-only", "-Xclang", "-fdump-record-layouts-complete"))
    numbers = constants(Path(header).read_text(), run("-x", "c", "-dM", "-E"))
    if "cairn_path" not in structs or numbers.get("CAIRN_NONE") != 0xffffffff:
        sys.exit("layouts.py: the compiler's output was not understood")
    lines = ["// Made of cairn.h by layouts.py.", "", "export const layouts = {"]
    for name, (size, fields) in sorted(structs.items()):
        members = ", ".join(f'{field}: {{ at: {at}, kind: "{of}" }}'
                            for field, (at, of) in fields.items())
        lines.append(f"  {name}: {{ size: {size}, fields: {{ {members} }} }},")
    lines += ["} as const;", "", "export const constants = {"]
    lines += [f"  {name}: {value}," for name, value in numbers.items()]
    lines += ["} as const;", ""]
    Path(out).parent.mkdir(parents=True, exist_ok=True)
    Path(out).write_text("\n".join(lines))


main()
