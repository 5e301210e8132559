import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { load } from "cairn-path";
import { golden } from "./golden.mjs";

// What golden.c has printed, with the C library of this system.
const file = process.env.CAIRN_GOLDEN;

test("answers and index files equal those of the C library", { skip: !file }, async () => {
  const native = Object.fromEntries(
    readFileSync(file, "utf8").trim().split("\n").map((line) => {
      const space = line.lastIndexOf(" ");
      return [line.slice(0, space), line.slice(space + 1)];
    }),
  );
  assert.deepEqual(golden(await load({ parts: "all" })), native);
});
