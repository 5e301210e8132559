// Files that are dropped on the page or chosen in the gallery.

import { parseScenario, type Problem } from "cairn-path";
import type { App } from "./app.js";
import { h } from "./dom.js";
import { FileError, readFiles } from "./maps/files.js";
import { readTrace } from "./steps.js";

const MOST_PROBLEMS = 5000;

export class Dropped {
  private readonly list = h("ul", { class: "problems", role: "list" });
  private readonly card: HTMLElement;

  constructor(
    private readonly app: App,
    private readonly tab: (name: string) => void,
  ) {
    this.card = h(
      "section",
      { class: "card", "aria-label": "Problems of the scenario", hidden: true },
      h("h2", {}, "Problems of the scenario"),
      this.list,
    );
    document.getElementById("answer")!.after(this.card);
    app.on("map", () => {
      if (app.map !== this.of) this.card.hidden = true;
    });
    const sign = document.getElementById("drop")!;
    let inside = 0;
    window.addEventListener("dragenter", (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      ++inside;
      sign.hidden = false;
    });
    window.addEventListener("dragleave", () => {
      inside = Math.max(0, inside - 1);
      if (inside === 0) sign.hidden = true;
    });
    window.addEventListener("dragover", (event) => event.preventDefault());
    window.addEventListener("drop", (event) => {
      event.preventDefault();
      inside = 0;
      sign.hidden = true;
      void this.open(Array.from(event.dataTransfer?.files ?? []));
    });
  }

  private of: unknown;

  async open(files: File[]): Promise<void> {
    if (files.length === 0) return;
    const scenario = files.find(({ name }) => name.toLowerCase().endsWith(".scen"));
    const trace = files.find(({ name }) => name.toLowerCase().endsWith(".json"));
    const others = files.filter((file) => file !== scenario && file !== trace);
    try {
      if (others.length === 1 && /\.(bin|cairn)$/i.test(others[0]!.name)) {
        await this.openIndex(others[0]!);
      } else if (others.length > 0) {
        const { name, map } = await readFiles(others);
        await this.app.show(map, { kind: "file", name });
      }
      if (scenario !== undefined) await this.openScenario(scenario);
      if (trace !== undefined) this.app.showSteps(readTrace(await trace.text()));
    } catch (error) {
      const name = (others[0] ?? files[0])!.name;
      this.app.message(`${name}: ${(error as Error).message}`);
    }
  }

  private async openIndex(file: File): Promise<void> {
    const { app } = this;
    const { plan, map } = await app.core.call("open", new Uint8Array(await file.arrayBuffer()));
    const { planner, build } = plan;
    if (map !== undefined) await app.show(map, { kind: "file", name: file.name }, { planner });
    else app.store.set({ planner, build: { ...app.store.now.build, [planner]: build } });
  }

  private async openScenario(file: File): Promise<void> {
    const { app } = this;
    const problems = parseScenario(await file.text());
    const { map } = app;
    if (map?.kind !== "grid") throw new FileError("open the map of the scenario first");
    const wrong = problems.find(
      ({ width, height }) => width !== map.width || height !== map.height,
    );
    if (wrong !== undefined) {
      throw new FileError(`the scenario is for a map of ${wrong.width} × ${wrong.height} cells`);
    }
    this.of = map;
    this.card.hidden = false;
    this.tab("path");
    const buttons: HTMLButtonElement[] = [];
    const choose = ({ start, goal }: Problem, button: HTMLButtonElement): void => {
      for (const one of buttons) one.setAttribute("aria-pressed", String(one === button));
      app.store.set({ start, goal });
    };
    this.list.replaceChildren(
      ...problems.slice(0, MOST_PROBLEMS).map((problem, i) => {
        const { start, goal, length } = problem;
        const button: HTMLButtonElement = h(
          "button",
          {
            type: "button",
            "aria-pressed": "false",
            onclick: () => choose(problem, button),
          },
          h("span", {}, `${i + 1}.  ${start.join(", ")} → ${goal.join(", ")}`),
          h("span", {}, length.toFixed(1)),
        );
        buttons.push(button);
        return h("li", {}, button);
      }),
    );
    const longest = problems.reduce(
      (best, one, i) => (one.length > problems[best]!.length ? i : best),
      0,
    );
    const last = Math.min(longest, buttons.length - 1);
    if (buttons[last] !== undefined) choose(problems[last]!, buttons[last]);
  }
}
