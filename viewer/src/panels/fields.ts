// Controls of options, made from the tables of the library.

import type { Field } from "cairn-path";
import { h, words } from "../dom.js";
import type { Options } from "../state.js";

/** Options that the page sets itself or has another place for. */
const ELSEWHERE = new Set(["detail", "size", "capability"]);

/** A control for each field; `set` hears of a value, undefined for the usual one. */
export function fieldControls(
  fields: readonly Field[],
  options: Options,
  prefix: string,
  set: (name: string, value: string | undefined) => void,
): HTMLElement[] {
  return fields
    .filter(({ name }) => !ELSEWHERE.has(name))
    .map((field) => fieldControl(field, options[field.name], `${prefix}-${field.name}`, set));
}

function fieldControl(
  field: Field,
  value: string | undefined,
  id: string,
  set: (name: string, value: string | undefined) => void,
): HTMLElement {
  const { name, type, usual, choices, least, most, help } = field;
  const now = value ?? String(usual);
  const put = (text: string): void => set(name, text === String(usual) ? undefined : text);
  let control: HTMLElement;
  if (type === "flag") {
    control = h("input", {
      id,
      type: "checkbox",
      checked: now === "true" || now === "1",
      onchange: (event: Event) => put(String((event.target as HTMLInputElement).checked)),
    });
  } else if (type === "choice") {
    const offered = choices.filter((choice) => choice !== "multilevel");
    control = h(
      "select",
      { id, onchange: (event: Event) => put((event.target as HTMLSelectElement).value) },
      ...offered.map((choice) =>
        h("option", { value: choice, selected: choice === now }, words(choice)),
      ),
    );
  } else {
    const unlimited = Number(usual) >= 4294967295;
    control = h("input", {
      id,
      type: "number",
      min: least,
      max: most,
      step: type === "number" ? "any" : 1,
      placeholder: unlimited ? "no limit" : String(usual),
      value: value ?? (unlimited ? "" : String(usual)),
      onchange: (event: Event) => {
        const input = event.target as HTMLInputElement;
        if (input.value === "") return put(String(usual));
        const given = Number(input.value);
        if (!Number.isFinite(given)) return undefined;
        const whole = type === "number" ? given : Math.round(given);
        const fitting = String(Math.min(most, Math.max(least, whole)));
        input.value = fitting;
        return put(fitting);
      },
    });
  }
  // The help of a choice begins with what the option is, and goes on with each choice.
  return h(
    "div",
    { class: value === undefined ? "field" : "field changed" },
    h("label", { for: id }, words(name)),
    control,
    h("small", {}, help),
  );
}
