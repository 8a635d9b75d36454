import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import axe from 'axe-core';
import { chromium, type Page } from 'playwright-core';
import { findShownPages } from './shown-pages.ts';

// `npm run screenshots -- DIR [URL [NAME…]]` photographs pages of a running server (by default that of `npm start`), wide and
// narrow, light and dark, all or those with these names, with the key in API_KEY or that of the local chain in `data`. Exits with 1 if axe-core has a serious finding, or a page is wider than
// the window.

const [folder, server = 'http://127.0.0.1:8081', ...wanted] = process.argv.slice(2);
if (folder === undefined) throw new Error('Usage: npm run screenshots -- DIR [URL [NAME…]]');
const localKey = readFile('data/localnet-api-key', 'utf8').catch(() => '');
const apiKey = (process.env.API_KEY ?? (await localKey)).trim();
const TIMEOUT_MS = 120_000;
const WIDTHS = [1280, 390];

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

async function faultsOf(page: Page, width: number): Promise<string[]> {
  // Evaluated by the debugger, which the Content-Security-Policy does not concern.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<{ violations: readonly Finding[] }>('axe.run()');
  const whole = await page.evaluate<number>('document.documentElement.scrollWidth');
  // What else it finds in documentation pages is Swagger UI's.
  const isDocs = (await page.locator('.swagger-ui').count()) > 0;
  return [
    ...violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .filter(({ id }) => !isDocs || id === 'color-contrast')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)),
    ...(whole > width ? [`${whole} pixels wide`] : []),
  ];
}

await mkdir(folder, { recursive: true });
const pages = Object.entries(await findShownPages(server, apiKey)).filter(
  ([name]) => wanted.length === 0 || wanted.includes(name),
);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
  ],
  timeout: TIMEOUT_MS,
});
for (const width of WIDTHS) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    if (apiKey !== '') await context.addInitScript(`localStorage.setItem('tongate-api-key', '${apiKey}')`);
    const page = await context.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    for (const [name, path] of pages) {
      await page.goto(server + path);
      await page.locator('.panel, .problem, .opblock').first().waitFor();
      await page.waitForFunction(() => document.querySelector('.loading') === null);
      const picture = `${name}-${width}-${colorScheme}`;
      await page.screenshot({ path: join(folder, `${picture}.png`), fullPage: true });
      for (const fault of await faultsOf(page, width)) {
        process.stderr.write(`${picture}: ${fault}\n`);
        process.exitCode = 1;
      }
    }
    await context.close();
  }
}
await browser.close();
