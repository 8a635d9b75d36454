// biome-ignore lint/suspicious/noExplicitAny: answers of the API
type Json = any;

/** Paths of pages of a running server, by the names of their pictures: those of its newest blocks, transactions and traces, and of a demo if there is one. */
export async function findShownPages(server: string, apiKey: string): Promise<Record<string, string>> {
  async function ask(path: string): Promise<Json> {
    const response = await fetch(server + path, {
      headers: apiKey === '' ? {} : { 'x-api-key': apiKey },
    });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return response.json();
  }

  return { ...(await chainPages(ask)), ...(await tokenPages(ask)), ...OTHER_PAGES, ...DOCS_PAGES };
}

/** What the documentation pages are about; that of the local chain is there only with one. */
const DOCS_PAGES: Readonly<Record<string, string>> = {
  'docs-v2': '/api/v2/',
  'docs-v3': '/api/v3/',
  'docs-emulate': '/api/emulate/',
  'docs-streaming': '/api/streaming/v2/',
  'docs-me': '/api/me/',
  'docs-admin': '/api/admin/',
};

/** A hash and an account that do not exist. */
const NOWHERE = '0'.repeat(63).concat('1');

const OTHER_PAGES: Readonly<Record<string, string>> = {
  validators: '/validators',
  elections: '/validators?tab=elections',
  complaints: '/validators?tab=complaints',
  config: '/config',
  dashboard: '/dashboard',
  admin: '/admin',
  'account-elector': `/account/-1:${'3'.repeat(64)}`,
  'account-unused': `/account/0:${NOWHERE}`,
  'account-wrong': '/account/nonsense',
  'transaction-unknown': `/tx/${NOWHERE}`,
  'domain-unknown': '/domain/nobody-has-this.ton',
  'search-nothing': `/search?q=${NOWHERE}`,
  'search-words': '/search?q=what%20is%20this',
  'unknown-path': '/nothing/here',
};

async function chainPages(ask: (path: string) => Promise<Json>): Promise<Record<string, string>> {
  const head = (await ask('/api/v3/masterchainInfo')).last;
  const { actions } = await ask('/api/v3/actions?action_type=jetton_transfer&limit=1');
  const { transactions } = await ask('/api/v3/transactions?limit=1000&sort=desc');
  const bounced = transactions.find(({ description }: Json) => description.bounce !== undefined);
  const shardBlock = (await ask('/api/v3/blocks?workchain=0&limit=1&sort=desc')).blocks[0];
  const { elections } = await ask('/api/v3/validators/elections?return_participants=true&limit=10');
  // The smallest stake of the demo is that of a pool.
  const [pool] = elections
    .flatMap(({ participants = [] }: Json) => participants)
    .toSorted((a: Json, b: Json) => Number(a.stake) - Number(b.stake));
  return {
    front: '/',
    ...(pool && { 'account-pool': `/account/${pool.stake_holder_address}?tab=pool` }),
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
  };
}

async function tokenPages(ask: (path: string) => Promise<Json>): Promise<Record<string, string>> {
  const { jetton_masters: jettons } = await ask('/api/v3/jetton/masters?limit=1');
  const { nft_collections: collections } = await ask('/api/v3/nft/collections?limit=1');
  const { nft_items: items } = await ask('/api/v3/nft/items?limit=100');
  const { records } = await ask('/api/v3/dns/records?domain=alice.ton');
  const item = items.find((one: Json) => one.on_sale) ?? items[0];
  const account = `/account/${jettons[0]?.admin_address}`;
  return {
    tokens: '/tokens',
    'tokens-collections': '/tokens?tab=collections',
    ...(jettons[0] && {
      account,
      'account-transactions': `${account}?tab=transactions`,
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
    'docs-localnet': '/localnet/',
  };
}
