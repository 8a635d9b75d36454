import type { Cells } from '../../chain/boc/cells.ts';
import { shardContains, shardsIntersect } from '../../chain/shards.ts';
import type { BuildingArena } from '../../chain/state/building-arena.ts';
import type { ShardIdent } from '../../chain/tlb/block.ts';
import { Dictionary, readDictionary } from '../../chain/tlb/dictionary.ts';
import { PROCESSED_INFO, processedInfoKey } from '../../chain/tlb/queues.ts';
import type { AccountPrefix } from '../store/block-index.ts';
import type { QueuedMessage } from './out-queue.ts';
import { holds } from './routing.ts';

export type ProcessedList = Readonly<ReturnType<typeof readProcessed>>;

/** Last message that a shard has processed from the queues as of a masterchain block. */
type Processed = ProcessedList['entries'][number];

/** The fields of a queued message that show whether it has been processed. */
type QueuePosition = Pick<QueuedMessage, 'current' | 'next' | 'lt' | 'hash' | 'enqueuedLt'>;

/** Logical time up to which a masterchain block knows the queue of the shard at a prefix. */
export type EndLtAt = (mcSeqno: number, place: AccountPrefix) => bigint;

const KEY_BITS = 96;
const INFINITE_HASH = Buffer.alloc(32, 0xff);

/** Reads the messages processed by a shard; `root` is `OutMsgQueueInfo.processedInfo`. */
export function readProcessed(cells: Cells, root: number, { workchain, shard }: ShardIdent) {
  const entries = readDictionary(cells, root, KEY_BITS, (key, value) => ({
    /** Part of the owner's shard that it covers. */
    shard: key.readBigInt64BE(0),
    mcSeqno: key.readUInt32BE(8),
    lt: value.uint64(),
    hash: value.hash(),
  }));
  return { workchain, shard, entries };
}

/** Builds the dictionary of messages processed by a shard; -1 if it is empty. */
export function buildProcessed(arena: BuildingArena, { entries }: ProcessedList): number {
  const sorted = entries.map(
    ({ shard, mcSeqno, lt, hash }) =>
      [processedInfoKey(shard, mcSeqno), { lastMsgLt: lt, lastMsgHash: hash }] as const,
  );
  return new Dictionary(arena, PROCESSED_INFO).build(sorted.sort(([a], [b]) => a.compare(b)));
}

export function isProcessed(list: ProcessedList, message: QueuePosition, endLtAt: EndLtAt): boolean {
  return holds(list, message.next) && list.entries.some((entry) => covers(list, entry, message, endLtAt));
}

/** The list after processing all messages up to one, or (without a hash) up to a logical time. */
export function withProcessed(
  list: ProcessedList,
  mcSeqno: number,
  lt: bigint,
  hash: Buffer = INFINITE_HASH,
): ProcessedList {
  const added = { shard: list.shard, mcSeqno, lt, hash };
  const { entries } = list;
  return entries.some((entry) => contains(entry, added)) ? list : compact(list, [...entries, added]);
}

/** Part of a list that covers one half of its shard. */
export function splitProcessed(list: ProcessedList, half: bigint): ProcessedList {
  const entries = list.entries
    .filter(({ shard }) => shardsIntersect(shard, half))
    .map((entry) => (shardContains(entry.shard, half) ? { ...entry, shard: half } : entry));
  return compact({ ...list, shard: half }, entries);
}

export function oldestSeqno({ entries }: ProcessedList): number {
  return entries.reduce((least, { mcSeqno }) => Math.min(least, mcSeqno), 0xffffffff);
}

function covers(list: ProcessedList, entry: Processed, message: QueuePosition, endLtAt: EndLtAt): boolean {
  if (message.lt > entry.lt || !shardContains(entry.shard, message.next.prefix)) return false;
  if (message.lt === entry.lt && entry.hash.compare(message.hash) < 0) return false;
  // The owner knows its own messages without the masterchain.
  const { current } = message;
  if (current.workchain === list.workchain && shardContains(entry.shard, current.prefix)) return true;
  return message.enqueuedLt < endLtAt(entry.mcSeqno, current);
}

function contains(a: Processed, b: Processed): boolean {
  if (!shardContains(a.shard, b.shard) || a.mcSeqno < b.mcSeqno) return false;
  return a.lt > b.lt || (a.lt === b.lt && a.hash.compare(b.hash) >= 0);
}

/** Drops entries that others cover; of equal ones one is kept. */
function compact(list: ProcessedList, entries: readonly Processed[]): ProcessedList {
  const needed = entries.filter(
    (entry, i) =>
      !entries.some((other, j) => j !== i && contains(other, entry) && (j < i || !contains(entry, other))),
  );
  return { ...list, entries: needed };
}
