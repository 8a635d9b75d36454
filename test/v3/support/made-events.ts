import { Address, beginCell } from '@ton/core';
import { formatAccount } from '../../../src/v3/values.ts';
import { hashOf } from '../../db/support/filled-index.ts';
import type { FilledDatabase, TestDatabase } from '../../support/database.ts';
import { MadeChain, type MadeTransaction } from '../../support/made-chain.ts';
import { type MadeBlock, putOrigin, seqnosOf, storeSeqnos } from '../../support/store-transactions.ts';
import type { ListQuery } from './list-queries.ts';
import { made, scatter, shardsOf, stateOf } from './made-rows.ts';

const EVENTS = 90;
const [FIRST_TIME, STEP_SECONDS, STEP_LT] = [1_700_000_000, 100, 1_000_000];
const AHEAD_SECONDS = 800;
const PARTITION_SEQNOS = 30;
const TOKENS = 9;
const PEOPLE = 5;

/** The time and logical time in the middle of the generated events. */
export const MIDDLE = {
  time: FIRST_TIME + (EVENTS / 2) * STEP_SECONDS,
  lt: (EVENTS / 2) * STEP_LT,
};

/** Kinds of events, with the opcodes of their requests. */
const OPCODES = { jetton_transfers: 0x0f8a7ea5, jetton_burns: 0x595f07bc, nft_transfers: 0x5fcc3d14 };
export type EventKind = keyof typeof OPCODES;

/** An event with the sides that lists are filtered by. */
export interface MadeEvent {
  readonly account: Buffer;
  readonly lt: string;
  readonly mc_seqno: number;
  readonly now: string;
  readonly aborted: boolean;
  readonly sender: Buffer;
  readonly receiver: Buffer | null;
  readonly token: Buffer | null;
  /** Whether the clock of its shard is ahead. */
  readonly isAhead: boolean;
}

/** Makes an account of a kind. */
type AccountMaker = (kind: string, number: number) => Buffer;

/** Accounts of a kind with the same prefix in each workchain. */
export const alike: AccountMaker = (kind, number) => {
  const account = made(kind, number);
  hashOf(kind).copy(account, 1, 0, 8);
  return account;
};

/** The jetton wallets or NFT items that are asked. */
const askedOf = (of: AccountMaker, kind: EventKind, number: number) => of(`asked ${kind}`, number);
/** The token of one that is asked; one of them belongs to none. */
const tokenOf = (of: AccountMaker, number: number) => (number === 3 ? null : of('token', number % 3));

/**
 * Events of two shards over two and a half hours. One clock is ahead, so that the order of time differs from that of
 * logical time; several events have the same time or logical time.
 */
const makeEvents = (of: AccountMaker, kind: EventKind): readonly MadeEvent[] =>
  Array.from({ length: EVENTS }, (_, i) => {
    const block = i - (i % 2);
    const isAhead = scatter(i, 2) === 1;
    return {
      account: askedOf(of, kind, i % TOKENS),
      lt: String(block * STEP_LT),
      mc_seqno: block,
      now: String(FIRST_TIME + block * STEP_SECONDS + (isAhead ? AHEAD_SECONDS : 0)),
      aborted: i % 11 === 5,
      sender: of('person', scatter(i, PEOPLE)),
      // Burns have no receiver.
      receiver: i % 13 === 7 || kind === 'jetton_burns' ? null : of('person', scatter(i + 1000, PEOPLE)),
      token: tokenOf(of, i % TOKENS),
      isAhead,
    };
  });

const knownEvents = new Map<AccountMaker, Map<EventKind, readonly MadeEvent[]>>();

/** The events of a kind, which are made once: every query is compared with them. */
function eventsOf(of: AccountMaker, kind: EventKind): readonly MadeEvent[] {
  const known = knownEvents.get(of) ?? new Map<EventKind, readonly MadeEvent[]>();
  knownEvents.set(of, known);
  const events = known.get(kind) ?? makeEvents(of, kind);
  known.set(kind, events);
  return events;
}

/** A database with the events of such accounts. */
export const madeEvents = (of: AccountMaker): FilledDatabase => ({
  name: of === alike ? 'alike' : 'events',
  source: 'test/v3/support/made-events.ts',
  fill: (filling) => writeMadeEvents(filling, of),
});

/** Writes the tokens, the transactions that request the events, and states of the people. */
async function writeMadeEvents(
  test: Pick<TestDatabase, 'url' | 'database'>,
  of: AccountMaker,
): Promise<void> {
  const db = test.database.primary;
  await putOrigin(db, 0, PARTITION_SEQNOS);
  const numbers = Array.from({ length: TOKENS }, (_, number) => number);
  const wallets = (['jetton_transfers', 'jetton_burns'] as const).flatMap((kind, part) =>
    numbers.map((number) => ({
      ...stateOf('wallet', part * TOKENS + number),
      account: askedOf(of, kind, number),
      jetton: tokenOf(of, number) ?? of('token', 9),
      owner: of('person', 0),
      balance: 0,
      mintless_is_claimed: null,
    })),
  );
  await db.insertInto('jetton_wallets').values(wallets).execute();
  const items = numbers.map((number) => ({
    ...stateOf('asked', number),
    account: askedOf(of, 'nft_transfers', number),
    collection: tokenOf(of, number),
    index: 0,
    init: true,
    owner: null,
    content: {},
  }));
  await db.insertInto('nft_items').values(items).execute();
  const people = Array.from({ length: PEOPLE }, (_, number) => personState(of('person', number)));
  await db.insertInto('latest_account_states').values(people).execute();
  const chain = new MadeChain();
  const transactions = (Object.keys(OPCODES) as EventKind[]).flatMap((kind) =>
    eventsOf(of, kind).map((event) => transactionOf(chain, kind, event)),
  );
  const seqnos = seqnosOf(transactions, { first: 0, last: EVENTS - 1 });
  await storeSeqnos(
    test,
    seqnos.map((one) => ({ ...one, blocks: blocksOf(one.mcSeqno) })),
  );
}

/** The state of an account, by which its prefix is known to be its own. */
function personState(account: Buffer) {
  const hash = hashOf('state');
  const last = { last_trans_lt: 0, last_trans_hash: hash, timestamp: 0, mc_seqno: 0 };
  return { account, hash, status: 'uninit' as const, balance: 0, ...last };
}

/** A masterchain block and one block of each of two shards; the clock of the second shard is ahead. */
function blocksOf(mcSeqno: number): MadeBlock[] {
  const startLt = BigInt(mcSeqno * STEP_LT);
  return shardsOf(mcSeqno).map((block, at) => ({
    ...block,
    genUtime: FIRST_TIME + mcSeqno * STEP_SECONDS + (at === 2 ? AHEAD_SECONDS : 0),
    startLt,
    endLt: startLt + 1n,
  }));
}

function transactionOf(chain: MadeChain, kind: EventKind, event: MadeEvent): MadeTransaction {
  const [lt, now] = [BigInt(event.lt), Number(event.now)];
  const body = beginCell()
    .storeUint(OPCODES[kind], 32)
    .storeUint(2n ** 64n - 1n, 64);
  if (kind !== 'nft_transfers') body.storeCoins(lt);
  if (kind !== 'jetton_burns') body.storeAddress(addressOf(event.receiver));
  // No response, no custom payload; nothing is forwarded.
  body.storeAddress(null).storeBit(0);
  if (kind !== 'jetton_burns') body.storeCoins(0).storeBit(0);
  const request = { from: event.sender, to: event.account, lt: lt > 0n ? lt - 1n : 0n, at: now };
  const { shard } = shardsOf(event.mc_seqno)[event.isAhead ? 2 : 1]!;
  return chain.transaction({
    account: event.account,
    lt,
    now,
    mcSeqno: event.mc_seqno,
    block: { shard, seqno: event.mc_seqno },
    in: chain.internal({ ...request, body: body.endCell().toBoc() }),
    aborted: event.aborted,
  });
}

function addressOf(account: Buffer | null): Address | null {
  return account && new Address(account.readInt8(0), account.subarray(1));
}

/** The parameter names of one kind of events. */
export interface EventNames {
  readonly asked: string;
  readonly token: string;
  readonly hasSides: boolean;
  readonly hidesAborted: boolean;
}

/** The expected list of generated events, evaluated naively. */
export function expectedEvents(
  of: AccountMaker,
  kind: EventKind,
  query: ListQuery,
  names: EventNames,
): MadeEvent[] {
  const list = (name: string) => [query[name] ?? []].flat();
  const owners = list('owner_address').length > 0 ? list('owner_address') : list('address');
  const has = (values: readonly string[], account: Buffer | null) =>
    values.length === 0 || (account !== null && values.includes(formatAccount(account)));
  const isByTime = query.start_utime !== undefined || query.end_utime !== undefined;
  const isOwn = (event: MadeEvent) => {
    const direction = names.hasSides ? query.direction : 'out';
    const sends = direction !== 'in' && has(owners, event.sender);
    const gets = names.hasSides && direction !== 'out' && has(owners, event.receiver);
    return owners.length === 0 || sends || gets;
  };
  const found = eventsOf(of, kind).filter(
    (event) =>
      !(names.hidesAborted && event.aborted) &&
      isOwn(event) &&
      has(list(names.asked), event.account) &&
      has(list(names.token), event.token) &&
      Number(event.now) >= Number(query.start_utime ?? 0) &&
      Number(event.now) <= Number(query.end_utime ?? Infinity) &&
      Number(event.lt) >= Number(query.start_lt ?? 0) &&
      Number(event.lt) <= Number(query.end_lt ?? Infinity),
  );
  const compare = (a: MadeEvent, b: MadeEvent) =>
    (isByTime ? Number(a.now) - Number(b.now) : 0) ||
    Number(a.lt) - Number(b.lt) ||
    Buffer.compare(a.account, b.account);
  const sorted = found.sort(compare);
  return query.sort === 'asc' ? sorted : sorted.reverse();
}
