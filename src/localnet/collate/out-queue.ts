import { CellError, type Cells } from '../../chain/boc/cells.ts';
import { Slice } from '../../chain/boc/slice.ts';
import { compareByLt } from '../../chain/logical-time.ts';
import { shardPrefixBits } from '../../chain/shards.ts';
import type { BuildingArena } from '../../chain/state/building-arena.ts';
import type { ShardIdent } from '../../chain/tlb/block.ts';
import {
  bitOf,
  Dictionary,
  firstDifference,
  readDictionary,
  readLabel,
  setKeyBit,
  type VisitEntry,
} from '../../chain/tlb/dictionary.ts';
import { readMessageInfo } from '../../chain/tlb/message.ts';
import { type IntermediateAddress, readMessageEnvelope } from '../../chain/tlb/msg-descr.ts';
import { type EnqueuedMsg, OUT_MSG_QUEUE } from '../../chain/tlb/queues.ts';
import { placeBetween, placeOf } from './routing.ts';

/** A queued message, not parsed yet. */
type QueueEntry = Readonly<ReturnType<typeof readEntry>>;

export type QueuedMessage = ReturnType<typeof openQueued>;

const KEY_BITS = 352;
const PLACE_BYTES = 12;
const WORKCHAIN_BITS = 32;

/** Queued messages whose next hop is in a shard, in the order in which they must be imported. */
export function messagesFor(cells: Cells, queue: number, { workchain, shard }: ShardIdent): QueueEntry[] {
  const prefix = Buffer.alloc(PLACE_BYTES);
  prefix.writeInt32BE(workchain, 0);
  prefix.writeBigInt64BE(shard, 4);
  const entries: QueueEntry[] = [];
  walkPrefix(cells, queue, KEY_BITS, prefix, WORKCHAIN_BITS + shardPrefixBits(shard), (key, value) => {
    entries.push(readEntry(key, value));
  });
  return entries.sort(compareByLt);
}

/** All messages of a queue in the order of their keys. */
export function allMessages(cells: Cells, queue: number): QueueEntry[] {
  return readDictionary(cells, queue, KEY_BITS, readEntry);
}

export function openQueued(cells: Cells, entry: QueueEntry) {
  const opened = readMessageEnvelope(cells, entry.envelope);
  const info = readMessageInfo(new Slice(cells, opened.message));
  if (info.kind !== 'internal') throw new CellError('a message in a queue that is not internal');
  const source = placeOf(info.src);
  const destination = placeOf(info.dest);
  const current = placeBetween(source, destination, bitsOf(opened.current));
  const next = placeBetween(source, destination, bitsOf(opened.next));
  return { ...entry, opened, info, destination, current, next };
}

function readEntry(key: Buffer, value: Slice) {
  const copy: Buffer = Buffer.from(key);
  return {
    key: copy,
    hash: copy.subarray(PLACE_BYTES),
    lt: value.uint64(),
    enqueuedLt: value.uint64(),
    envelope: value.ref(),
  };
}

function bitsOf(address: IntermediateAddress): number {
  if (address.kind === 'regular') return address.destBits;
  throw new CellError('an envelope with an address of its own');
}

export class OutQueue {
  readonly #dictionary: Dictionary<EnqueuedMsg, bigint>;
  root: number;
  size: number;

  constructor(arena: BuildingArena, root: number, size: number) {
    this.#dictionary = new Dictionary(arena, OUT_MSG_QUEUE);
    this.root = root;
    this.size = size;
  }

  put(key: Buffer, message: EnqueuedMsg): void {
    this.root = this.#dictionary.set(this.root, key, message);
    this.size++;
  }

  remove(key: Buffer): void {
    const root = this.#dictionary.delete(this.root, key);
    if (root === this.root) throw new Error('a message that is not in the queue cannot leave it');
    this.root = root;
    this.size--;
  }
}

/** Visits the entries of a dictionary whose keys start with some bits, in ascending order; see `walkDictionary`. */
export function walkPrefix(
  cells: Cells,
  root: number,
  keyBits: number,
  prefix: Buffer,
  prefixBits: number,
  visit: VisitEntry,
): void {
  if (root < 0) return;
  const key = Buffer.alloc((keyBits + 7) >> 3);
  const slice = new Slice(cells, root);
  const enter = (cell: number, depth: number): void => {
    slice.open(cell);
    const at = readLabel(slice, keyBits - depth, key, depth);
    const compared = Math.min(at, prefixBits);
    if (firstDifference(key, prefix, 0, compared) < compared) return;
    if (at === keyBits) {
      visit(key, slice);
      return;
    }
    const left = slice.ref();
    const right = slice.ref();
    for (const [bit, child] of [left, right].entries())
      if (at >= prefixBits || bitOf(prefix, at) === bit) enter(child, setKeyBit(key, at, bit as 0 | 1));
  };
  enter(root, 0);
}
