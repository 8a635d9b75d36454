import { useEffect } from 'preact/hooks';
import { get, getFirst, type Query } from '../api/client.ts';
import { useCall } from '../api/use-call.ts';
import { hrefOf, navigate, type PageProps, pagePath } from '../router.ts';
import { serverInfo } from '../server-info.ts';
import { accountPage } from '../show/address.tsx';
import { friendlyForm, fromBase64, parseAddress, rawForm, toHex } from '../show/address-forms.ts';
import { blockPage, WHOLE_SHARD } from '../show/block-link.tsx';
import { ChainText } from '../show/chain-text.tsx';
import { Loaded, PageTitle, Panel } from '../show/panel.tsx';
import { tracePage, transactionPage } from '../show/transaction-rows.tsx';

const MAX_SHOWN_CHARS = 100;

/** Goes to the page of what was searched for, or says that there is none. */
export function Page({ query }: PageProps) {
  const text = (query.get('q') ?? '').trim();
  const { find, lookedFor, hash } = readQuery(text);
  const call = useCall(async (abort) => (await find(abort)) ?? '', text);
  useEffect(() => {
    if (call.data) navigate(call.data, { replace: true });
  }, [call.data]);
  return (
    <>
      <PageTitle kind="Search">
        <span class="hash whole">
          <ChainText text={text} max={MAX_SHOWN_CHARS} isInline />
        </span>
      </PageTitle>
      <Panel title="Result">
        <Loaded call={call}>
          {(page) =>
            page ? (
              <p>Found.</p>
            ) : (
              <div class="problem">
                <p>Nothing found. Looked for:</p>
                <ul>
                  {lookedFor.map((what) => (
                    <li key={what}>
                      <ChainText text={what} isInline />
                    </li>
                  ))}
                </ul>
                {hash !== undefined && (
                  <p>
                    It may be the hash of an account: <a href={hrefOf(accountPage(`0:${hash}`))}>basechain</a>
                    , <a href={hrefOf(accountPage(`-1:${hash}`))}>masterchain</a>.
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

/** What a text in the search box may stand for. */
interface Search {
  /** The page of it, if there is one. */
  readonly find: (abort: AbortSignal) => Promise<string | undefined>;
  readonly lookedFor: readonly string[];
  /** Hex, where the text is a hash. */
  readonly hash?: string;
}

const HASH_BYTES = 32;
const MAX_SEQNO = 2 ** 32 - 1;
/** `(workchain,shard,seqno)`, as explorers and nodes write it, with or without brackets; hashes may follow. */
const BLOCK_ID = /^[([]?\s*(-?\d{1,10})\s*[,:]\s*(-?[0-9a-fx]{1,20})\s*[,:]\s*(\d{1,10})\s*[)\]]?(?::.*)?$/i;

/** Recognises an address, a block id, a masterchain seqno, a hash or a domain, in any of their forms. */
function readQuery(query: string): Search {
  const address = parseAddress(query);
  if (address !== null) {
    // The friendly form has a byte for the workchain.
    const fits = address.workchain >= -128 && address.workchain <= 127;
    const isTestOnly = serverInfo.value.test_only;
    const form = fits ? friendlyForm(address, { isBounceable: true, isTestOnly }) : rawForm(address);
    return { find: async () => pagePath('account', form), lookedFor: [] };
  }
  const hash = readHash(query);
  if (hash !== null)
    return {
      find: (abort) => findHash(hash, abort),
      lookedFor: [
        'a transaction',
        'a trace',
        'a message',
        'the root hash of a block',
        'the file hash of a block',
        'a pending message',
      ],
      hash,
    };
  const seqno = /^#?([\d\s,'_]{1,20})$/.exec(query)?.[1]?.replace(/\D/g, '');
  if (seqno !== undefined && seqno !== '' && Number(seqno) <= MAX_SEQNO)
    return blockSearch(-1, WHOLE_SHARD, Number(seqno));
  const [, workchain, shardText = '', blockSeqno] = BLOCK_ID.exec(query) ?? [];
  const shard = workchain === undefined ? null : readShard(shardText);
  if (shard !== null && Number(blockSeqno) <= MAX_SEQNO)
    return blockSearch(Number(workchain), shard, Number(blockSeqno));
  const domain = query.toLowerCase().replace(/\.$/, '');
  if (/^[^\s/:]{1,120}\.[^\s/:.]{2,60}$/u.test(domain))
    return {
      find: async (abort) =>
        (await getFirst('/api/v3/dns/records', 'records', { domain }, abort)) === null
          ? undefined
          : pagePath('domain', domain),
      lookedFor: [`the domain ${domain}`],
    };
  return {
    find: async () => undefined,
    lookedFor: [
      'an address',
      'a domain',
      'the hash of a transaction, message or block',
      'a block id',
      'a seqno',
    ],
  };
}

function blockSearch(workchain: number, shard: string, seqno: number): Search {
  return {
    find: (abort) => findBlock({ workchain, shard, seqno }, abort),
    lookedFor: [`block ${seqno} of workchain ${workchain}, shard ${shard}`],
  };
}

async function findBlock(query: Query<'/api/v3/blocks'>, abort: AbortSignal): Promise<string | undefined> {
  const block = await getFirst('/api/v3/blocks', 'blocks', query, abort);
  return block === null ? undefined : blockPage(block);
}

/** One look after the other, the likely ones first: callers without a key have few calls. */
async function findHash(hash: string, abort: AbortSignal): Promise<string | undefined> {
  const byMessage = { msg_hash: [hash] };
  const transaction =
    (await getFirst('/api/v3/transactions', 'transactions', { hash: [hash] }, abort)) ??
    (await getFirst(
      '/api/v3/transactionsByMessage',
      'transactions',
      { ...byMessage, direction: 'in' },
      abort,
    )) ??
    // A message to outside the chain has a sender only.
    (await getFirst('/api/v3/transactionsByMessage', 'transactions', byMessage, abort));
  if (transaction !== null) return transactionPage(transaction.hash);
  const block =
    (await findBlock({ root_hash: hash }, abort)) ?? (await findBlock({ file_hash: hash }, abort));
  if (block !== undefined) return block;
  const pending = await get('/api/v3/pendingTraces', { ext_msg_hash: [hash] }, abort).catch(() => undefined);
  return pending?.traces?.length ? tracePage(hash) : undefined;
}

function readHash(text: string): string | null {
  const hex = /^(?:0x)?([0-9a-f]{64})$/i.exec(text)?.[1];
  if (hex !== undefined) return hex.toUpperCase();
  const bytes = /^[\w+/-]{43}=?$/.test(text) ? fromBase64(text) : null;
  return bytes?.length === HASH_BYTES ? toHex(bytes) : null;
}

/** 16 hex digits; or the same number in decimal, with a sign as in v2. */
function readShard(text: string): string | null {
  if (/^(?:0x)?[0-9a-f]{16}$/i.test(text)) return text.slice(-16).toLowerCase();
  if (!/^-?\d{1,20}$/.test(text)) return null;
  return BigInt.asUintN(64, BigInt(text)).toString(16).padStart(16, '0');
}
