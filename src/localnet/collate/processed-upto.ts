import type { Cells } from '../../chain/boc/cells.ts';
import { shardContains, shardsIntersect } from '../../chain/shards.ts';
import type { BuildingArena } from '../../chain/state/building-arena.ts';
import type { ShardIdent } from '../../chain/tlb/block-refs.ts';
import { Dictionary, walkDictionary } from '../../chain/tlb/dictionary.ts';
import { PROCESSED_INFO, processedInfoKey } from '../../chain/tlb/queues.ts';
import type { AccountPrefix } from '../store/chain-store.ts';
import { holds } from './routing.ts';

/** Up to which message a shard has taken in what was in the queues when the masterchain was at a block. */
export interface Processed {
  /** The part of the owner's shard that it is about. */
  readonly shard: bigint;
  readonly mcSeqno: number;
  readonly lt: bigint;
  readonly hash: Buffer;
}

/** What a shard has taken in. */
export interface ProcessedList extends ShardIdent {
  readonly entries: readonly Processed[];
}

/** A message in a queue, as far as it takes to tell whether it has been taken in. */
export interface QueuePosition {
  readonly current: AccountPrefix;
  readonly next: AccountPrefix;
  readonly lt: bigint;
  readonly hash: Buffer;
  readonly enqueuedLt: bigint;
}

/** The logical time up to which the queue of the shard at a place is known to a masterchain block. */
export type EndLtAt = (mcSeqno: number, place: AccountPrefix) => bigint;

const KEY_BITS = 96;
const INFINITE_HASH = Buffer.alloc(32, 0xff);

/** Reads what a shard has taken in; `root` is `OutMsgQueueInfo.processedInfo`. */
export function readProcessed(cells: Cells, root: number, { workchain, shard }: ShardIdent): ProcessedList {
  const entries: Processed[] = [];
  if (root >= 0)
    walkDictionary(cells, root, KEY_BITS, (key, value) => {
      const lt = value.uint64();
      entries.push({ shard: key.readBigInt64BE(0), mcSeqno: key.readUInt32BE(8), lt, hash: value.hash() });
    });
  return { workchain, shard, entries };
}

/** Makes the dictionary of what a shard has taken in; -1 if that is nothing. */
export function buildProcessed(arena: BuildingArena, { entries }: ProcessedList): number {
  const sorted = entries.map(
    ({ shard, mcSeqno, lt, hash }) =>
      [processedInfoKey(shard, mcSeqno), { lastMsgLt: lt, lastMsgHash: hash }] as const,
  );
  return new Dictionary(arena, PROCESSED_INFO).build(sorted.sort(([a], [b]) => a.compare(b)));
}

/** Whether a message has been taken in by the owner of a list. */
export function isProcessed(list: ProcessedList, message: QueuePosition, endLtAt: EndLtAt): boolean {
  return holds(list, message.next) && list.entries.some((entry) => covers(list, entry, message, endLtAt));
}

/** The list after all messages up to one have been taken in, or (without a hash) all up to a time. */
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

/** What of a list is about one half of its shard. */
export function splitProcessed(list: ProcessedList, half: bigint): ProcessedList {
  const entries = list.entries
    .filter(({ shard }) => shardsIntersect(shard, half))
    .map((entry) => (shardContains(entry.shard, half) ? { ...entry, shard: half } : entry));
  return compact({ ...list, shard: half }, entries);
}

/** The oldest masterchain block that a list names. */
export function oldestSeqno({ entries }: ProcessedList): number {
  return entries.reduce((least, { mcSeqno }) => Math.min(least, mcSeqno), 0xffffffff);
}

function covers(list: ProcessedList, entry: Processed, message: QueuePosition, endLtAt: EndLtAt): boolean {
  if (message.lt > entry.lt || !shardContains(entry.shard, message.next.prefix)) return false;
  if (message.lt === entry.lt && entry.hash.compare(message.hash) < 0) return false;
  // The owner's own messages are known to it without the masterchain.
  const { current } = message;
  if (current.workchain === list.workchain && shardContains(entry.shard, current.prefix)) return true;
  return message.enqueuedLt < endLtAt(entry.mcSeqno, current);
}

function contains(a: Processed, b: Processed): boolean {
  if (!shardContains(a.shard, b.shard) || a.mcSeqno < b.mcSeqno) return false;
  return a.lt > b.lt || (a.lt === b.lt && a.hash.compare(b.hash) >= 0);
}

/** Leaves out what other entries say too; of equal ones one stays. */
function compact(list: ProcessedList, entries: readonly Processed[]): ProcessedList {
  const kept = entries.filter(
    (entry, i) =>
      !entries.some((other, j) => j !== i && contains(other, entry) && (j < i || !contains(entry, other))),
  );
  return { ...list, entries: kept };
}
