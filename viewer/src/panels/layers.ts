// The panel of the layers, and what the colours of the map mean.

import type { App } from "../app.js";
import { h } from "../dom.js";
import { GROUND, SWAMP, TREES, WALL, WATER } from "../maps/terrain.js";
import { terrainColour } from "../scene/colours.js";
import { layersOf } from "../shown.js";

export function layersPanel(app: App): HTMLElement {
  const list = h("div", { class: "layers" });
  const legend = h("ul", { class: "legend" });
  const meaning = h(
    "section",
    { class: "card", "aria-label": "Colours" },
    h("h2", {}, "Colours of the map"),
    legend,
  );
  let names = "";

  const show = (): void => {
    const layers = layersOf(app);
    const now = layers.map(({ title, about }) => title + about).join() + app.store.now.layers.join();
    if (now === names) return;
    names = now;
    const held = document.activeElement?.id;
    list.replaceChildren(
      ...layers.map(({ name, title, about }) => {
        const id = `layer-${name}`;
        return h(
          "label",
          { class: "layer", for: id },
          h("input", {
            id,
            type: "checkbox",
            checked: app.store.now.layers.includes(name),
            onchange: (event: Event) => {
              const others = app.store.now.layers.filter((one) => one !== name);
              app.store.set({
                layers: (event.target as HTMLInputElement).checked ? [...others, name] : others,
              });
            },
          }),
          h("span", {}, title),
          h("small", {}, about),
        );
      }),
    );
    if (held !== undefined && held !== "") list.querySelector<HTMLElement>(`#${held}`)?.focus();
  };

  const showLegend = (): void => {
    meaning.hidden = app.map?.kind !== "grid";
    const { colours } = app.scene;
    const [low, high] = colours.weights;
    const entry = (style: string, name: string, kind = "") =>
      h("li", {}, h("i", { style, class: kind }), name);
    legend.replaceChildren(
      ...(
        [
          [GROUND, "Ground"],
          [WALL, "Wall"],
          [TREES, "Trees"],
          [WATER, "Water"],
          [SWAMP, "Swamp"],
        ] as const
      ).map(([value, name]) => entry(`background:${terrainColour(colours, value)}`, name)),
      entry(`background:linear-gradient(90deg,${low},${high})`, "Weights 2 to 9", "ramp"),
    );
  };
  app.on("answer", show);
  app.on("crowd", show);
  app.on("layers", show);
  app.on("map", () => {
    show();
    showLegend();
  });
  app.store.listen((now, before) => {
    if (now.layers !== before.layers || now.planner !== before.planner) show();
  });
  document.addEventListener("theme", showLegend);
  return h(
    "div",
    { class: "page" },
    h("section", { class: "card", "aria-label": "Layers" }, h("h2", {}, "Layers"), list),
    meaning,
  );
}
