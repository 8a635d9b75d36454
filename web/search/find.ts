import { get } from '../api/client.ts';
import { pagePath } from '../router.ts';
import { serverInfo } from '../server-info.ts';
import { friendlyForm, rawForm } from '../show/address-forms.ts';
import { blockPage } from '../show/block-link.tsx';
import { domainPage } from '../show/token.tsx';
import { tracePage, transactionPage } from '../show/transaction-rows.tsx';
import type { SearchQuery } from './read-query.ts';

/** Where a query leads: a page, or nowhere, with what was looked for. */
export type SearchResult = { readonly page: string } | { readonly lookedFor: readonly string[] };

/** Finds the page of what a query names. */
export async function find(query: SearchQuery, abort: AbortSignal): Promise<SearchResult> {
  switch (query.kind) {
    case 'account':
      return { page: pagePath('account', friendly(query.address)) };
    case 'block':
      return findBlock(query, abort);
    case 'hash':
      return findHash(query.hex, abort);
    case 'domain':
      return findDomain(query.domain, abort);
    default:
      return {
        lookedFor: [
          'an address',
          'a domain',
          'the hash of a transaction, message or block',
          'a block id',
          'a seqno',
        ],
      };
  }
}

function friendly(address: Parameters<typeof friendlyForm>[0]): string {
  // The friendly form has a byte for the workchain.
  const fits = address.workchain >= -128 && address.workchain <= 127;
  return fits
    ? friendlyForm(address, { isBounceable: true, isTestOnly: serverInfo.value.test_only })
    : rawForm(address);
}

type BlockQuery = Extract<SearchQuery, { kind: 'block' }>;

async function findBlock({ workchain, shard, seqno }: BlockQuery, abort: AbortSignal): Promise<SearchResult> {
  const { blocks } = await get('/api/v3/blocks', { workchain, shard, seqno, limit: 1 }, abort);
  const [block] = blocks;
  if (block !== undefined) return { page: blockPage(block) };
  return { lookedFor: [`block ${seqno} of workchain ${workchain}, shard ${shard}`] };
}

/** One look after the other, the likely ones first: callers without a key have few calls. */
async function findHash(hash: string, abort: AbortSignal): Promise<SearchResult> {
  const lookUps = [
    () => get('/api/v3/transactions', { hash: [hash], limit: 1 }, abort),
    () => get('/api/v3/transactionsByMessage', { msg_hash: [hash], limit: 1, direction: 'in' }, abort),
    // A message to outside the chain has a sender only.
    () => get('/api/v3/transactionsByMessage', { msg_hash: [hash], limit: 1 }, abort),
  ];
  for (const lookUp of lookUps) {
    const [transaction] = (await lookUp()).transactions;
    if (transaction !== undefined) return { page: transactionPage(transaction.hash) };
  }
  for (const query of [{ root_hash: hash }, { file_hash: hash }]) {
    const { blocks } = await get('/api/v3/blocks', { ...query, limit: 1 }, abort);
    if (blocks[0] !== undefined) return { page: blockPage(blocks[0]) };
  }
  const pending = await get('/api/v3/pendingTraces', { ext_msg_hash: [hash] }, abort).catch(() => undefined);
  if (pending?.traces?.length) return { page: tracePage(hash) };
  return {
    lookedFor: [
      'a transaction',
      'a trace',
      'a message',
      'the root hash of a block',
      'the file hash of a block',
      'a pending message',
    ],
  };
}

async function findDomain(domain: string, abort: AbortSignal): Promise<SearchResult> {
  const { records } = await get('/api/v3/dns/records', { domain, limit: 1 }, abort);
  if (records.length > 0) return { page: domainPage(domain) };
  return { lookedFor: [`the domain ${domain}`] };
}
