import { Address } from '@ton/core';
import { expect, it } from 'vitest';
import { isLongRun } from '../../support/long-run.ts';
import type { TongateServer } from '../../v3/support/tongate-server.ts';
import { createCommenter } from '../support/transfer.ts';
import { PAGE_MS, seriousFindings, type WebSite } from '../support/web-site.ts';

/** The wallet that a domain of the demo leads to. */
export async function walletOf({ get }: TongateServer, domain: string): Promise<string> {
  return (await get(`/api/v3/dns/records?domain=${domain}`)).body.records[0].dns_wallet;
}

/** A jetton of the demo by its symbol. */
export async function jettonOf({ get }: TongateServer, symbol: string): Promise<string> {
  const { metadata } = (await get('/api/v3/jetton/masters?limit=100')).body;
  type Entry = [string, { readonly token_info: readonly { readonly symbol?: string }[] }];
  return (Object.entries(metadata) as Entry[]).find(
    ([
      ,
      {
        token_info: [info],
      },
    ]) => info?.symbol === symbol,
  )![0];
}

/** Pages of accounts. */
export function accountPage(site: () => WebSite): void {
  it('shows balance, status, interfaces, domain and history in words', async () => {
    const { open, server } = site();
    const alice = await walletOf(server, 'alice.ton');
    const page = await open(`/account/${alice}`);
    const summary = await page.locator('section[aria-label="Summary"]').innerText();
    for (const part of ['TON', 'active', 'alice.ton', 'wallet_v5r1', 'seqno'])
      expect(summary).toContain(part);
    expect(summary).toContain(alice);
    const rows = page.locator('section[aria-label="History"] .actions > li');
    expect(await rows.count()).toBe(20);
    const history = await page.locator('section[aria-label="History"]').innerText();
    expect(history.replaceAll(/\s+/g, ' ')).toContain('alice.ton sent 10 DEMO to');
    await rows.first().locator('.when a').click();
    await page.waitForURL('**/trace/**');
  });

  it.runIf(isLongRun)(
    'says that a response was cut off, and does without what it can do without',
    async () => {
      const { open, server } = site();
      const alice = await walletOf(server, 'alice.ton');
      const cut = { status: 200, contentType: 'application/json', body: '{"actions":[' };
      const page = await open(`/account/${alice}`, {
        prepare: (one) => one.route(/api\/v3\/(actions|pendingActions)/, (route) => route.fulfill(cut)),
      });
      await page.getByText('The response was cut off').waitFor();
      expect(await page.locator('section[aria-label="Summary"]').innerText()).toContain('alice.ton');
    },
  );

  it.runIf(isLongRun)('loads more of a long history', async () => {
    const { open, server } = site();
    const { actions } = (await server.get('/api/v3/actions?limit=1000&include_accounts=true')).body;
    const all = (actions as { readonly accounts: readonly string[] }[]).flatMap(({ accounts }) => accounts);
    const [busiest] = [...Map.groupBy(all, (account) => account)].sort(([, a], [, b]) => b.length - a.length);
    const page = await open(`/account/${busiest![0]}`);
    const rows = page.locator('section[aria-label="History"] .actions > li');
    expect(await rows.count()).toBe(20);
    await page.getByRole('button', { name: 'Show more' }).click();
    await rows.nth(20).waitFor();
  });

  it.runIf(isLongRun)(
    'shows transactions with their senders, and the name of the account in the title of the window',
    async () => {
      const { open, server } = site();
      const alice = await walletOf(server, 'alice.ton');
      const page = await open(`/account/${alice}`);
      await page.getByRole('tab', { name: 'Transactions' }).click();
      const rows = page.locator('section[aria-label="Transactions"] tbody tr');
      await rows.first().waitFor();
      const { transactions } = (await server.get(`/api/v3/transactions?account=${alice}&limit=50`)).body;
      expect(await rows.count()).toBe(transactions.length);
      const text = await page.locator('section[aria-label="Transactions"]').innerText();
      expect(text).toContain('From');
      expect(text).toContain('outside');
      const friendly = Address.parse(alice).toString({ testOnly: true, bounceable: false });
      expect(await page.title()).toBe(`Account ${friendly} · tongate on localnet`);
    },
  );

  it.runIf(isLongRun)('shows the nominators of a pool', async () => {
    const { open, server } = site();
    const { elections } = (await server.get('/api/v3/validators/elections?return_participants=true')).body;
    type Candidate = { readonly stake_holder_address: string };
    const holders = (elections as { readonly participants?: readonly Candidate[] }[])
      .flatMap(({ participants = [] }) => participants)
      .map(({ stake_holder_address: holder }) => holder);
    const pools = await Promise.all(
      [...new Set(holders)].map(async (holder) => ({
        holder,
        ...(await server.get(`/api/v3/staking/nominatorPools/pool?pool=${holder}`)),
      })),
    );
    const { holder, body } = pools.find(({ status }) => status === 200)!;
    const page = await open(`/account/${holder}?tab=pool`);
    const rows = page.locator('section[aria-label="Nominators"] tbody tr');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(body.active_nominators.length);
    expect(await page.locator('section[aria-label="Pool"]').innerText()).toContain('Validator');
    expect(await page.locator('section[aria-label="Summary"]').innerText()).toMatch(
      /Interfaces\s+nominator pool\s+Last transaction/,
    );
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('shows jettons with balances, NFTs, and code and data to copy', async () => {
    const { open, server } = site();
    const alice = await walletOf(server, 'alice.ton');
    const page = await open(`/account/${alice}`, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByRole('tab', { name: 'Jettons' }).click();
    await page.getByRole('link', { name: 'Demo jetton' }).waitFor();
    expect(await page.locator('section[aria-label="Jettons"]').innerText()).toMatch(/DEMO/);
    await page.getByRole('tab', { name: 'Code and data' }).click();
    const [state] = (await server.get(`/api/v3/accountStates?address=${alice}`)).body.accounts;
    await page.getByText(state.code_hash).waitFor();
    await page.getByRole('button', { name: 'Copy code as base64' }).click();
    await expect
      .poll(() => page.evaluate('navigator.clipboard.readText()'), { timeout: PAGE_MS })
      .toBe(state.code_boc);

    const { nft_collections: collections } = (await server.get('/api/v3/nft/collections?limit=100')).body;
    const owners = collections.map((one: { owner_address: string | null }) => one.owner_address);
    const nfts = await open(`/account/${owners.find((owner: string | null) => owner !== null)}?tab=nfts`);
    await nfts.getByRole('link', { name: 'Sunset' }).waitFor();
    await nfts.getByText('for sale').waitFor();
    // A letter stands for an image that an NFT does not have.
    expect(await nfts.locator('main img').count()).toBe(0);
  });

  it('runs get-methods with typed arguments and shows the stack', async () => {
    const { open, server } = site();
    const alice = await walletOf(server, 'alice.ton');
    const demo = await jettonOf(server, 'DEMO');
    const page = await open(`/account/${demo}?tab=methods`);
    const panel = page.locator('section[aria-label="Run a get-method"]');
    await panel.getByRole('button', { name: 'get_jetton_data' }).click();
    await panel.getByRole('button', { name: 'Run', exact: true }).click();
    await panel.getByText('success').waitFor();
    const [master] = (await server.get(`/api/v3/jetton/masters?address=${demo}`)).body.jetton_masters;
    const text = await panel.innerText();
    expect(text).toContain(master.total_supply);
    expect(text).toContain('Gas used');
    const friendly = Address.parse(alice).toString({ testOnly: true, bounceable: false });
    expect(text).toContain(friendly);

    await panel.getByRole('button', { name: 'get_wallet_address' }).click();
    await panel.getByLabel('Argument 1', { exact: true }).fill('nonsense');
    await panel.getByRole('button', { name: 'Run', exact: true }).click();
    await panel.getByText('Argument 1 should be an address').waitFor();
    await panel.getByLabel('Argument 1', { exact: true }).fill(alice);
    await panel.getByRole('button', { name: 'Run', exact: true }).click();
    const { jetton_wallets: wallets } = (
      await server.get(`/api/v3/jetton/wallets?owner_address=${alice}&jetton_address=${demo}`)
    ).body;
    await panel.getByText(Address.parse(wallets[0].address).toString({ testOnly: true })).waitFor();

    await panel.getByLabel('Method, by name or number').fill('no_such_method');
    await panel.getByRole('button', { name: 'Remove argument 1' }).click();
    await panel.getByRole('button', { name: 'Run', exact: true }).click();
    await panel.getByText('a get-method that does not exist').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('shows a transfer as pending, and then as final, without a reload', async () => {
    const { open, server } = site();
    const sender = await createCommenter(server);
    const page = await open(`/account/${sender.address}`);
    await page.getByText('live').waitFor();
    const pending = page.locator('section[aria-label="Pending"]');
    const history = page.locator('section[aria-label="History"]');
    await sender.send('seen before it is in a block');
    await pending.getByText('seen before it is in a block').waitFor();
    await pending.getByText('pending').first().waitFor();
    expect(await history.getByText('seen before it is in a block').count()).toBe(0);

    await pending.locator('.when a').first().click();
    await page.waitForURL('**/trace/**');
    const result = page.locator('section[aria-label="What happened"] header');
    await result.getByText('pending').waitFor();
    const other = await open(`/account/${sender.address}`);
    await other.locator('section[aria-label="Pending"]').getByText('seen before').waitFor();
    await server.mine(3);
    await result.getByText('complete').waitFor();
    await other.locator('section[aria-label="History"]').getByText('seen before').waitFor();
    await other.locator('section[aria-label="Pending"]').waitFor({ state: 'detached' });
  });

  it.runIf(isLongRun)('shows accounts that never were, and says what is no address', async () => {
    const { open } = site();
    const page = await open(`/account/0:${'12'.repeat(32)}`);
    await page.getByText('does not exist', { exact: true }).waitFor();
    await page.getByText('The index has no action of this account').waitFor();
    await (await open('/account/nonsense')).getByText('is not an address of an account').waitFor();
  });

  it.runIf(isLongRun)('names what the elector is asked', async () => {
    const { open, server } = site();
    const elector = `-1:${'3'.repeat(64)}`;
    const { transactions } = (await server.get(`/api/v3/transactions?account=${elector}&limit=1000`)).body;
    const pageOf = (opcode: string) => {
      const asked = transactions.find(
        ({ in_msg: message }: { in_msg: { opcode: string } | null }) => message?.opcode === opcode,
      );
      return `/tx/${Buffer.from(asked.hash, 'base64').toString('base64url')}`;
    };
    const stake = await open(pageOf('0x4e73744b'));
    await stake.locator('section[aria-label="Summary"]').getByText('new stake').waitFor();
    const vote = await open(pageOf('0x56744370'));
    await vote.getByText(/ with 2 TON: vote for complaint/).waitFor();
  });

  // In a short run the front page and a trace are looked at.
  it.runIf(isLongRun)('is accessible, light and dark, wide and narrow', async () => {
    const { open, closePages, server } = site();
    const alice = await walletOf(server, 'alice.ton');
    const schemes = ['light', 'dark'] as const;
    const tabs = ['history', 'transactions', 'jettons', 'code', 'methods'];
    const all = schemes.flatMap((colorScheme) => tabs.map((tab) => ({ colorScheme, tab })));
    for (const { colorScheme, tab } of all) {
      const page = await open(`/account/${alice}?tab=${tab}`, {
        colorScheme,
        viewport: { width: 390, height: 800 },
      });
      expect(await seriousFindings(page, { always: true })).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      // Each holds a stream, and a browser has six connections to a host.
      await closePages();
    }
  });
}
