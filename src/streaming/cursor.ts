/**
 * Where a connection stands. Events are in two lanes, each with an order of its own: what blocks tell, and what is known
 * once traces are classified. `docs/design/decisions/0020-streaming.md` says why.
 */
export interface Cursor {
  readonly blocks: Place;
  readonly traces: Place;
}

export type Lane = keyof Cursor;

/** A place in a lane: the masterchain seqno, and the event in it; everything up to and including it was sent. */
export interface Place {
  readonly seqno: number;
  readonly index: number;
}

/** The place behind all events of a seqno. */
export function endOf(seqno: number): Place {
  return { seqno, index: LAST_INDEX };
}

/** The cursor behind all events of a seqno in both lanes. */
export function cursorAfter(seqno: number): Cursor {
  return { blocks: endOf(seqno), traces: endOf(seqno) };
}

/** More than the transactions of a masterchain seqno can be. */
const RANKS = 2 ** 22;
const LAST_INDEX = 4 * RANKS;

/** The index of an event in its seqno: events are ordered by kind first, then by the rank of a transaction. */
export function indexOf(kind: 0 | 1 | 2, rank: number): number {
  return kind * RANKS + rank;
}

/** A cursor may be this much ahead of a process that follows a slower replica. */
const MAX_AHEAD_SEQNOS = 1000;

/** Whether a cursor cannot be explained by a replica that is behind. */
export function isFarAhead({ blocks, traces }: Cursor, position: Cursor): boolean {
  return Math.max(blocks.seqno, traces.seqno) > position.blocks.seqno + MAX_AHEAD_SEQNOS;
}

export function isAfter(a: Place, b: Place): boolean {
  return a.seqno > b.seqno || (a.seqno === b.seqno && a.index > b.index);
}

const CURSOR = /^(\d{1,10})-(\d{1,9})\.(\d{1,10})-(\d{1,9})\.([0-9a-f]{8})(?:-([0-9a-f]{8}))?(?:~\d+)?$/;
const MAX_SEQNO = 2 ** 31 - 1;

/** Writes a cursor; `network` are eight hex digits that tell networks apart. */
export function formatCursor({ blocks, traces }: Cursor, network: string): string {
  return `${blocks.seqno}-${blocks.index}.${traces.seqno}-${traces.index}.${network}`;
}

/** Tells an event from one at the same place of a history that was taken back: the beginning of the root hash of its block. */
export function markOf(rootHash: Buffer): string {
  return rootHash.toString('hex', 0, 4);
}

/** A cursor as somebody kept it. */
export interface KeptCursor {
  readonly cursor: Cursor;
  readonly network: string;
  /** Of the block of one of its lanes; undefined unless it is the id of a finalized event. */
  readonly mark: string | undefined;
}

/** Reads a cursor, also that of an event below finalized; undefined for anything else. */
export function parseCursor(text: string): KeptCursor | undefined {
  const match = CURSOR.exec(text);
  if (match === null) return undefined;
  const [blockSeqno, blockIndex, traceSeqno, traceIndex] = match.slice(1, 5).map(Number);
  if (blockSeqno! > MAX_SEQNO || traceSeqno! > MAX_SEQNO) return undefined;
  return {
    cursor: {
      blocks: { seqno: blockSeqno!, index: blockIndex! },
      traces: { seqno: traceSeqno!, index: traceIndex! },
    },
    network: match[5]!,
    mark: match[6],
  };
}
