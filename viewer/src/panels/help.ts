// The dialog of the shortcuts.

import { h, iconButton } from "../dom.js";

const KEYS: readonly (readonly [string, string])[] = [
  ["V", "Move the map"],
  ["B", "Paint"],
  ["E", "Erase"],
  ["1 – 9", "Paint weight 1 to 9"],
  ["W", "Paint walls"],
  ["[ ]", "Smaller, larger brush"],
  ["Ctrl Z", "Undo"],
  ["Ctrl Y", "Redo"],
  ["S", "Start at the pointer"],
  ["G", "Goal at the pointer"],
  ["R", "Random start and goal"],
  ["P", "Play the search"],
  ["C", "Compare all planners"],
  ["A", "Agents in or away"],
  ["O", "Open a map"],
  ["F", "All of the map"],
  ["+ −", "Zoom"],
  ["← ↑ → ↓", "Move the map, or the chosen start or goal; with Shift ten cells"],
  ["Space", "Hold to move the map while painting"],
  ["D", "Dark or light"],
  ["?", "This list"],
];

export function help(version: () => string): HTMLDialogElement {
  const about = h("p", { class: "note" });
  const dialog = h(
    "dialog",
    { "aria-labelledby": "help-title" },
    h(
      "div",
      { class: "head" },
      h("h2", { id: "help-title" }, "Keys"),
      iconButton("close", "Close", () => dialog.close()),
    ),
    h(
      "div",
      { class: "body", tabindex: 0, role: "group", "aria-labelledby": "help-title" },
      h(
        "dl",
        { class: "keys" },
        ...KEYS.flatMap(([keys, what]) => [
          h(
            "dt",
            {},
            ...keys.split(" ").flatMap((key) => (key === "–" ? [" – "] : [h("kbd", {}, key), " "])),
          ),
          h("dd", {}, what),
        ]),
      ),
      h(
        "p",
        { class: "note" },
        "Mouse: drag moves the map, the wheel zooms, the right button always moves. Touch: one finger uses the tool, two fingers move and zoom.",
      ),
      about,
    ),
  );
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("open", () => {
    about.textContent = `Cairn ${version()}. The page works without a network, and sends nothing anywhere.`;
  });
  return dialog;
}
