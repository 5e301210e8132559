// What part of the map the window shows. Places are in cells, or in units of a mesh.

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export class Camera {
  /** The place in the middle of the window. */
  x = 0;
  y = 0;
  /** Pixels of a cell. */
  scale = 1;
  /** The window in pixels, and the part of it that nothing covers. */
  width = 1;
  height = 1;
  private box: Box = { x: 0, y: 0, width: 1, height: 1 };

  resize(width: number, height: number): void {
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
  }

  /** The map's place; how far one may zoom depends on it. */
  bound(box: Box): void {
    this.box = box;
  }

  /** Shows all of the map. */
  fit(): void {
    const { box } = this;
    const margin = Math.min(48, 0.06 * Math.min(this.width, this.height));
    this.scale = Math.min(
      (this.width - 2 * margin) / box.width,
      (this.height - 2 * margin) / box.height,
    );
    this.x = box.x + box.width / 2;
    this.y = box.y + box.height / 2;
  }

  /** The pixel of a place. */
  toPixel(x: number, y: number): [number, number] {
    return [
      this.width / 2 + (x - this.x) * this.scale,
      this.height / 2 + (y - this.y) * this.scale,
    ];
  }

  /** The place of a pixel. */
  toPlace(x: number, y: number): [number, number] {
    return [
      this.x + (x - this.width / 2) / this.scale,
      this.y + (y - this.height / 2) / this.scale,
    ];
  }

  pan(dx: number, dy: number): void {
    this.x -= dx / this.scale;
    this.y -= dy / this.scale;
    this.keepNear();
  }

  /** Zooms by a factor around a pixel. */
  zoom(factor: number, x = this.width / 2, y = this.height / 2): void {
    const [placeX, placeY] = this.toPlace(x, y);
    const least =
      (0.4 * Math.min(this.width, this.height)) / Math.max(this.box.width, this.box.height);
    const most = Math.max(64, least * 8, (0.5 * this.width) / Math.max(1e-9, this.box.width));
    this.scale = Math.min(most, Math.max(least, this.scale * factor));
    this.x = placeX - (x - this.width / 2) / this.scale;
    this.y = placeY - (y - this.height / 2) / this.scale;
    this.keepNear();
  }

  /** The places that the window shows. */
  get shown(): Box {
    const [x, y] = this.toPlace(0, 0);
    return { x, y, width: this.width / this.scale, height: this.height / this.scale };
  }

  private keepNear(): void {
    const { box } = this;
    this.x = Math.min(box.x + box.width, Math.max(box.x, this.x));
    this.y = Math.min(box.y + box.height, Math.max(box.y, this.y));
  }
}
