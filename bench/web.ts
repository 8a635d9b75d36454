/**
 * Bytes that pages need at the first visit, and the time until they can be used, on a server with the demo chain.
 * Usage: npm run bench:web [-- --runs 5]. Exits with 1 if a goal is missed. Needs Chromium.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { CHROMIUM } from '../test/support/browser.ts';
import { findShownPages } from '../web/shown-pages.ts';
import { runInfo, writeResults } from './support/report.ts';
import { startTongate } from './support/servers.ts';
import { measurePage, type PageFigures } from './web/measure-page.ts';
import { missedGoals, type Report, toMarkdown } from './web/report.ts';

/** Pages that people open, by their names in `findShownPages`. */
const PAGES = [
  'front',
  'block-masterchain',
  'transaction',
  'trace-jetton-transfer',
  'account',
  'jetton',
  'collection',
  'nft',
  'domain',
  'tokens',
  'validators',
  'config',
  'local-chain',
  'dashboard',
  'admin',
];
const READY_MS = 120_000;
const POLL_MS = 500;

const { values } = parseArgs({ options: { runs: { type: 'string', default: '5' } } });
const runs = Number(values.runs);

/** Waits until the demo is in the index; returns the paths of the pages. */
async function findPages(
  url: string,
  apiKey: string,
): Promise<readonly (readonly [name: string, path: string])[]> {
  const deadline = Date.now() + READY_MS;
  while (Date.now() < deadline) {
    const paths: Record<string, string> = await findShownPages(url, apiKey).catch(() => ({}));
    if (PAGES.every((name) => name in paths)) return PAGES.map((name) => [name, paths[name]!]);
    await sleep(POLL_MS);
  }
  throw new Error(`The demo chain was not indexed within ${READY_MS} ms`);
}

async function measure(folder: string): Promise<Report> {
  if (CHROMIUM === undefined) throw new Error('There is no Chromium in PATH; CHROMIUM is the path of one');
  const { server } = await startTongate(folder);
  // That of the operator, who sees all pages.
  const apiKey = readFileSync(join(folder, 'data/localnet-api-key'), 'utf8').trim();
  try {
    const found = await findPages(server.url, apiKey);
    const browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
    });
    try {
      const pages: PageFigures[] = [];
      for (const [name, path] of found)
        pages.push(await measurePage(browser, { name, url: server.url + path, apiKey, runs }));
      return { ...runInfo(), chromium: browser.version(), runs, pages };
    } finally {
      await browser.close();
    }
  } finally {
    await server.stop();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'tongate-bench-'));
// Root runs the embedded PostgreSQL as another user, which needs access to its data directory.
chmodSync(folder, 0o755);
try {
  const report = await measure(folder);
  writeResults('web', report, toMarkdown(report));
  console.log(toMarkdown(report));
  process.exitCode = missedGoals(report).length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
