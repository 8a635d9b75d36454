import { Address, beginCell } from '@ton/core';
import { formatAccount } from '../../../src/v3/values.ts';
import type { TestDatabase } from '../../support/database.ts';
import { MadeChain, type MadeTransaction } from '../../support/made-chain.ts';
import { type MadeBlock, putOrigin, seqnosOf, storeSeqnos } from '../../support/store-transactions.ts';
import type { ListQuery } from './list-queries.ts';
import { made, scatter, shardsOf, stateOf } from './made-rows.ts';

const EVENTS = 90;
const [FIRST_TIME, STEP_SECONDS, STEP_LT] = [1_700_000_000, 100, 1_000_000];
const AHEAD_SECONDS = 800;
const PARTITION_SEQNOS = 30;
const TOKENS = 9;

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

/** The jetton wallets or NFT items that are asked; one of them belongs to no token. */
const askedOf = (kind: EventKind, number: number) => made(`asked ${kind}`, number);
const tokenOf = (number: number) => (number === 3 ? null : made('token', number % 3));

/**
 * Events of two shards over two and a half hours. One clock is ahead, so that the order of time differs from that of
 * logical time; several events have the same time or logical time.
 */
const eventsOf = (kind: EventKind): readonly MadeEvent[] =>
  Array.from({ length: EVENTS }, (_, i) => {
    const block = i - (i % 2);
    const isAhead = scatter(i, 2) === 1;
    return {
      account: askedOf(kind, i % TOKENS),
      lt: String(block * STEP_LT),
      mc_seqno: block,
      now: String(FIRST_TIME + block * STEP_SECONDS + (isAhead ? AHEAD_SECONDS : 0)),
      aborted: i % 11 === 5,
      sender: made('person', scatter(i, 5)),
      // Burns have no receiver.
      receiver: i % 13 === 7 || kind === 'jetton_burns' ? null : made('person', scatter(i + 1000, 5)),
      token: tokenOf(i % TOKENS),
      isAhead,
    };
  });
const MADE_EVENTS: Readonly<Record<EventKind, readonly MadeEvent[]>> = {
  jetton_transfers: eventsOf('jetton_transfers'),
  jetton_burns: eventsOf('jetton_burns'),
  nft_transfers: eventsOf('nft_transfers'),
};

/** Writes the tokens, and the transactions that request the events. */
export async function writeMadeEvents(test: Pick<TestDatabase, 'url' | 'database'>): Promise<void> {
  const db = test.database.primary;
  await putOrigin(db, 0, PARTITION_SEQNOS);
  const numbers = Array.from({ length: TOKENS }, (_, number) => number);
  const wallets = (['jetton_transfers', 'jetton_burns'] as const).flatMap((kind, part) =>
    numbers.map((number) => ({
      ...stateOf('wallet', part * TOKENS + number),
      account: askedOf(kind, number),
      jetton: tokenOf(number) ?? made('token', 9),
      owner: made('person', 0),
      balance: 0,
      mintless_is_claimed: null,
    })),
  );
  await db.insertInto('jetton_wallets').values(wallets).execute();
  const items = numbers.map((number) => ({
    ...stateOf('asked', number),
    account: askedOf('nft_transfers', number),
    collection: tokenOf(number),
    index: 0,
    init: true,
    owner: null,
    content: {},
  }));
  await db.insertInto('nft_items').values(items).execute();
  const chain = new MadeChain();
  const transactions = Object.entries(MADE_EVENTS).flatMap(([kind, events]) =>
    events.map((event) => transactionOf(chain, kind as EventKind, event)),
  );
  const seqnos = seqnosOf(transactions, { first: 0, last: EVENTS - 1 });
  await storeSeqnos(
    test,
    seqnos.map((one) => ({ ...one, blocks: blocksOf(one.mcSeqno) })),
  );
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
export function expectedEvents(kind: EventKind, query: ListQuery, names: EventNames): MadeEvent[] {
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
  const found = MADE_EVENTS[kind].filter(
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
