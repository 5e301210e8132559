// The dialog that opens maps: made ones, examples, and files.

import type { App } from "../app.js";
import { h, iconButton } from "../dom.js";
import { GENERATORS } from "../maps/generate.js";
import { EXAMPLES, openSource } from "../maps/open.js";
import type { GridData, MapData } from "../maps/terrain.js";
import { boxOf } from "../scene/scene.js";
import { terrainColours } from "../scene/colours.js";

const SIZES = [64, 128, 256, 512];

export function gallery(app: App, openFiles: (files: File[]) => void): HTMLDialogElement {
  const dialog = h("dialog", { "aria-labelledby": "gallery-title" });
  let seed = 7;
  const size = h(
    "select",
    { id: "gallery-size" },
    ...SIZES.map((one) => h("option", { value: one, selected: one === 256 }, `${one} × ${one}`)),
  );
  const files = h("input", {
    type: "file",
    multiple: true,
    hidden: true,
    "aria-label": "Files",
    accept: ".map,.scen,.png,.jpg,.jpeg,.webp,.gif,.pgm,.yaml,.yml,.obj,.mesh,.bin,.cairn,.json",
    onchange: () => {
      openFiles(Array.from(files.files ?? []));
      files.value = "";
      dialog.close();
    },
  });
  const made = h("div", { class: "tiles" });
  const examples = h("div", { class: "tiles" });

  const tile = (
    title: string,
    about: string,
    map: Promise<MapData>,
    open: () => void,
  ): HTMLElement => {
    const canvas = h("canvas", { width: 132, height: 132, "aria-hidden": "true" });
    void map
      .then((one) => (one.kind === "grid" ? draw(canvas, one, app) : drawMesh(canvas, one, app)))
      .catch(() => undefined);
    return h(
      "button",
      {
        type: "button",
        class: "tile",
        onclick: () => {
          dialog.close();
          open();
        },
      },
      canvas,
      h("b", {}, title),
      h("small", {}, about),
    );
  };
  const fill = (): void => {
    made.replaceChildren(
      ...GENERATORS.map(({ name, title, about, make }) =>
        tile(
          title,
          about,
          Promise.resolve().then(() => make(128, seed)),
          () => void app.open({ kind: "made", name, size: Number(size.value), seed }),
        ),
      ),
    );
  };
  const fillExamples = (): void => {
    examples.replaceChildren(
      ...EXAMPLES.map(({ name, title }) => {
        const source = { kind: "example", name } as const;
        const map = openSource(source);
        const result = tile(title, "", map, () => void app.open(source));
        void map
          .then((grid) => {
            if (grid.kind === "grid")
              result.querySelector("small")!.textContent = `${grid.width} × ${grid.height}`;
          })
          .catch(() => undefined);
        return result;
      }),
    );
  };
  dialog.append(
    h(
      "div",
      { class: "head" },
      h("h2", { id: "gallery-title" }, "Open a map"),
      iconButton("close", "Close", () => dialog.close()),
    ),
    h(
      "div",
      { class: "body" },
      h(
        "div",
        { class: "row" },
        h("label", { for: "gallery-size" }, "Size"),
        size,
        h(
          "button",
          {
            type: "button",
            class: "plain",
            onclick: () => {
              ++seed;
              fill();
            },
          },
          "Make others",
        ),
        h(
          "button",
          { type: "button", class: "plain strong", onclick: () => files.click() },
          "Open files",
        ),
        files,
      ),
      made,
      h("h3", {}, "Examples of the repository"),
      examples,
      h(
        "p",
        { class: "note" },
        "Or drop a file on the page: a map and a scenario of MovingAI (.map, .scen), a picture (.png), the costmap of a robot (.pgm with its .yaml), a navigation mesh (.obj, .mesh), an index, or a trace (.trace.json). Files stay on this computer.",
      ),
    ),
  );
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("open", () => {
    fill();
    fillExamples();
  });
  return dialog;
}

function drawMesh(canvas: HTMLCanvasElement, mesh: MapData & { kind: "mesh" }, app: App): void {
  const context = canvas.getContext("2d")!;
  const box = boxOf(mesh);
  const scale = canvas.width / Math.max(box.width, box.height);
  context.fillStyle = app.scene.colours.ground;
  context.strokeStyle = app.scene.colours.polygon;
  context.lineWidth = 0.7;
  context.beginPath();
  for (let polygon = 0; polygon + 1 < mesh.first.length; ++polygon) {
    for (let i = mesh.first[polygon]!; i < mesh.first[polygon + 1]!; ++i) {
      const at = 3 * mesh.corners[i]!;
      const [x, y] = [
        (mesh.vertices[at]! - box.x) * scale,
        (mesh.vertices[at + 2]! - box.y) * scale,
      ];
      if (i === mesh.first[polygon]) context.moveTo(x, y);
      else context.lineTo(x, y);
    }
    context.closePath();
  }
  context.fill();
  context.stroke();
}

function draw(canvas: HTMLCanvasElement, grid: GridData, app: App): void {
  const pixels = terrainColours(app.scene.colours);
  const image = new ImageData(grid.width, grid.height);
  new Uint32Array(image.data.buffer).set(Uint32Array.from(grid.cells, (value) => pixels[value]!));
  const texture = new OffscreenCanvas(grid.width, grid.height);
  texture.getContext("2d")!.putImageData(image, 0, 0);
  const side = Math.max(grid.width, grid.height);
  const scale = canvas.width / side;
  const context = canvas.getContext("2d")!;
  context.imageSmoothingEnabled = scale < 1;
  context.imageSmoothingQuality = "high";
  context.drawImage(
    texture,
    (canvas.width - grid.width * scale) / 2,
    (canvas.height - grid.height * scale) / 2,
    grid.width * scale,
    grid.height * scale,
  );
}
