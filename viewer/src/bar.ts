// The bar above the map: tools, undo, files, theme and help; and the brush below it.

import type { App } from "./app.js";
import { h, icon, iconButton } from "./dom.js";
import * as save from "./export.js";
import { titleOf } from "./maps/open.js";
import { TERRAINS } from "./maps/terrain.js";
import { terrainColour } from "./scene/colours.js";
import { MOST_BRUSH, type Tool, type Tools } from "./tools.js";

export interface BarActions {
  gallery(): void;
  help(): void;
  theme(): void;
}

export function bar(app: App, tools: Tools, actions: BarActions): void {
  const find = (id: string): HTMLElement => document.getElementById(id)!;

  const title = h("span");
  const open = h(
    "button",
    {
      type: "button",
      class: "plain",
      id: "open",
      title: "Open a map",
      onclick: actions.gallery,
    },
    icon("open"),
    title,
  );
  find("source").append(open);
  app.on("map", () => {
    const name = titleOf(app.store.now.source);
    title.textContent = name;
    open.setAttribute("aria-label", `${name}: open another map`);
  });

  const choices = (
    [
      ["look", "Move", "V"],
      ["paint", "Paint", "B"],
      ["erase", "Erase", "E"],
    ] as const
  ).map(([tool, name, key]) => ({
    tool,
    button: h(
      "button",
      {
        type: "button",
        class: "tool",
        title: `${name} (${key})`,
        "aria-label": name,
        onclick: () => tools.set({ tool: tool as Tool }),
      },
      icon(tool),
      h("span", {}, name),
    ),
  }));
  const undo = iconButton("undo", "Undo", () => app.undo());
  const redo = iconButton("redo", "Redo", () => app.redo());
  find("tools").append(
    h("div", { class: "group" }, ...choices.map(({ button }) => button)),
    h("div", { class: "gap" }),
    undo,
    redo,
  );

  const random = iconButton("dice", "Random start and goal", () => app.store.set(app.ends(30)), {
    class: "icon wide",
  });
  const link = iconButton("link", "Copy a link to this", () => void save.copyLink(app), {
    class: "icon wide",
  });
  find("actions").append(
    random,
    link,
    saveMenu(app),
    iconButton("light", "Dark or light", actions.theme),
    iconButton("help", "Keys", actions.help, { class: "icon wide" }),
  );

  const palette = find("palette");
  const side = h("input", {
    type: "range",
    min: 1,
    max: MOST_BRUSH,
    value: tools.side,
    "aria-label": "Side of the brush in cells",
    oninput: () => tools.set({ side: Number(side.value) }),
  });
  const sideText = h("span");
  const swatches = TERRAINS.map(({ byte, name }) => ({
    byte,
    button: h(
      "button",
      {
        type: "button",
        class: "swatch",
        role: "radio",
        title: name,
        "aria-label": name,
        onclick: () => tools.set({ terrain: byte }),
      },
      h("span", {}, byte >= 50 && byte <= 57 ? String.fromCharCode(byte) : ""),
    ),
  }));
  const materials = h(
    "div",
    { role: "radiogroup", "aria-label": "What to paint", style: "display:flex;gap:2px" },
    ...swatches.map(({ button }) => button),
  );
  const divider = h("div", { class: "divider" });
  palette.append(materials, divider, h("label", {}, "Brush", side, sideText));

  const show = (): void => {
    for (const { tool, button } of choices)
      button.setAttribute("aria-pressed", String(tool === tools.tool));
    for (const { byte, button } of swatches) {
      button.setAttribute("aria-checked", String(byte === tools.terrain));
      (button.firstElementChild as HTMLElement).style.background = terrainColour(
        app.scene.colours,
        byte,
      );
      (button.firstElementChild as HTMLElement).style.color =
        app.scene.colours.ground === "#fbfaf7" ? "#1d252f" : "#f2f4f7";
    }
    side.value = String(tools.side);
    sideText.textContent = `${tools.side} × ${tools.side}`;
    palette.hidden = tools.tool === "look" || app.map?.kind !== "grid";
    materials.hidden = divider.hidden = tools.tool === "erase";
    materials.style.display = tools.tool === "erase" ? "none" : "flex";
    undo.disabled = app.painting?.canUndo !== true;
    redo.disabled = app.painting?.canRedo !== true;
    for (const { tool, button } of choices)
      button.disabled = tool !== "look" && app.painting === undefined;
  };
  tools.listen(show);
  app.on("map", show);
  document.addEventListener("theme", show);
  show();

  find("zoom").append(
    iconButton("fit", "All of the map", () => {
      app.scene.camera.fit();
      app.scene.redraw();
      app.store.set({ view: undefined });
    }),
    iconButton("plus", "Nearer", () => zoom(app, 1.4)),
    iconButton("minus", "Farther", () => zoom(app, 1 / 1.4)),
  );
}

export function zoom(app: App, factor: number): void {
  app.scene.camera.zoom(factor);
  app.scene.redraw();
  app.viewed();
}

function saveMenu(app: App): HTMLElement {
  const items: readonly (readonly [
    string,
    string,
    (app: App) => void | Promise<void>,
    boolean?,
  ])[] = [
    ["Picture", "PNG of what is shown", save.png],
    ["Drawing", "SVG of the map and the path", save.svg],
    ["Answer", "JSON of the state and the path", save.json],
    ["Map", "MovingAI map", save.map],
    ["Index", "Index file of this planner", save.index],
    ["Link", "Copy a link to this", save.copyLink],
  ];
  const list = h("div", { role: "menu", hidden: true });
  const button = iconButton(
    "save",
    "Save",
    () => {
      toggle(list.hidden);
    },
    { "aria-haspopup": "menu", "aria-expanded": "false" },
  );
  const toggle = (open: boolean): void => {
    list.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
    if (open) list.querySelector("button")?.focus();
  };
  list.append(
    ...items.map(([name, about, run]) =>
      h(
        "button",
        {
          type: "button",
          role: "menuitem",
          onclick: () => {
            toggle(false);
            button.focus();
            Promise.resolve(run(app)).catch((error: Error) => app.message(error.message));
          },
        },
        name,
        h("small", {}, about),
      ),
    ),
  );
  const menu = h("div", { class: "menu" }, button, list);
  menu.addEventListener("keydown", (event) => {
    const buttons = [...list.querySelectorAll("button")];
    const now = buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (event.key === "Escape") {
      toggle(false);
      button.focus();
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !list.hidden) {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      buttons[(now + step + buttons.length) % buttons.length]?.focus();
    } else return;
    event.stopPropagation();
  });
  document.addEventListener("pointerdown", (event) => {
    if (!menu.contains(event.target as Node)) toggle(false);
  });
  return menu;
}
