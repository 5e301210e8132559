// The tabs of the panel.

import { h } from "../dom.js";

export interface Tab {
  name: string;
  title: string;
  page: HTMLElement;
}

/** Fills the panel; returns what shows a tab. A page hears `shown` when it is. */
export function tabs(all: readonly Tab[]): (name: string) => void {
  const bar = document.getElementById("tabs")!;
  const pages = document.getElementById("pages")!;
  const show = (name: string, focus = false): void => {
    for (const tab of all) {
      const selected = tab.name === name;
      const button = document.getElementById(`tab-${tab.name}`)!;
      button.setAttribute("aria-selected", String(selected));
      button.tabIndex = selected ? 0 : -1;
      tab.page.hidden = !selected;
      if (!selected) continue;
      if (focus) button.focus();
      tab.page.dispatchEvent(new Event("shown"));
    }
    pages.scrollTop = 0;
  };
  for (const { name, title, page } of all) {
    page.id = `page-${name}`;
    page.setAttribute("role", "tabpanel");
    page.setAttribute("aria-labelledby", `tab-${name}`);
    bar.append(
      h(
        "button",
        {
          type: "button",
          role: "tab",
          id: `tab-${name}`,
          "aria-controls": page.id,
          onclick: () => show(name),
        },
        title,
      ),
    );
    pages.append(page);
  }
  bar.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const now = all.findIndex(({ name }) => document.activeElement?.id === `tab-${name}`);
    show(all[(now + step + all.length) % all.length]!.name, true);
  });
  show(all[0]!.name);
  return show;
}
