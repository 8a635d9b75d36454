import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { median } from '../support/measure.ts';

/** A page that was opened once with an empty cache. Times are milliseconds since the navigation began. */
interface Opening {
  readonly requests: number;
  /** Bytes as they were sent, headers included: page, scripts and styles, and answers of the API. */
  readonly fileBytes: number;
  readonly answerBytes: number;
  /** Anything is painted. */
  readonly firstPaint: number;
  /** All of the content is there. */
  readonly content: number;
  /** All of the content is there, and nothing keeps the main thread from answering to a click. */
  readonly interactive: number;
}

/** Medians of several openings. */
export interface PageFigures extends Opening {
  readonly name: string;
  readonly slowestInteractive: number;
}

const TIMEOUT_MS = 60_000;
/** A page is interactive where no long task follows for so long. */
const QUIET_MS = 500;
const POLL_MS = 100;
/** Time of the long tasks after which a click would be noticed. */
const WATCH = `
(() => {
  const state = globalThis.opening = { content: 0, busyUntil: 0 };
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      state.busyUntil = Math.max(state.busyUntil, startTime + duration);
  }).observe({ type: 'longtask', buffered: true });
  const look = () => {
    const isThere = document.querySelector('main .page .panel, main .problem') !== null
      && document.querySelector('main .loading') === null;
    if (isThere) state.content = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()`;
const IS_QUIET = `opening.content > 0 && performance.now() > Math.max(opening.content, opening.busyUntil) + ${QUIET_MS}`;
const READ = `({
  firstPaint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  content: opening.content,
  interactive: Math.max(opening.content, opening.busyUntil),
})`;

interface MeasuredPage {
  readonly name: string;
  readonly url: string;
  /** Of the person who opens it. */
  readonly apiKey: string;
  readonly runs: number;
}

/** Opens a page this many times, each time in a profile of its own. */
export async function measurePage(
  browser: Browser,
  { name, url, apiKey, runs }: MeasuredPage,
): Promise<PageFigures> {
  const openings: Opening[] = [];
  for (let run = 0; run < runs; run++) openings.push(await openOnce(browser, url, apiKey));
  const of = (pick: (opening: Opening) => number) => Math.round(median(openings.map(pick)));
  return {
    name,
    requests: of(({ requests }) => requests),
    fileBytes: of(({ fileBytes }) => fileBytes),
    answerBytes: of(({ answerBytes }) => answerBytes),
    firstPaint: of(({ firstPaint }) => firstPaint),
    content: of(({ content }) => content),
    interactive: of(({ interactive }) => interactive),
    slowestInteractive: Math.round(Math.max(...openings.map(({ interactive }) => interactive))),
  };
}

async function openOnce(browser: Browser, url: string, apiKey: string): Promise<Opening> {
  // The first visit of somebody whose browser knows gzip only.
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    extraHTTPHeaders: { 'accept-encoding': 'gzip' },
  });
  try {
    await context.addInitScript(`localStorage.setItem('tongate-api-key', '${apiKey}')`);
    const page = await context.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    const sent = await countBytes(page);
    await page.addInitScript(WATCH);
    await page.goto(url);
    while (!(await page.evaluate(IS_QUIET))) await sleep(POLL_MS);
    const times = await page.evaluate<Pick<Opening, 'firstPaint' | 'content' | 'interactive'>>(READ);
    return { ...sent(), ...times };
  } finally {
    await context.close();
  }
}

const DOCUMENTS = new Set(['Document', 'Script', 'Stylesheet']);

/** Counts what a page gets over the network. */
async function countBytes(page: Page) {
  const session = await page.context().newCDPSession(page);
  const types = new Map<string, string>();
  let fileBytes = 0;
  let answerBytes = 0;
  session.on('Network.responseReceived', ({ requestId, type }) => types.set(requestId, type));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (DOCUMENTS.has(types.get(requestId) ?? '')) fileBytes += encodedDataLength;
    else answerBytes += encodedDataLength;
  });
  await session.send('Network.enable');
  return () => ({ requests: types.size, fileBytes, answerBytes });
}
