import type { Database } from '../db/connection.ts';
import type { Db } from '../db/tables/tables.ts';
import {
  readClassifiedEnd,
  readStreamedBlocks,
  readStreamHead,
  type StreamedBlock,
  type StreamHead,
} from '../index/read/stream.ts';
import { seqnosIn } from '../index/snapshot.ts';
import type { Log } from '../lib/log.ts';
import { pause } from '../lib/wait.ts';
import { type Cursor, cursorAfter, endOf, formatCursor } from './cursor.ts';
import type { StreamEvent } from './events.ts';
import type { EventLoader, Interest } from './load-events.ts';

/** The events of some seqnos, in the order in which they are sent. */
export interface Round {
  readonly number: number;
  readonly blocks: readonly StreamEvent[];
  readonly traces: readonly StreamEvent[];
  readonly after: Cursor;
  /** Set if the lanes do not continue where the last round ended: seqnos were left out, or taken back. */
  readonly jump?: { readonly from: Cursor; readonly to: Cursor };
  /** When the newest of its blocks was written, in unix seconds. */
  readonly writtenAt: number;
}

/** Follows the index: loads the seqnos that were written, each once, and hands out their events. */
export type IndexFollower = ReturnType<typeof followIndex>;

export interface FollowerOptions {
  readonly database: Pick<Database, 'read'>;
  readonly loader: EventLoader;
  readonly interest: () => Interest | undefined;
  /** Hands a round out to clients, one round after the other; some may be loaded meanwhile. */
  readonly onRound: (round: Round) => Promise<void>;
  readonly log: Log;
  readonly pollMs?: number | undefined;
  /** How long to wait for seqnos that are missing before newer ones. */
  readonly holeMs?: number | undefined;
}

const POLL_MS = 50;
/** Without subscribers only the position is kept up to date. */
const IDLE_POLL_MS = 250;
const FAILED_POLL_MS = 500;
const HOLE_MS = 10_000;
const SEQNOS_PER_ROUND = 16;
/** Rounds that are loaded and not handed out: who reads events by itself does not wait for those with many receivers. */
const MAX_ROUNDS_AHEAD = 8;
/** Published blocks that are remembered to find where a local chain was taken back to. */
const MAX_REMEMBERED = 4096;
/** Traces may be classified this many seqnos later than those before them, when a process starts to follow. */
const TRACES_BEFORE_START = 64;
const UNKNOWN_NETWORK = '00000000';

export function followIndex(options: FollowerOptions) {
  const { database, loader, interest, onRound, log, pollMs = POLL_MS, holeMs = HOLE_MS } = options;
  const closed = new AbortController();
  const looked = Promise.withResolvers<void>();
  const published = new Map<number, string>();
  const watchers = new Set<(round: Round) => void>();
  let position: Cursor | undefined;
  /** Up to where events were handed out. */
  let handedOut: Cursor | undefined;
  let history: string | undefined;
  let network = UNKNOWN_NETWORK;
  let wasEmpty = false;
  let holeSinceMs: number | undefined;
  let roundNumber = 0;
  let loading: Promise<boolean> | undefined;
  /** Rounds that are being handed out, or wait for it. */
  const outgoing: Promise<void>[] = [];
  let newest = 0;
  let checkedAt = 0;
  let isFailing = false;

  async function run(): Promise<void> {
    while (!closed.signal.aborted) {
      let pauseMs = pollMs;
      try {
        const work = step();
        loading = work;
        // Whatever was found, there may be more.
        if (await work) pauseMs = 0;
        else if (interest() === undefined && watchers.size === 0) pauseMs = IDLE_POLL_MS;
        isFailing = false;
      } catch (error) {
        if (!isFailing) log.warn({ err: error }, 'Failed to read events from the index');
        isFailing = true;
        pauseMs = FAILED_POLL_MS;
      } finally {
        loading = undefined;
      }
      if (pauseMs > 0) await pause(pauseMs, closed.signal);
    }
  }

  /** Loads and hands out a round; false if there is none. */
  async function step(): Promise<boolean> {
    const round = await database.read((db) => load(db));
    checkedAt = Date.now() / 1000;
    looked.resolve();
    if (round === undefined || closed.signal.aborted) return false;
    position = round.after;
    roundNumber = round.number;
    for (const watcher of watchers) watcher(round);
    await handOut(round);
    return true;
  }

  /** Resolves when the next round may be loaded. */
  async function handOut(round: Round): Promise<void> {
    // Connections must not be at a place that is gone.
    if (round.jump !== undefined) await Promise.all(outgoing);
    const work = (outgoing.at(-1) ?? Promise.resolve())
      .then(() => onRound(round))
      .catch((error: unknown) => log.error({ err: error }, 'Failed to hand out events'))
      .finally(() => {
        outgoing.shift();
        handedOut = round.after;
      });
    outgoing.push(work);
    if (round.jump !== undefined) await work;
    else if (outgoing.length > MAX_ROUNDS_AHEAD) await outgoing[0];
  }

  /** Loads what comes next; undefined if there is nothing. Everything is read from the same server. */
  async function load(db: Db): Promise<Round | undefined> {
    const head = await readStreamHead(db, { next: (position?.blocks.seqno ?? -1) + 1 });
    if (head === undefined) return undefined;
    network = networkOf(head);
    newest = head.newest ?? 0;
    if (head.newest === null) {
      wasEmpty = true;
      // Once only: it may be empty for a while.
      const isKnown =
        position === undefined || (head.history === history && position.blocks.seqno < head.first);
      return isKnown ? undefined : rewind(db, head);
    }
    if (position === undefined) return begin(db, head, head.newest);
    if (head.history !== history) return rewind(db, head);
    const next = position.blocks.seqno + 1;
    if (head.reached === null && head.newest > next) return waitForHole(head);
    // A server that is behind knows nothing of the hole that another one has shown.
    if (head.newest >= next) holeSinceMs = undefined;
    // A replica may be behind the one that was read before.
    const reached = Math.min(head.newest, head.reached ?? position.blocks.seqno);
    const last = Math.min(reached, position.blocks.seqno + SEQNOS_PER_ROUND);
    return loadRange(db, position, last, head.writtenAt);
  }

  /** The first round tells only where the index is. */
  async function begin(db: Db, head: StreamHead, newestSeqno: number): Promise<Round> {
    history = head.history;
    const seqno = wasEmpty ? head.first - 1 : newestSeqno;
    return emptyRound(await readLanes(db, head.first, seqno), head.writtenAt);
  }

  /** Events of blocks come first: they must not wait for the load of traces. */
  async function loadRange(
    db: Db,
    from: Cursor,
    last: number,
    writtenAt: number,
  ): Promise<Round | undefined> {
    const wanted = interest();
    if (last > from.blocks.seqno) {
      const seqnos = seqnosIn({ first: from.blocks.seqno + 1, last });
      remember(await readStreamedBlocks(db, { seqnos }));
      const round = emptyRound({ ...from, blocks: endOf(last) }, writtenAt);
      return wanted === undefined ? round : { ...round, blocks: await loader('blocks', db, seqnos, wanted) };
    }
    const first = from.traces.seqno + 1;
    if (first > last) return undefined;
    const end = await readClassifiedEnd(db, { first, last: Math.min(last, first + SEQNOS_PER_ROUND) });
    if (end < first) return undefined;
    const round = emptyRound({ ...from, traces: endOf(end) }, writtenAt);
    if (wanted === undefined) return round;
    return { ...round, traces: await loader('traces', db, seqnosIn({ first, last: end }), wanted) };
  }

  function remember(blocks: readonly StreamedBlock[]): void {
    for (const { seqno, rootHash } of blocks) published.set(seqno, rootHash.toString('hex'));
    for (const seqno of published.keys()) {
      if (published.size <= MAX_REMEMBERED) break;
      published.delete(seqno);
    }
  }

  /** Missing seqnos may be on their way; those that are left to backfill are not waited for. */
  function waitForHole(head: StreamHead): Round | undefined {
    holeSinceMs ??= performance.now();
    if (performance.now() - holeSinceMs < holeMs || head.headFirst === null) return undefined;
    holeSinceMs = undefined;
    log.warn(
      { from: position?.blocks.seqno, to: head.headFirst },
      'Events skipped because blocks are not indexed',
    );
    return jumpTo(cursorAfter(head.headFirst - 1), head.writtenAt);
  }

  /** Indexed blocks were taken back: goes on behind the newest published one that is still there. */
  async function rewind(db: Db, head: StreamHead): Promise<Round> {
    history = head.history;
    const blocks = await readStreamedBlocks(db, { seqnos: [...published.keys()] });
    const same = blocks.filter(({ seqno, rootHash }) => published.get(seqno) === rootHash.toString('hex'));
    const fork = same.at(-1)?.seqno ?? Math.min(position!.blocks.seqno, head.newest ?? head.first - 1);
    for (const seqno of published.keys()) if (seqno > fork) published.delete(seqno);
    log.info({ seqno: fork }, 'Indexed blocks were taken back, events continue behind them');
    return jumpTo(cursorAfter(fork), head.writtenAt);
  }

  function jumpTo(to: Cursor, writtenAt: number): Round {
    return { ...emptyRound(to, writtenAt), jump: { from: position!, to } };
  }

  function emptyRound(after: Cursor, writtenAt: number): Round {
    return { number: roundNumber + 1, blocks: [], traces: [], after, writtenAt };
  }

  const running = run();
  return {
    /** Resolves when the index was read for the first time. */
    firstLook: looked.promise,
    /** Up to where events were loaded, to be handed out; undefined as long as nothing is indexed. */
    position: () => position,
    /** Eight hex digits that identify the network. */
    network: () => network,
    /** Changes whenever indexed blocks are taken back. */
    history: () => history ?? '',
    /** The first round that is loaded from now on, and the position before it. */
    async nextRound() {
      // A round in flight was begun without what is wanted from now on.
      await loading?.catch(() => {});
      return { number: roundNumber + 1, start: position };
    },
    /** Tells somebody who reads events by itself of each round; the returned function ends it. */
    watch(watcher: (round: Round) => void) {
      watchers.add(watcher);
      return () => {
        watchers.delete(watcher);
      };
    },
    /** Seqnos that are written and not handed out yet. */
    lag: () => Math.max(0, newest - (handedOut?.blocks.seqno ?? newest)),
    /** Unix seconds of the last successful look at the index. */
    checkedAt: () => checkedAt,
    async close() {
      closed.abort();
      looked.resolve();
      await running;
      await Promise.all(outgoing);
    },
  };
}

/** The cursor behind everything that happened so far, as text; undefined if nothing is indexed. */
export async function readPresentCursor(db: Db): Promise<string | undefined> {
  const head = await readStreamHead(db, { next: 0 });
  if (head === undefined || head.newest === null) return undefined;
  return formatCursor(await readLanes(db, head.first, head.newest), networkOf(head));
}

async function readLanes(db: Db, firstIndexed: number, seqno: number): Promise<Cursor> {
  const first = Math.max(firstIndexed, seqno - TRACES_BEFORE_START);
  const classified = await readClassifiedEnd(db, { first, last: seqno });
  return { blocks: endOf(seqno), traces: endOf(classified) };
}

function networkOf({ zeroState }: StreamHead): string {
  return zeroState.toString('hex', 0, 4);
}
