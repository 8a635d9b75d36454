import type { Selectable } from 'kysely';
import type { ClientBase } from 'pg';
import { anyOf, databaseOf } from '../../db/driver.ts';
import type { Tables } from '../../db/tables/tables.ts';
import { bytesKey, bytesOf, type HashKey } from '../../lib/bytes-key.ts';
import { type OpenPage, openPage, traceIdAt } from '../format/page.ts';
import { accountPrefix, type Position, pageNumber, pageOf, slotOf } from '../format/position.ts';
import type { SlotPlace } from '../format/slots.ts';
import { readKnownCodes } from '../read/accounts.ts';
import { readPagesOf } from '../read/transaction-pages.ts';
import type { LatestState } from './write-accounts.ts';

/** An account that discarded blocks changed. */
export interface ChangedAccount {
  readonly account: Buffer;
  /** Its state after the last block that is kept, as far as the index has it; undefined if no block shows one. */
  readonly state: LatestState | undefined;
  /** Whether the index has all code and data of the state. */
  readonly isWhole: boolean;
  /** Whether it had a state before the first block of the index. */
  readonly isOlder: boolean;
}

/** Reads the accounts that discarded blocks changed, while the blocks are still in the index. */
export async function readChangedAccounts(client: ClientBase, { accounts }: DiscardedBlocks) {
  const kept = await readLastKept(client, accounts);
  const states = await withBlockTimes(client, [...kept.values()]);
  const known = await readKnown(client, [...accounts.keys()].map(bytesOf), states);
  const byAccount = new Map(states.map((state) => [bytesKey(state.account), state]));
  return [...accounts.keys()].map((key) => {
    const state = byAccount.get(key);
    return {
      account: bytesOf(key),
      state,
      isWhole: state !== undefined && isWhole(state, known),
      isOlder: known.older.has(key),
    };
  });
}

/** The state of an account after its last kept transaction, without the time of the block. */
interface KeptState extends Omit<LatestState, 'timestamp'> {
  readonly block: SlotPlace;
}

const ACCOUNTS_PER_QUERY = 50;

interface WantedState {
  readonly key: HashKey;
  readonly account: Buffer;
  readonly before: bigint;
}

/** Finds the newest transactions before some times; several accounts may have the same prefix and even the same times. */
async function findLast(client: ClientBase, wanted: readonly WantedState[]) {
  const found: { one: WantedState; at: Position; lt: bigint }[] = [];
  for (let from = 0; from < wanted.length; from += ACCOUNTS_PER_QUERY) {
    const part = wanted.slice(from, from + ACCOUNTS_PER_QUERY);
    const each = part.map(
      (_, n) => `(select ${n} as n, at, lt from transactions
        where acc8 = $${2 * n + 1}::bigint and lt < $${2 * n + 2}::bigint
        order by lt desc fetch first 1 rows with ties)`,
    );
    const { rows } = await client.query<{ n: number; at: string; lt: string }>(
      each.join(' union all '),
      part.flatMap(({ account, before }) => [accountPrefix(account), before]),
    );
    for (const { n, at, lt } of rows) found.push({ one: part[n]!, at: Number(at), lt: BigInt(lt) });
  }
  return found;
}

/** Reads the states that accounts were left in by their last transactions before some logical times. */
async function readLastKept(client: ClientBase, accounts: ReadonlyMap<HashKey, bigint>) {
  const kept = new Map<HashKey, KeptState>();
  let wanted: WantedState[] = Array.from(accounts, ([key, before]) => ({
    key,
    account: bytesOf(key),
    before,
  }));
  while (wanted.length > 0) {
    const found = await findLast(client, wanted);
    const pages = await readPagesOf(
      client,
      found.map(({ at }) => at),
    );
    const others = new Map<HashKey, WantedState>();
    for (const { one, at, lt } of found) {
      const page = pages.get(pageOf(at));
      const slot = slotOf(at);
      if (page?.account(slot).equals(one.account)) kept.set(one.key, keptState(page, slot));
      else others.set(one.key, { ...one, before: lt });
    }
    wanted = [...others.values()].filter(({ key }) => !kept.has(key));
  }
  return kept;
}

/** A last transaction in a block without a shown state left nothing. */
function keptState(page: OpenPage, slot: number): KeptState {
  const { lt, hash, newStateHash, endStatus } = page.transaction(slot);
  const { after } = page.states(slot);
  const shown = after?.status === 'nonexist' ? undefined : after;
  const block = page.place(slot);
  return {
    account: page.account(slot),
    hash: newStateHash,
    status: endStatus,
    balance: shown?.balance ?? 0n,
    balanceExtra: shown?.balanceExtra,
    extraIsHidden: shown?.extraIsHidden ?? false,
    codeHash: shown?.codeHash,
    dataHash: shown?.dataHash,
    frozenHash: shown?.frozenHash,
    lastTransLt: lt,
    lastTransHash: hash,
    mcSeqno: block.mcSeqno,
    block,
  };
}

const FIND_TIMES = `
select wanted.n, block.gen_utime
from unnest($1::integer[], $2::integer[], $3::bigint[], $4::integer[]) with ordinality
  as wanted (mc_seqno, workchain, shard, seqno, n)
cross join lateral (
  select gen_utime from blocks where mc_seqno = wanted.mc_seqno and workchain = wanted.workchain
    and shard = wanted.shard and seqno = wanted.seqno
) block`;

async function withBlockTimes(client: ClientBase, states: readonly KeptState[]): Promise<LatestState[]> {
  const { rows } = await client.query<{ n: string; gen_utime: string }>(FIND_TIMES, [
    states.map(({ block }) => block.mcSeqno),
    states.map(({ block }) => block.workchain),
    states.map(({ block }) => block.shard),
    states.map(({ block }) => block.blockSeqno),
  ]);
  const times = new Map(rows.map(({ n, gen_utime }) => [Number(n) - 1, Number(gen_utime)]));
  return states.map(({ block: _, ...state }, i) => ({ ...state, timestamp: times.get(i)! }));
}

/** What the index has of states, by keys. */
interface KnownParts {
  readonly codes: ReadonlySet<HashKey>;
  /** The hashes of the data of accounts. */
  readonly data: ReadonlyMap<HashKey, HashKey>;
  /** Accounts with a state from before the index. */
  readonly older: ReadonlySet<HashKey>;
}

async function readKnown(client: ClientBase, accounts: readonly Buffer[], states: readonly LatestState[]) {
  const db = databaseOf(client);
  const codes = await readKnownCodes(
    db,
    states.flatMap(({ codeHash }) => codeHash ?? []),
  );
  const stored = db.selectFrom('account_data').select(['account', 'hash']);
  const data = await stored.where('account', '=', anyOf(accounts)).execute();
  const earlier = db.selectFrom('account_states').select('account').distinct();
  const older = await earlier.where('account', '=', anyOf(accounts)).execute();
  return {
    codes: new Set(codes.map(bytesKey)),
    data: new Map(data.map(({ account, hash }) => [bytesKey(account), bytesKey(hash)])),
    older: new Set(older.map(({ account }) => bytesKey(account))),
  };
}

function isWhole({ account, codeHash, dataHash }: LatestState, { codes, data }: KnownParts): boolean {
  if (codeHash !== undefined && !codes.has(bytesKey(codeHash))) return false;
  return dataHash === undefined || data.get(bytesKey(account)) === bytesKey(dataHash);
}

/** What the blocks after a masterchain seqno hold, which are to be removed. */
export interface DiscardedBlocks {
  /** The lowest logical time of a transaction; undefined without any. */
  readonly firstLt: bigint | undefined;
  /** The changed accounts, 33 bytes, and the logical time of the first transaction of each. */
  readonly accounts: ReadonlyMap<HashKey, bigint>;
  readonly traces: ReadonlyMap<HashKey, DiscardedPart>;
  /** Messages between accounts that were received. */
  readonly received: ReadonlySet<HashKey>;
}

/** The part of a trace that is to be removed. */
export interface DiscardedPart {
  /** Transactions. */
  nodes: number;
  /** External messages that they sent. */
  logs: number;
}

/** Reads the transactions after a masterchain seqno from their pages. */
export async function readDiscarded(client: ClientBase, seqno: number): Promise<DiscardedBlocks> {
  let firstLt: bigint | undefined;
  const accounts = new Map<HashKey, bigint>();
  const traces = new Map<HashKey, DiscardedPart>();
  const received = new Set<HashKey>();
  for await (const { page, traces: ids } of pagesAfter(client, seqno)) {
    const hashOf = (slot: number) => page.transaction(slot).hash;
    for (let slot = 0; slot < page.count; slot++) {
      if (page.place(slot).mcSeqno <= seqno) continue;
      const { lt, inMessage, outMessages } = page.transaction(slot);
      if (firstLt === undefined || lt < firstLt) firstLt = lt;
      // Pages are in the order of seqnos, and so are the transactions of an account.
      const account = bytesKey(page.account(slot));
      if (!accounts.has(account)) accounts.set(account, lt);
      const traceId = bytesKey(traceIdAt(ids, page.count, slot, hashOf));
      const part = traces.get(traceId) ?? { nodes: 0, logs: 0 };
      traces.set(traceId, part);
      part.nodes++;
      part.logs += outMessages.filter(({ info }) => info.kind !== 'internal').length;
      if (inMessage?.info.kind === 'internal') received.add(bytesKey(inMessage.hash));
    }
  }
  return { firstLt, accounts, traces, received };
}

interface PageWithTraces {
  readonly page: OpenPage;
  readonly traces: Buffer;
}

const PAGES_PER_QUERY = 200;

/** The pages with transactions after a seqno: the one that goes on after it, and all that begin there. */
async function* pagesAfter(client: ClientBase, seqno: number): AsyncGenerator<PageWithTraces> {
  const next = pageNumber(seqno + 1, 0);
  const pages = databaseOf(client).selectFrom('tx_pages').select(['page', 'last_seqno', 'traces', 'body']);
  const divided = pages.where('page', '<', String(next)).orderBy('page', 'desc').limit(1);
  for (const row of await divided.execute()) if (row.last_seqno > seqno) yield open(row);
  let from = next;
  for (let isEnd = false; !isEnd; ) {
    const part = pages.where('page', '>=', String(from)).orderBy('page').limit(PAGES_PER_QUERY);
    const rows = await part.execute();
    for (const row of rows) yield open(row);
    isEnd = rows.length < PAGES_PER_QUERY;
    from = Number(rows.at(-1)?.page) + 1;
  }
}

function open({ page, traces, body }: Pick<Selectable<Tables['tx_pages']>, 'page' | 'traces' | 'body'>) {
  return { page: openPage(Number(page), body), traces };
}
