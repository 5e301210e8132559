// The panel that asks all planners the same, side by side.

import type { App } from "../app.js";
import { newest } from "../core/client.js";
import type { Answer } from "../core/messages.js";
import { bytesText, h, timeText } from "../dom.js";
import { TITLES } from "./path.js";

export function comparePanel(app: App): HTMLElement {
  const body = h("tbody");
  const note = h("p", { class: "note" });
  const table = h(
    "table",
    { "aria-label": "All planners" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ...[
          ["Planner"],
          ["Time", "Median time of one query"],
          ["Cost", "The cost of the path, in steps"],
          ["Expanded", "Nodes that the search took from its open list"],
        ].map(([name, hint]) => h("th", { scope: "col", title: hint }, name)),
      ),
    ),
    body,
  );
  const page = h(
    "div",
    { class: "page" },
    h("section", { class: "card" }, table),
    h(
      "p",
      { class: "note" },
      "Choose a row to see its path. Times are medians in WebAssembly, without building the index.",
    ),
    note,
  );
  let answers = new Map<string, Answer>();

  const show = (): void => {
    const shown = app.suitable.map((planner) => ({
      planner,
      answer: answers.get(planner.name),
    }));
    const found = shown.flatMap(({ answer }) =>
      answer !== undefined && answer.problem === undefined ? [answer] : [],
    );
    const slowest = Math.max(1e-9, ...found.map(({ microseconds }) => microseconds));
    const least = Math.min(...found.map(({ cost }) => cost));
    body.replaceChildren(
      ...shown.map(({ planner, answer }) => {
        const name = planner.name === "jps" ? "JPS" : (TITLES[planner.name] ?? planner.name);
        const refusal = app.refusal(planner);
        const choose = (): void => {
          if (refusal === undefined) app.store.set({ planner: planner.name });
        };
        const selected = planner.name === app.store.now.planner;
        const cells: HTMLElement[] = [];
        if (refusal !== undefined || answer?.problem !== undefined) {
          cells.push(h("td", { colspan: 3 }, h("small", {}, refusal ?? answer?.problem)));
        } else if (answer === undefined) {
          cells.push(h("td", { colspan: 3 }, h("small", {}, "…")));
        } else {
          const percent = (answer.cost / least - 1) * 100;
          cells.push(
            h(
              "td",
              {},
              timeText(answer.microseconds),
              h("span", {
                class: "bar",
                style: `width:${Math.max(3, 100 * Math.sqrt(answer.microseconds / slowest))}%`,
              }),
            ),
            h(
              "td",
              { title: `${answer.cost.toLocaleString("en")} whole units` },
              (answer.cost / answer.unit).toFixed(1),
              h(
                "small",
                {},
                percent === 0 ? "least" : `+${percent.toFixed(percent < 10 ? 1 : 0)}%`,
              ),
            ),
            h("td", {}, answer.expanded.toLocaleString("en")),
          );
        }
        return h(
          "tr",
          {
            class: selected && "selected",
            onclick: choose,
            "data-planner": planner.name,
          },
          h(
            "td",
            {},
            h(
              "button",
              {
                type: "button",
                disabled: refusal !== undefined,
                "aria-pressed": selected,
              },
              name,
            ),
          ),
          ...cells,
        );
      }),
    );
    const built = shown.flatMap(({ planner, answer }) =>
      answer?.built !== undefined && planner.hasIndex && answer.problem === undefined
        ? [
            `${TITLES[planner.name] ?? planner.name} ${timeText(answer.built.milliseconds * 1000)} and ${bytesText(answer.built.bytes)}`,
          ]
        : [],
    );
    note.textContent = built.length > 0 ? `Indexes: ${built.join("; ")}.` : "";
  };

  const run = newest(async () => {
    for (const planner of app.suitable) {
      if (page.offsetParent === null) return;
      if (app.refusal(planner) !== undefined) continue;
      try {
        answers.set(planner.name, await app.compare(planner.name));
      } catch (error) {
        app.message((error as Error).message);
        return;
      }
      show();
    }
  });
  let waiting = 0;
  const refresh = (): void => {
    if (page.offsetParent === null) return;
    show();
    clearTimeout(waiting);
    waiting = window.setTimeout(() => run(undefined), 200);
  };
  app.on("map", () => {
    answers = new Map();
    refresh();
  });
  app.on("repair", refresh);
  app.store.listen((now, before) => {
    const asks = ["start", "goal", "build", "query"] as const;
    if (now.planner !== before.planner) show();
    if (asks.some((name) => now[name] !== before[name])) refresh();
  });
  page.addEventListener("shown", refresh);
  return page;
}
