import { useEffect } from 'preact/hooks';
import { get } from '../api/client.ts';
import { useCall } from '../api/use-call.ts';
import { hrefOf, navigate, type PageProps, pagePath } from '../router.ts';
import { serverInfo } from '../server-info.ts';
import { accountPage } from '../show/address.tsx';
import {
  type AccountAddress,
  friendlyForm,
  fromBase64,
  parseAddress,
  rawForm,
  toHex,
} from '../show/address-forms.ts';
import { blockPage } from '../show/block-link.tsx';
import { ChainText } from '../show/chain-text.tsx';
import { Loaded, PageTitle, Panel } from '../show/panel.tsx';
import { domainPage } from '../show/token.tsx';
import { tracePage, transactionPage } from '../show/transaction-rows.tsx';

const MAX_SHOWN_CHARS = 100;

/** Goes to the page of what was searched for, or says that there is none. */
export function Page({ query }: PageProps) {
  const text = (query.get('q') ?? '').trim();
  const read = readQuery(text);
  const call = useCall((abort) => find(read, abort), text);
  const page = call.data !== undefined && 'page' in call.data ? call.data.page : undefined;
  useEffect(() => {
    if (page !== undefined) navigate(page, { replace: true });
  }, [page]);
  return (
    <>
      <PageTitle kind="Search">
        <span class="hash whole">
          <ChainText text={text} max={MAX_SHOWN_CHARS} isInline />
        </span>
      </PageTitle>
      <Panel title="Result">
        <Loaded call={call}>
          {(result) =>
            'page' in result ? (
              <p>Found.</p>
            ) : (
              <div class="problem">
                <p>Nothing found. Looked for:</p>
                <ul>
                  {result.lookedFor.map((what) => (
                    <li key={what}>
                      <ChainText text={what} isInline />
                    </li>
                  ))}
                </ul>
                {read.kind === 'hash' && (
                  <p>
                    It may be the hash of an account:{' '}
                    <AccountLink address={`0:${read.hex}`} name="basechain" />,{' '}
                    <AccountLink address={`-1:${read.hex}`} name="masterchain" />.
                  </p>
                )}
              </div>
            )
          }
        </Loaded>
      </Panel>
    </>
  );
}

function AccountLink({ address, name }: { readonly address: string; readonly name: string }) {
  return <a href={hrefOf(accountPage(address))}>{name}</a>;
}

/** Where a query leads: a page, or nowhere, with what was looked for. */
type SearchResult = { readonly page: string } | { readonly lookedFor: readonly string[] };

/** Finds the page of what a query names. */
async function find(query: SearchQuery, abort: AbortSignal): Promise<SearchResult> {
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

/** A text in the search box, by what it may stand for. */
type SearchQuery =
  | { readonly kind: 'account'; readonly address: AccountAddress }
  | { readonly kind: 'block'; readonly workchain: number; readonly shard: string; readonly seqno: number }
  | { readonly kind: 'hash'; readonly hex: string }
  | { readonly kind: 'domain'; readonly domain: string }
  | { readonly kind: 'other' };

const HASH_BYTES = 32;
const MAX_SEQNO = 2 ** 32 - 1;
const WHOLE_SHARD = '8000000000000000';
/** `(workchain,shard,seqno)`, as explorers and nodes write it, with or without brackets; hashes may follow. */
const BLOCK_ID = /^[([]?\s*(-?\d{1,10})\s*[,:]\s*(-?[0-9a-fx]{1,20})\s*[,:]\s*(\d{1,10})\s*[)\]]?(?::.*)?$/i;

/** Recognises an address, a block id, a masterchain seqno, a hash or a domain, in any of their forms. */
function readQuery(text: string): SearchQuery {
  const query = text.trim();
  const address = parseAddress(query);
  if (address !== null) return { kind: 'account', address };
  const hex = readHash(query);
  if (hex !== null) return { kind: 'hash', hex };
  const seqno = /^#?([\d\s,'_]{1,20})$/.exec(query)?.[1]?.replace(/\D/g, '');
  if (seqno !== undefined && seqno !== '' && Number(seqno) <= MAX_SEQNO)
    return { kind: 'block', workchain: -1, shard: WHOLE_SHARD, seqno: Number(seqno) };
  const block = readBlockId(query);
  if (block !== null) return block;
  const domain = query.toLowerCase().replace(/\.$/, '');
  return /^[^\s/:]{1,120}\.[^\s/:.]{2,60}$/u.test(domain) ? { kind: 'domain', domain } : { kind: 'other' };
}

function readHash(text: string): string | null {
  const hex = /^(?:0x)?([0-9a-f]{64})$/i.exec(text)?.[1];
  if (hex !== undefined) return hex.toUpperCase();
  const bytes = /^[\w+/-]{43}=?$/.test(text) ? fromBase64(text) : null;
  return bytes?.length === HASH_BYTES ? toHex(bytes) : null;
}

function readBlockId(text: string): SearchQuery | null {
  const [, workchain, shard = '', seqno] = BLOCK_ID.exec(text) ?? [];
  const bits = workchain === undefined ? null : readShard(shard);
  if (bits === null || Number(seqno) > MAX_SEQNO) return null;
  return { kind: 'block', workchain: Number(workchain), shard: bits, seqno: Number(seqno) };
}

/** 16 hex digits; or the same number in decimal, with a sign as in v2. */
function readShard(text: string): string | null {
  if (/^(?:0x)?[0-9a-f]{16}$/i.test(text)) return text.slice(-16).toLowerCase();
  if (!/^-?\d{1,20}$/.test(text)) return null;
  return BigInt.asUintN(64, BigInt(text)).toString(16).padStart(16, '0');
}
