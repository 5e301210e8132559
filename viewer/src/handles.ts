// The start and the goal: buttons over the map, which can be dragged and moved by arrow keys.

import type { App } from "./app.js";
import { h } from "./dom.js";
import type { Place } from "./state.js";

type End = "start" | "goal";

const SHAPES: Readonly<Record<End, string>> = {
  start:
    '<svg viewBox="0 0 28 28" aria-hidden="true"><circle cx="14" cy="14" r="11" fill="currentColor"/><circle cx="14" cy="14" r="4.2" fill="var(--card)"/></svg>',
  goal: '<svg viewBox="0 0 28 28" aria-hidden="true"><rect x="5.2" y="5.2" width="17.6" height="17.6" rx="3" transform="rotate(45 14 14)" fill="currentColor"/><rect x="10.4" y="10.4" width="7.2" height="7.2" rx="1" transform="rotate(45 14 14)" fill="var(--card)"/></svg>',
};

export class Handles {
  private readonly buttons: Record<End, HTMLButtonElement>;

  constructor(
    private readonly app: App,
    parent: HTMLElement,
  ) {
    this.buttons = { start: this.make("start"), goal: this.make("goal") };
    parent.append(this.buttons.start, this.buttons.goal);
    app.store.listen((now, before) => {
      if (now.start !== before.start || now.goal !== before.goal || now.source !== before.source)
        this.name();
    });
  }

  /** Puts the buttons where the start and the goal are. */
  place(): void {
    const { scene, store } = this.app;
    const shift = this.app.map?.kind === "mesh" ? 0 : this.app.agent.size / 2;
    for (const end of ["start", "goal"] as const) {
      const [x, y] = store.now[end];
      const [left, top] = scene.camera.toPixel(x + shift, y + shift);
      this.buttons[end].style.transform = `translate(${left.toFixed(1)}px, ${top.toFixed(1)}px)`;
    }
  }

  /** Moves an end to the pixel of the stage. */
  moveTo(end: End, left: number, top: number): void {
    const { app } = this;
    const [x, y] = app.scene.camera.toPlace(left, top);
    const shift = (app.agent.size - 1) / 2;
    this.set(
      end,
      app.map?.kind === "mesh" ? [x, y] : [Math.floor(x - shift), Math.floor(y - shift)],
    );
  }

  private set(end: End, [x, y]: Place): void {
    const { map, store } = this.app;
    let place: Place = [x, y];
    if (map?.kind === "grid") {
      place = [Math.min(map.width - 1, Math.max(0, x)), Math.min(map.height - 1, Math.max(0, y))];
    }
    const now = store.now[end];
    if (now[0] === place[0] && now[1] === place[1]) return;
    store.set({ [end]: place });
    this.app.scene.redraw();
  }

  private name(): void {
    for (const end of ["start", "goal"] as const) {
      const [x, y] = this.app.store.now[end];
      const where =
        this.app.map?.kind === "mesh"
          ? `at ${x.toFixed(1)}, ${y.toFixed(1)}`
          : `in column ${x}, row ${y}`;
      const label = `${end === "start" ? "Start" : "Goal"} ${where}; arrow keys move it`;
      this.buttons[end].setAttribute("aria-label", label);
    }
    this.app.scene.redraw();
  }

  private make(end: End): HTMLButtonElement {
    const button = h("button", { type: "button", class: `handle ${end}`, id: `handle-${end}` });
    button.innerHTML = SHAPES[end];
    let held = false;
    const [dx, dy] = [0, 0];
    const move = (event: PointerEvent): void => {
      if (!held) return;
      const box = this.app.scene.canvas.getBoundingClientRect();
      this.moveTo(end, event.clientX - box.left - dx, event.clientY - box.top - dy);
    };
    const release = (): void => {
      held = false;
      button.classList.remove("held");
    };
    button.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      held = true;
      button.setPointerCapture(event.pointerId);
      button.classList.add("held");
    });
    button.addEventListener("pointermove", move);
    button.addEventListener("pointerup", release);
    button.addEventListener("pointercancel", release);
    button.addEventListener("keydown", (event) => {
      const arrow = ARROWS[event.key];
      if (arrow === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      const [x, y] = this.app.store.now[end];
      const unit = this.app.map?.kind === "mesh" ? 5 / this.app.scene.camera.scale : 1;
      const step = unit * (event.shiftKey ? 10 : 1);
      this.set(end, [x + arrow[0] * step, y + arrow[1] * step]);
    });
    return button;
  }
}

export const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
