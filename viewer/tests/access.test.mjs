// Names for screen readers, contrast, keys, and small windows.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { open } from "./support.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

async function findings(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document));
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical" || impact === "moderate")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
}

for (const [width, height] of [
  [1280, 800],
  [768, 1024],
  [360, 740],
]) {
  for (const theme of ["light", "dark"]) {
    test(`axe finds nothing at ${width} pixels, ${theme}`, async (t) => {
      const page = await open(t, {
        width,
        height,
        theme,
        touch: width < 800,
        hash: "#map=hills.64.7&planner=haa",
      });
      assert.deepEqual(await findings(page), [], "Path");
      for (const name of ["Compare", "Agents", "Layers"]) {
        await page.getByRole("tab", { name }).click();
        await page.waitForTimeout(400);
        assert.deepEqual(await findings(page), [], name);
      }
      await page.keyboard.press("b");
      assert.deepEqual(await findings(page), [], "painting");
      await page.locator("#open").click();
      await page.waitForTimeout(300);
      assert.deepEqual(await findings(page), [], "gallery");
      await page.keyboard.press("Escape");
      await page.keyboard.press("?");
      await page.waitForTimeout(200);
      assert.deepEqual(await findings(page), [], "keys");
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `the page is ${wide} pixels wide`);
    });
  }
}

test("everything can be reached by the keyboard", async (t) => {
  const page = await open(t, { hash: "#map=open.64.3&planner=astar" });
  const seen = new Set();
  for (let i = 0; i < 60; ++i) {
    await page.keyboard.press("Tab");
    seen.add(
      await page.evaluate(() => {
        const element = document.activeElement;
        return element.getAttribute("aria-label") ?? element.id ?? element.textContent;
      }),
    );
  }
  for (const name of ["Move", "Paint", "Undo", "Save", "Dark or light", "Keys", "All of the map"]) {
    if (name === "Undo") continue; // nothing to undo yet
    assert.ok(seen.has(name), `${name} is not reached: ${[...seen].join("; ")}`);
  }
  assert.ok([...seen].some((name) => /^Start in column/.test(name)));
  assert.ok([...seen].some((name) => /^Goal in column/.test(name)));
});

test("two fingers zoom, one moves", async (t) => {
  const page = await open(t, {
    width: 360,
    height: 740,
    touch: true,
    hash: "#map=open.64.3&planner=astar",
  });
  const scale = () => page.evaluate(() => window.cairnViewer.scene.camera.scale);
  const before = await scale();
  await page.evaluate(() => {
    const canvas = document.getElementById("canvas");
    const send = (type, id, x, y) =>
      canvas.dispatchEvent(
        new PointerEvent(type, {
          pointerId: id,
          pointerType: "touch",
          clientX: x,
          clientY: y,
          button: 0,
          bubbles: true,
        }),
      );
    canvas.setPointerCapture = () => undefined;
    send("pointerdown", 1, 150, 200);
    send("pointerdown", 2, 200, 200);
    for (let i = 1; i <= 10; ++i) {
      send("pointermove", 1, 150 - 5 * i, 200);
      send("pointermove", 2, 200 + 5 * i, 200);
    }
    send("pointerup", 1, 100, 200);
    send("pointerup", 2, 250, 200);
  });
  assert.ok((await scale()) > 1.8 * before);
});

test("dark and light: what the system says, then the switch, which is kept", async (t) => {
  const page = await open(t, { theme: "dark" });
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  assert.equal(await theme(), "dark");
  await page.getByRole("button", { name: "Dark or light" }).click();
  assert.equal(await theme(), "light");
  await page.reload();
  await page.waitForSelector("body[data-ready]");
  assert.equal(await theme(), "light");
});
