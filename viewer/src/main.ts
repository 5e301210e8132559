// Makes the page.

import { App } from "./app.js";
import { bar, zoom } from "./bar.js";
import { h } from "./dom.js";
import { Dropped } from "./dropped.js";
import { Handles } from "./handles.js";
import { listen } from "./input.js";
import { agentsPanel } from "./panels/agents.js";
import { comparePanel } from "./panels/compare.js";
import { gallery } from "./panels/gallery.js";
import { help } from "./panels/help.js";
import { layersPanel } from "./panels/layers.js";
import { lengthOf, pathPanel, TITLES } from "./panels/path.js";
import { player } from "./panels/player.js";
import { tabs } from "./panels/tabs.js";
import { DARK, LIGHT } from "./scene/colours.js";
import { readState, Store } from "./state.js";
import { Tools } from "./tools.js";

const store = new Store(readState(location.hash));
const canvas = document.getElementById("canvas") as HTMLCanvasElement;
const stage = document.getElementById("stage")!;
const app = new App(store, canvas);
const tools = new Tools();

// Dark and light: what the system says, unless the switch was used.
const system = matchMedia("(prefers-color-scheme: dark)");
const stored = (): string | null => {
  try {
    return localStorage.getItem("theme");
  } catch {
    return null;
  }
};
function applyTheme(): void {
  const theme = stored() ?? (system.matches ? "dark" : "light");
  document.documentElement.dataset.theme = theme;
  app.scene.colours = theme === "dark" ? DARK : LIGHT;
  app.scene.recolour();
  app.updateLayers();
  document.dispatchEvent(new Event("theme"));
}
function switchTheme(): void {
  const dark = document.documentElement.dataset.theme === "dark";
  try {
    localStorage.setItem("theme", dark ? "light" : "dark");
  } catch {
    document.documentElement.dataset.theme = dark ? "light" : "dark";
  }
  applyTheme();
}
system.addEventListener("change", applyTheme);

const handles = new Handles(app, document.getElementById("handles")!);
const { drawn } = app.scene;
const show = tabs([
  { name: "path", title: "Path", page: pathPanel(app) },
  { name: "compare", title: "Compare", page: comparePanel(app) },
  { name: "agents", title: "Agents", page: agentsPanel(app) },
  { name: "layers", title: "Layers", page: layersPanel(app) },
]);
const measureFrames = app.scene.drawn;
app.scene.drawn = () => {
  drawn();
  measureFrames();
  handles.place();
};

player(app);
const dropped = new Dropped(app, show);
const galleryDialog = gallery(app, (files) => void dropped.open(files));
const helpDialog = help(() => app.version);
document.body.append(galleryDialog, helpDialog);
const open = (dialog: HTMLDialogElement): void => {
  dialog.dispatchEvent(new Event("open"));
  dialog.showModal();
};

bar(app, tools, {
  gallery: () => open(galleryDialog),
  help: () => open(helpDialog),
  theme: switchTheme,
});
listen(app, tools, handles, {
  gallery: () => open(galleryDialog),
  help: () => open(helpDialog),
  theme: switchTheme,
  tab: (name) => show(name),
  crowd: () => {
    show("agents");
    document.getElementById("crowd-start")?.click();
  },
  zoom: (factor) => zoom(app, factor),
  fit: () => {
    app.scene.camera.fit();
    app.scene.redraw();
    store.set({ view: undefined });
  },
  random: () => store.set(app.ends(30)),
});

// What happens, in words.
const busy = document.getElementById("busy")!;
const busyText = h("span");
const stop = h("button", { type: "button", onclick: () => app.stop() }, "Stop");
let since = 0;
app.on("busy", (what) => {
  if (what === "") {
    since = 0;
    busy.replaceChildren();
    return;
  }
  since ||= performance.now();
  busyText.textContent = `${what} …`;
  const long = what.startsWith("Building") && performance.now() - since > 1500;
  if (busyText.parentNode !== busy) busy.replaceChildren(busyText);
  if (long && stop.parentNode !== busy) busy.append(stop);
});
const message = document.getElementById("message")!;
let hiding = 0;
app.on("message", (text) => {
  message.textContent = text.charAt(0).toUpperCase() + text.slice(1);
  message.hidden = false;
  clearTimeout(hiding);
  hiding = window.setTimeout(() => (message.hidden = true), 5000);
});
let summing = 0;
app.on("answer", (answer) => {
  clearTimeout(summing);
  summing = window.setTimeout(() => {
    const width = app.map?.kind === "grid" ? app.map.width : 0;
    document.getElementById("summary")!.textContent =
      answer.problem ??
      `${TITLES[store.now.planner] ?? store.now.planner}: a path of length ${lengthOf(answer, width).toFixed(1)}`;
  }, 700);
});

new ResizeObserver(() => {
  const { camera } = app.scene;
  const { clientWidth, clientHeight } = stage;
  app.scene.resize(clientWidth, clientHeight);
  if (store.now.view === undefined && app.map !== undefined) camera.fit();
  app.scene.redraw();
}).observe(stage);

window.addEventListener("hashchange", () => {
  const state = readState(location.hash);
  void app.open(state.source, state);
});

// For tests, and for the curious.
Object.assign(window, { cairnViewer: app });

applyTheme();
app.scene.resize(stage.clientWidth, stage.clientHeight);
app.begin().then(
  () => document.body.setAttribute("data-ready", ""),
  (error: Error) => {
    busy.replaceChildren();
    document
      .getElementById("pages")!
      .prepend(h("p", { class: "page problem" }, `The page could not start: ${error.message}`));
  },
);
if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register("service_worker.js").catch(() => undefined);
}
