"""Measures the C library: usage: c_library.py [--flag FLAG] PARTS...

For each list of parts, such as "subgoal;any", builds libcairn.so with these parts alone in
build/c-library, for speed (-O3) and for size (-Os), or with FLAG. Prints CSV: the parts, the flag, the bytes of the
stripped library, the median of the milliseconds that a new process takes to load it with the libraries
that it needs, and the mean microseconds in which a planner finds random paths of maps/rooms.map, the
least of several rounds, calls from Python included.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOADS = 41
LOAD = """
import ctypes, sys, time
begin = time.perf_counter()
ctypes.CDLL(sys.argv[1])
print(1e3 * (time.perf_counter() - begin))
"""
# Without formats there is no reader of maps, so this reads the rows.
FIND = """
import ctypes, random, sys, time
lib = ctypes.CDLL(sys.argv[1])
rows = open(sys.argv[2], "rb").read().split()[7:]
class Cell(ctypes.Structure):
    _fields_ = [("x", ctypes.c_int32), ("y", ctypes.c_int32)]
map, index, searcher, answer = (ctypes.c_void_p() for _ in range(4))
made = ctypes.byref
assert not lib.cairn_map_create(len(rows[0]), len(rows), b"".join(rows), ctypes.c_ssize_t(0), None, made(map))
assert not lib.cairn_index_build(sys.argv[3].encode(), map, None, ctypes.c_size_t(0), None, made(index))
assert not lib.cairn_searcher_create(index, made(searcher))
random.seed(1)
free = [Cell(x, y) for y, row in enumerate(rows) for x, c in enumerate(row) if c == ord(".")]
pairs = [(random.choice(free), random.choice(free)) for _ in range(2000)]
least = 1e9
for _ in range(7):
    begin = time.perf_counter()
    for start, goal in pairs:
        lib.cairn_find(searcher, None, start, goal, made(answer))
    least = min(least, time.perf_counter() - begin)
print(1e6 * least / len(pairs))
"""
PLANNERS = ("subgoal", "hpa")
OFF = [f"-DCAIRN_{option}=OFF" for option in (
    "BUILD_APP", "BUILD_TESTS", "BUILD_EXAMPLES", "BUILD_BENCH", "BUILD_FUZZ", "METIS")]


def build(parts, flag):
    """The library with these parts."""
    folder = ROOT / "build" / "c-library" / (parts.replace(";", "-") + flag)
    more = "ON" if parts == "all" else "OFF"  # formats that need other libraries
    subprocess.run(
        ["cmake", "--preset", "release", "-B", folder, f"-DCAIRN_PARTS={parts}",
         f"-DCMAKE_CXX_FLAGS_RELEASE={flag} -DNDEBUG",
         f"-DCAIRN_FORMATS={more}", "-DCAIRN_C=ON", *OFF],
        cwd=ROOT, check=True, stdout=sys.stderr)
    subprocess.run(
        ["cmake", "--build", folder, "--target", "cairn_c", "-j",
         os.environ.get("CAIRN_JOBS", str(os.cpu_count()))],
        check=True, stdout=sys.stderr)
    return folder / "lib" / "libcairn.so"


def stripped_bytes(library):
    with tempfile.NamedTemporaryFile() as stripped:
        subprocess.run(["strip", "-o", stripped.name, library], check=True)
        return os.path.getsize(stripped.name)


def load_ms(library):
    times = []
    for _ in range(LOADS):
        run = subprocess.run([sys.executable, "-c", LOAD, library], check=True,
                             capture_output=True, text=True)
        times.append(float(run.stdout))
    return statistics.median(times)


def find_us(library, planner):
    run = subprocess.run(
        [sys.executable, "-c", FIND, library, ROOT / "maps" / "rooms.map", planner], check=True,
        capture_output=True, text=True)
    return float(run.stdout)


def main():
    print("parts,flag,stripped_bytes,load_ms," + ",".join(f"{p}_us" for p in PLANNERS))
    parser = argparse.ArgumentParser()
    parser.add_argument("--flag", action="append")
    parser.add_argument("parts", nargs="+")
    arguments = parser.parse_args()
    for parts in arguments.parts:
        for flag in arguments.flag or ("-O3", "-Os"):
            library = build(parts, flag)
            times = [f"{find_us(library, p):.2f}" if parts == "all" or p in parts.split(";") else ""
                     for p in PLANNERS]
            print(f"{parts.replace(';', ' ')},{flag},{stripped_bytes(library)},"
                  f"{load_ms(library):.2f},{','.join(times)}", flush=True)


if __name__ == "__main__":
    main()
