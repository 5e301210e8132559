// Pictures of the page, and its frame rate: `node look.mjs FOLDER` writes PNG files and frames.csv.
// CAIRN_CHROMIUM names the browser (/usr/bin/chromium).

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { serve } from "./serve.mjs";

const folder = process.argv[2] ?? ".";
mkdirSync(folder, { recursive: true });
const { server, address } = await serve(0);
const executablePath = process.env.CAIRN_CHROMIUM ?? "/usr/bin/chromium";
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });

async function open(hash, colorScheme = "light", width = 1280, height = 800) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    serviceWorkers: "block",
  });
  const page = await context.newPage();
  await page.goto(address + hash);
  await page.waitForSelector("body[data-ready]");
  await page.waitForTimeout(1500);
  return page;
}

async function picture(page, name) {
  await page.screenshot({ path: join(folder, name) });
  await page.context().close();
}

await picture(
  await open("#map=hills.256.7&planner=hpa&start=30,60&goal=240,200&layers=nodes,clusters"),
  "viewer.png",
);

const search = await open("#map=caves.128.7&planner=hpa&layers=clusters", "dark");
await search.locator("#play-search").click();
await search.waitForTimeout(3500);
await search.getByRole("button", { name: "Pause" }).first().click();
await picture(search, "viewer-search.png");

const rows = ["map,size,agents,planner,frames_per_second"];
for (const agents of [2000, 5000]) {
  const page = await open("#map=rooms.512.7&planner=subgoal&layers=nodes", "light", 1440, 900);
  await page.getByRole("tab", { name: "Agents" }).click();
  await page.locator("#crowd-count").selectOption(String(agents));
  await page.locator("#crowd-start").click();
  await page.waitForSelector('[data-metric="frames"]', { timeout: 60000 });
  await page.waitForTimeout(2000);
  const rate = await page.evaluate(
    () =>
      new Promise((resolve) => {
        let frames = 0;
        const begin = performance.now();
        const next = () => {
          ++frames;
          if (performance.now() - begin < 5000) requestAnimationFrame(next);
          else resolve((frames * 1000) / (performance.now() - begin));
        };
        requestAnimationFrame(next);
      }),
  );
  rows.push(`rooms,512 x 512,${agents},subgoal,${rate.toFixed(1)}`);
  if (agents === 2000) {
    await page.getByRole("tab", { name: "Layers" }).click();
    await page.locator("#layer-flow").check();
    await page.waitForTimeout(4000);
    await picture(page, "viewer-agents.png");
  } else {
    await page.context().close();
  }
}
writeFileSync(join(folder, "frames.csv"), `${rows.join("\n")}\n`);
console.log(rows.join("\n"));
await browser.close();
server.close();
