// Plays a search step by step, over the map.

import type { App } from "../app.js";
import { h, icon, iconButton } from "../dom.js";
import { nameOfStep, type StepKind } from "../steps.js";

/** Seconds in which all steps are played at speed 1. */
const SECONDS = 8;

const WORDS: Readonly<Record<StepKind, string>> = {
  source: "start",
  destination: "goal",
  generating: "puts on the open list",
  expanding: "expands",
  closing: "closes",
  end: "reaches the goal",
};

export function player(app: App): void {
  let playing = false;
  let at = 0;
  const slider = h("input", {
    type: "range",
    min: 0,
    value: 0,
    "aria-label": "Step",
    oninput: () => {
      playing = false;
      go(Number(slider.value));
    },
  });
  const play = iconButton("play", "Play", () => {
    const { search } = app;
    if (search !== undefined && !playing && at >= search.size) at = 0;
    playing = !playing;
    app.scene.redraw();
    show();
  });
  const speed = h(
    "select",
    { "aria-label": "Speed" },
    ...[0.1, 0.25, 0.5, 1, 2, 4].map((one) =>
      h("option", { value: one, selected: one === 1 }, `${one}×`),
    ),
  );
  const text = h("p", { class: "step" });
  const box = h(
    "section",
    { id: "player", "aria-label": "Steps of the search", hidden: true },
    h(
      "div",
      { class: "line" },
      iconButton("back", "One step back", () => step(-1)),
      play,
      iconButton("next", "One step on", () => step(1)),
      slider,
      speed,
      iconButton("close", "Close", () => app.closeSearch()),
    ),
    text,
  );
  document.getElementById("stage")!.append(box);

  const step = (by: number): void => {
    playing = false;
    go(Math.round(at) + by);
  };
  const go = (to: number): void => {
    const { search } = app;
    if (search === undefined) return;
    at = Math.min(search.size, Math.max(0, to));
    search.count = Math.floor(at);
    app.scene.redraw();
    show();
  };
  const show = (): void => {
    const { search } = app;
    box.hidden = search === undefined;
    document.body.toggleAttribute("data-search", search !== undefined);
    if (search === undefined) return;
    const { steps, size, count } = search;
    slider.max = String(size);
    slider.value = String(count);
    play.replaceChildren(icon(playing ? "pause" : "play"));
    play.setAttribute("aria-label", playing ? "Pause" : "Play");
    play.title = playing ? "Pause" : "Play";
    const parts = [`${count.toLocaleString("en")} of ${size.toLocaleString("en")} steps`];
    if (count > 0) {
      const last = count - 1;
      const kind = nameOfStep(steps.kinds[last]!);
      const round = (value: number): string => String(Number(value.toFixed(1)));
      const place = `${round(steps.x[last]!)}, ${round(steps.y[last]!)}`;
      const level = steps.levels[last]!;
      parts.push(
        `${WORDS[kind]} ${kind === "end" ? "" : place}${level > 0 ? ` on level ${level}` : ""}`,
      );
      parts.push(
        `g ${steps.g[last]!.toFixed(1)}`,
        `h ${(steps.f[last]! - steps.g[last]!).toFixed(1)}`,
      );
    }
    if (steps.leftOut > 0 && count === size) {
      parts.push(`${steps.leftOut.toLocaleString("en")} later steps are left out`);
    }
    text.textContent = parts.join("  ·  ");
  };
  app.onAnimate((seconds) => {
    const { search } = app;
    if (search === undefined || !playing) return false;
    at += Math.max(1 / 60, search.size / SECONDS) * Number(speed.value) * seconds;
    if (at >= search.size) {
      at = search.size;
      playing = false;
    }
    search.count = Math.floor(at);
    show();
    return playing;
  });
  app.on("search", () => {
    at = 0;
    playing = app.search !== undefined && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    show();
    app.scene.redraw();
  });
}
