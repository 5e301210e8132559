import { constants } from "./generated/layouts.js";

const NAMES = [
  "ok", "start_outside", "goal_outside", "start_blocked", "goal_blocked", "no_path",
  "over_cost_limit", "budget_exhausted", "cancelled", "stale_index", "unsupported", "bad_option",
  "too_large", "io_error", "corrupt_file", "wrong_version", "wrong_map", "no_device",
  "out_of_memory", "device_failed", "cost_too_large",
] as const;

/** What a call says: `"ok"`, or why it failed. The names are those of `cairn_status_name`. */
export type Status = (typeof NAMES)[number];

/** The name of a status number, such as those of `Paths.statuses`. */
export function statusName(status: number): Status {
  return NAMES[status] ?? "unsupported";
}

/** What Cairn throws: `status` says what kind of error it is, `message` what is wrong. */
export class CairnError extends Error {
  constructor(
    readonly status: Status,
    message: string,
  ) {
    super(message);
    this.name = "CairnError";
  }
}

const WITHOUT_PATH: ReadonlySet<number> = new Set([
  constants.CAIRN_NO_PATH,
  constants.CAIRN_START_BLOCKED,
  constants.CAIRN_GOAL_BLOCKED,
  constants.CAIRN_OVER_COST_LIMIT,
]);

/** Whether a status says that there is no path, which is an answer and no error. */
export function isWithoutPath(status: number): boolean {
  return WITHOUT_PATH.has(status);
}
