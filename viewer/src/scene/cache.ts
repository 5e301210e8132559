// Keeps what layers look like, for frames in which only agents or the camera move.

import type { Camera } from "./camera.js";

/** How long the camera must rest until it is. Milliseconds. */
const REST = 120;

interface View {
  x: number;
  y: number;
  scale: number;
  width: number;
  height: number;
}

export class LayerCache {
  private canvas: OffscreenCanvas | undefined;
  private of: unknown;
  private view: View | undefined;
  private waiting = 0;

  /**
   * Draws what `paint` draws: again if `of` is another object than before or the camera has moved,
   * else from memory. If it has much to draw, it is shown as it was while the camera moves, moved
   * along; `again` is called when the camera rests.
   */
  draw(
    context: CanvasRenderingContext2D,
    camera: Camera,
    of: unknown,
    much: boolean,
    paint: (context: CanvasRenderingContext2D) => void,
    again: () => void,
  ): void {
    const { x, y, scale, width, height } = camera;
    const before = this.view;
    const resized = before === undefined || before.width !== width || before.height !== height;
    const moved = resized || before.x !== x || before.y !== y || before.scale !== scale;
    if (this.canvas === undefined || of !== this.of || resized || (moved && !much)) {
      this.render(context, camera, paint);
      this.of = of;
    } else if (moved) {
      clearTimeout(this.waiting);
      this.waiting = window.setTimeout(() => {
        this.of = undefined;
        again();
      }, REST);
    }
    if (this.canvas === undefined || this.view === undefined) return;
    const grown = scale / this.view.scale;
    const left = width / 2 + (this.view.x - x) * scale - (grown * width) / 2;
    const top = height / 2 + (this.view.y - y) * scale - (grown * height) / 2;
    context.imageSmoothingEnabled = grown !== 1;
    context.drawImage(this.canvas, left, top, grown * width, grown * height);
  }

  private render(
    context: CanvasRenderingContext2D,
    { x, y, scale, width, height }: Camera,
    paint: (context: CanvasRenderingContext2D) => void,
  ): void {
    const pixels = context.canvas;
    if (this.canvas?.width !== pixels.width || this.canvas.height !== pixels.height) {
      this.canvas = new OffscreenCanvas(pixels.width, pixels.height);
    }
    // An offscreen context has all that the scene uses of a canvas's.
    const own = this.canvas.getContext("2d") as unknown as CanvasRenderingContext2D;
    own.setTransform(1, 0, 0, 1, 0, 0);
    own.clearRect(0, 0, pixels.width, pixels.height);
    own.setTransform(context.getTransform());
    own.lineJoin = "round";
    own.lineCap = "round";
    paint(own);
    this.view = { x, y, scale, width, height };
  }
}
