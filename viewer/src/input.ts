// Mouse, touch and keys on the map.

import type { App } from "./app.js";
import { ARROWS, type Handles } from "./handles.js";
import { onMesh } from "./maps/mesh.js";
import { GROUND, TERRAINS } from "./maps/terrain.js";
import type { Tools } from "./tools.js";

/** What keys do beyond the map. */
export interface Commands {
  help(): void;
  gallery(): void;
  theme(): void;
  tab(name: string): void;
  crowd(): void;
  zoom(factor: number): void;
  fit(): void;
  random(): void;
}

interface Pointer {
  x: number;
  y: number;
}

export function listen(app: App, tools: Tools, handles: Handles, commands: Commands): void {
  const { canvas, camera } = app.scene;
  const pointers = new Map<number, Pointer>();
  let mode: "none" | "pan" | "paint" | "pinch" = "none";
  let painted: [number, number] | undefined;
  /** On a mesh, where the brush was last. */
  let last: Pointer | undefined;
  let space = false;
  let over: Pointer | undefined;

  const at = (event: PointerEvent | WheelEvent): Pointer => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  const cellAt = ({ x, y }: Pointer): [number, number] => {
    const place = camera.toPlace(x, y);
    return [Math.floor(place[0]), Math.floor(place[1])];
  };

  const showBrush = (): void => {
    const brush = tools.tool !== "look" && over !== undefined && app.painting !== undefined;
    canvas.classList.toggle("painting", brush && mode !== "pan" && !space);
    if (brush && app.map?.kind === "grid") {
      const [x, y] = cellAt(over!);
      const half = (tools.side - 1) >> 1;
      app.scene.brush = { x: x - half, y: y - half, width: tools.side, height: tools.side };
    } else {
      app.scene.brush = undefined;
    }
    app.scene.redraw();
  };

  /** Paints from the cell of the last event to this one, without gaps. */
  const paint = (pointer: Pointer): void => {
    const { painting } = app;
    if (painting === undefined) return;
    if (app.map?.kind === "mesh") {
      const value = tools.tool === "erase" ? 0 : 1;
      const from = last ?? pointer;
      const steps = Math.max(1, Math.ceil(Math.hypot(pointer.x - from.x, pointer.y - from.y) / 3));
      const edits = [];
      for (let i = 0; i <= steps; ++i) {
        const x = from.x + ((pointer.x - from.x) * i) / steps;
        const y = from.y + ((pointer.y - from.y) * i) / steps;
        const place = onMesh(app.map, ...camera.toPlace(x, y));
        if (place !== undefined) edits.push(...painting.put(place[3], 0, 1, value));
      }
      last = pointer;
      app.edit(edits);
      return;
    }
    const value = tools.tool === "erase" ? GROUND : tools.terrain;
    const [x, y] = cellAt(pointer);
    const [fromX, fromY] = painted ?? [x, y];
    const steps = Math.max(1, Math.abs(x - fromX), Math.abs(y - fromY));
    const edits = [];
    for (let i = painted === undefined ? 0 : 1; i <= steps; ++i) {
      const column = Math.round(fromX + ((x - fromX) * i) / steps);
      const row = Math.round(fromY + ((y - fromY) * i) / steps);
      edits.push(...painting.put(column, row, tools.side, value));
    }
    painted = [x, y];
    app.edit(edits);
  };

  const finish = (): void => {
    if (mode === "paint") {
      app.painting?.end();
      app.painted();
    }
    if (mode === "pan" || mode === "pinch") app.viewed();
    mode = "none";
    painted = undefined;
    last = undefined;
    canvas.classList.remove("moving");
  };

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, at(event));
    if (pointers.size === 2) {
      if (mode === "paint") finish();
      mode = "pinch";
      return;
    }
    if (pointers.size > 2) return;
    const paints =
      tools.tool !== "look" && event.button === 0 && !space && app.painting !== undefined;
    mode = paints ? "paint" : "pan";
    canvas.classList.toggle("moving", !paints);
    if (paints) {
      app.painting?.begin();
      painted = undefined;
      paint(at(event));
    }
  });

  canvas.addEventListener("pointermove", (event) => {
    const now = at(event);
    if (event.pointerType !== "touch" || pointers.has(event.pointerId)) over = now;
    const before = pointers.get(event.pointerId);
    if (before !== undefined) {
      if (mode === "pan") camera.pan(now.x - before.x, now.y - before.y);
      if (mode === "paint") paint(now);
      if (mode === "pinch") {
        const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
        if (other !== undefined) {
          const length = (pointer: Pointer): number =>
            Math.hypot(pointer.x - other.x, pointer.y - other.y);
          camera.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
          camera.zoom(
            length(now) / Math.max(1, length(before)),
            (now.x + other.x) / 2,
            (now.y + other.y) / 2,
          );
        }
      }
      pointers.set(event.pointerId, now);
    }
    showStatus();
    showBrush();
  });

  const release = (event: PointerEvent): void => {
    pointers.delete(event.pointerId);
    if (mode !== "pinch" || pointers.size < 2) finish();
    if (event.pointerType === "touch") over = undefined;
    showBrush();
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => {
    over = undefined;
    showStatus();
    showBrush();
  });
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());

  let settled = 0;
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const { x, y } = at(event);
      const pixels = event.deltaMode === 1 ? event.deltaY * 30 : event.deltaY;
      camera.zoom(Math.exp(-Math.max(-200, Math.min(200, pixels)) * 0.0022), x, y);
      app.scene.redraw();
      clearTimeout(settled);
      settled = window.setTimeout(() => app.viewed(), 200);
    },
    { passive: false },
  );

  const status = document.getElementById("status")!;
  const showStatus = (): void => {
    const { map } = app;
    if (over === undefined || map === undefined) {
      status.textContent = "";
      return;
    }
    const [x, y] = camera.toPlace(over.x, over.y);
    if (map.kind === "mesh") {
      status.textContent = `${x.toFixed(1)}, ${y.toFixed(1)}`;
      return;
    }
    const [column, row] = [Math.floor(x), Math.floor(y)];
    const inside = column >= 0 && row >= 0 && column < map.width && row < map.height;
    const value = inside ? map.cells[row * map.width + column]! : 0;
    const terrain =
      TERRAINS.find(({ byte }) => byte === value)?.name ??
      (value === 49 || value === 71 ? "Ground" : "Wall");
    status.textContent = inside ? `${column}, ${row}  ${terrain}` : "";
  };

  window.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (document.querySelector("dialog[open]") !== null) return;
    if (
      /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) &&
      (target as HTMLInputElement).type !== "checkbox"
    )
      return;
    const control = event.ctrlKey || event.metaKey;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (control) {
      if (key === "z") event.shiftKey ? app.redo() : app.undo();
      else if (key === "y") app.redo();
      else return;
      event.preventDefault();
      return;
    }
    if (event.altKey) return;
    const onButton = target.tagName === "BUTTON" || target.getAttribute("role") === "tab";
    const arrow = ARROWS[key];
    if (arrow !== undefined) {
      if (onButton || target.tagName === "INPUT") return;
      const step = event.shiftKey ? 200 : 40;
      camera.pan(-arrow[0] * step, -arrow[1] * step);
      app.viewed();
      app.scene.redraw();
      event.preventDefault();
      return;
    }
    if (key === " ") {
      if (target !== canvas && target !== document.body) return;
      space = true;
      showBrush();
      event.preventDefault();
      return;
    }
    if (/^[1-9]$/.test(key)) {
      tools.set({ tool: "paint", terrain: key === "1" ? GROUND : key.charCodeAt(0) });
      return;
    }
    const pointer = over ?? { x: camera.width / 2, y: camera.height / 2 };
    const does: Readonly<Record<string, () => void>> = {
      v: () => tools.set({ tool: "look" }),
      b: () => tools.set({ tool: "paint" }),
      e: () => tools.set({ tool: "erase" }),
      w: () => tools.set({ tool: "paint", terrain: TERRAINS[0]!.byte }),
      "[": () => tools.set({ side: tools.side - 1 }),
      "]": () => tools.set({ side: tools.side + 1 }),
      s: () => handles.moveTo("start", pointer.x, pointer.y),
      g: () => handles.moveTo("goal", pointer.x, pointer.y),
      r: () => commands.random(),
      p: () => void app.playSearch(),
      c: () => commands.tab("compare"),
      a: () => commands.crowd(),
      o: () => commands.gallery(),
      f: () => commands.fit(),
      d: () => commands.theme(),
      "+": () => commands.zoom(1.4),
      "=": () => commands.zoom(1.4),
      "-": () => commands.zoom(1 / 1.4),
      "?": () => commands.help(),
    };
    does[key]?.();
  });
  window.addEventListener("keyup", (event) => {
    if (event.key !== " ") return;
    space = false;
    showBrush();
  });
  tools.listen(showBrush);
}
