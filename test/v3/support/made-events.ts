import type { Kysely } from 'kysely';
import { ensurePartitions } from '../../../src/db/partitions.ts';
import type { Tables } from '../../../src/db/tables.ts';
import { formatAccount } from '../../../src/v3/values.ts';
import type { ListQuery } from './list-queries.ts';
import { blocksOf, made, scatter, shardStateOf, transactionOf } from './made-rows.ts';

const EVENTS = 90;
const [FIRST_TIME, STEP_SECONDS, STEP_LT] = [1_700_000_000, 100, 1_000_000];
const AHEAD_SECONDS = 800;
const PARTITION_SEQNOS = 30;

/** The time and logical time in the middle of the generated events. */
export const MIDDLE = {
  time: FIRST_TIME + (EVENTS / 2) * STEP_SECONDS,
  lt: (EVENTS / 2) * STEP_LT,
};

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
}

/**
 * Events of two shards over two and a half hours. One clock is ahead, so that the order of time differs from that of
 * logical time; several events have the same time or logical time.
 */
const MADE_EVENTS: readonly MadeEvent[] = Array.from({ length: EVENTS }, (_, i) => {
  const block = i - (i % 2);
  return {
    account: made('asked', i % 9),
    lt: String(block * STEP_LT),
    mc_seqno: block,
    now: String(FIRST_TIME + block * STEP_SECONDS + scatter(i, 2) * AHEAD_SECONDS),
    aborted: i % 11 === 5,
    sender: made('person', scatter(i, 5)),
    receiver: i % 13 === 7 ? null : made('person', scatter(i + 1000, 5)),
    token: i % 7 === 3 ? null : made('token', i % 3),
  };
});

/** Writes all of them as events of each kind, with transactions and blocks. */
export async function writeMadeEvents(db: Kysely<Tables>): Promise<void> {
  await ensurePartitions(db, { from: 0, to: EVENTS, width: PARTITION_SEQNOS });
  const seqnos = Array.from({ length: EVENTS }, (_, i) => i);
  const blocks = seqnos.flatMap((i) =>
    blocksOf(i, FIRST_TIME + i * STEP_SECONDS, i * STEP_LT, AHEAD_SECONDS),
  );
  await db.insertInto('blocks').values(blocks).execute();
  await db.insertInto('shard_states').values(seqnos.map(shardStateOf)).execute();
  await db.insertInto('transactions').values(MADE_EVENTS.map(transactionOf)).execute();
  const common = ({ account, lt, mc_seqno, now, aborted }: MadeEvent) => ({
    account,
    lt,
    mc_seqno,
    now,
    aborted,
    query_id: '18446744073709551615',
    response_destination: null,
    custom_payload: null,
    forward_payload: null,
  });
  await db
    .insertInto('jetton_transfers')
    .values(
      MADE_EVENTS.map((event) => ({
        ...common(event),
        jetton: event.token ?? made('token', 9),
        source: event.sender,
        destination: event.receiver,
        amount: event.lt,
        forward_ton_amount: 0,
      })),
    )
    .execute();
  await db
    .insertInto('jetton_burns')
    .values(
      MADE_EVENTS.map((event) => {
        const { forward_payload: _, ...rest } = common(event);
        return { ...rest, jetton: event.token ?? made('token', 9), owner: event.sender, amount: event.lt };
      }),
    )
    .execute();
  await db
    .insertInto('nft_transfers')
    .values(
      MADE_EVENTS.map((event) => ({
        ...common(event),
        collection: event.token,
        old_owner: event.sender,
        new_owner: event.receiver,
        index: 0,
        forward_amount: 0,
      })),
    )
    .execute();
}

/** The parameter names of one kind of events. */
export interface EventNames {
  readonly asked: string;
  readonly token: string;
  readonly hasSides: boolean;
  readonly hidesAborted: boolean;
}

/** The expected list of generated events, evaluated naively. */
export function expectedEvents(query: ListQuery, names: EventNames): MadeEvent[] {
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
  const found = MADE_EVENTS.filter(
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
