// Elements in a line each.

type Child = Node | string | undefined | false;
type Properties = Record<string, unknown>;

/** An element with attributes, listeners (`onclick`) and children. */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") {
      element.addEventListener(key.slice(2), value as EventListener);
    } else if (key === "value") {
      (element as unknown as { value: string }).value = String(value);
    } else {
      element.setAttribute(key, value === true ? "" : String(value));
    }
  }
  element.append(...children.filter((child) => child !== undefined && child !== false));
  return element;
}

const ICONS = {
  look: "M9 11V5.5a1.5 1.5 0 0 1 3 0V10m0-5.5a1.5 1.5 0 0 1 3 0V10m0-3.5a1.5 1.5 0 0 1 3 0V14a6 6 0 0 1-6 6h-1a6 6 0 0 1-4.8-2.4L4 14.2a1.6 1.6 0 0 1 2.5-2L9 14",
  paint: "M14.5 4.5l5 5L9 20H4v-5zM12 7l5 5",
  erase: "M8 19h12M5 13.5L13.5 5a2 2 0 0 1 2.8 0l3.2 3.2a2 2 0 0 1 0 2.8L12 18.5H9zM9.5 9l6 6",
  undo: "M9 7L4.5 11.5 9 16M5 11.5h9a5 5 0 0 1 0 10h-2",
  redo: "M15 7l4.5 4.5L15 16M19 11.5h-9a5 5 0 0 0 0 10h2",
  fit: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  link: "M10 14a4 4 0 0 0 6 .4l3-3a4.2 4.2 0 0 0-6-6l-1.5 1.5M14 10a4 4 0 0 0-6-.4l-3 3a4.2 4.2 0 0 0 6 6l1.5-1.5",
  save: "M12 4v11M7.5 11L12 15.5 16.5 11M5 20h14",
  open: "M4 19V6a1 1 0 0 1 1-1h5l2 2.5h7a1 1 0 0 1 1 1V19z",
  light:
    "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6L7 7M17 17l1.4 1.4M18.4 5.6L17 7M7 17l-1.4 1.4",
  help: "M9.2 9.2a2.9 2.9 0 1 1 4.3 2.6c-1 .6-1.5 1.1-1.5 2.2M12 17.5v.1M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z",
  close: "M6 6l12 12M18 6L6 18",
  dice: "M5 5h14v14H5zM9 9v.1M15 15v.1M15 9v.1M9 15v.1M12 12v.1",
  play: "M8 5.5v13l10.5-6.5z",
  pause: "M8.5 5.5v13M15.5 5.5v13",
  back: "M16 6l-7 6 7 6M6.5 6v12",
  next: "M8 6l7 6-7 6M17.5 6v12",
  down: "M6 9.5l6 6 6-6",
} as const;

export type Icon = keyof typeof ICONS;

export function icon(name: Icon): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

/** A button with a picture; `label` is its name and its hint. */
export function iconButton(
  name: Icon,
  label: string,
  onclick: () => void,
  more: Properties = {},
): HTMLButtonElement {
  return h(
    "button",
    { type: "button", class: "icon", "aria-label": label, title: label, onclick, ...more },
    icon(name),
  );
}

/** A name with underscores as words: "cluster_size" is "Cluster size". */
export function words(name: string): string {
  const text = name.replaceAll("_", " ").replaceAll("-", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(0)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** A number with three digits that count, and commas. */
export function numberText(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString("en");
  return value.toLocaleString("en", { maximumSignificantDigits: 3 });
}

export function timeText(microseconds: number): string {
  if (microseconds < 1000) return `${numberText(microseconds)} µs`;
  if (microseconds < 1e6) return `${numberText(microseconds / 1000)} ms`;
  return `${numberText(microseconds / 1e6)} s`;
}

/** Gives a file to the user. */
export function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
