import axe from 'axe-core';
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { CHROMIUM } from '../../support/browser.ts';
import { isLongRun } from '../../support/long-run.ts';
import { until } from '../../support/until.ts';
import { startTongateServer, type TongateServer } from '../../v3/support/tongate-server.ts';
import { type ImageProxy, startImageProxy } from './image-proxy.ts';

/** CI may be five times slower than a laptop. */
export const PAGE_MS = 120_000;
/** The longest pause between two refreshes of a page. */
const REFRESH_MS = 5000;
/** For tests with a browser. */
export const TEST_MS = 300_000;

/** What opens the pages of the operator. */
export const ADMIN_KEY = 'right key of the operator';
export const GRAFANA_URL = 'http://grafana.example.com/d/tongate';

const BLANK = 'about:blank';
/** The page of the application that asks the server for nothing. */
const QUIET_PATH = '/search';
const VIEWPORT = { width: 1280, height: 900 };
const PROFILE: BrowserContextOptions = { viewport: VIEWPORT, colorScheme: 'light' };

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

interface OpenOptions extends Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'permissions'> {
  /** Without the key of the chain, which needs a profile of its own. */
  readonly hasNoKey?: boolean;
  /** In a profile of its own, with nothing cached, for tests that store something, change the clock or count requests. */
  readonly isAlone?: boolean;
  /** Console errors that the test provokes. */
  readonly expectedErrors?: RegExp;
  /** Called before the page is opened, to change what it gets. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

/** A server with the demo chain and an image proxy, and a browser; all browser tests of a run share them. */
export interface WebSite {
  readonly server: TongateServer;
  readonly images: ImageProxy;
  /**
   * Opens a page and waits until it has loaded. Pages share a profile, whose cache saves half of the time of loading them, and
   * tabs: a new one costs as much as what it shows. In a short run a tab that shows the application already is led to the page
   * as by a link, which costs a third of loading the document; those with options other than a look are always loaded.
   */
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
  const localStorage = [{ name: 'tongate-api-key', value: server.key }];
  const storageState = { cookies: [], origins: [{ origin: server.url, localStorage }] };
  const newProfile = (hasKey: boolean) => browser.newContext({ ...PROFILE, ...(hasKey && { storageState }) });
  const shared = await newProfile(true);
  /** Open pages, with the errors that their tests provoke. */
  const opened = new Map<Page, RegExp | undefined>();
  const unused: Page[] = [];
  /** Pages that were changed, which nobody gets again. */
  const changed = new WeakSet<Page>();
  /** Unused pages that still show the application. */
  const running = new WeakSet<Page>();
  const faults: string[] = [];

  async function newPage(context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    page.setDefaultTimeout(PAGE_MS);
    const report = (text: string) => {
      if (opened.get(page)?.test(text) !== true) faults.push(text);
    };
    page.on('console', (message) => message.type() === 'error' && report(`console: ${message.text()}`));
    page.on('pageerror', (error) => report(`error: ${error.message}`));
    page.on('request', (request) => {
      const isKnown = [server.url, images.url].includes(new URL(request.url()).origin);
      if (!isKnown && request.url() !== BLANK) report(`request: ${request.url()}`);
    });
    return page;
  }

  /** Ends what a page does, and keeps its tab for another one. */
  async function release(page: Page): Promise<void> {
    if (page.context() !== shared) await page.context().close();
    else if (changed.has(page)) await page.close();
    else {
      await page.evaluate('sessionStorage.clear()');
      if (!isLongRun && (await page.evaluate("document.getElementById('app') !== null"))) {
        await goWithin(page, QUIET_PATH);
        running.add(page);
      } else await page.goto(BLANK);
      unused.push(page);
    }
  }

  return {
    server,
    images,
    async open(path, { hasNoKey = false, isAlone = hasNoKey, expectedErrors, prepare, ...look } = {}) {
      const page = isAlone
        ? await newPage(await newProfile(!hasNoKey))
        : (unused.pop() ?? (await newPage(shared)));
      opened.set(page, expectedErrors);
      await applyLook(page, look);
      if (prepare !== undefined) {
        changed.add(page);
        await prepare(page);
      }
      const isRunning = running.delete(page);
      if (isRunning && prepare === undefined && expectedErrors === undefined) await goWithin(page, path);
      else await page.goto(server.url + path);
      await loaded(page);
      return page;
    },
    async closePages() {
      try {
        await Promise.all([...opened.keys()].map(release));
      } finally {
        opened.clear();
      }
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

type Look = Pick<OpenOptions, 'viewport' | 'colorScheme' | 'permissions'>;

async function applyLook(page: Page, look: Look): Promise<void> {
  const { viewport, colorScheme = 'light', permissions = [] } = look;
  if (permissions.length > 0) await page.context().grantPermissions(permissions);
  await page.setViewportSize(viewport ?? VIEWPORT);
  await page.emulateMedia({ colorScheme });
}

/** Goes to another page of the application that a tab shows, as a link does. */
async function goWithin(page: Page, path: string): Promise<void> {
  await page.evaluate(`{
    document.querySelector('main .page, main .problem')?.setAttribute('data-left', '');
    history.pushState(null, '', ${JSON.stringify(path)});
    dispatchEvent(new PopStateEvent('popstate'));
  }`);
  await page.locator('main [data-left]').waitFor({ state: 'detached' });
}

/** Waits until a page shows something, whose clock jumps from one refresh to the next. */
export async function untilRefreshed(page: Page, isShown: () => Promise<boolean>): Promise<void> {
  await until(async () => {
    await page.clock.fastForward(REFRESH_MS);
    // Time for the answer; calls of pages have a rate, too.
    await page.waitForTimeout(200);
    return isShown();
  });
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

/**
 * Serious findings of axe-core, one line each. It takes as long as all the rest of a test: a short run looks at some pages of
 * each kind, which ask for it with `always`.
 */
export async function seriousFindings(
  page: Page,
  { always = isLongRun }: { readonly always?: boolean } = {},
): Promise<string[]> {
  if (!always) return [];
  // Evaluated by the debugger, which the Content-Security-Policy does not concern.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<{ violations: readonly Finding[] }>(
    `axe.run({
      resultTypes: ['violations'],
      preload: false,
    })`,
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
