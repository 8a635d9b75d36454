import type { Database } from '../db/connection.ts';
import { findIndexedFrom, isRangeIndexed } from '../index/read/stream.ts';
import { seqnosIn } from '../index/snapshot.ts';
import { type Cursor, cursorAfter, endOf, isFarAhead, type Lane, type Place } from './cursor.ts';
import type { StreamEvent } from './events.ts';
import type { IndexFollower } from './follow-index.ts';
import type { EventLoader, Interest } from './load-events.ts';
import type { GapReason } from './receiver.ts';
import { readAt } from './replay.ts';

/** Reads the events of the index from a cursor on, for those who keep their own. */
export type EventReader = ReturnType<typeof createEventReader>;

/** What comes after a cursor. */
interface NextEvents {
  readonly to: Cursor;
  /** Of the events. */
  readonly lane: Lane;
  readonly events: readonly StreamEvent[];
  /** Set if the events up to `to` cannot be read. */
  readonly gap?: GapReason | undefined;
}

interface EventReaderOptions {
  readonly database: Pick<Database, 'read'>;
  readonly loader: EventLoader;
  readonly follower: Pick<IndexFollower, 'position'>;
}

const SEQNOS_PER_READ = 16;

export function createEventReader({ database, loader, follower }: EventReaderOptions) {
  /** The lane that is read next, unless both are at the end. Blocks go ahead only where traces are not classified yet. */
  function nextLane(from: Cursor, end: Cursor): Lane | undefined {
    const [hasBlocks, hasTraces] = [
      from.blocks.seqno < end.blocks.seqno,
      from.traces.seqno < end.traces.seqno,
    ];
    if (hasTraces && from.traces.seqno < from.blocks.seqno) return 'traces';
    if (hasBlocks) return 'blocks';
    return hasTraces ? 'traces' : undefined;
  }

  /** Reads a lane up to a seqno, or up to the next one that is not indexed; undefined if that is the first one. */
  function read(
    from: Cursor,
    lane: Lane,
    last: number,
    interest: Interest,
  ): Promise<NextEvents | { readonly indexedFrom: number }> {
    const first = from[lane].seqno + 1;
    return readAt(database, { from, to: { ...from, [lane]: endOf(last) } }, lane, async (db) => {
      const isWhole = await isRangeIndexed(db, { first, last });
      const indexedFrom = isWhole ? first : ((await findIndexedFrom(db, { first })) ?? last + 1);
      if (indexedFrom > first) return { indexedFrom };
      const end = isWhole ? last : first;
      const seqnos = seqnosIn({ first, last: end });
      return { to: { ...from, [lane]: endOf(end) }, lane, events: await loader(lane, db, seqnos, interest) };
    });
  }

  return {
    /**
     * The next events after a cursor and not after a limit, all of one lane; undefined if there is nothing yet.
     */
    async next(from: Cursor, interest: Interest, limit: Cursor): Promise<NextEvents | undefined> {
      const position = follower.position();
      if (position === undefined) return undefined;
      if (isFarAhead(from, position)) return gapTo(position);
      const end = {
        blocks: earlier(position.blocks, limit.blocks),
        traces: earlier(position.traces, limit.traces),
      };
      const lane = nextLane(from, end);
      if (lane === undefined) return undefined;
      const lastOf = (one: Lane): number => Math.min(end[one].seqno, from[one].seqno + SEQNOS_PER_READ);
      const result = await read(from, lane, lastOf(lane), interest);
      if (!('indexedFrom' in result)) return result;
      const behind = cursorAfter(result.indexedFrom - 1);
      if (lane === 'traces') return gapTo({ ...from, traces: behind.traces });
      // The traces before the gap are told first.
      if (from.traces.seqno >= from.blocks.seqno) return gapTo(behind);
      const last = Math.min(lastOf('traces'), from.blocks.seqno);
      if (last <= from.traces.seqno) return undefined;
      const traces = await read(from, 'traces', last, interest);
      return 'indexedFrom' in traces ? gapTo(behind) : traces;
    },
  };
}

function gapTo(to: Cursor): NextEvents {
  return { to, lane: 'blocks', events: [], gap: 'cursor expired' };
}

function earlier(a: Place, b: Place): Place {
  return a.seqno < b.seqno ? a : b;
}
