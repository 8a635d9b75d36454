import { setTimeout as sleep } from 'node:timers/promises';
import { normalizedHash } from '../chain/tlb/message.ts';
import type { Database } from '../db/connection.ts';
import type { Db } from '../db/tables/tables.ts';
import { findChangedWallets } from '../index/read/jettons.ts';
import { findById } from '../index/read/stored-traces.ts';
import {
  findActionSeqnos,
  findTraceSeqnos,
  findTransactionSeqnos,
  isRangeIndexed,
  readClassifiedEnd,
  readLtAfter,
  readRecentStates,
  readStreamedBlocks,
  readStreamHead,
} from '../index/read/stream.ts';
import { TransactionReader } from '../index/read/transaction-reader.ts';
import { bytesKey, bytesOf, type HashKey } from '../lib/bytes-key.ts';
import { createFairTurns } from '../lib/fair-turns.ts';
import type { Payer } from '../lib/payer.ts';
import { type Cursor, endOf, isAfter, type KeptCursor, type Lane, markOf } from './cursor.ts';
import type { StreamEvent } from './events.ts';
import type { EventLoader } from './load-events.ts';
import { interestOf } from './subscribers.ts';
import type { Subscription } from './subscription.ts';

/** Events of the index from before a client came: those that it missed, and what happened lately. */
export type Replays = ReturnType<typeof createReplays>;

interface ReplayOptions {
  readonly database: Pick<Database, 'read' | 'write'>;
  readonly loader: EventLoader;
  /** How old a cursor may be. */
  readonly keepSeconds: number | 'all';
}

const RECENT_SECONDS = 60;
/** Seqnos that are looked for at a time, and loaded at a time. */
const SEQNOS_PER_SEARCH = 1000;
const SEQNOS_PER_LOAD = 16;
/** How long a replica may take to catch up. */
const MAX_WAIT_MS = 10_000;
const RETRY_MS = 20;
/** Reads of all clients at the same time: a thousand that come back together must leave connections to others. */
const READS_AT_ONCE = 2;
/** No client is refused: there are as many as streams may be open, and each waits for its own read only. */
const TURNS = {
  limit: READS_AT_ONCE,
  maxWaiting: 1_000_000,
  maxWaitMs: 3_600_000,
  refusal: 'Too many replays',
};
const NEVER = new AbortController().signal;

/** Creates the replays of all clients, whose reads take turns, fairly by payer. */
export function createReplays(options: ReplayOptions) {
  const turns = createFairTurns(TURNS);
  return {
    of(payer: Payer | undefined) {
      const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
        const turn = await turns.take({ payer, signal: NEVER });
        try {
          return await work();
        } finally {
          turn.end();
        }
      };
      const database: ReplayOptions['database'] = {
        read: (work) => inTurn(() => options.database.read(work)),
        write: (work) => inTurn(() => options.database.write(work)),
      };
      return createReplaysOfPayer({ ...options, database });
    },
  };
}

function createReplaysOfPayer({ database, loader, keepSeconds }: ReplayOptions) {
  /** Whether everything after a cursor can be replayed; it must not be too old. */
  async function canReplay(from: Cursor, to: Cursor): Promise<boolean> {
    const first = Math.min(from.blocks.seqno, from.traces.seqno);
    const last = Math.max(to.blocks.seqno, to.traces.seqno);
    // A server that is behind would seem to lack what was sent.
    return readAt(database, { from, to }, 'blocks', async (db) => {
      if (!(await isRangeIndexed(db, { first: first + 1, last }))) return false;
      if (keepSeconds === 'all') return true;
      // Blocks tell when a cursor was new: actions may be far behind them.
      const next = Math.max(from.blocks.seqno, from.traces.seqno) + 1;
      const blocks = await readStreamedBlocks(db, { seqnos: [next, last] });
      const [oldest, newest] = [blocks[0], blocks.at(-1)];
      return oldest === undefined || newest!.utime - oldest.utime <= keepSeconds;
    });
  }

  /** Whether a place, and the event there with a mark, is of the history that is indexed. Blocks that are no longer indexed tell nothing. */
  async function isOfHistory({ cursor, mark }: KeptCursor, position: Cursor): Promise<boolean> {
    // The mark is of one of them.
    const seqnos = [...new Set([cursor.blocks.seqno, cursor.traces.seqno])];
    const newest = Math.max(...seqnos);
    const isAhead = newest > position.blocks.seqno;
    if (!isAhead && mark === undefined) return true;
    const look = async (db: Db) => {
      const found = await readStreamedBlocks(db, { seqnos });
      if (isAhead && found.at(-1)?.seqno !== newest) return false;
      const isWhole = found.length === seqnos.length;
      return mark === undefined || !isWhole || found.some(({ rootHash }) => markOf(rootHash) === mark);
    };
    // A replica may be behind the one that told of the place, the primary is not; without it nothing is known.
    return isAhead
      ? database.write(look).catch(() => true)
      : readAt(database, { from: cursor, to: position }, 'blocks', look);
  }

  /** The events of a subscription after one cursor up to another, in the order in which they were sent. */
  async function* events(
    subscription: Subscription,
    from: Cursor,
    to: Cursor,
  ): AsyncGenerator<StreamEvent[], void> {
    for (const lane of ['blocks', 'traces'] as const) {
      if (!isAfter(to[lane], from[lane])) continue;
      let after = from[lane].seqno - 1;
      // Events of the seqno of the cursor may be missing, too.
      for (;;) {
        const range = { first: Math.max(0, after + 1), last: to[lane].seqno };
        const seqnos = await readAt(database, { from, to }, lane, (db) =>
          findSeqnos(db, subscription, lane, range),
        );
        for (let at = 0; at < seqnos.length; at += SEQNOS_PER_LOAD) {
          const some = seqnos.slice(at, at + SEQNOS_PER_LOAD);
          const loaded = await readAt(database, { from, to }, lane, (db) =>
            loader(lane, db, some, interestOf(subscription)),
          );
          yield loaded.filter((event) => isAfter(event.at!.place, from[lane]));
        }
        if (seqnos.length < SEQNOS_PER_SEARCH) break;
        after = seqnos.at(-1)!;
      }
    }
  }

  /** The newest states of the addresses of a subscription that changed in the last minute. */
  async function recentStates(subscription: Subscription): Promise<StreamEvent[]> {
    const accounts = [...subscription.addresses].map(bytesOf);
    if (accounts.length === 0) return [];
    return database.read(async (db) => {
      const seqnos = await readRecentStates(db, { accounts, seconds: RECENT_SECONDS });
      const states = ['account_state_change', 'jettons_change'] as const;
      const types = new Set(states.filter((type) => subscription.types.has(type)));
      const interest = { ...interestOf(subscription), types, hasTraces: false };
      const events = await loader('blocks', db, seqnos, interest);
      const newest = new Map(events.map((event) => [event.subject, event]));
      // Their places are behind the connection, which has not been told of them.
      return [...newest.values()].map((event) => ({ ...event, at: undefined }));
    });
  }

  /** The normalized hashes of indexed messages that are known by another hash. */
  async function resolve(keys: readonly HashKey[]): Promise<ReadonlyMap<HashKey, HashKey>> {
    const matches = await database.read((db) => new TransactionReader(db).readByMessage(keys.map(bytesOf)));
    const external = matches.flatMap(({ transaction: { inMessage } }) =>
      inMessage?.info.kind === 'external-in' ? [inMessage] : [],
    );
    return new Map(external.map((message) => [bytesKey(message.hash), bytesKey(normalizedHash(message))]));
  }

  return { canReplay, isOfHistory, events, recentStates, resolve };
}

/** Between two places. */
interface Stretch {
  readonly from: Cursor;
  readonly to: Cursor;
}

/** Reads from a server that has everything of a stretch: replicas may be behind the one that told of it. */
export async function readAt<T>(
  database: Pick<Database, 'read'>,
  stretch: Stretch,
  lane: Lane,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const endMs = performance.now() + MAX_WAIT_MS;
  for (;;) {
    const result = await database.read(async (db) =>
      (await hasReached(db, stretch, lane)) ? { value: await work(db) } : undefined,
    );
    if (result !== undefined) return result.value;
    if (performance.now() > endMs) throw new Error('The database is behind the events that were sent');
    await sleep(RETRY_MS);
  }
}

/**
 * Whether a server has a stretch, and for the lane of traces its actions too. Those before it may be missing for long, if
 * the classification is behind.
 */
async function hasReached(db: Db, { from, to }: Stretch, lane: Lane): Promise<boolean> {
  const last = to[lane].seqno;
  const head = await readStreamHead(db, { next: last });
  if (head?.newest == null || head.newest < last) return false;
  if (lane === 'blocks') return true;
  const { seqno } = from.traces;
  const first = Math.max(head.first, isAfter(endOf(seqno), from.traces) ? seqno : seqno + 1);
  return first > last || (await readClassifiedEnd(db, { first, last })) === last;
}

/** The seqnos of a range that may have events of a subscription, ascending: found by account, however long the range is. */
async function findSeqnos(
  db: Db,
  { addresses, traceKeys, types }: Subscription,
  lane: Lane,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<number[]> {
  if (first > last) return [];
  const accounts = [...addresses].map(bytesOf);
  const sinceLt = (await readLtAfter(db, { seqno: first - 1 })) ?? 0n;
  const query = { accounts, sinceLt, first, last, limit: SEQNOS_PER_SEARCH };
  const matches: number[] = [];
  if (lane === 'blocks') {
    const wallets = types.has('jettons_change')
      ? await findChangedWallets(db, { owners: accounts, afterLt: sinceLt })
      : [];
    if (types.has('account_state_change') || types.has('jettons_change'))
      matches.push(...(await findTransactionSeqnos(db, { ...query, accounts: [...accounts, ...wallets] })));
    if (types.has('transactions')) matches.push(...(await findTraceSeqnos(db, query)));
  } else {
    if (types.has('actions'))
      matches.push(...(await findTraceSeqnos(db, query)), ...(await findActionSeqnos(db, query)));
    if (traceKeys.size > 0) matches.push(...(await findTraceEnds(db, [...traceKeys].map(bytesOf))));
  }
  const inRange = [...new Set(matches)].filter((seqno) => seqno >= first && seqno <= last);
  return inRange.sort((a, b) => a - b).slice(0, SEQNOS_PER_SEARCH);
}

async function findTraceEnds(db: Db, keys: readonly Buffer[]): Promise<number[]> {
  const { ids } = await new TransactionReader(db).findTracesOfMessages(keys);
  const traces = await findById(db, ids);
  return traces.map(({ mcSeqnoEnd }) => mcSeqnoEnd);
}
