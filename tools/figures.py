#!/usr/bin/env python3
"""Makes the figures of README.md and docs/ again, each into a folder of its own as CSV, tables and
pictures: the programs behind `./dev figures`.

usage: figures.py [--out FOLDER] [--quick] [NAME...]
       figures.py --list | --programs [NAME...] | --table | --check
Without NAME all figures are made. The default FOLDER is build/figures. --quick makes each from the
least data, to see that its commands work: such figures say nothing. --list prints names, about how
long each takes, and the sections that show it; --programs the targets to build. --table prints the
table of docs/figures.md; --check compares it with the page, and finds tables of measurements in
the documentation that nothing here makes; exits with 1 if there is any difference.
"""

import argparse
import csv
import json
import os
import re
import shlex
import subprocess
import sys
import time
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path

import check_docs
import lab_tables

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "figures.md"
TABLES = "tables.md"  # Markdown tables of the CSV files beside it
SETS = ("bg512", "dao", "da2", "sc1", "wc3maps512", "cities", "rooms512", "mazes512", "random512")


@dataclass
class Figure:
    """A name; the sections that show the figure, as `page#anchor`; its commands; what they make;
    about how long they take; and what replaces parts of the commands for --quick.

    In commands, OUT is the figure's folder, DATA is $CAIRN_DATA, SETS are the folders of its sets
    of maps, SPREAD are up to eight maps of each set and of bg_orig, spread over it, MAPS are all of `maps` (files below DATA), and a command with MAP runs once for each of
    them, NAME being its name. --quick takes the first of them. `>FILE` takes what it prints."""

    name: str
    places: list
    commands: list
    makes: str
    takes: str
    quick: dict = field(default_factory=dict)
    maps: list = field(default_factory=list)


def grid(*names):
    return [f"grid/{name}.map" for name in names]


def navmesh(*names):
    return [f"navmesh/{name}" for name in names]


DETOUR_MESHES = navmesh(*(f"detour/{name}.bin" for name in (
    "ons-reborn.solo", "ons-reborn.tiled", "ons-reborn-cs15.tiled", "10c-Emergence.solo",
    "10c-Emergence.tiled")))
DETOUR_LEVELS = ("4c-rollinghills", "8c-gridlock", "accident", "ctf_compromise", "oacmpdm10")
LABELLED = grid("dao/orz900d", "bg512/AR0011SR", "sc1/AcrosstheCape", "rooms512/16room_000",
                "cities/Berlin_0_1024")
FEW_QUERIES = {"--queries 50": "--queries 5 --max-maps 1", "--queries 30": "--queries 5",
               "--max-maps 8": "--max-maps 1", "--queries 500": "--queries 5",
               "--queries 300": "--queries 5"}

# The paper's transitions in clusters of its size.
BY_WIDTH = "--cluster-size 10 --transitions by-width"

FIGURES = [
    Figure("bench-hpa",
           ["README.md#speed", "docs/benchmarks.md#speed",
            "docs/benchmarks.md#length-errors", "docs/benchmarks.md#size-and-build-time",
            "docs/which-planner.md#grids-speed-quality-and-memory"],
           ["cairn-lab bench SETS --queries 50 --planners buckets,hpa-cost,hpa-abstract,hpa-path,"
            "hpa,hpa-corridor,hpa-corridor-2,hpa-astar,hpa-smallest --out OUT"],
           "`bench.csv`", "7 min", FEW_QUERIES),
    Figure("bench-hpa-single", ["docs/benchmarks.md#single-maps"],
           ["cairn-lab bench MAPS --queries 500 --planners hpa --out OUT"],
           "`bench.csv`", "1 min", FEW_QUERIES,
           grid("bg512/AR0300SR", "bg512/AR0011SR", "wc3maps512/divideandconquer", "dao/orz900d",
                "rooms512/32room_000", "random512/random512-25-0")),
    Figure("bench-hpa-costmaps", ["docs/benchmarks.md#costmaps-of-robots"],
           ["python3 tools/costmap.py DATA/grid/bg512/AR0300SR.map 1 512 OUT/small.yaml",
            "python3 tools/costmap.py DATA/grid/cities/Berlin_0_1024.map 4 4000 OUT/large.yaml",
            "cairn-lab bench OUT/small.yaml --planners hpa,hpa-band --random 100 --rounds 1 "
            "--out OUT/small",
            "cairn-lab bench OUT/large.yaml --planners hpa,hpa-band --random 20 --rounds 1 "
            "--threads 1 --out OUT/large",
            "cairn-lab bench OUT/large.yaml --planners hpa,hpa-astar --edits 4 --edit-size 60 "
            "--labels-every 4 --out OUT/edits"],
           "`bench.csv`, twice; `edits.csv`", "2 min",
           {"DATA/grid/bg512/AR0300SR.map 1 512": "maps/caves.map 1 64",
            "DATA/grid/cities/Berlin_0_1024.map 4 4000": "maps/caves.map 2 120",
            "--random 100": "--random 5", "--random 20": "--random 5",
            "--edit-size 60": "--edit-size 6"}),
    Figure("bench-hpa-levels",
           ["docs/benchmarks.md#more-levels-and-the-papers-rules-for-connecting-s"],
           ["cairn-lab bench SETS --queries 50 --planners hpa-astar,hpa-levels-2,hpa-levels-3,"
            "hpa-sparse,hpa-towards --out OUT"],
           "`bench.csv`", "5 min", FEW_QUERIES),
    Figure("bench-hpa-terrain", ["docs/hpa-star.md#terrain-costs"],
           [f"cairn-lab bench MAPS --terrain-costs {pattern} --queries 100 --rounds 2 --threads 1 "
            f"--planners hpa,hpa-band,hpa-corridor {options}--out OUT/{pattern}-{name}"
            for pattern in ("patches", "noise")
            for name, options in (("by-cost", ""), ("by-width", BY_WIDTH + " "))] +
           ["cairn-lab bench SETS --queries 50 --threads 1 --planners hpa-cost,hpa --out OUT/by-cost",
            f"cairn-lab bench SETS --queries 50 --threads 1 --planners hpa-cost,hpa {BY_WIDTH} "
            "--out OUT/by-width"] +
           ["cairn-lab bench DATA/grid/bg512/AR0011SR.map DATA/grid/dao/orz900d.map "
            "DATA/grid/sc1/AcrosstheCape.map DATA/grid/random512/random512-10-0.map --edits 60 "
            f"--edit-size 1 --planners hpa,hpa-astar {options}--threads 1 --out OUT/edits-{name}"
            for name, options in (("by-cost", ""), ("by-width", BY_WIDTH + " "))],
           "`bench.csv`, six times; `edits.csv`, twice", "10 min",
           FEW_QUERIES | {"--queries 100": "--queries 3", "--edits 60": "--edits 3"},
           grid("bg512/AR0011SR", "bg512/AR0300SR", "bg512/AR0601SR", "dao/orz900d",
                "dao/den520d", "da2/ht_0_hightown_a2", "sc1/AcrosstheCape",
                "wc3maps512/divideandconquer", "cities/Berlin_0_1024", "cities/London_1_512",
                "rooms512/16room_000", "rooms512/32room_000", "random512/random512-10-0")),
    Figure("bench-hpa-edits",
           ["docs/benchmarks.md#edits", "docs/which-planner.md#after-an-edit"],
           ["cairn-lab bench DATA/grid/bg512 DATA/grid/mazes512 DATA/grid/random512 "
            "DATA/grid/rooms512 DATA/grid/wc3maps512 --max-maps 3 --edits 60 --edit-size 1 "
            "--planners hpa-astar,hpa-levels-3 --out OUT"],
           "`edits.csv`, `edit_summary.csv`", "5 min",
           {"--max-maps 3 --edits 60": "--max-maps 1 --edits 5"}),
    Figure("bench-subgoal",
           ["README.md#speed",
            "docs/benchmarks.md#subgoal-graphs-and-jump-point-search",
            "docs/which-planner.md#grids-speed-quality-and-memory"],
           ["cairn-lab bench SETS --queries 50 --rounds 2 --planners jps,taut,labels-cost,labels "
            "--out OUT"],
           "`bench.csv`", "4 min", FEW_QUERIES),
    Figure("bench-phases",
           ["docs/benchmarks.md#where-the-time-of-a-query-goes",
            "docs/benchmarks.md#other-programs"],
           ["cairn-lab bench MAPS --queries 300 --planners jps,labels-cost,labels --phases "
            "--out OUT"],
           "`bench.csv`, `phases.csv`", "1 min", FEW_QUERIES,
           grid("bg_orig/AR0300SR", "bg512/AR0011SR", "wc3maps512/divideandconquer", "dao/orz900d",
                "sc1/AcrosstheCape", "cities/Berlin_0_1024", "mazes512/maze512-8-4",
                "rooms512/32room_000", "random512/random512-25-0")),
    Figure("bench-jps-plus", ["docs/benchmarks.md#jps-and-goal-bounding-in-the-same-run"],
           ["cairn-lab bench MAP --queries 300 --rounds 5 --threads 1 --planners "
            "jps,jps+,jps+bb,labels --out OUT/NAME"],
           "`NAME/bench.csv`", "6 min", FEW_QUERIES,
           grid("da2/ht_0_hightown_a2", "bg512/AR0014SR", "bg_orig/AR0300SR", "dao/brc201d",
                "dao/orz900d")),
    Figure("bench-jps-plus-large", ["docs/benchmarks.md#jps-and-goal-bounding-in-the-same-run"],
           ["cairn-lab bench MAPS --queries 300 --rounds 3 --threads 1 --planners jps,jps+,labels "
            "--out OUT"],
           "`bench.csv`", "1 min", FEW_QUERIES,
           grid("wc3maps512/divideandconquer", "sc1/AcrosstheCape", "cities/Berlin_0_1024",
                "mazes512/maze512-8-4", "rooms512/32room_000", "random512/random512-25-0")),
    Figure("bench-subgoal-edits",
           ["docs/benchmarks.md#edits-1", "docs/which-planner.md#after-an-edit"],
           ["cairn-lab bench MAPS --edits 200 --planners labels,hpa --out OUT"],
           "`edits.csv`, `edit_summary.csv`", "10 min", {"--edits 200": "--edits 2"},
           grid("bg512/AR0011SR", "dao/orz900d", "sc1/AcrosstheCape", "cities/Berlin_0_1024")),
    Figure("gppc", ["docs/gppc.md#figures"], ["example_gppc -compare 100 SPREAD >OUT/gppc.csv"],
           "`gppc.csv`", "3 min", {"-compare 100": "-compare 3"}),
    Figure("gppc-dynamic", ["docs/gppc.md#changes-and-queries"],
           ["example_gppc -compare-dynamic 40 20 MAPS >OUT/dynamic-20.csv",
            "example_gppc -compare-dynamic 200 1 MAPS >OUT/dynamic-1.csv"],
           "`dynamic-20.csv`, `dynamic-1.csv`", "1 min",
           {"-compare-dynamic 40": "-compare-dynamic 2",
            "-compare-dynamic 200": "-compare-dynamic 2"},
           grid("bg512/AR0011SR", "sc1/AcrosstheCape", "cities/Berlin_0_1024", "dao/orz900d",
                "mazes512/maze512-8-4", "random512/random512-25-0", "rooms512/32room_000")),
    Figure("scale", ["docs/scale.md#measured"],
           [command.replace("SIDE", side) for side in ("2048", "4096", "8192") for command in (
               "cairn generate city OUT/city-SIDE.map --width SIDE --height SIDE",
               "cairn build OUT/city-SIDE.map OUT/hpa-SIDE.cairn --planner hpa --no-tables "
               "--label-bytes 1 --with-map --json >OUT/hpa-SIDE.json",
               "cairn build OUT/city-SIDE.map OUT/subgoal-SIDE.cairn --planner subgoal "
               "--label-bytes 1 --with-map --json >OUT/subgoal-SIDE.json",
               "cairn-lab stores OUT/subgoal-SIDE.cairn OUT/hpa-SIDE.cairn --checks none "
               "--out OUT/SIDE")] +
           ["cairn generate city OUT/city-16384.map --width 16384 --height 16384",
            "cairn build OUT/city-16384.map OUT/hpa-16384.cairn --planner hpa --no-tables "
            "--label-bytes 1 --with-map --memory 3G --work OUT/work --json >OUT/hpa-16384.json",
            "cairn build OUT/city-16384.map OUT/subgoal-16384.cairn --planner subgoal "
            "--label-bytes 1 --with-map --memory 6G --work OUT/work --json >OUT/subgoal-16384.json",
            "cairn-lab stores OUT/subgoal-16384.cairn OUT/hpa-16384.cairn --checks none "
            "--edits 6 --rounds 2 --out OUT/16384",
            "cairn-lab stores OUT/hpa-16384.cairn --checks none --edits 6 --rounds 2 "
            "--out OUT/16384-hpa",
            "cairn-lab stores OUT/hpa-16384.cairn --checks none --queries 10000 --edits 2 "
            "--rounds 1 --resident 1500M --out OUT/16384-resident",
            "cairn generate city OUT/city-32768.map --width 32768 --height 32768",
            "cairn build OUT/city-32768.map OUT/hpa-32768.cairn --planner hpa --no-tables "
            "--label-bytes 1 --with-map --memory 5G --work OUT/work --json >OUT/hpa-32768.json",
            "cairn-lab stores OUT/hpa-32768.cairn --checks none --edits 2 --rounds 2 "
            "--out OUT/32768",
            "cairn-lab stores OUT/hpa-4096.cairn --checks contents --queries 10 --out OUT/contents"],
           "`stores.csv`, eight times; `hpa-16384.json` and others", "45 min",
           {"2048": "128", "4096": "160", "8192": "192", "16384": "256", "32768": "288",
            "--queries 10000": "--queries 5"}),
    Figure("bench-haa",
           ["docs/benchmarks.md#haa-agents-of-several-sizes-and-capabilities",
            "docs/which-planner.md#agents-of-several-sizes"],
           ["cairn-lab bench DATA/grid/bg512 --max-maps 10 --queries 200 --rounds 2 --planners "
            "haa-cost,haa-abstract,haa-path,haa,haa-plain --capabilities ground,trees,ground+trees "
            "--max-size 4 --trees 20 --out OUT"],
           "`bench.csv`, `agents.csv`", "10 s",
           {"--max-maps 10 --queries 200": "--max-maps 1 --queries 12"}),
    Figure("batches-grids", ["docs/batches.md#on-grids"],
           ["cairn-lab bench DATA/grid/bg512/AR0300SR.map DATA/grid/mazes512/maze512-8-4.map "
            "DATA/grid/cities/London_1_512.map --agents 500000 --planners hpa,labels "
            "--most-seconds 1.2 --device host --out OUT",
            "cairn-lab bench DATA/grid/bg512/AR0300SR.map --agents 100000 --planners hpa,labels "
            "--device host --out OUT/device",
            "cairn-lab bench DATA/grid/bg512/AR0300SR.map --agents 500000 --planners haa "
            "--capabilities ground,ground+trees --trees 20 --most-seconds 2 --out OUT/haa"],
           "`batches.csv`, three times", "5 min",
           {"--agents 500000": "--agents 100 --rounds 1 --most-seconds 0.1",
            "--agents 100000": "--agents 100 --rounds 1 --most-seconds 0.1",
            "--most-seconds 1.2": "", "--most-seconds 2": ""}),
    Figure("mpi-batch", ["docs/many-machines.md#measured"],
           ["cairn-mpi --version",
            "cairn generate caves OUT/caves.map --width 1024 --height 1024",
            "cairn build OUT/caves.map OUT/hpa.cairn --planner hpa",
            "python3 tools/mpi_pairs.py OUT/caves.map OUT/hpa.cairn 20000000 3 >OUT/pairs.csv"],
           "`pairs.csv`", "4 min",
           {"--width 1024 --height 1024": "--width 64 --height 64", "20000000 3": "20 1"}),
    Figure("crowd", ["docs/crowd.md#measured", "docs/crowd.md#the-same-on-any-machine",
                     "docs/which-planner.md#after-an-edit"],
           ["cairn crowd DATA/grid/bg512/AR0011SR.map --planner hpa --agents 10000 --edits 2 "
            "--device host --json >OUT/hpa.json",
            "cairn crowd DATA/grid/bg512/AR0011SR.map --planner subgoal --agents 10000 --edits 2 "
            "--device host --json >OUT/subgoal.json",
            "cairn crowd DATA/grid/bg512/AR0011SR.map --planner haa --max-size 2 --agents 10000 "
            "--edits 2 --json >OUT/haa.json",
            "cairn crowd DATA/navmesh/detour/10c-Emergence.tiled.bin --agents 10000 --edits 2 "
            "--device host --json >OUT/hna.json",
            "cairn crowd DATA/grid/bg512/AR0011SR.map --agents 10000 --edits 30 --json "
            ">OUT/many-edits.json",
            "cairn crowd DATA/grid/bg512/AR0011SR.map --agents 10000 --edits 30 --edit-frames 5 "
            "--json >OUT/edit-frames.json"],
           "`hpa.csv`, `hpa-ways.csv`, the same of the others", "3 min",
           {"--agents 10000": "--agents 50 --seconds 1"}),
    Figure("cut-labels",
           ["docs/labels.md#figures"],
           ["cairn_microbench --benchmark_filter=build|node_to_node|cluster_to_cluster|path "
            "--benchmark_out=OUT/microbench.json --benchmark_out_format=json"],
           "`microbench-benchmarks.csv`", "1 min",
           {"--benchmark_filter=build|node_to_node|cluster_to_cluster|path":
            "--benchmark_filter=node_to_node/41 --benchmark_min_time=0.01"}),
    Figure("other-costs",
           ["docs/hpa-star.md#other-costs-on-the-same-map", "docs/haa-star.md#other-costs"],
           ["cairn_microbench --benchmark_filter=from_scratch|with_costs "
            "--benchmark_repetitions=5 --benchmark_report_aggregates_only=true "
            "--benchmark_out=OUT/microbench.json --benchmark_out_format=json"],
           "`microbench-benchmarks.csv`", "1 min",
           {"--benchmark_repetitions=5": "--benchmark_min_time=0.01"}),
    Figure("label-comparison-hpa",
           ["docs/labels.md#figures", "docs/labels.md#beside-other-engines"],
           ["cairn_label_comparison MAPS >OUT/engines.md",
            "cairn_label_comparison --only-cut DATA/grid/random512/random512-10-0.map "
            ">OUT/random.md"],
           "`engines-1.csv` (cache lines), `engines-2.csv`", "2 min",
           {"MAPS": "maps/rooms.map", "DATA/grid/random512/random512-10-0.map": "maps/rooms.map"},
           LABELLED),
    Figure("label-comparison-taut",
           ["docs/labels.md#beside-other-engines", "docs/subgoal-graphs.md#labels"],
           ["cairn_label_comparison --graph taut MAPS >OUT/engines.md"],
           "`engines-1.csv` (cache lines), `engines-2.csv`", "1 min", {"MAPS": "maps/rooms.map"},
           LABELLED),
    Figure("climbing", ["docs/labels.md#climbing", "docs/labels.md#the-labels"],
           ["cairn_label_comparison --only-cut --graph taut MAPS >OUT/taut.md",
            "cairn_label_comparison --only-cut MAPS >OUT/hpa.md"],
           "`taut-2.csv`, `hpa-2.csv`", "1 min",
           {"MAPS": "maps/rooms.map"},
           grid("dao/orz900d", "bg512/AR0011SR", "sc1/AcrosstheCape", "cities/Berlin_0_1024",
                "random512/random512-10-0")),
    Figure("large-maps", ["docs/labels.md#large-maps"],
           ["cairn generate rooms OUT/rooms.map --width 4096 --height 4096 --seed 1",
            "cairn generate caves OUT/caves.map --width 4096 --height 4096 --seed 1",
            "cairn generate city OUT/city.map --width 2048 --height 2048 --seed 1",
            "cairn-lab bench OUT/rooms.map OUT/caves.map OUT/city.map --queries 30 --rounds 3 "
            "--threads 1 --planners labels,labels-cost,climb,climb-cost,hpa,jps --out OUT"],
           "`bench.csv`", "4 min",
           {"4096": "128", "2048": "128", "--queries 30": "--queries 3"}),
    Figure("pieces", ["docs/labels.md#pieces"],
           ["cairn generate city OUT/city.map --width 2048 --height 2048 --seed 1",
            "cairn_label_comparison --only-cut --graph taut MAPS OUT/city.map >OUT/taut.md"],
           "`taut-2.csv`", "2 min", {"2048": "64", "MAPS": "maps/rooms.map"},
           grid("sc1/AcrosstheCape", "random512/random512-10-0")),
    Figure("n-level-graphs", ["docs/n-level-graphs.md#on-the-graphs-of-hpa-and-hna"],
           ["cairn_label_comparison --queries 2000 MAPS >OUT/hpa.md",
            "cairn_label_comparison --queries 2000 --graph hna "
            "DATA/navmesh/polyanya/aurora.mesh DATA/navmesh/polyanya/AcrosstheCape-merged.mesh "
            ">OUT/hna.md"],
           "`hpa-2.csv`, `hna-2.csv`", "1 min", {"--queries 2000": "--queries 20"},
           grid("dao/orz900d", "bg512/AR0011SR", "rooms512/16room_000")),
    Figure("taut-edges", ["docs/subgoal-graphs.md#tautness-edges-that-no-shortest-path-needs",
                          "docs/subgoal-graphs.md#the-connector-table"],
           ["cairn inspect MAP --planner subgoal --json >OUT/NAME.json",
            "cairn inspect MAP --planner subgoal --no-prune --json >OUT/NAME-all.json",
            "cairn-lab bench MAPS --queries 300 --planners labels --phases --out OUT"],
           "`NAME.csv` and `NAME-all.csv` (edges, bytes of labels and connectors), `phases.csv` "
           "(connecting)", "1 min", FEW_QUERIES,
           grid("bg512/AR0011SR", "dao/orz900d", "sc1/AcrosstheCape", "sc1/CatwalkAlley",
                "wc3maps512/divideandconquer", "cities/Berlin_0_1024", "rooms512/16room_000",
                "random512/random512-25-0")),
    Figure("mesh-bench",
           ["docs/benchmarks.md#in-short-meshes-agents-edits-gpus", "docs/detour.md#speed",
            "docs/which-planner.md#navigation-meshes"],
           ["cairn convert DATA/navmesh/obj/ons-reborn.obj OUT/ons-reborn-0.1.bin --cell-size 0.1 "
            "--tile-size 48",
            "cairn convert DATA/navmesh/obj/10c-Emergence.obj OUT/10c-Emergence-0.2.bin "
            "--cell-size 0.2 --tile-size 48",
            "cairn-lab mesh-bench MAPS OUT/ons-reborn-0.1.bin OUT/10c-Emergence-0.2.bin "
            "--pairs 1000 --rounds 3 --out OUT"],
           "`mesh_bench.csv`, `mesh_index.csv`", "3 min",
           {"--pairs 1000 --rounds 3": "--pairs 5 --rounds 1", "--cell-size 0.1": "",
            "--cell-size 0.2": ""},
           DETOUR_MESHES),
    Figure("blocked", ["docs/changing-maps.md#units-in-the-way"],
           ["cairn-lab bench MAPS --queries 200 --threads 1 --planners labels,hpa --blocked 10 "
            "--out OUT/10",
            "cairn-lab bench MAPS --queries 200 --threads 1 --planners labels,hpa --blocked 50 "
            "--out OUT/50"],
           "`blocked.csv`, twice", "1 min", {"--queries 200": "--queries 5 --rounds 1"},
           grid("bg512/AR0011SR", "dao/orz900d", "sc1/AcrosstheCape", "cities/Berlin_0_1024",
                "rooms512/16room_000", "random512/random512-10-0", "mazes512/maze512-1-0")),
    Figure("rts", ["docs/changing-maps.md#measured"],
           ["cairn-lab rts --rounds 5 --out OUT"], "`rts.csv`", "5 s",
           {"--rounds 5": "--rounds 1 --units 50 --frames 40 --side 64"}),
    Figure("mesh-one-way", ["docs/labels.md#directed-graphs"],
           ["cairn-lab mesh-bench MAPS --planners labels-cost,labels,climb --threads 1 "
            "--out OUT/both-ways",
            "cairn-lab mesh-bench MAPS --planners labels-cost,labels,climb --threads 1 --one-way 3 "
            "--out OUT/one-way"],
           "`mesh_bench.csv` and `mesh_index.csv`, twice", "1 min",
           {"--threads 1": "--threads 1 --pairs 5 --rounds 1"},
           navmesh("detour/10c-Emergence.tiled.bin", "detour/ons-reborn-cs15.tiled.bin")),
    Figure("mesh-parts", ["docs/hna-star.md#which-scoring-gives-the-shortest-paths"],
           ["cairn-lab mesh-bench MAPS --pairs 500 --planners labels-cost,labels-path --lengths "
            f"{options} --out OUT/{name}" for name, options in (
                ("midpoints", "--scoring midpoints"), ("parts", "--scoring parts"),
                ("parts-12", "--scoring parts --mu 12"))],
           "`mesh_lengths.csv`, `mesh_bench.csv` and `mesh_index.csv`, three times", "3 min",
           {"--pairs 500": "--pairs 5 --rounds 1"},
           navmesh("detour/10c-Emergence.tiled.bin", "detour/ons-reborn-cs15.tiled.bin",
                   "polyanya/aurora-merged.mesh", "polyanya/AcrosstheCape-merged.mesh",
                   "polyanya/CatwalkAlley-merged.mesh", "polyanya/brc202d-merged.mesh",
                   "polyanya/arena-merged.mesh") +
           grid("dao/den520d", "rooms512/32room_000")),
    Figure("mesh-clusters", ["docs/hna-star.md#from-mesh-to-index"],
           ["cairn-lab mesh-bench MAPS --pairs 300 --planners labels,hna --threads 1 --partitioner "
            "multilevel --out OUT/multilevel",
            "cairn-lab mesh-bench MAPS --pairs 300 --planners labels,hna --threads 1 --partitioner "
            "growing --out OUT/growing",
            "cairn inspect MAP --partitioner multilevel --json >OUT/multilevel/NAME.json",
            "cairn inspect MAP --partitioner growing --json >OUT/growing/NAME.json"],
           "`mesh_bench.csv`, `mesh_index.csv` and `NAME-levels.csv` (edges), twice", "3 min",
           {"--pairs 300": "--pairs 5"},
           navmesh("detour/10c-Emergence.tiled.bin", "detour/10c-Emergence.solo.bin",
                   "detour/ons-reborn.tiled.bin", "polyanya/AcrosstheCape-merged.mesh",
                   "polyanya/aurora-merged.mesh", "polyanya/street-maps__Berlin_0_1024.mesh")),
    Figure("detour-bench", ["docs/detour.md#beside-detours-query-object"],
           [f"cairn convert DATA/navmesh/obj/{name}.obj OUT/{name}.{form}.bin{tiles}"
            for name in DETOUR_LEVELS
            for form, tiles in (("solo", ""), ("tiled", " --tile-size 48"))] +
           ["cairn convert DATA/navmesh/obj/ons-reborn.obj OUT/ons-reborn-0.1.bin --cell-size 0.1 "
            "--tile-size 48",
            "cairn convert DATA/navmesh/obj/10c-Emergence.obj OUT/10c-Emergence-0.2.bin "
            "--cell-size 0.2 --tile-size 48",
            "cairn-lab mosaic DATA/navmesh/obj --repeat 3 --output OUT/mosaic.bin"] +
           ["cairn-lab detour-bench MAPS " + " ".join(
               f"OUT/{name}.{form}.bin" for name in DETOUR_LEVELS for form in ("solo", "tiled")) +
            " OUT/ons-reborn-0.1.bin OUT/10c-Emergence-0.2.bin OUT/mosaic.bin --pairs 1000 "
            f"--rounds 3 {order}" for order in ("--out OUT", "--alternate --out OUT/alternate")],
           "`detour_bench.csv` and `detour_index.csv`, twice", "6 min",
           {"--pairs 1000 --rounds 3": "--pairs 5 --rounds 1", "--cell-size 0.1": "",
            "--cell-size 0.2": "", "--repeat 3": "--cell-size 1"},
           DETOUR_MESHES + navmesh("detour/dungeon.solo.bin", "detour/dungeon.tiled.bin")),
    Figure("detour-changes", ["docs/detour.md#changes-of-the-mesh"],
           ["cairn convert DATA/navmesh/obj/ons-reborn.obj OUT/ons-reborn-0.1.bin --cell-size 0.1 "
            "--tile-size 48",
            "cairn convert DATA/navmesh/obj/10c-Emergence.obj OUT/10c-Emergence-0.1.bin "
            "--cell-size 0.1 --tile-size 48",
            "cairn-lab mosaic DATA/navmesh/obj --output OUT/mosaic-1.bin",
            "cairn-lab mosaic DATA/navmesh/obj --repeat 3 --output OUT/mosaic-3.bin",
            "cairn-lab detour-changes OUT/ons-reborn-0.1.bin OUT/10c-Emergence-0.1.bin "
            "OUT/mosaic-1.bin OUT/mosaic-3.bin --changes 200 --out OUT"],
           "`detour_changes.csv`", "1 min",
           {"--changes 200": "--changes 4", "--cell-size 0.1": "", "--repeat 3": "--cell-size 1",
            "obj --output": "obj --cell-size 1 --output"}),
    Figure("detour-quality", ["docs/detour.md#path-quality", "docs/detour.md#shorter-strings"],
           ["cairn_detour_tests --gtest_filter=PathQueryPublished.FindsWhatDetourFinds:"
            "PathQueryPublished.PathsScoredByPortalPartsAreNoLonger:"
            "PathQueryPublished.ShortenedPathsAreNoLonger >OUT/detour-quality.txt"],
           "`detour-quality.txt`", "1 min"),
    Figure("detour-calls", ["docs/detour.md#which-calls", "docs/detour.md#several-filters"],
           ["cairn_detour_tests --gtest_filter=StraightPathsPublished.AreNoLongerThanDetours:"
            "NearestPolyPublished.IsNearPathIndexNearest:FiltersPublished.ShareTheMesh "
            ">OUT/detour-calls.txt"],
           "`detour-calls.txt`", "10 s"),
    Figure("detour-crowd", ["docs/detour.md#for-a-crowd"],
           ["example_detour_crowd >OUT/rooms.txt", "example_detour_crowd MAP >OUT/NAME.txt"],
           "`rooms.txt` and `NAME.txt`", "20 s", {},
           navmesh("detour/ons-reborn.tiled.bin", "detour/10c-Emergence.tiled.bin",
                   "detour/ons-reborn-cs15.tiled.bin")),
    Figure("detour-obstacles", ["docs/detour.md#temporary-obstacles"],
           ["example_detour_obstacles >OUT/obstacles.txt"], "`obstacles.txt`", "1 s"),
    Figure("clearance", ["docs/radius.md#measured"],
           ["cairn-lab clearance DATA/navmesh/detour/10c-Emergence.tiled.bin "
            "DATA/navmesh/detour/10c-Emergence.solo.bin DATA/navmesh/detour/ons-reborn.tiled.bin "
            "--radius 0.3,0.6,1,2 --rounds 5 --out OUT"],
           "`clearance.csv`, `clearance_reach.csv`, `clearance_classes.csv`", "1 min"),
    Figure("recast-sweep", ["docs/detour.md#many-settings-of-recast"],
           ["cairn-lab recast-sweep DATA/navmesh/obj --pairs 200 --out OUT"],
           "`recast_sweep.csv`, `recast_sweep_meshes.csv`", "40 min",
           {"--pairs 200": "--pairs 5 --cell-sizes 0.5 --edge-errors 1.3 --radii 0.4"}),
    Figure("mesh-lengths", ["docs/detour.md#shorter-strings"],
           [f"cairn convert DATA/navmesh/obj/{name}.obj OUT/{name}.bin"
            for name in ("4c-rollinghills", "8c-gridlock", "accident", "islandctf", "nav_test")] +
           ["cairn-lab mesh-bench MAPS OUT/4c-rollinghills.bin OUT/8c-gridlock.bin "
            "OUT/accident.bin OUT/islandctf.bin OUT/nav_test.bin --pairs 1000 "
            f"--planners labels-path,labels-short --lengths --scoring {scoring} "
            f"--out OUT/{scoring}" for scoring in ("midpoints", "parts")],
           "`mesh_lengths.csv`, `mesh_bench.csv`, `mesh_index.csv`, twice", "3 min",
           {"--pairs 1000": "--pairs 5 --rounds 1"},
           DETOUR_MESHES + navmesh("detour/dungeon.solo.bin", "detour/dungeon.tiled.bin")),
    Figure("mesh-strings", ["docs/hna-star.md#shorter-strings"],
           ["cairn-lab mesh-bench MAPS --pairs 300 --planners labels-path,labels-short --lengths "
            "--out OUT/midpoints",
            "cairn-lab mesh-bench MAPS --pairs 300 --planners labels-path,labels-short --lengths "
            "--scoring parts --longest-part 16 --out OUT/parts-16",
            "cairn-lab mesh-bench MAPS --pairs 300 --planners labels-path,labels-short --lengths "
            "--scoring parts --longest-part 8 --out OUT/parts-8"],
           "`mesh_lengths.csv`, `mesh_bench.csv` and `mesh_index.csv`, three times", "2 min",
           {"--pairs 300": "--pairs 5 --rounds 1"},
           navmesh("polyanya/aurora-merged.mesh", "polyanya/AcrosstheCape-merged.mesh") +
           grid("rooms512/32room_000", "dao/den520d", "sc1/AcrosstheCape",
                "random512/random512-10-0")),
    Figure("reproduce-hpa",
           ["docs/reproduce-hpa.md#table-2-size-of-the-graph",
            "docs/reproduce-hpa.md#table-3-open-list",
            "docs/reproduce-hpa.md#figure-5-effort-and-time",
            "docs/reproduce-hpa.md#figure-6-effort-by-part-of-the-query",
            "docs/reproduce-hpa.md#figure-7-error", "docs/reproduce-hpa.md#figure-8-cluster-size"],
           ["cairn-lab reproduce hpa --out OUT"],
           "`sizes.csv`, `queries.csv`, `searches.csv`, `times.csv`, `cluster_sizes.csv`; "
           "`figure-5.png` to `figure-8.png`", "1 min",
           {"--out": "--max-maps 1 --pairs 100 --out"}),
    Figure("reproduce-hpa-example",
           ["docs/reproduce-hpa.md#the-worked-example-and-table-1"],
           ["cairn-lab reproduce hpa --example-only --out OUT"],
           "`example_sizes.csv`, `example.csv`: those of [data/hpa-example](data/hpa-example)",
           "1 s"),
    Figure("haa-cluster-size", ["docs/haa-star.md#cluster-size"],
           [f"cairn-lab bench {sets} --max-maps 4 --planners haa --capabilities ground,ground+trees "
            f"--max-size 2 --trees {trees} --random 120 --rounds 1 --cluster-size {size} "
            f"--out OUT/{trees}-{size}"
            for sets in [" ".join(f"DATA/grid/{name}" for name in
                                  ("bg512", "rooms512", "mazes512", "random512", "cities", "dao",
                                   "da2", "wc3maps512", "sc1"))]
            for trees in (0, 20) for size in (10, 20)],
           "`bench.csv`, four times", "10 min",
           {"--max-maps 4": "--max-maps 1", "--random 120": "--random 6"}),
    Figure("reproduce-haa-tables",
           ["docs/reproduce-haa.md#targets", "docs/reproduce-haa.md#table-1-sizes",
            "docs/reproduce-haa.md#space", "docs/reproduce-haa.md#figure-5-lengths",
            "docs/reproduce-haa.md#figure-6-expanded-nodes"],
           ["cairn-lab reproduce haa --part tables --pairs 200 --out OUT"],
           "`paper_sizes.csv`, `paper_problems.csv`; `figure-5a.png`, `figure-5b.png`, "
           "`figure-6.png`", "10 min", {"--pairs 200": "--example-only --pairs 6"}),
    Figure("reproduce-haa",
           ["docs/reproduce-haa.md#targets", "docs/reproduce-haa.md#sizes",
            "docs/reproduce-haa.md#lengths", "docs/reproduce-haa.md#times",
            "docs/reproduce-haa.md#the-authors-scenarios"],
           ["cairn-lab reproduce haa --part times --maps DATA/grid/bg512 --max-maps 10 --pairs 90 "
            "--out OUT/bg512",
            "cairn-lab reproduce haa --part times --max-maps 30 --pairs 90 --out OUT"],
           "`abstractions.csv` and `problems.csv`, twice", "10 min",
           {"--maps DATA/grid/bg512 --max-maps 10 --pairs 90":
            "--maps maps --max-maps 1 --pairs 12",
            "--max-maps 30 --pairs 90": "--example-only --pairs 12"}),
    Figure("reproduce-subgoal",
           ["docs/reproduce-subgoal.md#table-151",
            "docs/reproduce-subgoal.md#figures-153-and-154-edges",
            "docs/reproduce-subgoal.md#figure-1512-the-highest-level",
            "docs/reproduce-subgoal.md#the-order-of-contraction-section-1541"],
           ["cairn-lab reproduce subgoal --max-maps 12 --pairs 20 --study-maps 4 --out OUT"],
           "`graphs.csv`, `levels.csv`", "5 min",
           {"--max-maps 12 --pairs 20 --study-maps 4":
            "--max-maps 1 --pairs 3 --study-maps 1"}),
    Figure("reproduce-hna",
           ["docs/reproduce-hna.md#targets", "docs/reproduce-hna.md#meshes-table-2",
            "docs/reproduce-hna.md#times", "docs/reproduce-hna.md#connecting-s-and-g",
            "docs/reproduce-hna.md#memory-of-pccp-figure-6",
            "docs/reproduce-hna.md#offset-of-pccp-figure-7",
            "docs/reproduce-hna.md#inter-edges-of-a-cluster-figure-10",
            "docs/reproduce-hna.md#agents-in-a-frame-table-3"],
           ["cairn-lab reproduce hna --pairs 100 --out OUT"],
           "`meshes.csv`, `hierarchies.csv`, `offsets.csv`", "7 min",
           {"--pairs 100": "--example-only --pairs 5"}),
    Figure("crowds-hna", ["docs/benchmarks.md#in-short-meshes-agents-edits-gpus",
                          "docs/batches.md#the-papers-crowds"],
           ["cairn-lab reproduce hna --agents 500000 --out OUT"],
           "`crowds.csv`", "10 min", {"--agents 500000": "--example-only --agents 1100"}),
    Figure("crowds-hna-device", ["docs/devices.md#speed-on-processors"],
           ["cairn-lab reproduce hna --agents 500000 --device host --out OUT"],
           "`crowds.csv`, `device.csv`", "15 min",
           {"--agents 500000": "--example-only --agents 1100"}),
    Figure("gpu-report-host", ["docs/devices.md#the-report-on-a-gpu"],
           ["cairn-lab gpu --host --rounds 1 --parts answers --out OUT"],
           "`gpu_device.csv`, `gpu_answers.csv`", "11 min",
           {"--rounds 1": "--rounds 1 --agents 1000"}),
    Figure("gpu-report", ["docs/devices.md#speed-on-a-gpu"],
           ["cairn-lab gpu --agents 131072 --parts device,answers DATA/grid/bg512/AR0300SR.map "
            "DATA/grid/sc1/AcrosstheCape.map DATA/navmesh/detour/ons-reborn.tiled.bin --out OUT",
            "cairn-lab reproduce hna --agents 500000 --device gpu --out OUT/crowds"],
           "`gpu_answers.csv`, `crowds.csv`, `device.csv`", "3 min with a GPU and 16 cores",
           {"cairn-lab": "echo not run: cairn-lab"}),
    Figure("c-library", ["docs/c.md#size"],
           ["python3 tools/c_library.py 'subgoal;any' 'subgoal;hpa;haa;formats;index_file;any' "
            ">OUT/c_library.csv"],
           "`c_library.csv`", "10 min", {"c_library.py 'subgoal;any' 'subgoal;hpa;haa;formats;index_file;any'":
            "c_library.py --flag=-O3 'subgoal;any'"}),
    Figure("python-overhead", ["docs/python.md#speed"],
           ["build/python-tests/bin/python tools/python_overhead.py maps/rooms.map subgoal hpa "
            ">OUT/python_overhead.csv"],
           "`python_overhead.csv`", "5 s after `./dev test python`",
           {"build/python-tests/bin/python tools": "echo not run: tools"}),
    Figure("web-times", ["docs/web.md#size-and-speed"],
           ["node tools/web_times.mjs maps/rooms.map subgoal hpa jps >OUT/web_times.csv"],
           "`web_times.csv`", "20 s after `./dev test web`",
           {"node tools": "echo not run: tools"}),
    Figure("viewer",
           ["README.md#cairn", "docs/viewer.md#frame-rate", "docs/viewer.md#what-it-shows"],
           ["node viewer/look.mjs OUT"],
           "`frames.csv`; `viewer.png`, `viewer-search.png`, `viewer-agents.png`",
           "40 s after `./dev test viewer`", {"node viewer": "echo not run: viewer"}),
    Figure("python-comparison", ["docs/python.md#beside-other-packages"],
           ["build/python-tests/bin/python tools/python_comparison.py maps/rooms.map "
            ">OUT/python_comparison.csv"],
           "`python_comparison.csv`", "20 s after `./dev test python`",
           {"build/python-tests/bin/python tools": "echo not run: tools"}),
    Figure("coverage", ["docs/quality.md#lines-and-branches-that-the-tests-reach"],
           ["./dev coverage >OUT/coverage.md"],
           "`coverage.md`, `coverage-1.csv`", "40 min", {"./dev coverage": "echo not run:"}),
    Figure("picture-worked-example", ["docs/hpa-star.md#from-map-to-index"],
           ["cairn render maps/worked-example.map OUT/worked-example.png --what figure --from 1,1 "
            f"--to 27,27 --levels 2 --neighbours 4 --engine levels {BY_WIDTH}"],
           "`worked-example.png`", "1 s"),
    Figure("pictures-python", ["docs/python.md#plots"],
           ["build/python-tests/bin/python examples/python/gallery.py OUT"],
           "`python-clusters.png`, `python-costs.png`, `python-agents.png`, `python-edit.png`, "
           "`python-mesh.png`", "3 s after `./dev test python`",
           {"build/python-tests/bin/python examples": "echo not run: examples"}),
    Figure("pictures-transitions", ["docs/hpa-star.md#terrain-costs"],
           ["cairn generate terrain OUT/hills.map --width 48 --height 36 --seed 3 --size 12 "
            "--density 8"] +
           [f"cairn render OUT/hills.map OUT/transitions-{rule}.png --cluster-size 12 "
            f"--transitions {rule} --side 480 --intra-edges none --from 2,3 --to 45,33 "
            "--hide abstract,refined,connections" for rule in ("by-width", "by-cost")],
           "`transitions-by-width.png`, `transitions-by-cost.png`", "1 s"),
    Figure("picture-haa", ["docs/haa-star.md#pictures"],
           ["cairn generate forest OUT/wood.map --width 36 --height 24 --seed 4 --density 25",
            "cairn render OUT/wood.map OUT/haa.png --planner haa --cluster-size 10 --capabilities "
            "ground,ground+trees --max-size 3 --agent 2:ground --from 9,2 --to 33,13 --side 576 "
            "--hide connections,corridor,abstract,refined",
            "cairn render OUT/wood.map OUT/haa-ground.png --planner haa --cluster-size 10 "
            "--capabilities ground,ground+trees --max-size 3 --agent 1:ground --side 400",
            "cairn render OUT/wood.map OUT/haa-both.png --planner haa --cluster-size 10 "
            "--capabilities ground,ground+trees --max-size 3 --agent 3:ground+trees --side 400"],
           "`haa.png`, `haa-ground.png`, `haa-both.png`", "1 s"),
    Figure("picture-hng", ["docs/hna-star.md#from-mesh-to-index"],
           ["cairn generate rooms OUT/rooms.map --width 44 --height 28 --seed 5",
            "cairn render OUT/rooms.map OUT/hng.png --planner hna --from 3,3 --to 40,24 --side 720 --mu 6"],
           "`hng.png`", "1 s"),
    Figure("moving-pictures",
           ["docs/hpa-star.md#from-query-to-path", "docs/haa-star.md#pictures",
            "docs/subgoal-graphs.md#the-steps-of-a-query", "docs/hna-star.md#from-query-to-path"],
           ["cairn generate caves OUT/cave.map --width 64 --height 48 --seed 3",
            "cairn generate caves OUT/hall.map --width 96 --height 64 --seed 6",
            "cairn generate forest OUT/wood.map --width 64 --height 44 --seed 4 --density 25",
            "cairn path OUT/cave.map 58,7 57,34 --planner hpa --cluster-size 8 --levels 1 "
            "--engine levels --no-direct-line --trace OUT/hpa.trace.json",
            "cairn path OUT/wood.map 30,3 60,40 --planner haa --cluster-size 10 --capabilities "
            "ground,ground+trees --max-size 3 --agent 2:ground --engine levels --no-direct-line "
            "--trace OUT/haa.trace.json",
            "cairn path OUT/cave.map 58,7 57,34 --planner subgoal --engine astar "
            "--trace OUT/subgoal.trace.json",
            "cairn path OUT/hall.map 8,40 88,20 --planner hna --engine astar --nearest --reach 30 "
            "--mu 8 --trace OUT/hna.trace.json",
            "python3 tools/moving_picture.py OUT/cave.map OUT/hpa.trace.json OUT/moving-hpa.svg "
            "--clusters 8",
            "python3 tools/moving_picture.py OUT/wood.map OUT/haa.trace.json OUT/moving-haa.svg "
            "--clusters 10 --trees",
            "python3 tools/moving_picture.py OUT/cave.map OUT/subgoal.trace.json "
            "OUT/moving-subgoal.svg",
            "python3 tools/moving_picture.py OUT/hall.map OUT/hna.trace.json OUT/moving-hna.svg"],
           "`moving-hpa.svg`, `moving-haa.svg`, `moving-subgoal.svg`, `moving-hna.svg`", "2 s"),
    Figure("plot-bench-hpa", ["docs/benchmarks.md#speed"],
           ["cp docs/data/bench-hpa.csv OUT", "python3 tools/lab_plots.py OUT"],
           "`bench.png`", "1 s"),
    Figure("picture-disc", ["docs/radius.md#one-mesh-for-every-radius"],
           ["cairn generate forest OUT/wood.map --width 44 --height 28 --seed 4 --density 22",
            "cairn render OUT/wood.map OUT/disc.png --planner hna --from 5,25.5 --to 38,2 "
            "--radius 0.95 --side 720"],
           "`disc.png`", "1 s"),
    Figure("pictures-subgoal", ["docs/reproduce-subgoal.md#pictures",
                                "docs/subgoal-graphs.md#subgoal-graphs"],
           ["cairn generate caves OUT/cave.map --width 64 --height 48 --seed 3",
            "cairn render OUT/cave.map OUT/subgoal-path.png --planner subgoal --layers "
            "subgoals,taut,connectors,path --from 58,7 --to 57,34 --side 640",
            "cairn render OUT/cave.map OUT/subgoal-area.png --planner subgoal --layers "
            "area,subgoals --from 45,24 --side 640",
            "cairn render maps/caves.map OUT/subgoal-levels.png --planner subgoal --no-prune "
            "--what figure --area 0,0,100,80 --side 300"],
           "`subgoal-path.png`, `subgoal-area.png`, `subgoal-levels.png`", "1 s"),
    Figure("pictures-closure", ["docs/labels.md#building", "docs/labels.md#climbing",
                                "docs/labels.md#after-an-edit"],
           ["cairn generate caves OUT/cave.map --width 128 --height 80 --seed 1",
            f"cairn render OUT/cave.map OUT/separator-tree.png --what tree {BY_WIDTH} --side 640",
            "cairn render OUT/cave.map OUT/climbs.png --what closure --from 20,45 --to 121,20 "
            f"{BY_WIDTH} --side 640",
            "cairn render OUT/cave.map OUT/repair.png --what repair --edit 55,8,3,14,@ "
            f"{BY_WIDTH} --side 640"],
           "`separator-tree.png`, `climbs.png`, `repair.png`", "1 s"),
]

# Sections with figures that no program of this repository makes; docs/figures.md names them.
NOT_MADE = (
    "docs/batches.md#how-a-batch-works",
    "docs/gppc.md#changes-and-queries",
    "docs/benchmarks.md#other-programs",
    "docs/labels.md#beside-other-engines",
    "docs/labels.md#smaller-labels-experiments",
    "docs/devices.md#batches-on-a-gpu",
    "docs/hna-star.md#from-mesh-to-index",
    "docs/hna-star.md#which-scoring-gives-the-shortest-paths",
    "docs/hpa-star.md#after-an-edit",
    "docs/subgoal-graphs.md#labels",
    "docs/subgoal-graphs.md#tautness-edges-that-no-shortest-path-needs",
    "docs/subgoal-graphs.md#the-connector-table",
    "docs/subgoal-graphs.md#what-else-was-tried",
    "docs/subgoal-graphs.md#two-forms-of-the-same-step",
    "docs/reproduce-subgoal.md#table-151",
)
# Pages whose tables of numbers are no measurements.
NO_MEASUREMENTS = {"docs/index-files.md", "docs/papers.md", "docs/figures.md",
                   "docs/command-line.md"}


# Making figures ----------------------------------------------------------------------------------

def spread_maps(data):
    """Up to eight maps of each set and of bg_orig, spread over the set."""
    found = []
    for name in SETS + ("bg_orig",):
        maps = sorted((data / "grid" / name).glob("*.map"))
        kept = min(len(maps), 8)
        found += [str(maps[i * len(maps) // kept]) for i in range(kept)]
    return found


def steps(figure, out, data, quick):
    """The commands of a figure, each as a list of words and a file for what it prints, or None."""
    replaced = []
    for command in figure.commands:
        for part, instead in (figure.quick if quick else {}).items():
            command = command.replace(part, instead)
        replaced.append(command)
    maps = [str(data / m) for m in (figure.maps[:1] if quick else figure.maps)]
    sets = [str(data / "grid" / s) for s in SETS if (data / "grid" / s).is_dir()]
    for command in replaced:
        words = shlex.split(command)
        for each in maps if "MAP" in words else [""]:
            line, target = [], None
            for word in words:
                if word in ("MAPS", "SETS", "SPREAD"):
                    line += {"MAPS": maps, "SETS": sets[:1] if quick else sets,
                             "SPREAD": spread_maps(data)[:1 if quick else None]}[word]
                    continue
                word = re.sub(r"\bMAP\b", lambda _: each, word)
                word = re.sub(r"\bNAME\b", lambda _: Path(each).stem, word)
                word = re.sub(r"\bDATA\b", lambda _: str(data), word)
                word = re.sub(r"\bOUT\b", lambda _: str(out), word)
                if word.startswith(">"):
                    target = Path(word[1:])
                else:
                    line.append(word)
            yield line, target


def needs_data(figure):
    """Whether a figure is made from maps or meshes that are not in the repository."""
    text = " ".join(figure.commands)
    return bool(re.search(r"\b(DATA|SETS|SPREAD|MAPS?)\b", text)) or "gtest" in text or (
        "reproduce" in text and "--example-only" not in text)


def write_csv(file, rows):
    """Writes dictionaries; the columns are all keys, in the order in which they occur."""
    columns = list(dict.fromkeys(key for row in rows for key in row))
    with open(file, "w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, columns)
        writer.writeheader()
        writer.writerows(rows)


def csv_of_json(file):
    """Writes the numbers and texts of a report as one row, and each of its lists of objects as a
    file of rows beside it."""
    row = {}

    def visit(prefix, value):
        if isinstance(value, dict):
            for key, inner in value.items():
                visit(prefix + [key], inner)
        elif isinstance(value, list):
            if value and all(isinstance(v, dict) for v in value):
                write_csv(file.with_name(f"{file.stem}-{'-'.join(prefix)}.csv"), value)
        else:
            row[".".join(prefix)] = value

    visit([], json.loads(file.read_text(encoding="utf-8")))
    write_csv(file.with_suffix(".csv"), [row])


def csv_of_markdown(file):
    """Writes the tables of a Markdown file as STEM-1.csv, STEM-2.csv, ..."""
    tables = [[]]
    for line in file.read_text(encoding="utf-8").split("\n"):
        if not line.startswith("|"):
            tables.append([])
        elif not re.match(r"\|[\s:|-]+$", line):
            tables[-1].append([cell.strip() for cell in line.strip("|\n ").split("|")])
    for number, table in enumerate([t for t in tables if t], 1):
        with open(file.with_name(f"{file.stem}-{number}.csv"), "w", newline="",
                  encoding="utf-8") as stream:
            csv.writer(stream).writerows(table)


def finish(figure, out):
    """Makes CSV files of reports, and tables of the CSV files of cairn-lab; and plots of those of
    the HPA* and HAA* papers, if matplotlib is installed. Returns whether all was made."""
    for file in sorted(out.rglob("*.json")):
        csv_of_json(file)
    for folder in [out] + sorted(f for f in out.rglob("*") if f.is_dir()):
        for file in sorted(folder.glob("*.md")):
            if file.name != TABLES:
                csv_of_markdown(file)
        made = list(lab_tables.tables(lab_tables.read(folder)))
        if made:
            (folder / TABLES).write_text("\n".join(t.markdown() for t in made), encoding="utf-8")
    if "figure-5" not in figure.makes:
        return True
    plots = [sys.executable, str(ROOT / "tools" / "lab_plots.py"), str(out)]
    return subprocess.run(plots, check=False).returncode == 0


def make(figure, folder, data, quick):
    """Runs the commands of a figure. Returns the seconds it took, or None if anything failed."""
    out = folder / figure.name
    out.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    for words, target in steps(figure, out, data, quick):
        print(f"$ {shlex.join(words)}" + (f" >{target}" if target else ""), flush=True)
        try:
            with open(target, "wb") if target else nullcontext() as stream:
                subprocess.run(words, cwd=ROOT, stdout=stream, check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"figures: {figure.name}: {error}", file=sys.stderr)
            return None
    return time.monotonic() - begin if finish(figure, out) else None


def make_all(figures, folder, quick, named):
    data = Path(os.environ.get("CAIRN_DATA", ""))
    have_data = bool(os.environ.get("CAIRN_DATA")) and data.is_dir()
    failed, left_out, lines = [], [], []
    for figure in figures:
        if needs_data(figure) and not have_data:
            (failed if named else left_out).append(figure.name)
            continue
        print(f"\n== {figure.name}", flush=True)
        seconds = make(figure, folder.resolve(), data.resolve(), quick)
        if seconds is None:
            failed.append(figure.name)
        else:
            lines.append(f"{seconds:8.1f} s  {folder / figure.name}")
    print("\n".join([""] + lines))
    if left_out or (failed and not have_data):
        print("figures: CAIRN_DATA names no folder of maps, so these were not made: "
              + ", ".join(left_out or failed), file=sys.stderr)
    if failed:
        sys.exit(f"figures: failed: {', '.join(failed)}")


# The page ----------------------------------------------------------------------------------------

def table():
    """The table of docs/figures.md."""
    def link(place):
        page, _, anchor = place.partition("#")
        path = page.removeprefix("docs/") if page.startswith("docs/") else f"../{page}"
        for heading, slug in headings(ROOT / page):
            if slug == anchor:
                name = re.sub(r"^docs/|\.md$", "", page)
                return f"[{name}: {heading}]({path}#{anchor})"
        sys.exit(f"figures: {place}: no such heading")

    lines = ["| name | shown in | commands | makes | about |", "| --- | --- | --- | --- | ---: |"]
    for f in FIGURES:
        commands = "<br>".join(f"`{command}`".replace("|", "\\|") for command in f.commands)
        lines.append(f"| {f.name} | {'; '.join(map(link, f.places))} | {commands} | {f.makes} | "
                     f"{f.takes} |")
    return "\n".join(lines)


def headings(page):
    """The headings of a page, without links, and their anchors."""
    return [(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", match[1]), anchor)
            for match, anchor in check_docs.headings(page.read_text(encoding="utf-8"))]


NUMBER = re.compile(r"-?[\d,]*\.?\d+( (\(.*\)|x|%|us|ms|s|ns|MB|kB))?")


def measured_sections(page):
    """The anchors of the sections of a page with a table that has numbers in two rows or more."""
    anchors = iter(headings(page))
    anchor, rows, found = None, 0, []
    for line in check_docs.FENCE.sub("", page.read_text(encoding="utf-8")).split("\n"):
        if check_docs.HEADING.fullmatch(line):
            anchor, rows = next(anchors)[1], 0
        if line.lstrip().startswith("|"):
            cells = [cell.strip() for cell in line.strip(" |").split("|")]
            rows += any(NUMBER.fullmatch(cell) for cell in cells[1:])
            if rows >= 2 and anchor not in found:
                found.append(anchor)
    return found


def check():
    """Prints the differences between this file and the documentation; exits with 1 if any."""
    faults = []
    if table() not in PAGE.read_text(encoding="utf-8"):
        faults.append("docs/figures.md: its table is not that of tools/figures.py --table")
    known = {place for f in FIGURES for place in f.places} | set(NOT_MADE)
    for page in [ROOT / "README.md"] + sorted((ROOT / "docs").glob("*.md")):
        name = str(page.relative_to(ROOT))
        anchors = check_docs.anchors(page)
        faults += [f"{place}: no such heading" for place in sorted(known)
                   if place.startswith(name + "#") and place.partition("#")[2] not in anchors]
        if name not in NO_MEASUREMENTS:
            faults += [f"{name}#{anchor}: a table of measurements that nothing makes"
                       for anchor in measured_sections(page) if f"{name}#{anchor}" not in known]
    without = PAGE.read_text(encoding="utf-8").partition("## Figures without a command")[2]
    listed = {f"docs/{link}" for link in check_docs.LINK.findall(without)}
    faults += [f"{place}: in the list of docs/figures.md or of tools/figures.py, not in both"
               for place in sorted(listed ^ set(NOT_MADE))]
    print("\n".join(faults), end="\n" if faults else "")
    sys.exit(1 if faults else 0)


def chosen(names):
    known = {f.name: f for f in FIGURES}
    for name in names:
        if name not in known:
            sys.exit(f"figures: there is no '{name}'; --list names all")
    return [known[name] for name in names] or FIGURES


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "figures")
    parser.add_argument("--quick", action="store_true")
    for option in ("--list", "--programs", "--table", "--check"):
        parser.add_argument(option, action="store_true")
    given = parser.parse_args()
    figures = chosen(given.names)
    if given.check:
        check()
    elif given.table:
        print(table())
    elif given.list:
        for f in figures:
            print(f"{f.name:24} {f.takes:>7}  {', '.join(f.places)}")
    elif given.programs:
        words = {shlex.split(command)[0] for f in figures for command in f.commands}
        print(*sorted(word for word in words if word.startswith(("cairn", "example_"))))
    else:
        make_all(figures, given.out, given.quick, bool(given.names))


if __name__ == "__main__":
    main()
