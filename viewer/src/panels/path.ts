// The panel of the path: the answer, the planner, the agent and the options.

import type { App } from "../app.js";
import type { Answer, Repair } from "../core/messages.js";
import { LARGEST_AGENT } from "../core/limits.js";
import { bytesText, h, icon, timeText } from "../dom.js";
import { CAPABILITIES } from "../maps/terrain.js";
import { fieldControls } from "./fields.js";

export const TITLES: Readonly<Record<string, string>> = {
  hpa: "HPA*",
  subgoal: "Subgoal graph",
  haa: "HAA*",
  astar: "A*",
  jps: "Jump point search",
  hna: "HNA*",
};

/** The length of a path on the ground, without weights. */
export function lengthOf(answer: Answer, width: number): number {
  const { cells, waypoints } = answer;
  let length = 0;
  for (let i = 1; i < cells.length; ++i) {
    const step = Math.abs(cells[i]! - cells[i - 1]!);
    length += step === 1 || step === width ? 1 : Math.SQRT2;
  }
  for (let i = 3; i < waypoints.length; i += 3) {
    length += Math.hypot(
      waypoints[i]! - waypoints[i - 3]!,
      waypoints[i + 1]! - waypoints[i - 2]!,
      waypoints[i + 2]! - waypoints[i - 1]!,
    );
  }
  return length;
}

export function pathPanel(app: App): HTMLElement {
  const result = h("section", { class: "card", id: "answer", "aria-label": "Answer" });
  const planners = h("section", { class: "card", "aria-label": "Planner" });
  const agent = h("section", { class: "card", "aria-label": "Agent" });
  const options = h("section", { class: "card", "aria-label": "Options of the index" });
  const query = h("section", { class: "card", "aria-label": "Options of queries" });
  let repair: Repair | undefined;

  const showAnswer = (answer: Answer): void => {
    const { map } = app;
    if (map === undefined) return;
    const grid = map.kind === "grid";
    if (answer.problem !== undefined) {
      result.replaceChildren(
        h(
          "p",
          { class: "problem" },
          answer.refused ? "The planner does not take this map" : answer.problem,
        ),
        h(
          "p",
          { class: "note" },
          answer.refused ? answer.problem : "Drag the start or the goal to another place.",
        ),
      );
      return;
    }
    const metric = (name: string, value: string, unit: string, hint: string, key: string) =>
      h(
        "div",
        { title: hint },
        h("dt", {}, name),
        h("dd", { "data-metric": key }, `${value} `, h("small", {}, unit)),
      );
    const length = lengthOf(answer, grid ? map.width : 0);
    const time = timeText(answer.microseconds).split(" ");
    const { built } = answer;
    const notes: string[] = [];
    if (answer.blocks > 0) {
      notes.push(
        `Time of one query in WebAssembly, with the whole path: the median of ${answer.blocks} ` +
          `blocks of ${answer.repeats.toLocaleString("en")}.`,
      );
    }
    if (built !== undefined && app.planner?.hasIndex) {
      const origin =
        built.milliseconds > 0
          ? `took ${timeText(built.milliseconds * 1000)} to build`
          : "comes from a file";
      notes.push(`The index ${origin} and has ${bytesText(built.bytes)}.`);
    }
    if (repair !== undefined) {
      notes.push(
        `The last edit took ${timeText(repair.milliseconds * 1000)}, with the repair of the index.`,
      );
    }
    result.replaceChildren(
      h(
        "dl",
        { class: "metrics" },
        metric("Length", oneDigit(length), grid ? "cells" : "units", "Along the ground", "length"),
        metric(
          "Cost",
          oneDigit(answer.cost / answer.unit),
          "",
          `${answer.cost.toLocaleString("en")} in whole units of ${answer.unit} for a step; what the planner has made small`,
          "cost",
        ),
        metric("Time", time[0]!, time[1]!, "Median", "time"),
        metric(
          "Expanded",
          answer.expanded.toLocaleString("en"),
          answer.expanded === 0 ? engineWords(answer.engine) : "nodes",
          "Nodes that the search took from its open list",
          "expanded",
        ),
      ),
      h(
        "div",
        { class: "row", style: "margin-top:14px" },
        h(
          "button",
          {
            type: "button",
            class: "plain",
            id: "play-search",
            onclick: () => void app.playSearch(),
          },
          icon("play"),
          "Play the search",
        ),
      ),
      h("p", { class: "note" }, notes.join(" ")),
    );
    result.dataset.planner = app.store.now.planner;
    result.dataset.cost = String(answer.cost);
    result.dataset.engine = answer.engine;
  };

  const showPlanners = (): void => {
    const held = document.activeElement?.getAttribute("value");
    planners.replaceChildren(
      h("h2", {}, "Planner"),
      h(
        "div",
        { class: "choices", role: "radiogroup", "aria-label": "Planner" },
        ...app.suitable.map((planner) => {
          const refusal = app.refusal(planner);
          const id = `planner-${planner.name}`;
          return h(
            "label",
            { class: "choice", for: id },
            h("input", {
              type: "radio",
              name: "planner",
              id,
              value: planner.name,
              checked: planner.name === app.store.now.planner,
              disabled: refusal !== undefined,
              onchange: () => app.store.set({ planner: planner.name }),
            }),
            h("b", {}, TITLES[planner.name] ?? planner.name),
            h("small", {}, refusal ?? planner.summary),
          );
        }),
      ),
    );
    if (held !== null && held !== undefined) {
      planners.querySelector<HTMLInputElement>(`input[value="${held}"]`)?.focus();
    }
  };

  const showAgent = (): void => {
    agent.hidden = app.store.now.planner !== "haa";
    const { size, capability } = app.agent;
    const set = (name: string, value: number, usual: number): void =>
      app.store.option("query", "haa", name, value === usual ? undefined : String(value));
    agent.replaceChildren(
      h("h2", {}, "Agent"),
      h(
        "div",
        { class: "fields" },
        h(
          "div",
          { class: "field" },
          h("label", { for: "agent-size" }, "Size in cells"),
          h(
            "select",
            {
              id: "agent-size",
              onchange: (event: Event) =>
                set("size", Number((event.target as HTMLSelectElement).value), 1),
            },
            ...Array.from({ length: LARGEST_AGENT }, (_, i) =>
              h("option", { value: i + 1, selected: i + 1 === size }, `${i + 1} × ${i + 1}`),
            ),
          ),
        ),
        h(
          "div",
          { class: "field" },
          h("label", { for: "agent-capability" }, "What it can do"),
          h(
            "select",
            {
              id: "agent-capability",
              onchange: (event: Event) =>
                set("capability", Number((event.target as HTMLSelectElement).value), 0),
            },
            ...CAPABILITIES.map(({ name }, i) =>
              h("option", { value: i, selected: i === capability }, name),
            ),
          ),
        ),
      ),
    );
  };

  const showOptions = (): void => {
    const { planner } = app;
    for (const [card, kind, title, fields] of [
      [options, "build", "Options of the index", planner?.options ?? []],
      [query, "query", "Options of queries", planner?.query ?? []],
    ] as const) {
      const open = card.querySelector("details")?.open ?? false;
      const held = document.activeElement?.id;
      const values = app.store.now[kind][planner?.name ?? ""] ?? {};
      const controls = fieldControls(fields, values, kind, (name, value) =>
        app.store.option(kind, planner!.name, name, value),
      );
      card.hidden = controls.length === 0;
      const names = new Set(fields.map(({ name }) => name));
      const changed = Object.keys(values).filter(
        (name) => names.has(name) && name !== "size" && name !== "capability",
      ).length;
      card.replaceChildren(
        h(
          "details",
          { open },
          h("summary", {}, `${title}${changed > 0 ? `, ${changed} changed` : ""}`, icon("down")),
          h("div", { class: "fields" }, ...controls),
        ),
      );
      if (held !== undefined && held !== "" && card.querySelector(`#${held}`) !== null) {
        card.querySelector<HTMLElement>(`#${held}`)!.focus();
      }
    }
  };

  app.on("answer", showAnswer);
  app.on("repair", (one) => (repair = one));
  app.on("map", () => {
    if (app.painting?.canUndo !== true) repair = undefined;
    if (app.answer === undefined) result.replaceChildren(h("p", { class: "note" }, "One moment …"));
    showPlanners();
    showAgent();
    showOptions();
  });
  app.store.listen((now, before) => {
    if (now.planner !== before.planner) showPlanners();
    if (now.planner !== before.planner || now.query !== before.query) showAgent();
    if (now.planner !== before.planner || now.query !== before.query || now.build !== before.build)
      showOptions();
  });
  return h("div", { class: "page" }, result, planners, agent, options, query);
}

function oneDigit(value: number): string {
  return value.toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

/** How a path was found without a search. */
function engineWords(engine: string): string {
  if (engine === "labels") return "by labels";
  if (engine === "line" || engine === "direct") return "straight line";
  return engine === "" ? "nodes" : `by ${engine}`;
}
