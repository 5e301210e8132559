import { constants, layouts } from "./generated/layouts.js";
import type { Wasm } from "./wasm.js";

/** An option of a planner, or of its queries. */
export interface Field {
  name: string;
  type: "flag" | "integer" | "number" | "size" | "choice";
  help: string;
  least: number;
  most: number;
  /** The usual value; of a choice its word. */
  usual: number | boolean | string;
  choices: string[];
}

/** A planner of the library. */
export interface Planner {
  name: string;
  /** What its paths lead over. */
  space: "grid" | "mesh";
  summary: string;
  /** Whether every path is of least cost. */
  exact: boolean;
  hasIndex: boolean;
  hasLabels: boolean;
  /** What `build` takes. */
  options: Field[];
  /** What queries take. */
  query: Field[];
}

const TYPES = ["flag", "integer", "number", "size", "choice"] as const;

function fieldOf(wasm: Wasm, planner: number, which: number, number: number): Field {
  const info = wasm.struct("cairn_field");
  wasm.check(wasm.call.cairn_planner_field!(planner, which, number, info));
  const member = (name: string): number => wasm.read("cairn_field", info, name);
  const type = TYPES[member("type")]!;
  const choices = Array.from({ length: member("num_choices") }, (_, choice) =>
    wasm.textAt(wasm.call.cairn_planner_choice!(planner, which, number, choice)),
  );
  const usual = member("usual");
  return {
    name: wasm.textAt(member("name")),
    type,
    help: wasm.textAt(member("help")),
    least: member("least"),
    most: member("most"),
    usual: type === "flag" ? usual !== 0 : type === "choice" ? choices[usual]! : usual,
    choices,
  };
}

/** The planners of the library, with all their options. */
export function plannersOf(wasm: Wasm): Planner[] {
  const count = wasm.call.cairn_num_planners!() as number;
  return Array.from({ length: count }, (_, number) =>
    wasm.scoped(() => {
      const info = wasm.struct("cairn_planner");
      wasm.check(wasm.call.cairn_planner_get!(number, info));
      const member = (name: keyof typeof layouts.cairn_planner.fields): number =>
        wasm.read("cairn_planner", info, name);
      const fields = (which: number, length: number): Field[] =>
        Array.from({ length }, (_, field) =>
          wasm.scoped(() => fieldOf(wasm, number, which, field)),
        );
      return {
        name: wasm.textAt(member("name")),
        space: member("space") === constants.CAIRN_GRID ? "grid" : "mesh",
        summary: wasm.textAt(member("summary")),
        exact: member("exact") !== 0,
        hasIndex: member("has_index") !== 0,
        hasLabels: member("has_labels") !== 0,
        options: fields(constants.CAIRN_OPTIONS, member("num_options")),
        query: fields(constants.CAIRN_QUERY, member("num_query_fields")),
      } satisfies Planner;
    }),
  );
}
