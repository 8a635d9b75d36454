import { expect, it } from 'vitest';
import { isLongRun } from '../../support/long-run.ts';
import { loaded, seriousFindings, type WebSite } from '../support/web-site.ts';
import { jettonOf, walletOf } from './account-page.ts';

/** Pages of jettons, NFTs, domains, validators and the configuration. */
export function tokenPages(site: () => WebSite): void {
  it('a jetton shows metadata, supply, holders and transfers', async () => {
    const { open, server } = site();
    const demo = await jettonOf(server, 'DEMO');
    const page = await open(`/jetton/${demo}`);
    const text = await page.locator('main').innerText();
    for (const part of ['Demo jetton', 'DEMO', 'more can be minted', 'alice.ton', 'The jetton of the demo'])
      expect(text).toContain(part);
    const path = `/api/v3/jetton/wallets?jetton_address=${demo}&exclude_zero_balance=true&limit=1000`;
    const { jetton_wallets: wallets } = (await server.get(path)).body;
    expect(await page.locator('section[aria-label="Holders"] tbody tr').count()).toBe(wallets.length);
    await page.getByRole('tab', { name: 'Transfers' }).click();
    await page.locator('section[aria-label="Transfers"] tbody tr').first().waitFor();
    expect(await page.locator('section[aria-label="Transfers"]').innerText()).toContain('alice.ton');
    expect(await seriousFindings(page)).toEqual([]);
    await (await open(`/jetton/0:${'34'.repeat(32)}`)).getByText('no jetton at this address').waitFor();
  });

  it('a collection leads to its items, and an item shows owner, sale and history', async () => {
    const { open } = site();
    const list = await open('/tokens?tab=collections');
    await list.getByRole('link', { name: 'Demo collection' }).click();
    await list.locator('h1', { hasText: 'Demo collection' }).waitFor();
    await loaded(list);
    expect(await list.locator('.token-card').count()).toBe(4);
    expect(await seriousFindings(list)).toEqual([]);
    await list.getByRole('link', { name: 'Sunset' }).click();
    await list.locator('h1', { hasText: 'Sunset' }).waitFor();
    await loaded(list);
    const text = await list.locator('main').innerText();
    for (const part of ['Sunset', 'Demo collection', 'For sale', '10 TON', 'Marketplace', 'was minted'])
      expect(text).toContain(part);
    expect(await seriousFindings(list)).toEqual([]);
    await (await open(`/nft/0:${'34'.repeat(32)}`)).getByText('no NFT at this address').waitFor();
    await (await open('/collection/nonsense')).getByText('no NFT collection at this address').waitFor();
  });

  it('a domain shows its owner, its records and when it expires', async () => {
    const { open, server } = site();
    const page = await open('/domain/Alice.TON');
    const text = await page.locator('main').innerText();
    for (const part of ['alice.ton', 'Expires', 'Site, ADNL address', 'Storage, bag id'])
      expect(text).toContain(part);
    await page.locator('section[aria-label="Resolves to"] a').first().click();
    await page.waitForURL('**/account/**');
    await page
      .locator('section[aria-label="Summary"]')
      .getByText(await walletOf(server, 'alice.ton'))
      .waitFor();
    await (await open('/domain/nobody-has-this.ton')).getByText('no such domain').waitFor();
  });

  it.runIf(isLongRun)('the list of jettons leads to their pages', async () => {
    const page = await site().open('/tokens');
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('link', { name: 'Library jetton' }).click();
    await page.waitForURL('**/jetton/**');
  });

  it('validators are shown with their stakes, elections and complaints', async () => {
    const { open, server } = site();
    const page = await open('/validators');
    const { cycles } = (await server.get('/api/v3/validators/cycles?return_validators=true&limit=1')).body;
    expect(await page.locator('section[aria-label="Members"] tbody tr').count()).toBe(
      cycles[0].validators.length,
    );
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Elections' }).click();
    const { elections } = (await server.get('/api/v3/validators/elections?limit=25')).body;
    const rows = page.locator('section[aria-label="Elections"] tbody tr');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(elections.length);
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Complaints' }).click();
    await page.locator('section[aria-label="Complaints"] tbody tr, .empty').first().waitFor();
  });

  it('the configuration is in words', async () => {
    const page = await site().open('/config');
    const text = await page.locator('main').innerText();
    for (const part of [
      'Elector',
      'Price of gas',
      'Validators work for',
      'Workchains',
      'Storage prices',
      'Public key',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('Unknown');
    expect(text).not.toContain('Not shown in words');
    expect(await seriousFindings(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    const cut = "[...document.querySelectorAll('dd')].filter((dd) => dd.scrollWidth > dd.clientWidth).length";
    expect(await page.evaluate(cut)).toBe(0);
    expect(text).toMatch(/\d\u00a0%/);
  });
}
