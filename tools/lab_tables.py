#!/usr/bin/env python3
"""Makes Markdown tables from measurements of cairn-lab.

usage: lab_tables.py FOLDER [TABLE...]
FOLDER holds the CSV files that `cairn-lab ... --out FOLDER` wrote: those of bench, of mesh-bench,
of gpu, or of reproduce for one paper. Without TABLE all tables of these files are printed. Tables of papers
have the papers' own figures beside the measured ones.
"""

import csv
import math
import sys
from collections import Counter, defaultdict
from pathlib import Path


class Table:
    """A name, a title, names of columns, rows of values, and notes."""

    def __init__(self, name, title, columns, rows, notes=()):
        self.name, self.title, self.columns, self.rows = name, title, columns, list(rows)
        self.notes = list(notes)

    def markdown(self):
        lines = [f"### {self.title}", ""]
        lines.append("| " + " | ".join(self.columns) + " |")
        lines.append("| " + " | ".join(["---"] * len(self.columns)) + " |")
        lines += ["| " + " | ".join(text(v).replace("|", "\\|") for v in row) + " |"
                  for row in self.rows]
        return "\n".join(lines + [""] + [f"{note}  " for note in self.notes]).rstrip() + "\n"


def text(value):
    """A value for readers: three significant digits, commas between thousands, - for None."""
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    if isinstance(value, int) or abs(value) >= 1000:
        return f"{value:,.0f}"
    if value == 0 or not math.isfinite(value):
        return f"{value:.0f}"
    digits = 2 - math.floor(math.log10(abs(value)))
    return f"{value:.{min(max(digits, 0), 12)}f}"


def parsed(value):
    """The text of a CSV cell as a number if it is one; None if it is empty."""
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            pass
    return value if value else None


def read(folder):
    """The CSV files of a folder: lists of rows, which are dictionaries, by the name of the file."""
    sheets = {}
    for file in sorted(Path(folder).glob("*.csv")):
        with open(file, newline="", encoding="utf-8") as stream:
            sheets[file.stem] = [{k: parsed(v) for k, v in row.items()}
                                 for row in csv.DictReader(stream)]
    return sheets


def over(a, b):
    """a / b; 0 if b is 0."""
    return a / b if b else 0


def mean(values):
    """The mean; 0 of no values."""
    values = list(values)
    return over(sum(values), len(values))


def total(rows, key):
    """The sum of a column; an empty cell counts as 0."""
    return sum(row[key] or 0 for row in rows)


def grouped(rows, *keys):
    """Lists of the rows with equal values in the columns `keys`, by the tuple of these values."""
    groups = defaultdict(list)
    for row in rows:
        groups[tuple(row[k] for k in keys)].append(row)
    return groups


def with_all(rows, key="set"):
    """The rows of each set by its name, and if there are several sets, all rows as "all"."""
    groups = {k[0]: g for k, g in grouped(rows, key).items()}
    if len(groups) > 1:
        groups["all"] = rows
    return groups


# cairn-lab bench ---------------------------------------------------------------------------------

def place(row):
    """The name of the maps of a row: one map, or all maps of a set."""
    return row["set"] if row.get("map", "all") == "all" else f"{row['set']}/{row['map']}"


def whole_sheet(name, title, sheet):
    """All rows and columns of a sheet."""
    columns = list(sheet[0])
    return Table(name, title, [c.replace("_", " ") for c in columns],
                 [[r[c] for c in columns] for r in sheet])


def bench_tables(sheets):
    if "bench" in sheets:
        rows = sheets["bench"]
        yield Table("bench", "Planners side by side", [
            "maps", "planner", "mean us", "median us", "p99 us", "times A*", "times A*, medians",
            "error %", "most %", "expanded", "build ms", "bytes a cell", "wrong"],
            [[place(r), r["planner"], r["mean_us"], r["median_us"], r["p99_us"], r["ratio"],
              r["median_ratio"], 100 * r["mean_error"], 100 * r["max_error"], r["mean_expanded"],
              r["build_ms"], r["bytes_per_cell"], r["wrong"]] for r in rows],
            [f"{place(r)}: {r['planner']}: {r['note']}" for r in rows if r["note"]])
    if "agents" in sheets:
        rows = []
        by_planner = grouped(sheets["agents"], "agent", "planner")

        def query_mean(g, key):
            return over(sum(r[key] * r["queries"] for r in g), total(g, "queries"))

        for (agent, planner), g in by_planner.items():
            # The first planner of an agent class is AA*.
            astar = next(base for (a, _), base in by_planner.items() if a == agent)
            us = query_mean(g, "mean_us")
            rows.append([agent, planner, total(g, "queries"), us,
                         over(query_mean(astar, "mean_us"), us),
                         100 * query_mean(g, "mean_error"),
                         100 * max(r["max_error"] for r in g), mean(r["prepare_ms"] for r in g),
                         mean(r["view_bytes_per_cell"] for r in g)])
        yield Table("agents", "By agent class", [
            "agent", "planner", "queries", "mean us", "times AA*", "error %", "most %",
            "prepare ms", "view bytes a cell"], rows)
    if sheets.get("edits"):
        timed = ("made", "cost", "path")
        rows = [[f"{s}/{m}", planner, index] +
                [next((r[key] for r in g if r["timed"] == t), None)
                 for t in timed for key in ("median_us", "p95_us", "max_us")]
                for (s, m, planner, index), g in
                grouped(sheets["edits"], "set", "map", "planner", "index").items()]
        yield Table("edits", "Edits", ["map", "planner", "index"] +
                    [f"{t} {part} us" for t in timed for part in ("median", "p95", "largest")],
                    rows)
    for name, title in (("phases", "Parts of a query"),
                        ("edit_summary", "Bytes after the last edit"),
                        ("mesh_index", "Indexes of meshes"),
                        ("detour_index", "Indexes of tile sets"),
                        ("detour_bench", "Beside Detour"),
                        ("detour_changes", "Changes of tile sets")):
        if sheets.get(name):
            yield whole_sheet(name, title, sheets[name])
    if "batches" in sheets:
        yield from batch_tables(sheets["batches"])
    if "mesh_bench" in sheets:
        rows = []
        for group in grouped(sheets["mesh_bench"], "mesh").values():
            astar = group[0]["mean_us"]
            detour = next((r["mean_us"] for r in group if r["planner"] == "detour"), None)
            for r in group:
                rows.append([r["mesh"], r["planner"], r["mean_us"], r["median_us"], r["p99_us"],
                             over(astar, r["mean_us"]),
                             over(detour, r["mean_us"]) if detour else None, r["mean_expanded"],
                             r["length_ratio"], r["no_path_us"], r["wrong"]])
        yield Table("mesh_bench", "Planners on meshes", [
            "mesh", "planner", "mean us", "median us", "p99 us", "times A*", "times Detour",
            "expanded", "length / A*", "no path us", "wrong"], rows)


def batch_mean(rows):
    """One row with means over maps. Agents in a frame follow from the mean time of an agent."""
    out = dict(rows[0])
    for key in ("loop_us", "one_thread_us", "all_threads_us"):
        out[key] = mean(r[key] for r in rows)
    for key in ("in_40_ms", "in_16_7_ms"):
        out[key] = over(1, mean(over(1, r[key]) for r in rows))
    for key in ("agents", "wrong"):
        out[key] = total(rows, key)
    devices = [r for r in rows if r["device"]]
    if len(devices) < len(rows):
        out["device"] = None
    elif devices:
        for key in ("device_us", "device_host_us", "device_bytes_copied", "device_host_share"):
            out[key] = mean(r[key] for r in devices)
    return out


def batch_tables(sheet):
    groups = [(f"{s}/{m}", g) for (s, m), g in grouped(sheet, "set", "map").items()]
    sets = grouped(sheet, "set")
    groups += [(s, g) for (s,), g in sets.items() if len({r["map"] for r in g}) > 1]
    if len(sets) > 1:
        groups.append(("all", sheet))
    rows, devices = [], []
    for name, group in groups:
        # A map whose measurement was cut short has fewer rows, and is left out of the means.
        counts = Counter((r["set"], r["map"]) for r in group)
        complete = [r for r in group if counts[r["set"], r["map"]] == max(counts.values())]
        means = {k: batch_mean(g)
                 for k, g in grouped(complete, "planner", "goals", "paths").items()}
        first = complete[0]["planner"]
        for (planner, goals, paths), r in means.items():
            astar = means[first, goals, paths]["all_threads_us"]
            rows.append([name, planner, goals, paths, r["agents"], r["loop_us"],
                         r["one_thread_us"], r["all_threads_us"],
                         over(r["loop_us"], r["all_threads_us"]),
                         over(r["one_thread_us"], r["all_threads_us"]),
                         over(astar, r["all_threads_us"]), int(r["in_40_ms"]),
                         int(r["in_16_7_ms"]), r["wrong"]])
            if r["device"]:
                devices.append([name, planner, goals, paths, r["agents"], r["device_us"],
                                r["device_host_us"], over(r["device_host_us"], r["device_us"]),
                                r["device_bytes_copied"], r["device_host_share"]])
    notes = sorted({f"{r['set']}/{r['map']}: {r['planner']} {r['note']}" for r in sheet if r["note"]})
    yield Table("batches", "Many agents at once: microseconds an agent", [
        "maps", "planner", "goals", "paths", "agents", "loop us", "one thread us",
        "all threads us", "x loop", "x one thread", "x A*", "in 40 ms", "in 16.7 ms", "wrong"],
        rows, [f"All threads: {sheet[0]['threads']}. x: all threads against the loop, one thread, "
               "and batches of A*."] + notes)
    if devices:
        device = next(r["device"] for r in sheet if r["device"])
        yield Table("batches_device", f"The same on a device: {device}", [
            "maps", "planner", "goals", "paths", "agents", "device us", "all threads us",
            "x all threads", "bytes copied", "host's share"], devices)


# cairn-lab reproduce hpa -------------------------------------------------------------------------

BIN = 50  # of solution length, in straight steps
HPA_RULES = ("text", "program")  # of entrances: values of the column "rule"
FEW_QUERIES = 20  # bins of fewer say little: they are not plotted, and not quoted as the best


def hpa_tables(sheets):
    if "example" in sheets:
        yield from hpa_example(sheets)
    if "sizes" in sheets:
        yield from hpa_sizes(sheets["sizes"])
    if "searches" in sheets:
        yield hpa_open_lists(sheets["searches"])
        bins = hpa_bins(sheets)
        if "times" in sheets:
            yield hpa_figure_5(bins)
        yield hpa_figure_6(bins)
        yield hpa_figure_7(bins)
    if "cluster_sizes" in sheets:
        rows = []
        for (size,), g in grouped(sheets["cluster_sizes"], "cluster_size").items():
            row = [size]
            for rule in HPA_RULES:
                of_rule = [r for r in g if r["rule"] == rule]
                sg, main = (over(total(of_rule, k), total(of_rule, "queries"))
                            for k in ("sg", "main"))
                row += [sg, main, sg + main]
            rows.append(row)
        best = [min(rows, key=lambda r: r[column])[0] for column in (3, 6)]
        yield Table("figure-8", "Figure 8: mean expanded nodes of an abstract search with one "
                    "level, by cluster size", ["cluster size", "SG", "Main", "SG + Main",
                                               "its rule: SG", "its Main", "its SG + Main"], rows,
                    [f"Paper: the minimum is at cluster size 10. Measured: at {best[0]}, and with "
                     f"its program's rule at {best[1]}."])


def hpa_example(sheets):
    paper = [1463, 2714, 16, 68, 43, 88, 2, 14]  # in the order of example_sizes
    yield Table("example", "Sections 3.1 and 3.4: the worked example, 40 x 40, four neighbours",
                ["what", "paper", "measured"],
                [[r["what"], p, r["measured"]] for r, p in zip(sheets["example_sizes"], paper)],
                ["The paper's map is not published; ours is built to have its numbers."])
    # The paper's, by levels: nodes expanded for SG, Main and Refinement; searches of the last.
    figures = {0: (0, 1462, 0, None), 1: (16, 67, 145, 12), 2: (41, 7, 161, None)}
    rows, seen = [], set()
    for r in sheets["example"]:
        if r["levels"] not in seen:
            seen.add(r["levels"])
            sg, main, refine, searches = figures[r["levels"]]
            rows.append([f"L-{r['levels']}", "paper", sg, main, sg + main, refine, searches, None])
        source = "measured" if r["source"] == "textbook" else "Cairn's engine"
        rows.append(["", source, r["sg"], r["main"], r["sg"] + r["main"], r["refine"],
                     r["refine_searches"], r["length"]])
    failed = [r["sg_failed"] for r in sheets["example"] if r["source"] == "textbook"]
    yield Table("table-1", "Table 1: expanded nodes on the worked example", [
        "technique", "source", "SG", "Main", "Abstract", "Refinement", "searches", "length"], rows, [
        "measured: Figures 9 and 10 to the letter, with one A* for every border node and every "
        "crossing. The goal is not counted.",
        "Searches from S and G for border nodes that they cannot reach inside the cluster expand "
        f"{failed[1]} (L-1) and {failed[2]} (L-2) more nodes. The paper does not count these.",
        "Cairn's engine connects start and goal by one search each and expands entries (nodes "
        "reached by an inter-edge), so its counts cannot be compared. The length is the same."])


def hpa_sizes(sheet):
    maps = len({r["map"] for r in sheet})
    # By rule, levels of the index and level: N, E1 and E2, as in the table.
    size = {(r["rule"], r["levels"], r["level"]): [0, 0, 0] for r in sheet}
    for r in sheet:
        for i, key in enumerate(("nodes", "inter_edges", "intra_edges")):
            size[r["rule"], r["levels"], r["level"]][i] += over(r[key], maps)
    paper = [["N", "paper", 4469, 367, 186, 181, 367, 186, 92, 89, 367],
             ["E1", "paper", 16420, 198, 100, 98, 198, 100, 50, 48, 198],
             ["E2", "paper", 0, 722, 722, 662, 1384, 722, 662, 462, 1846]]

    def whole(rule, levels, i):
        return sum(size[rule, levels, level][i] for level in range(1, levels + 1))

    def measured(rule, name, i):
        graphs = [[size[rule, g, level][i] for level in range(1, g + 1)] for g in (1, 2, 3)]
        return (["", name, size[None, 0, 0][i]] + graphs[0] + graphs[1] + [whole(rule, 2, i)] +
                graphs[2] + [whole(rule, 3, i)])

    rows = []
    for i in range(3):
        rows += [paper[i], measured("program", "its rule", i), measured("text", "measured", i)]
    yield Table("table-2", f"Table 2: mean size of the problem graph, {maps} maps", [
        "size", "source", "graph 0", "graph 1 L1", "graph 2 L1", "graph 2 L2", "graph 2 all",
        "graph 3 L1", "graph 3 L2", "graph 3 L3", "graph 3 all"], rows, [
        "The paper prints 622 for E2 of graph 3, L2; it is a slip for 662: graph 2 has 662, and "
        "722 + 662 + 462 = 1,846.",
        "N < 2 E1: a cell is one node even if it belongs to two entrances.",
        "its rule: with the entrances of the paper's program, which the last tile of a border does "
        "not join."])
    low = size[None, 0, 0][0] + size[None, 0, 0][1]
    intra, its_intra = whole("text", 3, 2), whole("program", 3, 2)
    yield Table("overhead", "Section 3.6.1: what three levels add to the problem graph, in percent",
                ["counted as added", "paper", "its rule", "measured"], [
                    ["intra-edges alone", 8.83, 100 * over(its_intra, low),
                     100 * over(intra, low)],
                    ["and abstract nodes, inter-edges", 11.5] +
                    [100 * over(whole(rule, 3, 0) + whole(rule, 3, 1) + whole(rule, 3, 2), low)
                     for rule in reversed(HPA_RULES)]],
                ["8.83 does not count abstract nodes and inter-edges, since the grid has these "
                 "cells and moves anyway; 11.5 counts them, and is computed from the same table."])


def hpa_open_lists(searches):
    rows = [["paper", 51.24, 17.23, 4.50, 5.48]]
    parts = ("low level", "main", "sg", "refine")
    sums = defaultdict(Counter)
    for r in searches:
        if r["expanded"] == 0:
            continue
        sums[r["rule"], r["levels"], r["part"]].update({
            "open": r["open_sum"], "expanded": r["expanded"],
            "mean open": r["open_sum"] / r["expanded"], "queries": 1})
    for source, value, count in (("mean of queries", "mean open", "queries"),
                                 ("mean of expansions", "open", "expanded")):
        for rule, suffix in zip(HPA_RULES, ("", ", its rule")):
            for levels in (1, 2, 3):
                of_parts = [sums[(None, 0, p) if p == "low level" else (rule, levels, p)]
                            for p in parts]
                rows.append([f"{source}, {levels} level{'s' if levels > 1 else ''}{suffix}"] +
                            [over(s[value], s[count]) for s in of_parts])
    return Table("table-3", "Table 3: mean size of the open list",
                 ["source", "Low level", "Main", "SG", "Refinement"], rows,
                 ["The paper says neither what the mean is taken over nor for how many levels."])


def hpa_bins(sheets):
    """Lists of queries by solution length: the start of their bin, in straight steps. A query is a
    row of `queries`, with its expanded nodes by (rule, levels, part) and its times by technique."""
    queries = {}
    for r in sheets["queries"]:
        queries[r["map"], r["query"]] = dict(r)
    for r in sheets["searches"]:
        queries[r["map"], r["query"]][r["rule"], r["levels"], r["part"]] = r["expanded"]
    for r in sheets.get("times", []):
        queries[r["map"], r["query"]][r["technique"]] = r["us"]
    bins = defaultdict(list)
    for q in queries.values():
        bins[q["optimum"] // (q["unit"] * BIN) * BIN].append(q)
    return dict(sorted(bins.items()))


def all_queries(bins):
    return [q for group in bins.values() for q in group]


def effort(query, rule, levels):
    """The nodes that HPA* with so many levels expands for a query."""
    return sum(query[rule, levels, part] for part in ("main", "sg", "refine"))


def hpa_figure_5(bins):
    names = ("1 level", "2 levels", "3 levels")
    rows, most_nodes, most_time = [], 0, 0

    def figures(g):
        nodes = [mean(q[None, 0, "low level"] for q in g)] + [
            mean(effort(q, rule, n) for q in g) for rule in HPA_RULES for n in (1, 2, 3)]
        us = {k: mean(q[k] for q in g) for k in ("astar", "cairn") + names}
        return nodes, us

    for start, g in bins.items():
        nodes, us = figures(g)
        rows.append([start, start + BIN, len(g)] + nodes + [us["astar"]] +
                    [over(us["astar"], us[k]) for k in names + ("cairn",)])
        if len(g) >= FEW_QUERIES:
            most_nodes = max(most_nodes, over(nodes[0], nodes[1]))
            most_time = max(most_time, over(us["astar"], us["1 level"]))
    nodes, us = figures(all_queries(bins))
    return Table("figure-5", "Figure 5: A* against HPA*, every path refined: mean expanded nodes, "
                 "and time of A* / time", [
                     "length from", "to", "queries", "A* nodes", "1 level nodes", "2 levels nodes",
                     "3 levels nodes", "its rule, 1 level", "its, 2 levels", "its, 3 levels",
                     "A* us", "1 level ratio", "2 levels ratio",
                     "3 levels ratio", "Cairn ratio"], rows, [
        "Paper: up to 10 times faster than A*; one level is best where every path is refined.",
        f"Measured, one level: up to {text(most_nodes)} times fewer nodes and {text(most_time)} "
        f"times less time in a bin of {FEW_QUERIES} queries or more; for all queries "
        f"{text(over(nodes[0], nodes[1]))} and {text(over(us['astar'], us['1 level']))} times.",
        "Nodes are counted as in the paper (see Table 1). The ratios of levels are those of Cairn's "
        "engine in the paper's mode, which connects and refines by search. Cairn ratio: its "
        "defaults, with labels and move tables."])


def hpa_figure_6(bins):
    rows = []
    for rule in HPA_RULES:
        for levels in (1, 2, 3):
            for start, g in list(bins.items()) + [("all", all_queries(bins))]:
                parts = [mean(q[rule, levels, p] for q in g) for p in ("main", "sg", "refine")]
                rows.append([rule, levels, start, start + BIN if start != "all" else None,
                             len(g)] + parts + [100 * over(p, sum(parts)) for p in parts])
    return Table("figure-6", "Figure 6: mean expanded nodes of HPA*, by what they are expanded for",
                 ["entrances", "levels", "length from", "to", "queries", "Main", "SG", "Refinement", "Main %",
                  "SG %", "Refinement %"], rows,
                 ["Paper: with each further level the main search shrinks and SG grows."])


def hpa_figure_7(bins):
    def error(q, key):
        return 100 * (over(q[key], q["optimum"]) - 1) if q["optimum"] else 0

    keys = ("length", "paper_smoothed", "smoothed", "program_length", "program_smoothed")
    rows = [[start, start + BIN if start != "all" else None, len(g)] +
            [mean(error(q, k) for q in g) for k in keys]
            for start, g in list(bins.items()) + [("all", all_queries(bins))]]
    return Table("figure-7", "Figure 7: mean length error in percent, (hl - ol) / ol x 100", [
        "length from", "to", "queries", "before smoothing", "paper's smoothing",
        "Cairn's smoothing", "its rule, before", "its rule, paper's smoothing"], rows, [
        "Paper: within 1 % of optimal, after smoothing. The error does not depend on the number of "
        "levels.",
        "The straight lines of the paper's smoothing are octile lines here, which cut no corners "
        "and are never longer than what they replace. The error comes from missing transitions and "
        "from missing diagonal crossings of borders."])


# cairn-lab reproduce haa -------------------------------------------------------------------------

HAA_GRAPHS = ("HQ", "LQ", "LQ, any reach")  # values of the column "graph"
HAA_CAPABILITIES = 3
NODE_BYTES = 4  # of a node in a record of the abstraction, its crossings included
STRAIGHT = 408  # the cost of a straight step


def haa_key(row):
    """The first three columns of a table: maps, soft %, sizes."""
    most = row["max_size"]
    return [row["set"], row["share"], "1" if most == 1 else f"1-{most}"]


def haa_collapse_bytes(rows):
    """The bytes that one node for both ends of an inter-edge would save at most: for each
    inter-edge a node and one of its two class sets."""
    return sum(r["inter_edges"] * (NODE_BYTES + (HAA_CAPABILITIES * r["max_size"] + 7) // 8)
               for r in rows)


def haa_errors(rows, graph):
    """The numbers of problems with and without a path; how much longer paths are than optimal ones,
    in percent: the means of plain, smoothed and corridor paths, and the worst smoothed one."""
    paths = [r for r in rows if r["optimum"] and r[f"{graph} plain"] is not None]

    def errors(kind):
        return [100 * (r[f"{graph} {kind}"] / r["optimum"] - 1) for r in paths]

    return [len(paths), len(rows) - len(paths), mean(errors("plain")), mean(errors("smoothed")),
            mean(errors("corridor")), max(errors("smoothed"), default=0)]


def haa_tables(sheets):
    """The tables of `--part times`."""
    graphs, problems = sheets["abstractions"], sheets["problems"]
    keys = ("set", "share", "max_size")
    by_problem = grouped(problems, *keys)
    sizes, lengths, times = [], [], []
    for key, group in grouped(graphs, *keys).items():
        of = {name[0]: g for name, g in grouped(group, "graph").items()}

        def elements(g):
            return sum(total(g, k) for k in ("nodes", "inter_edges", "intra_edges"))

        for name, g in of.items():
            n = len(g)
            sizes.append(haa_key(g[0]) + [
                name, total(g, "nodes") / n, total(g, "inter_edges") / n,
                total(g, "intra_edges") / n,
                100 * over(elements(g), total(g, "low_nodes") + total(g, "low_edges")),
                100 * over(elements(g), elements(of["HQ"])), "< 50" if "LQ" in name else None,
                over(total(g, "graph_bytes"), total(g, "cells")),
                100 * over(total(g, "graph_bytes"), total(of["HQ"], "graph_bytes")),
                100 * over(haa_collapse_bytes(g), total(g, "graph_bytes")),
                total(g, "build_ms") / n])
        for name in HAA_GRAPHS:
            g = of[name]
            wrong = total(g, "wrong") + (total(of["initial"], "wrong") if name == "HQ" else 0)
            errors = haa_errors(by_problem.get(key, []), name)
            lengths.append(haa_key(g[0]) + [name] + errors[:2] +
                           ["3-5" if name == "HQ" else "6-10"] + errors[2:] + [wrong])
            astar, paths = total(g, "astar_ms"), total(g, "paths")
            kinds = ("cost", "abstract", "path", "smoothed")
            times.append(haa_key(g[0]) + [name, 1e3 * over(astar, paths), 10] + [
                over(astar, total(g, f"{way}_{k}_ms")) for way in ("searched", "prepared")
                for k in kinds] + [
                1e3 * over(total(g, "prepared_smoothed_ms"), paths),
                over(total(g, "prepare_ms"), total(g, "views")),
                over(sum(over(r["view_bytes"], r["cells"]) for r in g), total(g, "views"))])
    yield Table("sizes", "Sizes of Cairn's abstractions, mean of maps", [
        "maps", "soft %", "sizes", "graph", "nodes", "inter-edges", "intra-edges",
        "% of low level", "% of HQ", "paper %", "bytes a cell", "bytes, % of HQ", "collapse %",
        "build ms"], sizes, [
        "soft %: free tiles turned to soft obstacles; sizes: of agents, with three capabilities "
        "each: ground, soft obstacles, both",
        "% of low level: of the cells and moves of an agent of size 1 with both capabilities",
        "paper %: the paper says that LQ is more than 50 % smaller than HQ",
        "collapse %: the share of the bytes that one node for both ends of an inter-edge would save "
        "at most"])
    yield Table("lengths", "How much longer than AA*'s paths are, mean of problems, %", [
        "maps", "soft %", "sizes", "graph", "paths", "without", "paper", "not smoothed", "smoothed",
        "corridor", "worst smoothed", "wrong"], lengths, [
        "without: problems that neither AA* nor HAA* finds a path for, or that start at their goal",
        "LQ, any reach: weak dominance by the paper's rule; LQ: by the library's default, by which "
        "a transition is replaced only by one that is near"])
    largest = max(r["max_size"] for r in problems) if problems else 0
    rows = []
    for key, g in sorted(grouped([r for r in problems if r["max_size"] == largest], "share",
                                 "capability", "size").items()):
        for name in HAA_GRAPHS:
            errors = haa_errors(g, name)
            if errors[0] > 0:
                rows.append([key[0], name, key[1], key[2]] + errors)
    yield Table("agents", "By agent: how much longer than AA*'s paths are, all maps together, %", [
        "soft %", "graph", "capability", "size", "paths", "without", "not smoothed", "smoothed",
        "corridor", "worst smoothed"], rows, [f"of the maps with agents of sizes up to {largest}"])
    yield Table("times", "Times against AA*, mean of problems with a path", [
        "maps", "soft %", "sizes", "graph", "AA* us", "paper", "cost", "abstract path", "path",
        "smoothed", "prepared: cost", "prepared: abstract path", "prepared: path",
        "prepared: smoothed", "smoothed us", "prepare ms", "view bytes a cell"], times, [
        "cost, abstract path, path, smoothed: times faster than AA*, by A* on views without labels "
        "and move tables; prepared: with both",
        "paper: about one order of magnitude, 6 ms on a Core2 Duo with 2.16 GHz"])
    published = [r for r in problems if r["published"] is not None]
    if published:
        rows = []
        for key, g in sorted(grouped(published, "set", "share", "capability", "size").items()):
            found = [r for r in g if r["optimum"] is not None]
            rows.append(list(key) + [
                len(g), sum(r["cells"] == r["published"] for r in found),
                sum(round(r["optimum"] / STRAIGHT) == round(r["published"]) for r in found),
                len(g) - len(found)])
        yield Table("scenarios", "The author's scenarios: his distances against AA*'s", [
            "maps", "soft %", "capability", "size", "problems", "cells agree", "cost agrees",
            "no path"], rows, [
            "cells agree: the distance is the number of cells on AA*'s path; cost agrees: the "
            "distance is the path's cost, rounded"])


# The paper's Table 1 by cluster size and abstraction, for 0, 10, 20, 30, 40 and 50 % soft
# obstacles: nodes and edges in percent of the map's.
HAA_SHARES = (0, 10, 20, 30, 40, 50)
HAA_TABLE_1 = {
    (10, "HQ"): ((9.0, 8.2), (14.6, 32.6), (16.6, 38.4), (17.7, 37.8), (18.3, 35.7), (18.5, 35.0)),
    (10, "LQ"): ((5.3, 2.2), (7.9, 6.7), (10.3, 11.6), (12.8, 17.0), (15.0, 22.0), (15.7, 23.6)),
    (15, "HQ"): ((5.6, 6.0), (9.6, 28.0), (11.0, 32.4), (11.8, 32.1), (12.2, 30.0), (12.3, 29.4)),
    (15, "LQ"): ((2.9, 1.2), (4.8, 4.6), (6.4, 8.5), (8.1, 12.5), (9.7, 17.2), (10.3, 18.8)),
    (20, "HQ"): ((4.0, 5.0), (7.0, 25.0), (8.1, 28.8), (8.8, 28.3), (9.1, 26.3), (9.2, 26.0)),
    (20, "LQ"): ((2.0, 0.9), (3.4, 3.6), (4.6, 6.9), (5.9, 10.1), (7.2, 14.4), (7.6, 15.8)),
}
HAA_PAPER_LOW = (4469, 16420)  # a map's nodes and edges, mean
# Figure 5a at cluster size 10, read off: percent by share of soft obstacles.
HAA_FIGURE_5A = {"HQ": {0: 8.2, 10: 5.2, 20: 4.9, 40: 5.7, 50: 5.9},
                 "LQ": {0: 11.9, 10: 10.0, 20: 8.6, 40: 8.5, 50: 8.7}}
# Figures that the paper names in the text: bytes in percent of the map's.
HAA_SPACE = {(20, 0, "HQ"): 8.7, (20, 0, "LQ"): 1.8, (10, 20, "HQ"): 63.8, (10, 50, "LQ"): 40.4,
             (20, 20, "HQ"): 47.0, (20, 50, "LQ"): 26.4}
HAA_LENGTH_BIN = 50  # of Figure 6, in straight steps
HAA_LONGEST = 450
HAA_TABLE_GRAPHS = ("paper HQ", "HQ", "paper LQ", "LQ")  # values of the column "graph"
HAA_PARTS = ("insertion", "search", "refinement")


def haa_longer(rows, graph):
    """How much longer all paths together are than all optimal ones, and the mean of the problems,
    in percent."""
    cost = f"{graph} cost"
    rows = [r for r in rows if r[cost] is not None]
    return [100 * (over(total(rows, cost), total(rows, "optimum")) - 1) if rows else 0,
            100 * mean(r[cost] / r["optimum"] - 1 for r in rows)]


def haa_paper_tables(sheets):
    """The tables of `--part tables`."""
    sizes, problems = sheets["paper_sizes"], sheets["paper_problems"]
    yield from haa_table_1(sizes)
    by_size = sorted(grouped(problems, "set", "cluster_size", "share").items())
    rows = []
    for (name, cluster_size, share), g in by_size:
        rows.append([name, cluster_size, share, len(g)])
        for graph in ("HQ", "LQ"):
            paper = HAA_FIGURE_5A[graph].get(share) if cluster_size == 10 else None
            rows[-1] += [paper, *haa_longer(g, f"paper {graph}"), *haa_longer(g, graph)]
    yield Table("figure-5a", "Figure 5a: how much longer than AA*'s paths are, %", [
        "maps", "cluster size", "soft %", "paths"] + [
        f"{graph}: {column}" for graph in ("HQ", "LQ") for column in (
            "paper", "its graph", "its graph, mean of problems", "Cairn",
            "Cairn, mean of problems")], rows, [
        "not smoothed; the paper's figures are those of cluster size 10, read off its plot",
        "its graph, Cairn: all lengths together over all optimal ones; a mean of problems gives "
        "short paths as much weight as long ones"])
    yield Table("figure-5b", "Figure 5b: the same by size of the agent, all lengths together, %", [
        "maps", "cluster size", "soft %", "size", "paths"] + [
        f"{graph}: {column}" for graph in ("HQ", "LQ") for column in ("its graph", "Cairn")],
        [list(key) + [len(g)] + [haa_longer(g, prefix + graph)[0] for graph in ("HQ", "LQ")
                                 for prefix in ("paper ", "")]
         for key, g in sorted(grouped(problems, "set", "cluster_size", "share", "size").items())],
        ["The paper's, cluster size 15, in words: size 1 keeps improving beyond 20 %; size 2 "
         "degrades towards 50 %, where all nears the figure of 0 %."])
    yield from haa_figure_6(problems)


def haa_table_1(sheet):
    rows, space = [], []
    for (name, cluster_size, share), group in sorted(
            grouped(sheet, "set", "cluster_size", "share").items()):
        of = {graph: g for (graph,), g in grouped(group, "graph").items()}
        for graph in ("HQ", "LQ"):
            paper = HAA_TABLE_1.get((cluster_size, graph))
            paper = paper[HAA_SHARES.index(share)] if paper and share in HAA_SHARES else (None,) * 2
            rows.append([name, graph, cluster_size, share, *paper])
            bytes_ = None
            if paper[0] is not None:
                nodes, edges = HAA_PAPER_LOW
                bytes_ = over(nodes * paper[0] + 2 * edges * paper[1], nodes + edges)
            space.append([name, graph, cluster_size, share,
                          HAA_SPACE.get((cluster_size, share, graph)), bytes_])
            for prefix in ("paper ", ""):
                g = of[prefix + graph]
                edges = total(g, "inter_edges") + total(g, "intra_edges")
                rows[-1] += [100 * over(total(g, "nodes"), total(g, "low_nodes")),
                             100 * over(edges, total(g, "low_edges"))]
                bytes_ = total(g, "nodes") + 2 * edges
                space[-1] += [100 * over(bytes_, total(g, "low_nodes") + total(g, "low_edges")),
                              100 * over(3 * total(g, "inter_edges"), bytes_)]
            rows[-1].append(total(of["paper " + graph], "wrong") + total(of[graph], "wrong"))
    maps = len({(r["set"], r["map"], r["share"]) for r in sheet if r["share"] == sheet[0]["share"]})
    nodes, edges = (mean(r[k] for r in sheet) for k in ("low_nodes", "low_edges"))
    yield Table("table-1", "Table 1: nodes and edges in percent of the maps', all maps together", [
        "maps", "graph", "cluster size", "soft %", "paper: nodes", "paper: edges",
        "its graph: nodes", "its graph: edges", "Cairn: nodes", "Cairn: edges", "wrong"], rows, [
        "its graph: as the conference paper describes it; Cairn: the library's defaults",
        f"{maps} maps of {nodes:,.0f} nodes and {edges:,.0f} edges on average; the paper's: 120 of "
        "4,469 and 16,420"])
    yield Table("space", "Space in percent of the maps': a byte for each node and edge, one more "
                "for each abstract edge", ["maps", "graph", "cluster size", "soft %", "paper",
                                           "from its Table 1", "its graph", "its graph, collapse %",
                                           "Cairn", "Cairn, collapse %"], space, [
        "collapse %: the share that one node for both ends of an inter-edge would save at most: a "
        "node and the inter-edge"])


def haa_figure_6(sheet):
    rows, by_part = [], []
    for (name, cluster_size, share), group in sorted(
            grouped(sheet, "set", "cluster_size", "share").items()):
        bins = defaultdict(list)
        for r in group:
            bins[int(r["optimum"] / STRAIGHT) // HAA_LENGTH_BIN].append(r)
        for number, g in sorted(bins.items()):
            key = [name, share, cluster_size, number * HAA_LENGTH_BIN,
                   (number + 1) * HAA_LENGTH_BIN]
            expanded = {graph: [total(g, f"{graph} {part}") / len(g) for part in HAA_PARTS]
                        for graph in HAA_TABLE_GRAPHS}
            rows.append(key + [len(g), total(g, "expanded") / len(g)] +
                        [sum(parts) for parts in expanded.values()])
            by_part.append(key + [v for graph in expanded.values() for v in graph])
    names = {"paper HQ": "HQ, its graph", "HQ": "HQ, Cairn", "paper LQ": "LQ, its graph",
             "LQ": "LQ, Cairn"}
    key = ["maps", "soft %", "cluster size", "length from", "to"]
    yield Table("figure-6", "Figure 6: expanded nodes by the length of the optimal path, mean",
                key + ["queries", "AA*"] + [names[g] for g in HAA_TABLE_GRAPHS], rows, [
        "insertion, search and refinement together, without labels",
        "The paper's, 20 % soft: AA* reaches about 15,000 at 450; HQ with cluster size 20 trails "
        "AA* up to 250, smaller clusters do better; LQ differs less between cluster sizes; 10 or "
        "15 are the better choice up to 450."])
    yield Table("figure-6-parts", "The same by part of the query", key + [
        f"{names[g]}: {part}" for g in HAA_TABLE_GRAPHS for part in HAA_PARTS], by_part)


# cairn-lab reproduce subgoal ---------------------------------------------------------------------

# The paper's Table 15.1: build ms, MB, and times faster than A* on the grid, which takes 12.69 ms.
SUBGOAL_PAPER = {"SSG": (22, 1.172, 24), "TSG": (2031, 1.223, 71), "N-level": (2195, 1.223, 112)}


def subgoal_tables(sheets):
    studies = {k[0]: g for k, g in grouped(sheets["graphs"], "study").items()}

    def each(study):
        """Yields set, (edge set, graph, level option) and rows for each graph of a study."""
        for name, rows in with_all(studies.get(study, [])).items():
            for key, g in grouped(rows, "edge_set", "graph", "level_option").items():
                yield name, key, g

    def per_query(g, key):
        return over(sum(r[key] * r["queries"] for r in g), total(g, "queries"))

    def per_map(g, key):
        return mean(r[key] for r in g)

    def speed(g):
        return over(per_query(g, "astar_us"), per_query(g, "us"))

    if "table" in studies:
        rows, cores, seen = [], [], set()
        last = list(with_all(studies["table"]))[-1]
        for name, (_, graph, _), g in each("table"):
            if name not in seen:
                seen.add(name)
                rows.append([name, "A* on the grid"] + [None] * 8 + [
                    1.0, None, per_query(g, "astar_us"), per_query(g, "astar_expanded"), None])
            paper = SUBGOAL_PAPER.get(graph) if name == last else None
            paper = paper or (None, None, None)
            mb = [per_map(g, k) / 1e6 for k in ("bit_bytes", "graph_bytes", "level_bytes",
                                                "label_bytes", "read_bytes")]
            rows.append([name, graph, per_map(g, "build_ms"), paper[0]] + mb + [
                paper[1], speed(g), paper[2], per_query(g, "us"), per_query(g, "expanded"),
                total(g, "wrong")])
            if "in tiles" not in graph and "labels" not in graph:
                cores.append([name, graph] + [per_map(g, k) for k in ("subgoals", "levels", "core")] + [
                    100 * over(total(g, "core"), total(g, "subgoals"))] + [
                    per_map(g, k) for k in ("level_edges", "core_edges", "extra_edges")])
        yield Table("table-15-1", "Table 15.1: preprocessing, memory and speed, mean of maps and of "
                    "queries", ["maps", "graph", "build ms", "paper ms", "map MB", "graph MB",
                                "levels MB", "labels MB", "in all MB", "paper MB", "A*/graph",
                                "paper A*/graph", "us", "expanded", "wrong"], rows, [
            "paper: its figures over all maps of its four sets; its A* takes 12.69 ms",
            "SSG, TSG, N-level: as in the paper, with all direct edges, subgoals in the order of "
            "their cells",
            "in tiles: the SSG in the form that edits can update; taut: only edges that a taut path "
            "needs",
            "in all: what a query reads, which is the map's bits and the graph, its levels or its "
            "labels"])
        yield Table("figure-15-12", "Figure 15.12: subgoals left on the highest level, mean of maps",
                    ["maps", "graph", "subgoals", "levels", "core", "core %", "edges", "core edges",
                     "extra edges"], cores,
                    ["core: the subgoals of the highest level, and the edges between them"])
        yield subgoal_levels(sheets.get("levels", []))
        yield from subgoal_times(sheets.get("queries", []))
    if "edges" in studies:
        yield Table("figure-15-3", "Figures 15.3 and 15.4: h-reachable and direct-h-reachable "
                    "edges, mean of maps", ["maps", "edges between", "subgoals", "edges",
                                            "a subgoal", "graph MB", "build ms", "expanded", "us",
                                            "A*/graph", "wrong"],
                    [[name, key[1], per_map(g, "subgoals"), per_map(g, "edges"),
                      over(2 * total(g, "edges"), total(g, "subgoals")),
                      per_map(g, "graph_bytes") / 1e6, per_map(g, "build_ms"),
                      per_query(g, "expanded"), per_query(g, "us"), speed(g), total(g, "wrong")]
                     for name, key, g in each("edges")])
    if "orders" in studies:
        rows, plain = [], None
        for name, key, g in each("orders"):
            if key[1] == "no levels":
                plain = g
            saved = per_query(plain, "us") - per_query(g, "us")
            extra_ms = 1e3 * (per_map(g, "build_ms") - per_map(plain, "build_ms"))
            rows.append([name, key[0], key[1], per_map(g, "levels"),
                         100 * over(total(g, "core"), total(g, "subgoals")),
                         over(2 * total(g, "core_edges"), total(g, "core")),
                         100 * over(total(g, "extra_edges"), total(g, "taut_edges")),
                         per_map(g, "build_ms"), per_query(g, "expanded"), per_query(g, "us"),
                         over(per_query(g, "us"), per_query(plain, "us")),
                         extra_ms / saved if saved > 0 and extra_ms > 0 else None, total(g, "wrong")])
        yield Table("orders", "Section 15.4.1: the order in which subgoals are contracted", [
            "maps", "edges", "order", "levels", "core %", "core degree", "extra %", "build ms",
            "expanded", "us", "time/no levels", "pays after", "wrong"], rows, [
            "pays after: the queries on one map that save as much time as building the levels took"])


def percentile(values, percent):
    """The value that `percent` percent of the values do not exceed."""
    values = sorted(values)
    return values[max(math.ceil(len(values) * percent / 100) - 1, 0)]


def subgoal_times(sheet):
    rows = []
    sheet = [r for r in sheet if r["study"] == "table"]
    for name, of_set in with_all(sheet).items():
        graphs = list(grouped(of_set, "graph").items())
        if not graphs:
            continue
        astar = [r["astar_us"] for r in graphs[0][1]]
        times = [("A* on the grid", astar)]
        times += [(graph, [r["us"] for r in g]) for (graph,), g in graphs]
        for graph, us in times:
            rows.append([name, graph, len(us), mean(us), percentile(us, 50), percentile(us, 99),
                         over(mean(astar), mean(us)),
                         over(percentile(astar, 50), percentile(us, 50)),
                         over(percentile(astar, 99), percentile(us, 99))])
    if rows:
        yield Table("times", "Times of a query in us, and ratios of A* to each graph, over all "
                    "queries", ["maps", "graph", "queries", "mean", "median", "p99",
                                "A*/graph of means", "of medians", "of p99"], rows)


def subgoal_levels(sheet):
    rows = []
    sheet = [r for r in sheet if r["study"] == "table" and r["level_option"] != 1]
    for (graph,), g in grouped(sheet, "graph").items():
        highest = {}
        for r in g:
            highest[r["set"], r["map"]] = max(highest.get((r["set"], r["map"]), 0), r["level"])
        named = defaultdict(list)
        for r in g:
            core = r["level"] == highest[r["set"], r["map"]]
            named["core" if core else str(r["level"]) if r["level"] <= 8 else "higher"].append(r)
        all_subgoals = total(g, "subgoals")
        for name in [str(i) for i in range(1, 9)] + ["higher", "core"]:
            if name in named:
                at = named[name]
                rows.append([graph, name, len({(r["set"], r["map"]) for r in at}),
                             total(at, "subgoals"), 100 * over(total(at, "subgoals"), all_subgoals),
                             total(at, "edges"), over(total(at, "edges"), total(at, "subgoals"))])
    return Table("levels", "Subgoals and edges by level, all maps together",
                 ["graph", "level", "maps", "subgoals", "% of all", "edges", "edges a subgoal"],
                 rows, ["core: the highest level of each map"])


# cairn-lab reproduce hna -------------------------------------------------------------------------

def hna_tables(sheets):
    if "meshes" in sheets:
        yield Table("table-2", "Table 2: polygons of the meshes",
                    ["mesh", "polygons", "of the largest component", "A* us"],
                    [[r["mesh"], r["polygons"], r["connected"], r["astar_us"]]
                     for r in sheets["meshes"]],
                    ["The paper's: Serpentine City 3,900, City Island 5,500 (A* 2,200 us), Tropical "
                     "Island 12,700 (1,700 us), Medieval City 16,867 (3,000 us)."])
    hierarchies = sheets.get("hierarchies", [])
    if hierarchies:
        yield Table("figure-6", "Figure 6: memory of the connecting paths in MB, 2 levels, mu 10", [
            "mesh", "polygons", "whole paths", "next cell", "from portals",
            "bytes a polygon, whole paths", "bytes a polygon, from portals"],
            [[r["mesh"], r["polygons"], r["path_bytes"] / 1e6, r["next_bytes"] / 1e6,
              r["portal_bytes"] / 1e6, over(r["path_bytes"], r["polygons"]),
              over(r["portal_bytes"], r["polygons"])]
             for r in hierarchies if (r["levels"], r["mu"]) == (2, 10)],
            ["The paper's: 2.9 MB for 119 polygons, 49.6 MB for 16,867, 2,940 bytes each."])
    for (mesh,), g in grouped(sheets.get("offsets", []), "mesh").items():
        rows = []
        for tenth in range(10):
            part = g[tenth * len(g) // 10:(tenth + 1) * len(g) // 10]
            exact, centres = total(part, "exact"), total(part, "centres")
            if part and exact > 0:
                worst = max((r["centres"] / r["exact"] - 1 for r in part if r["exact"] > 0),
                            default=0)
                rows.append([part[-1]["distance"], exact / len(part), centres / len(part),
                             100 * (centres / exact - 1), 100 * max(worst, 0)])
        yield Table(f"figure-7-{mesh}", "Figure 7: paths ranked from polygon centres against exact "
                    f"ones, {mesh}: tenths of the pairs by distance",
                    ["distance up to", "length, exact", "from centres", "longer by %", "worst %"],
                    rows, ["The paper's: 3 % on average over 100 m, 5 % below."])
    for (mesh,), g in grouped(hierarchies, "mesh").items():
        yield Table(f"figure-9-{mesh}", f"Figures 9, 13, 14: mean us of a path on {mesh}", [
            "levels", "mu", "searched", "A*", "n + m A*", "HNA*", "PCCP", "rows", "labels",
            "A* / n + m A*", "A* / HNA*", "A* / PCCP", "A* / rows", "A* / labels", "chosen level",
            "pairs on level 1", "wrong"],
            [[r["levels"], r["mu"], r["searched"], r["astar_us"]] + us +
             [over(r["astar_us"], t) for t in us] + [r["choice_us"], r["choice_first"], r["wrong"]]
             for r in g
             for us in [[as_paper_us(r)] + [r[k] for k in ("hna_us", "pccp_us", "rows_us",
                                                           "labels_us")]]],
            ["All search the level of the row, but labels (level 1) and the column 'chosen level', "
             "which is HNA* with the level chosen for each pair.",
             "The paper's best: PCCP 9.3 times A* (City Island, L2, mu 10); its HNA* falls behind "
             "A* from L2, mu 15 on."])
        yield Table(f"connect-{mesh}", f"Connecting S and G on {mesh}: mean us of a pair", [
            "levels", "mu", "clusters", "pairs inside one", "n + m", "n + m A*", "one search each", "PCCP", "rows",
            "expanded by n + m A*", "by one search each", "kernel, one lane: rows, whole path",
            "parallel connect, whole path"],
            [[r[k] for k in ("levels", "mu", "clusters", "shared", "connects", "paper_connect_us",
                             "hna_connect_us", "pccp_connect_us", "rows_connect_us",
                             "paper_expanded", "hna_expanded", "lane_rows_us", "lane_parallel_us")]
             for r in g])
    if hierarchies:
        yield Table("figure-10", "Figure 10: mean inter-edges of a cluster of level 2, and the bound "
                    "of equation 3", ["mesh", "mu", "inter-edges", "bound"],
                    [[r["mesh"], r["mu"], r["inter_edges"], r["bound"]]
                     for r in hierarchies if r["levels"] == 2])
        yield Table("table-3", "Table 3: paths one after another in a frame of 40 ms",
                    ["mesh", "levels", "mu", "A*", "HNA*", "PCCP", "labels"],
                    [[r["mesh"], r["levels"], r["mu"]] +
                     [int(over(40_000, r[k]))
                      for k in ("astar_us", "hna_us", "pccp_us", "labels_us")]
                     for r in hierarchies if (r["levels"], r["mu"]) in ((1, 20), (2, 10))],
                    ["The paper's: City Island, L1, mu 20: A* 18, HNA* 11, PCCP 63; Tropical "
                     "Island, L2, mu 10: 24, 5, 140."])
    if "crowds" in sheets:
        yield from hna_crowds(sheets["crowds"])
        yield Table("equation-4", "Equation 4: connects of a crowd, n + m for each agent",
                    ["mesh", "agents", "connects", "an agent"],
                    [[r["mesh"], r["agents"], r["connects"], over(r["connects"], r["agents"])]
                     for r in sheets["crowds"] if r["way"] == "PCCP"], ["Level 1, mu 20."])
    if "device" in sheets:
        yield Table("crowd-device", "Crowds on a device: milliseconds in which all agents have "
                    "their corridors", ["mesh", "device", "levels", "mu", "engine", "agents",
                                        "connects an agent", "ms", "us an agent",
                                        "bytes copied an agent", "by the host", "wrong",
                                        "bytes of the index"],
                    [[r["mesh"], r["device"], r["levels"], r["mu"], r["engine"], r["agents"],
                      over(r["connects"], r["agents"]), r["ms"], over(1e3 * r["ms"], r["agents"]),
                      r["bytes_an_agent"], r["on_host"], r["wrong"], r["index_bytes"]]
                     for r in sheets["device"]])


def as_paper_us(row):
    """HNA* with the paper's connect step: that of one search each is replaced by n + m searches."""
    # The two times of HNA* are measured apart: noise may make the part longer than the whole.
    return row["paper_connect_us"] + max(row["hna_us"] - row["hna_connect_us"], 0)


def hna_crowds(sheet):
    ways = ("PCCP", "labels", "labels, goals shared")
    crowds = {k: {r["way"]: r for r in g} for k, g in grouped(sheet, "mesh", "agents").items()}
    yield Table("figure-11", "Figure 11: milliseconds in which all agents have their corridors",
                ["mesh", "agents", "A*"] + list(ways) + [f"{w} x A*" for w in ways],
                [[mesh, agents] + [c[w]["threads_ms"] for w in ("A*",) + ways] +
                 [over(c["A*"]["threads_ms"], c[w]["threads_ms"]) for w in ways]
                 for (mesh, agents), c in crowds.items()],
                ["Batches on all threads, level 1, mu 20. A* is measured on 2,000 agents and scaled "
                 "up. Shared: 100 agents to a goal.",
                 "The paper's, on a GPU: up to 500,000 agents; A* on it 4.3 to 15.7 times slower "
                 "than PCCP, 3.6 to 9.8 times slower than CUDA HNA*."])
    compared = {k: c for k, c in crowds.items() if c["A*"]["one_thread_ms"]}
    yield Table("figure-12", "Figure 12: times as fast as A*",
                ["mesh", "polygons", "agents"] + list(ways),
                [[mesh, c["A*"]["polygons"], agents] +
                 [over(c["A*"]["threads_ms"], c[w]["threads_ms"]) for w in ways]
                 for (mesh, agents), c in compared.items()])
    largest = {mesh: (agents, c) for (mesh, agents), c in crowds.items()}
    yield Table("crowd-frames", "Table 3, many agents: paths in a frame of 40 ms",
                ["mesh", "A*"] + list(ways),
                [[mesh] + [int(over(40 * agents, c[w]["threads_ms"])) for w in ("A*",) + ways]
                 for mesh, (agents, c) in largest.items()],
                ["At the rate of the largest crowd. The paper's, CUDA and PCCP: City Island 48 and "
                 "63, Tropical Island 62 and 140."])
    rows = []
    for (mesh, agents), c in compared.items():
        for w in ("A*",) + ways:
            loop, one, all_ = (c[w][k] for k in ("loop_ms", "one_thread_ms", "threads_ms"))
            rows.append([mesh, agents, w, 1e3 * loop / agents if loop else None, 1e3 * one / agents,
                         1e3 * all_ / agents, over(one, all_), over(loop, all_) if loop else None])
    yield Table("crowd-threads", "Threads: microseconds an agent", [
        "mesh", "agents", "way", "one query after another", "batch, one thread",
        "batch, all threads", "all x one thread", "all x one query"], rows)


def tables(sheets):
    """All tables that the sheets of a folder give."""
    yield from bench_tables(sheets if "abstractions" not in sheets else {})
    if "example" in sheets or "searches" in sheets or "cluster_sizes" in sheets:
        yield from hpa_tables(sheets)
    if "paper_sizes" in sheets:
        yield from haa_paper_tables(sheets)
    if "abstractions" in sheets:
        yield from haa_tables(sheets)
    if "graphs" in sheets:
        yield from subgoal_tables(sheets)
    if "meshes" in sheets or "crowds" in sheets:
        yield from hna_tables(sheets)
    for name, title in (("gpu_device", "The device"), ("gpu_kernels", "Kernels"),
                        ("gpu_answers", "Answers, compared with the host's"),
                        ("gpu_chunks", "Sizes of chunks"),
                        ("gpu_sanitizer", "compute-sanitizer")):
        if sheets.get(name):
            yield whole_sheet(name, title, sheets[name])


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__.strip())
    folder, wanted = sys.argv[1], sys.argv[2:]
    made = [t for t in tables(read(folder)) if not wanted or t.name in wanted]
    if not made:
        sys.exit(f"{folder}: no CSV of cairn-lab for such a table")
    print("\n".join(table.markdown() for table in made), end="")


if __name__ == "__main__":
    main()
