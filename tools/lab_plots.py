#!/usr/bin/env python3
"""Plots measurements of cairn-lab as PNG files; needs matplotlib.

usage: lab_plots.py FOLDER [PLOT...]
FOLDER holds the CSV files that `cairn-lab bench`, `cairn-lab reproduce hpa` or `cairn-lab reproduce
haa`, each with `--out FOLDER`, wrote, or bench-hpa.csv of docs/data. The pictures go there too: bench.png; of HPA* figure-5.png to
figure-8.png; of HAA* figure-5a.png, figure-5b.png and figure-6.png.
"""

import math
import sys
from pathlib import Path

import lab_tables

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.ticker import FuncFormatter, NullFormatter
except ImportError:
    sys.exit("lab_plots: matplotlib is missing; install python3-matplotlib")

# Okabe and Ito's colours, which can be told apart with any colour vision.
BLACK, ORANGE, SKY, GREEN, BLUE, RED, PINK = (
    "#222222", "#E69F00", "#56B4E9", "#009E73", "#0072B2", "#D55E00", "#CC79A7")
plt.rcParams.update({
    "font.size": 9, "axes.titlesize": 10, "axes.titleweight": "bold", "axes.titlelocation": "left",
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
    "grid.color": "#e4e4e4", "grid.linewidth": 0.7, "axes.axisbelow": True,
    "axes.edgecolor": "#888888", "xtick.color": "#444444", "ytick.color": "#444444",
    "lines.linewidth": 1.8, "lines.markersize": 4, "savefig.dpi": 130})


def number(row, key):
    """A value of a table; nan if there is none, so that it is not drawn."""
    return float(row[key]) if row[key] is not None else float("nan")


def column(table, key):
    return [number(row, key) for row in table]


def plain(axis):
    """Labels an axis with plain numbers instead of powers of ten."""
    axis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:,.10g}"))
    axis.set_minor_formatter(NullFormatter())


def spread(values, least, log):
    """Positions of labels near `values`, in their order and at least `least` apart; with `log`, in
    powers of ten."""
    y = [math.log10(v) if log else v for v in values]
    order = sorted(range(len(y)), key=lambda i: y[i])
    for _ in range(200):
        for a, b in zip(order, order[1:]):
            gap = least - (y[b] - y[a])
            if gap > 0:
                y[a] -= gap / 2
                y[b] += gap / 2
    return [10 ** v if log else v for v in y]


def lines(axes, x, series, log=False):
    """Draws `series` of (name, values, colour) over x, with the names at the right ends of the
    lines instead of a legend."""
    for name, values, colour in series:
        axes.plot(x, values, color=colour, marker="o", clip_on=False, zorder=3)
    if log:
        axes.set_yscale("log")
    low, high = axes.get_ylim()
    span = math.log10(high / low) if log else high - low
    line_height = 0.062 * span  # of a label
    ends = spread([s[1][-1] for s in series], line_height, log)
    for (name, values, colour), y in zip(series, ends):
        axes.annotate(name, (x[-1], y), xytext=(8, 0), textcoords="offset points", color=colour,
                      va="center", fontweight="bold", annotation_clip=False)
    if not log:
        axes.set_ylim(bottom=0)
    plain(axes.yaxis)


def middles(table):
    """The middles of the bins of solution length."""
    return [(number(r, "length from") + number(r, "to")) / 2 for r in table]


def by_length(rows):
    """The rows of bins of solution length with enough queries."""
    return [r for r in rows if r["length from"] != "all" and
            number(r, "queries") >= lab_tables.FEW_QUERIES]


def figure_5(rows):
    table = by_length(rows)
    if not table:
        return None
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2))
    x = middles(table)
    lines(left, x, [("A*", column(table, "A* nodes"), BLACK)] + [
        (f"HPA*, {n} level{'s' if n > 1 else ''}",
         column(table, f"{n} level{'s' if n > 1 else ''} nodes"), c)
        for n, c in ((1, BLUE), (2, ORANGE), (3, PINK))], log=True)
    left.set_title("Expanded nodes, every path refined")
    lines(right, x, [("Cairn's defaults", column(table, "Cairn ratio"), GREEN)] + [
        (f"paper's mode, {n} level{'s' if n > 1 else ''}",
         column(table, f"{n} level{'s' if n > 1 else ''} ratio"), c)
        for n, c in ((1, BLUE), (2, ORANGE), (3, PINK))], log=True)
    right.axhline(1, color=BLACK, linewidth=1)
    right.annotate("as fast as A*", (x[-1], 1), xytext=(0, -10), textcoords="offset points",
                   fontsize=8, color=BLACK, ha="right")
    right.set_title("Times faster than A*, every path refined")
    for axes in (left, right):
        axes.set_xlabel("solution length")
        axes.set_xlim(left=0)
    figure.subplots_adjust(wspace=0.62, left=0.07, right=0.83, bottom=0.13, top=0.92)
    return figure


def figure_6(rows):
    if not by_length(rows):
        return None
    figure, panels = plt.subplots(1, 3, figsize=(11, 3.9), sharey=True)
    parts = (("Main", BLUE), ("SG", ORANGE), ("Refinement", "#bdbdbd"))
    for levels, axes in enumerate(panels, 1):
        table = [r for r in by_length(rows)
                 if r["entrances"] == "text" and int(r["levels"]) == levels]
        bottom = [0.0] * len(table)
        for name, colour in parts:
            values = column(table, name)
            axes.bar(middles(table), values, width=40, bottom=bottom, color=colour, label=name)
            bottom = [a + b for a, b in zip(bottom, values)]
        axes.set_title(f"{levels} abstract level{'s' if levels > 1 else ''}")
        axes.set_xlabel("solution length")
        axes.grid(axis="x", visible=False)
        plain(axes.yaxis)
    panels[0].set_ylabel("expanded nodes")
    handles, names = panels[0].get_legend_handles_labels()
    panels[0].legend(handles[::-1], names[::-1], frameon=False, loc="upper left")
    figure.tight_layout()
    return figure


def figure_7(rows):
    table = by_length(rows)
    if not table:
        return None
    figure, axes = plt.subplots(figsize=(7.2, 4))
    lines(axes, middles(table), [
        ("before smoothing", column(table, "before smoothing"), BLUE),
        ("paper's smoothing", column(table, "paper's smoothing"), ORANGE),
        ("Cairn's smoothing", column(table, "Cairn's smoothing"), GREEN)])
    axes.axhline(1, color=BLACK, linewidth=1, linestyle=(0, (4, 3)))
    axes.annotate("paper: within 1 %", (middles(table)[0], 1), xytext=(0, 3),
                  textcoords="offset points", fontsize=8)
    axes.set_title("Length error in percent")
    axes.set_xlabel("solution length")
    axes.set_xlim(left=0)
    figure.subplots_adjust(left=0.08, right=0.78, bottom=0.13, top=0.92)
    return figure


def figure_8(rows):
    figure, axes = plt.subplots(figsize=(7.2, 4))
    x = column(rows, "cluster size")
    total = column(rows, "SG + Main")
    lines(axes, x, [("SG + main", total, BLACK), ("SG", column(rows, "SG"), ORANGE),
                    ("main", column(rows, "Main"), BLUE)])
    best = total.index(min(total))
    axes.annotate(f"least at {x[best]:.0f}", (x[best], total[best]), xytext=(0, 34),
                  textcoords="offset points", ha="center", fontsize=9,
                  arrowprops={"arrowstyle": "-|>", "color": BLACK, "shrinkB": 4})
    axes.set_title("Expanded nodes of an abstract search with one level")
    axes.set_xlabel("cluster size")
    axes.set_xlim(left=0)
    figure.subplots_adjust(left=0.09, right=0.85, bottom=0.13, top=0.92)
    return figure


def first_set(rows):
    """The rows of the first set of maps."""
    return [r for r in rows if r["maps"] == rows[0]["maps"]]


def haa_lines(panels, rows, series):
    """Two panels over the share of soft obstacles; `series(graph)` lists the lines of HQ or LQ."""
    x = column(rows, "soft %")
    for axes, graph in zip(panels, ("HQ", "LQ")):
        lines(axes, x, series(graph))
        axes.set_xlabel("soft obstacles in percent of the free tiles")


def haa_figure_5a(rows):
    """None if there is nothing to draw, as the other figures of HAA*."""
    rows = [r for r in first_set(rows) if int(r["cluster size"]) == 10]
    if not rows:
        return None
    figure, panels = plt.subplots(1, 2, figsize=(11, 4), sharey=True)
    haa_lines(panels, rows, lambda graph: [
        (name, column(rows, f"{graph}: {key}"), colour)
        for name, key, colour in (("paper", "paper", BLACK), ("its graph", "its graph", BLUE),
                                  ("Cairn", "Cairn", GREEN))])
    panels[0].set_title("HQ: longer than optimal paths by %")
    panels[1].set_title("LQ")
    figure.subplots_adjust(wspace=0.25, left=0.05, right=0.91, bottom=0.13, top=0.92)
    return figure


def haa_figure_5b(rows):
    rows = [r for r in first_set(rows) if int(r["cluster size"]) == 15]
    by_size = {size: [r for r in rows if int(r["size"]) == size] for size in (1, 2)}
    if not all(by_size.values()):
        return None
    figure, panels = plt.subplots(1, 2, figsize=(11, 4), sharey=True)
    haa_lines(panels, by_size[1], lambda graph: [
        (f"{name}, size {size}", column(by_size[size], f"{graph}: {name}"), colour)
        for name, size, colour in (("its graph", 1, BLUE), ("its graph", 2, ORANGE),
                                   ("Cairn", 1, SKY), ("Cairn", 2, GREEN))])
    panels[0].set_title("HQ: longer than optimal paths by %, by agent")
    panels[1].set_title("LQ")
    figure.subplots_adjust(wspace=0.32, left=0.05, right=0.88, bottom=0.13, top=0.92)
    return figure


def haa_figure_6(rows):
    rows = [r for r in first_set(rows) if int(r["soft %"]) == 20 and
            number(r, "queries") >= lab_tables.FEW_QUERIES and
            number(r, "to") <= lab_tables.HAA_LONGEST]
    by_size = {size: [r for r in rows if int(r["cluster size"]) == size] for size in (10, 15, 20)}
    if not all(by_size.values()):
        return None
    figure, panels = plt.subplots(1, 2, figsize=(11, 4.4), sharey=True)
    x = middles(by_size[10])
    for axes, graph in zip(panels, ("HQ", "LQ")):
        lines(axes, x, [("AA*", column(by_size[10], "AA*"), BLACK)] + [
            (f"its graph, {size}", column(table, f"{graph}, its graph"), colour)
            for (size, table), colour in zip(by_size.items(), (BLUE, ORANGE, PINK))] +
            [("Cairn, 10", column(by_size[10], f"{graph}, Cairn"), GREEN)])
        axes.plot([lab_tables.HAA_LONGEST], [15_000], marker="o", markerfacecolor="white",
                  color=BLACK, clip_on=False)
        axes.annotate("paper's AA*", (lab_tables.HAA_LONGEST, 15_000), xytext=(-8, 0),
                      textcoords="offset points", fontsize=8, ha="right", va="center")
        axes.set_xlabel("length of the optimal path")
        axes.set_xlim(0, lab_tables.HAA_LONGEST)
        axes.set_title(f"{graph}: expanded nodes, by cluster size")
    panels[0].axvline(250, color=BLACK, linewidth=1, linestyle=(0, (4, 3)))
    panels[0].annotate("paper: cluster size 20\ntrails AA* up to here", (250, 9_000),
                       xytext=(-4, 0), textcoords="offset points", fontsize=8, ha="right")
    figure.subplots_adjust(wspace=0.4, left=0.07, right=0.87, bottom=0.13, top=0.92)
    return figure


def bench(rows):
    """Panels of what the rows have: speed, error and memory of each planner, by set of maps."""
    groups = list(dict.fromkeys(lab_tables.place(r) for r in rows))
    planners = list(dict.fromkeys(r["planner"] for r in rows))
    shown = [p for p in planners if p != "astar"]
    # Of more than seven planners, those of equal colour have different marks.
    colours = [BLUE, ORANGE, GREEN, RED, PINK, SKY, BLACK]
    marks = ["o", "s", "D", "^", "v", "P", "X"]
    style = {p: (colours[i % 7], marks[(i + i // 7) % 7]) for i, p in enumerate(shown)}
    value = {(lab_tables.place(r), r["planner"]): r for r in rows}
    height = 1.6 + 0.5 * len(groups)
    kinds = [kind for kind in (("ratio", 1, "Times faster than plain A*", True),
                               ("mean_error", 100, "Length error in percent", False),
                               ("bytes_per_cell", 1, "Index, bytes per cell", False)) if kind[0] in rows[0]]
    figure, panels = plt.subplots(1, len(kinds), figsize=(4 * len(kinds), height), sharey=True)
    for axes, (key, factor, title, log) in zip(panels, kinds):
        for planner in shown:
            # One below the other, so that equal values stay visible.
            shift = 0.6 * ((shown.index(planner) + 0.5) / len(shown) - 0.5)
            points = [(factor * number(value[g, planner], key), i + shift)
                      for i, g in enumerate(groups) if (g, planner) in value]
            points = [(v, i) for v, i in points if not math.isnan(v)]
            if all(v == 0 for v, _ in points):
                continue
            if log:
                points = [(v, i) for v, i in points if v > 0]
            axes.scatter(*zip(*points), color=style[planner][0], marker=style[planner][1], s=30,
                         label=planner, edgecolor="white", linewidth=0.6, zorder=3)
        axes.set_title(title)
        if log:
            axes.set_xscale("log")
            axes.axvline(1, color=BLACK, linewidth=1)
        else:
            axes.set_xlim(left=-0.02 * axes.get_xlim()[1])
        plain(axes.xaxis)
        axes.grid(axis="y", visible=False)
        for i in range(1, len(groups)):
            axes.axhline(i - 0.5, color="#e4e4e4", linewidth=0.7)
    panels[0].set_yticks(range(len(groups)), groups)
    panels[0].set_ylim(len(groups) - 0.5, -0.5)
    panels[0].tick_params(axis="y", length=0)
    names = {}
    for axes in panels:
        for handle, name in zip(*axes.get_legend_handles_labels()):
            names.setdefault(name, handle)
    order = [p for p in shown if p in names]
    columns = 7 if len(kinds) > 2 else 4
    figure.legend([names[p] for p in order], order, loc="lower center", ncol=min(len(order), columns),
                  frameon=False, handletextpad=0.2)
    figure.tight_layout(rect=(0, 0.42 / height * (1 + (len(order) - 1) // columns * 0.5), 1, 1))
    return figure


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__.strip())
    folder, wanted = Path(sys.argv[1]), sys.argv[2:]
    sheets = lab_tables.read(folder)
    rows = {t.name: [dict(zip(t.columns, row)) for row in t.rows] for t in lab_tables.tables(sheets)}
    rows["bench"] = sheets.get("bench") or sheets.get("bench-hpa")
    plots = [("bench", bench)]
    if "cluster_sizes" in sheets or "searches" in sheets:
        plots += [("figure-5", figure_5), ("figure-6", figure_6), ("figure-7", figure_7),
                  ("figure-8", figure_8)]
    if "paper_sizes" in sheets:
        plots += [("figure-5a", haa_figure_5a), ("figure-5b", haa_figure_5b),
                  ("figure-6", haa_figure_6)]
    drawn = 0
    for name, draw in plots:
        if (wanted and name not in wanted) or not rows.get(name):
            continue
        figure = draw(rows[name])
        if figure is None:  # too few queries
            continue
        figure.savefig(folder / f"{name}.png", format="png")
        print(folder / f"{name}.png")
        drawn += 1
    if drawn == 0:
        sys.exit(f"{folder}: no CSV of cairn-lab for such a plot")


if __name__ == "__main__":
    main()
