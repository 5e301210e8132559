"""Measures the C library: usage: c_library.py PARTS...

For each list of parts, such as "subgoal;any", builds libcairn.so with these parts alone, optimised, in
build/c-library. Prints CSV: the parts, the bytes of the stripped library, and the median of the
milliseconds that a new process takes to load it with the libraries that it needs.
"""

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
OFF = [f"-DCAIRN_{option}=OFF" for option in (
    "BUILD_APP", "BUILD_TESTS", "BUILD_EXAMPLES", "BUILD_BENCH", "BUILD_FUZZ", "METIS")]


def build(parts):
    """The library with these parts."""
    folder = ROOT / "build" / "c-library" / parts.replace(";", "-")
    more = "ON" if parts == "all" else "OFF"  # formats that need other libraries
    subprocess.run(
        ["cmake", "--preset", "release", "-B", folder, f"-DCAIRN_PARTS={parts}",
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


def main():
    print("parts,stripped_bytes,load_ms")
    for parts in sys.argv[1:]:
        library = build(parts)
        print(f"{parts.replace(';', ' ')},{stripped_bytes(library)},{load_ms(library):.2f}",
              flush=True)


if __name__ == "__main__":
    main()
