import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

// `npm run screenshots -- DIR [URL [NAME…]]` photographs pages of a running server (by default that of `npm start`), wide and
// narrow, light and dark, all or those with these names. The pages are those of its newest blocks, transactions and traces, and of a demo if there is one.

const [folder, server = 'http://127.0.0.1:8081', ...wanted] = process.argv.slice(2);
if (folder === undefined) throw new Error('Usage: npm run screenshots -- DIR [URL [NAME…]]');
const TIMEOUT_MS = 120_000;
const WIDTHS = [1280, 390];

const info = (await (await fetch(`${server}/web.json`)).json()) as { readonly api_key?: string };

// biome-ignore lint/suspicious/noExplicitAny: answers of the API
async function ask(path: string): Promise<any> {
  const response = await fetch(server + path, { headers: info.api_key ? { 'x-api-key': info.api_key } : {} });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.json();
}

/** Pages by the name of their pictures. */
async function pagesToShow(): Promise<Record<string, string>> {
  const head = (await ask('/api/v3/masterchainInfo')).last;
  const { actions } = await ask('/api/v3/actions?action_type=jetton_transfer&limit=1');
  const { transactions } = await ask('/api/v3/transactions?limit=1000&sort=desc');
  type Shown = {
    readonly hash: string;
    readonly trace_id: string;
    readonly mc_block_seqno: number;
    readonly description: { readonly bounce?: object };
  };
  const bounced = (transactions as Shown[]).find(({ description }) => description.bounce !== undefined);
  const shardBlock = (await ask('/api/v3/blocks?workchain=0&limit=1&sort=desc')).blocks[0];
  return {
    front: '/',
    'block-masterchain': `/block/-1/8000000000000000/${bounced?.mc_block_seqno ?? head.seqno}`,
    ...(shardBlock && { 'block-shard': `/block/0/${shardBlock.shard}/${shardBlock.seqno}` }),
    ...(actions[0] && {
      'trace-jetton-transfer': `/trace/${encodeURIComponent(actions[0].trace_id)}`,
      transaction: `/tx/${encodeURIComponent(actions[0].transactions[1])}`,
    }),
    ...(bounced && {
      'trace-bounced': `/trace/${encodeURIComponent(bounced.trace_id)}`,
      'transaction-bounced': `/tx/${encodeURIComponent(bounced.hash)}`,
    }),
    ...(await tokenPages()),
    config: '/config',
    dashboard: '/dashboard',
    admin: '/admin',
    'search-nothing': '/search?q=0000000000000000000000000000000000000000000000000000000000000001',
  };
}

/** Pages of accounts and tokens, of a demo. */
async function tokenPages(): Promise<Record<string, string>> {
  const { jetton_masters: jettons } = await ask('/api/v3/jetton/masters?limit=1');
  const { nft_collections: collections } = await ask('/api/v3/nft/collections?limit=1');
  const { nft_items: items } = await ask('/api/v3/nft/items?limit=100');
  const { records } = await ask('/api/v3/dns/records?domain=alice.ton');
  const item = items.find((one: { readonly on_sale: boolean }) => one.on_sale) ?? items[0];
  const account = `/account/${jettons[0]?.admin_address}`;
  return {
    tokens: '/tokens',
    ...(jettons[0] && {
      account,
      'account-jettons': `${account}?tab=jettons`,
      'account-code': `${account}?tab=code`,
      'account-methods': `/account/${jettons[0].address}?tab=methods`,
      jetton: `/jetton/${jettons[0].address}`,
      'jetton-transfers': `/jetton/${jettons[0].address}?tab=transfers`,
    }),
    ...(collections[0] && {
      collection: `/collection/${collections[0].address}`,
      'account-nfts': `/account/${collections[0].owner_address}?tab=nfts`,
    }),
    ...(item && { nft: `/nft/${item.address}` }),
    ...(records[0] && { domain: `/domain/${records[0].domain}` }),
    'local-chain': '/localnet/panel',
  };
}

await mkdir(folder, { recursive: true });
const pages = await pagesToShow();
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
    const page = await context.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    for (const [name, path] of Object.entries(pages)) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      await page.goto(server + path);
      await page.locator('.panel, .problem').first().waitFor();
      await page.waitForFunction(() => document.querySelector('.loading') === null);
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
    }
    await context.close();
  }
}
await browser.close();
