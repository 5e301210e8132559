// The panel of the agents that live on the map.

import type { App } from "../app.js";
import { h, icon, timeText } from "../dom.js";

const COUNTS = [100, 500, 1000, 2000, 5000];

export function agentsPanel(app: App): HTMLElement {
  const facts = h("dl", { class: "metrics", id: "crowd" });
  const note = h("p", { class: "note" });
  const count = h(
    "select",
    { id: "crowd-count" },
    ...COUNTS.map((one) =>
      h("option", { value: one, selected: one === 2000 }, one.toLocaleString("en")),
    ),
  );
  const speed = h("input", {
    id: "crowd-speed",
    type: "range",
    min: 1,
    max: 30,
    value: 9,
    oninput: () => {
      if (app.crowd !== undefined) app.crowd.speed = Number(speed.value);
    },
  });
  const start = h("button", { type: "button", class: "plain strong", id: "crowd-start" });
  const pause = h("button", { type: "button", class: "plain" });
  const status = h("section", { class: "card", "aria-label": "Agents now" }, facts, note);
  start.addEventListener("click", () => {
    if (app.crowd === undefined)
      void app
        .startCrowd(Number(count.value))
        .then(() => app.crowd && (app.crowd.speed = Number(speed.value)));
    else app.stopCrowd();
  });
  pause.addEventListener("click", () => {
    app.paused = !app.paused;
    app.scene.redraw();
    show();
  });
  count.addEventListener("change", () => {
    if (app.crowd !== undefined) void app.startCrowd(Number(count.value));
  });

  let frames = 0;
  let since = performance.now();
  let rate = 0;
  const show = (): void => {
    const { crowd } = app;
    start.replaceChildren(crowd === undefined ? "Let agents in" : "Send them away");
    pause.replaceChildren(icon(app.paused ? "play" : "pause"), app.paused ? "Go on" : "Pause");
    pause.hidden = crowd === undefined;
    status.hidden = crowd === undefined;
    start.disabled = app.map === undefined;
    if (crowd === undefined) return;
    const metric = (name: string, value: string, unit: string, key: string) =>
      h(
        "div",
        {},
        h("dt", {}, name),
        h("dd", { "data-metric": key }, value, " ", h("small", {}, unit)),
      );
    const time = timeText(app.crowdMilliseconds * 1000).split(" ");
    facts.replaceChildren(
      metric("Agents", crowd.walking.toLocaleString("en"), "walking", "agents"),
      metric(
        "Frame rate",
        app.paused || rate === 0 ? "–" : rate.toFixed(0),
        app.paused ? "" : "a second",
        "frames",
      ),
      metric("Last paths", time[0]!, time[1]!, "paths"),
    );
    note.textContent = "Paint a wall, or block a polygon: agents whose paths that breaks find new ones at once.";
  };
  app.scene.drawn = () => {
    ++frames;
    const now = performance.now();
    if (now - since < 500) return;
    rate = (frames * 1000) / (now - since);
    frames = 0;
    since = now;
    if (app.crowd !== undefined && status.offsetParent !== null) show();
  };
  app.on("crowd", show);
  app.on("map", show);
  show();
  return h(
    "div",
    { class: "page" },
    h(
      "section",
      { class: "card", "aria-label": "Agents" },
      h("h2", {}, "Agents"),
      h(
        "div",
        { class: "fields" },
        h("div", { class: "field" }, h("label", { for: "crowd-count" }, "How many"), count),
        h("div", { class: "field" }, h("label", { for: "crowd-speed" }, "Speed"), speed),
        h("div", { class: "row" }, start, pause),
      ),
      h(
        "p",
        { class: "note" },
        "Each agent walks to a random goal, and then to the next. Paths come in batches from the planner that is chosen.",
      ),
    ),
    status,
  );
}
