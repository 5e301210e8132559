// A browser with the page, as built into dist/.
//
// CAIRN_CHROMIUM names the browser (/usr/bin/chromium). CAIRN_TOOL names the command line tool, whose
// costs are compared; tests that need it are skipped without it.

import { after } from "node:test";
import { chromium } from "playwright-core";
import { serve } from "../serve.mjs";

const executablePath = process.env.CAIRN_CHROMIUM ?? "/usr/bin/chromium";
const [{ server, address }, browser] = await Promise.all([
  serve(0),
  chromium.launch({ executablePath, args: ["--no-sandbox"] }),
]);
export { address };

after(async () => {
  await browser.close();
  server.close();
});

/** Opens the page and waits for its first answer. Fails the test on errors in the console. */
export async function open(
  test,
  { hash = "", width = 1280, height = 800, theme = "light", touch = false, workers = "block" } = {},
) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    hasTouch: touch,
    serviceWorkers: workers,
    reducedMotion: "reduce",
    acceptDownloads: true,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.stack ?? error.message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  test.after(async () => {
    await context.close();
    if (errors.length > 0) throw new Error(`errors in the page: ${errors.join("\n")}`);
  });
  await page.goto(address + hash);
  await page.waitForSelector("body[data-ready]");
  await answered(page);
  return page;
}

/** Waits until the answer of what is shown now is there. */
export async function answered(page) {
  await page.waitForSelector("#answer dl, #answer .problem");
  await page.waitForTimeout(120);
  await page.waitForFunction(() => document.getElementById("busy").textContent === "");
}

/** The cost of the path that is shown, in whole units. */
export async function cost(page) {
  return Number(await page.locator("#answer").getAttribute("data-cost"));
}

/** A metric of a panel, as text. */
export async function metric(page, name) {
  return page.locator(`[data-metric="${name}"]`).first().innerText();
}

/** The number in front of a metric's unit. */
export async function metricNumber(page, name) {
  return parseFloat((await metric(page, name)).replaceAll(",", ""));
}

/** The pixel of the middle of a cell; the whole map is shown. */
export async function pixelOf(page, column, row, size) {
  const box = await page.locator("#canvas").boundingBox();
  const margin = Math.min(48, 0.06 * Math.min(box.width, box.height));
  const scale = Math.min((box.width - 2 * margin) / size, (box.height - 2 * margin) / size);
  return [
    box.x + box.width / 2 + (column + 0.5 - size / 2) * scale,
    box.y + box.height / 2 + (row + 0.5 - size / 2) * scale,
  ];
}

/** Gives files to the page as if they were chosen in the gallery: names with their content. */
export async function choose(page, files) {
  const list = Object.entries(files).map(([name, content]) => ({
    name,
    mimeType: "application/octet-stream",
    buffer: Buffer.from(content),
  }));
  await page.locator("input[type=file]").setInputFiles(list);
}

/** What a menu entry under Save gives: its name and bytes. */
export async function saved(page, name) {
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: new RegExp(`^${name}`) }).click(),
  ]);
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  return { name: download.suggestedFilename(), bytes: Buffer.concat(chunks) };
}
