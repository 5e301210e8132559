#!/usr/bin/env python3
"""Makes a moving picture of a search, an SVG, from a map and a trace of `cairn path --trace`.

usage: moving_picture.py MAP TRACE OUT [--clusters SIDE] [--trees]

MAP is a MovingAI map. Nodes appear as the search puts them on the open list, and change their colour when it
expands them; then the path is drawn. Lines lead from a node to the one that it was reached from, where that is
not beside it. --clusters draws the borders of clusters, --trees the cells with trees.

The picture has styles for light and dark, and stands still, at the end, where a reader prefers less motion. It
must take no more than 150,000 bytes.
"""

import argparse
import json
import sys
from pathlib import Path

MOST_BYTES = 150_000
FRAMES = 60
SECONDS = 9
SEARCH_END, PATH_END = 70, 80  # percent of the time: the search, the path; then it stands still
FREE = frozenset(".GS")
STYLE = """
.back{fill:#fbfbf8}.wall{fill:#5c6570}.tree{fill:#c4d8b4}.line{stroke:#cdd2d8}
.open{fill:#e9b44c}.done{fill:#3f8fb5}.edge{stroke:#3f8fb5}.path{stroke:#c2334d}.end{fill:#c2334d}
@media(prefers-color-scheme:dark){.back{fill:#20242a}.wall{fill:#778290}.tree{fill:#3c5238}.line{stroke:#3c434c}
.open{fill:#d89b2b}.done{fill:#3d83a8}.edge{stroke:#5aa7cf}.path{stroke:#ff6f86}.end{fill:#ff6f86}}
.line,.edge,.path{fill:none}.line,.edge{stroke-width:.12}.edge{opacity:.55}
.path{stroke-width:.4;stroke-linejoin:round;stroke-linecap:round;stroke-dasharray:1}
"""


def read_map(path):
    """The rows of a MovingAI map."""
    lines = Path(path).read_text(encoding="ascii").splitlines()
    return lines[lines.index("map") + 1:]


def runs(rows, wanted):
    """The path data of all cells whose letter `wanted` accepts, each run of a row as one rectangle."""
    parts = []
    for y, row in enumerate(rows):
        x = 0
        while x < len(row):
            end = x
            while end < len(row) and wanted(row[end]):
                end += 1
            if end > x:
                parts.append(f"M{x} {y}h{end - x}v1H{x}z")
            x = max(end, x + 1)
    return "".join(parts)


def number(value):
    """A coordinate with at most two digits behind the point."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def frames_of(events):
    """For each frame the nodes that are generated, those that are expanded, and the lines to parents."""
    steps = sum(event["type"] == "expanding" for event in events)
    count = max(1, min(FRAMES, steps))
    frames = [{"open": [], "done": [], "edge": []} for _ in range(count)]
    places = {}
    expanded = 0
    for event in events:
        kind = event["type"]
        if kind in ("path", "cut"):
            continue
        spot = (event["x"], event["y"])
        frame = frames[min(count - 1, expanded * count // max(steps, 1))]
        parent = places.get(event["pId"])
        if kind == "generating":
            frame["open"].append(spot)
            if parent and max(abs(a - b) for a, b in zip(parent, spot)) > 1.5:
                frame["edge"].append((parent, spot))
        elif kind == "expanding":
            expanded += 1
            frame["done"].append(spot)
        places[event["id"]] = spot
    return frames


def marks(spots, on_mesh):
    """Path data: cells as squares; portals of a mesh, which are points, as diamonds."""
    if on_mesh:
        return "".join(f"M{number(x)} {number(y - .45)}l.45.45-.45.45-.45-.45z" for x, y in dict.fromkeys(spots))
    return "".join(f"M{x + .1:g} {y + .1:g}h.8v.8h-.8z" for x, y in dict.fromkeys(spots))


def svg(rows, events, clusters, trees):
    """The picture as text."""
    width, height = len(rows[0]), len(rows)
    on_mesh = any(event["type"] != "path" and "x" in event and event["x"] != int(event["x"]) for event in events)
    middle = 0 if on_mesh else .5
    keys, parts = [], []

    def grid_lines():
        across = "".join(f"M0 {y}H{width}" for y in range(clusters, height, clusters))
        return across + "".join(f"M{x} 0V{height}" for x in range(clusters, width, clusters))

    parts.append(f'<path class="back" d="M0 0H{width}V{height}H0z"/>')
    if trees:
        parts.append(f'<path class="tree" d="{runs(rows, lambda letter: letter == "T")}"/>')
    parts.append('<path class="wall" d="' +
                 runs(rows, lambda letter: letter not in FREE and not (trees and letter == "T")) + '"/>')
    if clusters:
        parts.append(f'<path class="line" d="{grid_lines()}"/>')
    frames = frames_of(events)
    layers = {"edge": [], "open": [], "done": []}
    for i, frame in enumerate(frames):
        at = SEARCH_END * i / len(frames)
        used = False
        for kind, layer in layers.items():
            if not frame[kind]:
                continue
            used = True
            if kind == "edge":
                data = "".join(f"M{number(a + middle)} {number(b + middle)}L{number(c + middle)} {number(d + middle)}"
                               for (a, b), (c, d) in frame[kind])
            else:
                data = marks(frame[kind], on_mesh)
            layer.append(f'<path class="{kind} f{i}" d="{data}"/>')
        if used:
            keys.append(f"@keyframes k{i}{{0%,{number(at)}%{{visibility:hidden}}"
                        f"{number(at + .01)}%,100%{{visibility:visible}}}}.f{i}{{animation-name:k{i}}}")
    for layer in layers.values():
        parts.extend(layer)
    points = next((event["points"] for event in events if event["type"] == "path"), [])
    if points:
        data = "M" + "L".join(f"{number(p['x'])} {number(p['y'])}" for p in points)
        parts.append(f'<path class="path" pathLength="1" d="{data}"/>')
        keys.append(f"@keyframes path{{0%,{SEARCH_END}%{{stroke-dashoffset:1}}{PATH_END}%,100%{{stroke-dashoffset:0}}}}"
                    ".path{animation-name:path}")
        for end in (points[0], points[-1]):
            parts.append(f'<circle class="end" cx="{number(end["x"])}" cy="{number(end["y"])}" r=".7"/>')
    motion = ("@media(prefers-reduced-motion:no-preference){[class*=' f'],.path"
              f"{{animation-duration:{SECONDS}s;animation-iteration-count:infinite}}" + "".join(keys) + "}")
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width * 10}" '
            f'height="{height * 10}">\n<style>{STYLE}{motion}</style>\n' + "\n".join(parts) + "\n</svg>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("map")
    parser.add_argument("trace")
    parser.add_argument("out")
    parser.add_argument("--clusters", type=int, default=0)
    parser.add_argument("--trees", action="store_true")
    given = parser.parse_args()
    events = json.loads(Path(given.trace).read_text(encoding="utf-8"))["events"]
    text = svg(read_map(given.map), events, given.clusters, given.trees)
    if len(text) > MOST_BYTES:
        sys.exit(f"moving_picture.py: {given.out} would have {len(text)} bytes, more than {MOST_BYTES}")
    Path(given.out).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
