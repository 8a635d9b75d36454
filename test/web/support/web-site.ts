import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { CHROMIUM } from '../../support/browser.ts';
import { startTongateServer, type TongateServer } from '../../v3/support/tongate-server.ts';
import { type ImageProxy, startImageProxy } from './image-proxy.ts';

/** CI may be five times slower than a laptop. */
export const PAGE_MS = 120_000;
/** For tests with a browser. */
export const TEST_MS = 300_000;

/** What opens the pages of the operator. */
export const ADMIN_KEY = 'right key of the operator';
export const GRAFANA_URL = 'http://grafana.example.com/d/tongate';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // One process for all pages, and none in reserve: together a third of the CPU time of an empty page.
  '--renderer-process-limit=1',
  '--disable-site-isolation-trials',
  '--disable-features=PreloadTopChromeWebUI,SpareRendererForSitePerProcess',
];

interface OpenOptions extends BrowserContextOptions {
  /** Console errors that the test provokes. */
  readonly expectedErrors?: RegExp;
  /** Called before the page is opened, to change what it gets. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

/** A server with the demo chain and an image proxy, and a browser; all browser tests of a run share them. */
export interface WebSite {
  readonly server: TongateServer;
  readonly images: ImageProxy;
  /** Opens a page in a profile of its own and waits until it has loaded. */
  readonly open: (path: string, options?: OpenOptions) => Promise<Page>;
  /** Closes the pages of a test; throws if one of them logged an error or asked another host. */
  readonly closePages: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Starts all of them. */
export async function startWebSite(): Promise<WebSite> {
  const images = await startImageProxy();
  const server = await startTongateServer({
    settings: { ADMIN_KEY, GRAFANA_URL, USAGE_FLUSH: '200ms', IMGPROXY_URL: images.url },
  });
  await server.untilClassified();
  const browser = await chromium.launch({ executablePath: CHROMIUM!, args: FLAGS, timeout: PAGE_MS });
  const opened: Page[] = [];
  const faults: string[] = [];
  return {
    server,
    images,
    async open(path, { expectedErrors, prepare, ...options } = {}) {
      const page = await newPage(browser, options);
      opened.push(page);
      const report = (text: string) => {
        if (expectedErrors?.test(text) !== true) faults.push(text);
      };
      page.on('console', (message) => message.type() === 'error' && report(`console: ${message.text()}`));
      page.on('pageerror', (error) => report(`error: ${error.message}`));
      page.on('request', (request) => {
        const isKnown = [server.url, images.url].includes(new URL(request.url()).origin);
        if (!isKnown) report(`request: ${request.url()}`);
      });
      await prepare?.(page);
      await page.goto(server.url + path);
      await loaded(page);
      return page;
    },
    async closePages() {
      await Promise.all(opened.splice(0).map((page) => page.context().close()));
      const found = faults.splice(0);
      if (found.length > 0) throw new Error(`Pages had faults:\n${found.join('\n')}`);
    },
    async close() {
      await browser.close();
      await server.close();
      await images.close();
    },
  };
}

async function newPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PAGE_MS);
  return page;
}

/** Waits until a page shows its content, and nothing in it is still being loaded. */
export async function loaded(page: Page): Promise<void> {
  await page.locator('main .page, main .problem').first().waitFor();
  await page.locator('main .loading').first().waitFor({ state: 'detached' });
}

/** Width of the whole page: more than that of the window means that it scrolls sideways. */
export function widthOf(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth');
}

/** Serious findings of axe-core, one line each. */
export async function seriousFindings(page: Page): Promise<string[]> {
  // Evaluated by the debugger, which the Content-Security-Policy does not concern.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<{ violations: readonly Finding[] }>(
    "axe.run({ resultTypes: ['violations'], preload: false })",
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}
