import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createApiKey } from '../../../src/access/keys.ts';
import { noteFailure } from '../../../src/webhooks/stored-events.ts';
import type { TestDatabase } from '../../support/database.ts';
import { isLongRun } from '../../support/long-run.ts';
import { storeEvents, storeWebhook } from '../../webhooks/support/webhook-rows.ts';
import {
  ADMIN_KEY,
  GRAFANA_URL,
  seriousFindings,
  untilRefreshed,
  type WebSite,
  widthOf,
} from '../support/web-site.ts';

const RATE_WINDOW_MS = 1000;
/** A browser reports every refused call, also those that a page expects. */
const expectedErrors = /the server responded with a status of 4\d\d/;

async function unlock(page: Page, key = ADMIN_KEY): Promise<void> {
  await page.locator('input[name=admin-key]').fill(key);
  await page.getByRole('button', { name: 'Unlock' }).click();
}

/** Dashboard and administration. */
export function operatorPages(site: () => WebSite): void {
  const open = (path: string, options: object = {}) => site().open(path, { expectedErrors, ...options });

  test('the dashboard shows a summary to everybody and details with the key', async () => {
    // More than of most operations, so that they are on the page.
    await Promise.all(Array.from({ length: 40 }, () => site().server.get('/no-such-path')));
    // They are counted with the calls of the page, of which an address has so many per second.
    await sleep(RATE_WINDOW_MS);
    const page = await open('/dashboard');
    await page.getByText('Masterchain head').waitFor();
    expect(await page.locator('.chart').count()).toBe(0);
    await unlock(page, 'wrong key');
    await page.getByText('The administration key is wrong').waitFor();
    await unlock(page);
    await page.locator('.chart canvas').first().waitFor();
    expect(await page.locator('.chart').count()).toBeGreaterThan(8);
    // The label of the last time has room: its middle is where the lines end.
    const [canvas, lines] = await Promise.all(
      ['.chart canvas', '.chart .u-over'].map((name) => page.locator(name).first().boundingBox()),
    );
    expect(canvas!.x + canvas!.width - (lines!.x + lines!.width)).toBeGreaterThanOrEqual(25);
    await page
      .locator('.badge', { hasText: /^live$/ })
      .first()
      .waitFor();
    const operations = page.getByRole('region', { name: 'Operations' }).getByRole('row');
    await operations.filter({ hasText: 'unknown path' }).waitFor();
    expect(await operations.filter({ hasText: 'none' }).count()).toBe(0);
    const link = page.getByRole('link', { name: 'Grafana board' });
    expect(await link.getAttribute('href')).toBe(GRAFANA_URL);
    // The key is kept until the tab is closed, and can be forgotten.
    await page.reload();
    await page.locator('.chart canvas').first().waitFor();
    await page.getByRole('button', { name: 'Lock' }).click();
    await page.getByRole('button', { name: 'Unlock' }).waitFor();
  });

  test.runIf(isLongRun)('the dashboard shows how far the indexer is behind', async () => {
    const { server } = site();
    const page = await open('/dashboard', { isAlone: true, prepare: (one: Page) => one.clock.install() });
    await unlock(page);
    const isAtHead = () => page.getByText('at the head').isVisible();
    await untilRefreshed(page, isAtHead);
    const client = new pg.Client({ connectionString: server.base.url });
    await client.connect();
    try {
      // Nobody can write blocks meanwhile.
      await client.query('begin; lock table blocks in share row exclusive mode');
      await server.mine(20);
      await untilRefreshed(page, () => page.getByText(/\d+ blocks behind/).isVisible());
      await page.getByRole('progressbar', { name: 'Index progress' }).waitFor();
    } finally {
      await client.end();
    }
    await untilRefreshed(page, isAtHead);
    await server.untilIndexed();
  });

  test('the administration refuses a wrong key and opens with the right one', async () => {
    const page = await open('/admin');
    await unlock(page, 'wrong key');
    await page.getByText('The administration key is wrong').waitFor();
    expect(await page.getByRole('heading', { name: 'API keys' }).count()).toBe(0);
    await unlock(page);
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
  });

  test('a key is created and shown once, used, given another plan and revoked', async () => {
    const page = await open('/admin');
    await unlock(page);
    const form = page.getByRole('form', { name: 'New key' });
    await form.getByLabel('Name of the key').fill('<img src=x onerror=alert(1)> bot');
    await form.getByLabel('Owner (optional)').fill('Shop Ltd');
    await form.getByRole('button', { name: 'Create key' }).click();
    const key = await page.locator('.new-key code').textContent();
    expect(key).toMatch(/^tg_/);
    const keys = page.getByRole('region', { name: 'API keys' }).getByRole('row');
    const row = keys.filter({ hasText: '<img src=x onerror=alert(1)> bot' }).first();
    await row.getByText('Shop Ltd').waitFor();
    const headers = { 'x-api-key': key! };
    const call = await fetch(`${site().server.url}/api/v2/getMasterchainInfo`, { headers });
    expect(call.status).toBe(200);
    await page.getByRole('button', { name: 'Refresh' }).click();
    const used = page.getByRole('region', { name: 'Usage', exact: true }).getByRole('row');
    await used.filter({ hasText: 'bot' }).first().waitFor();

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
  });

  test('webhooks are paused and deleted, and dead letters are sent again', async () => {
    await addDeadLetter(site().server.base);
    const page = await open('/admin');
    await unlock(page);
    const row = page.getByRole('row').filter({ hasText: 'https://example.com/hook' }).first();
    await row.getByRole('button', { name: /Pause webhook/ }).click();
    await row.getByText('paused').waitFor();
    await row.getByRole('button', { name: 'Dead letters' }).click();
    const letters = page.getByRole('list', { name: 'Dead letters' });
    await letters.getByText('no route to host').waitFor();
    await letters.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('No dead letters are left.').waitFor();
    await row.getByRole('button', { name: /Delete webhook/ }).click();
    await row.getByRole('button', { name: 'Delete with all its events' }).click();
    await row.waitFor({ state: 'detached' });
  });

  const variants: readonly (readonly ['light' | 'dark', number])[] = [
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
  ];
  test.runIf(isLongRun).each(variants)(
    'have no serious finding of axe-core (%s, %i wide)',
    async (colorScheme, width) => {
      const key = { name: 'axe', plan: 'free', rps: 5, networks: [], owner: 'axe' };
      await createApiKey(site().server.base.database, key);
      for (const path of ['/dashboard', '/admin']) {
        const page = await open(path, { colorScheme, viewport: { width, height: 900 } });
        await page.getByRole('button', { name: 'Unlock' }).waitFor();
        expect(await seriousFindings(page), `${path}, locked`).toEqual([]);
        await unlock(page);
        await page.locator('.chart canvas').first().waitFor();
        expect(await seriousFindings(page), path).toEqual([]);
        expect(await widthOf(page), `width of ${path}`).toBeLessThanOrEqual(width);
      }
    },
  );
}

/** Adds a webhook of the operator with an event that was given up. */
async function addDeadLetter({ database }: TestDatabase): Promise<void> {
  const { id: webhookId } = await storeWebhook(database, { url: 'https://example.com/hook' });
  const events = [{ account: Buffer.alloc(33, 1), eventId: 'letter', body: '{"id":"letter"}' }];
  await storeEvents(database, webhookId, events);
  await database.write((db) =>
    noteFailure(db, { webhookId, eventId: 'letter', error: 'no route to host', isDead: true }),
  );
}
