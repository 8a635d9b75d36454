import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiKey } from '../../src/access/keys.ts';
import { noteFailure, queueEvents } from '../../src/db/queries/webhook-events.ts';
import { insertWebhook } from '../../src/db/queries/webhooks.ts';
import { CHROMIUM, missingBrowser } from '../support/browser.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { makeDataDir, startTongate, type TongateProcess } from '../support/tongate-process.ts';

/** A machine may be five times slower than the one this was written on. */
const PATIENCE_MS = 120_000;
const TEST_MS = 300_000;
const ADMIN_KEY = 'right key of the operator';
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const isBuilt = existsSync(fileURLToPath(new URL('../../dist-web/index.html', import.meta.url)));
const skipped = missingBrowser || (isBuilt ? '' : ' (skipped: npm run build:web has not run)');

describe.skipIf(skipped !== '')(`pages of the operator${skipped}`, () => {
  let base: TestDatabase;
  let data: ReturnType<typeof makeDataDir>;
  let server: TongateProcess;
  let browser: Browser;
  beforeAll(async () => {
    [base, data] = [await createTestDatabase(), makeDataDir()];
    server = await startTongate({
      DATA_DIR: data.path,
      DATABASE_URL: base.url,
      LOCALNET_BLOCK_MS: '3600000',
      SHED_LOOP_DELAY_MS: '0',
      USAGE_FLUSH: '200ms',
      ADMIN_KEY,
      GRAFANA_URL: 'http://grafana.example.com/d/tongate',
    });
    browser = await chromium.launch({ executablePath: CHROMIUM!, args: FLAGS, timeout: PATIENCE_MS });
  }, TEST_MS);
  afterAll(async () => {
    await browser?.close();
    await server?.end('SIGTERM');
    await base?.drop();
    await data?.remove();
  }, TEST_MS);

  /** Opens a page; afterwards there must be no error in its console and no request to another host. */
  async function onPage(
    path: string,
    use: (page: Page) => Promise<void>,
    { refusals = false, colorScheme = 'light' as 'light' | 'dark', width = 1280 } = {},
  ): Promise<void> {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      // A browser reports every refused call, also those that a page expects.
      const isRefusal = refusals && /the server responded with a status of 4\d\d/.test(message.text());
      if (message.type() === 'error' && !isRefusal) faults.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url)) faults.push(`request to ${request.url()}`);
    });
    try {
      await page.goto(server.url + path);
      await use(page);
      expect(faults).toEqual([]);
    } finally {
      await context.close();
    }
  }

  async function unlock(page: Page, key = ADMIN_KEY): Promise<void> {
    await page.locator('input[name=admin-key]').fill(key);
    await page.getByRole('button', { name: 'Unlock' }).click();
  }

  async function seriousFindings(page: Page): Promise<string[]> {
    await page.evaluate(readFileSync(AXE, 'utf8'));
    const { violations } = await page.evaluate(
      () => (globalThis as unknown as { axe: { run(): Promise<AxeResult> } }).axe.run() as Promise<AxeResult>,
    );
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }

  const isTooWide = (page: Page) => page.evaluate('document.documentElement.scrollWidth > innerWidth');
  const ask = (path: string, body: object) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-admin-key': ADMIN_KEY },
      body: JSON.stringify(body),
    }).then((answer) => answer.json());

  test('the dashboard shows a summary to everybody and details with the key', {
    timeout: TEST_MS,
  }, async () => {
    await onPage(
      '/dashboard',
      async (page) => {
        await page.getByText('Masterchain head').waitFor();
        expect(await page.locator('.chart').count()).toBe(0);
        await unlock(page, 'wrong key');
        await page.getByText('The administration key is wrong').waitFor();
        await unlock(page);
        await page.locator('.chart canvas').first().waitFor();
        expect(await page.locator('.chart').count()).toBeGreaterThan(8);
        await page
          .getByRole('region', { name: 'Lite servers', exact: true })
          .first()
          .getByText('live', { exact: true })
          .waitFor();
        expect(await page.getByRole('link', { name: 'Grafana board' }).getAttribute('href')).toBe(
          'http://grafana.example.com/d/tongate',
        );
        // The key is kept until the tab is closed, and can be forgotten.
        await page.reload();
        await page.locator('.chart canvas').first().waitFor();
        await page.getByRole('button', { name: 'Lock' }).click();
        await page.getByRole('button', { name: 'Unlock' }).waitFor();
      },
      { refusals: true },
    );
  });

  test('the dashboard shows how far the indexer is behind', { timeout: TEST_MS }, async () => {
    await onPage(
      '/dashboard',
      async (page) => {
        await page.getByText('at the head').waitFor();
        await unlock(page);
        await page.locator('.chart canvas').first().waitFor();
        const client = new pg.Client({ connectionString: base.url });
        await client.connect();
        // Nobody can write blocks meanwhile.
        await client.query('begin; lock table blocks in share row exclusive mode');
        await ask('/localnet/mine', { count: 20 });
        await page.getByText(/\d+ blocks behind/).waitFor();
        await page.getByRole('progressbar', { name: 'Index progress' }).waitFor();
        await client.query('rollback');
        await client.end();
        await page.getByText('at the head').waitFor();
      },
      { refusals: true },
    );
  });

  test('the administration refuses a wrong key and opens with the right one', {
    timeout: TEST_MS,
  }, async () => {
    await onPage(
      '/admin',
      async (page) => {
        await unlock(page, 'wrong key');
        await page.getByText('The administration key is wrong').waitFor();
        expect(await page.getByRole('heading', { name: 'API keys' }).count()).toBe(0);
        await unlock(page);
        await page.getByRole('heading', { name: 'API keys' }).waitFor();
      },
      { refusals: true },
    );
  });

  test('a key is created and shown once, used, given another plan and revoked', {
    timeout: TEST_MS,
  }, async () => {
    await onPage(
      '/admin',
      async (page) => {
        await unlock(page);
        const form = page.getByRole('form', { name: 'New key' });
        await form.getByLabel('Name of the key').fill('<img src=x onerror=alert(1)> bot');
        await form.getByLabel('Owner (optional)').fill('Shop Ltd');
        await form.getByRole('button', { name: 'Create key' }).click();
        const key = await page.locator('.new-key code').textContent();
        expect(key).toMatch(/^tg_/);
        const row = page.getByRole('row').filter({ hasText: '<img src=x onerror=alert(1)> bot' });
        await row.getByText('Shop Ltd').waitFor();
        const call = await fetch(`${server.url}/api/v2/getMasterchainInfo`, {
          headers: { 'x-api-key': key! },
        });
        expect(call.status).toBe(200);
        await page.getByRole('button', { name: 'Refresh' }).click();
        const used = page.getByRole('region', { name: 'Usage', exact: true }).getByRole('row');
        await used.filter({ hasText: 'bot' }).waitFor();

        await row.getByRole('combobox').selectOption('pro');
        await row.getByText('500 rps').waitFor();
        await page.getByLabel('Plan that the keys of Shop Ltd share').selectOption('basic');
        await row.getByText('basic, 25 rps').waitFor();

        await row.getByRole('button', { name: /Revoke key/ }).click();
        await row.getByRole('button', { name: 'Cancel' }).click();
        await row.getByRole('button', { name: /Revoke key/ }).click();
        await row.getByRole('button', { name: 'Revoke for good' }).click();
        await page.getByRole('button', { name: 'Show 1 revoked' }).click();
        await row.getByText('revoked', { exact: true }).waitFor();
      },
      { refusals: true },
    );
  });

  test('webhooks are paused, and dead letters are sent again', { timeout: TEST_MS }, async () => {
    await addDeadLetter(base);
    await onPage(
      '/admin',
      async (page) => {
        await unlock(page);
        const row = page.getByRole('row').filter({ hasText: 'https://example.com/hook' });
        await row.getByRole('button', { name: /Pause webhook/ }).click();
        await row.getByText('paused').waitFor();
        await row.getByRole('button', { name: 'Dead letters' }).click();
        const letters = page.getByRole('list', { name: 'Dead letters' });
        await letters.getByText('no route to host').waitFor();
        await letters.getByRole('button', { name: 'Send again' }).click();
        await page.getByText('No dead letters are left.').waitFor();
      },
      { refusals: true },
    );
  });

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
  ] as const)(
    'have no serious finding of axe-core (%s, %i wide)',
    { timeout: TEST_MS },
    async (colorScheme, width) => {
      await createApiKey(base.database, { name: 'axe', plan: 'free', rps: 5, networks: [], owner: 'axe' });
      const look = { refusals: true, colorScheme, width };
      for (const path of ['/dashboard', '/admin'])
        await onPage(
          path,
          async (page) => {
            await page.getByRole('button', { name: 'Unlock' }).waitFor();
            expect(await seriousFindings(page), `${path}, locked`).toEqual([]);
            await unlock(page);
            await page.locator('.chart canvas').first().waitFor();
            expect(await seriousFindings(page), path).toEqual([]);
            expect(await isTooWide(page), `${path} is wider than the window`).toBe(false);
          },
          look,
        );
    },
  );
});

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

async function addDeadLetter({ database }: TestDatabase): Promise<void> {
  await database.write(async (db) => {
    const webhook = await insertWebhook(db, {
      webhook: {
        keyId: null,
        url: 'https://example.com/hook',
        secret: Buffer.alloc(32),
        types: ['actions'],
        actionTypes: [],
        includeAddressBook: false,
        includeMetadata: false,
        cursor: 'start',
      },
      addresses: [],
      maxOfKey: 1,
    });
    const webhookId = webhook!.id;
    const events = [{ account: Buffer.alloc(33, 1), eventId: 'letter', body: '{"id":"letter"}' }];
    await queueEvents(db, { webhookId, from: 'start', to: 'start', events });
    await noteFailure(db, { webhookId, eventId: 'letter', error: 'no route to host', isDead: true });
  });
}
