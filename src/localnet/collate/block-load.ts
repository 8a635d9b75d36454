import type { BlockLimits, ParamLimits } from '../../chain/tlb/config.ts';
import type { ShardStateTotals } from '../../chain/tlb/shard-state.ts';

const CLASSES = ['underload', 'normal', 'soft', 'medium', 'hard'] as const;
type LoadClass = (typeof CLASSES)[number];
const EMPTY_BLOCK_BYTES = 2000;
const TRANSACTION_BYTES = 200;
const WAITING_MESSAGE_BYTES = 300;

/** Measures a block against its limits during collation. Its size is an estimate, as in the node. */
export class BlockLoad {
  readonly #limits: BlockLimits;
  #bytes = EMPTY_BLOCK_BYTES;
  #gas = 0;
  #ltDelta = 0;
  #waiting = 0;

  constructor(limits: BlockLimits) {
    this.#limits = limits;
  }

  addTransaction(bytes: number, gas: number, ltDelta: number): void {
    this.#bytes += bytes + TRANSACTION_BYTES;
    this.#gas += gas;
    this.#ltDelta = Math.max(this.#ltDelta, ltDelta);
  }

  addBytes(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Counts messages that are not placed in the block yet. */
  addWaiting(messages: number): void {
    this.#waiting += messages;
  }

  /** Whether there is room for internal messages: all measures are below their soft limit. */
  get fitsInternal(): boolean {
    return this.#rank() < CLASSES.indexOf('soft');
  }

  /** Whether there is room for external messages: all measures are below the middle of soft and hard limit. */
  get fitsExternal(): boolean {
    return this.#rank() < CLASSES.indexOf('medium');
  }

  get class(): LoadClass {
    return CLASSES[this.#rank()]!;
  }

  #rank(): number {
    const { bytes, gas, ltDelta } = this.#limits;
    const size = this.#bytes + this.#waiting * WAITING_MESSAGE_BYTES;
    return Math.max(rank(bytes, size), rank(gas, this.#gas), rank(ltDelta, this.#ltDelta));
  }
}

/** How many of the four marks a value has reached. */
function rank({ underload, softLimit, hardLimit }: ParamLimits, value: number): number {
  const marks = [underload, softLimit, softLimit + ((hardLimit - softLimit) >> 1), hardLimit];
  return marks.filter((mark) => value >= mark).length;
}

/** Load of the last 64 blocks, one bit each, and what follows from it. */
export type LoadHistory = Readonly<ReturnType<typeof nextHistory>>;

/** Longer queues than these keep a shard from wanting to split or to merge. */
const MAX_QUEUE_TO_SPLIT = 100_000;
const MAX_QUEUE_TO_MERGE = 2047;
/** A queue of this length counts as overload. */
const OVERLOADED_QUEUE = 4096;

export function nextHistory(before: ShardStateTotals, load: LoadClass, queueSize: number) {
  const isFull = load === 'soft' || load === 'medium' || load === 'hard';
  const isOver = (isFull || queueSize >= OVERLOADED_QUEUE) && queueSize <= MAX_QUEUE_TO_SPLIT;
  const isUnder = load === 'underload' && queueSize <= MAX_QUEUE_TO_MERGE;
  const overloadHistory = pushed(before.overloadHistory, isOver);
  const underloadHistory = pushed(before.underloadHistory, isUnder);
  const wantSplit = weight(overloadHistory) >= 0;
  const wantMerge = !wantSplit && weight(underloadHistory) >= 0;
  return { overloadHistory, underloadHistory, wantSplit, wantMerge };
}

function pushed(history: bigint, bit: boolean): bigint {
  return BigInt.asUintN(64, history << 1n) | (bit ? 1n : 0n);
}

/** Newer blocks count more; 0 or more when two thirds of the last 48 are marked. */
function weight(history: bigint): number {
  const ones = (from: bigint): number => ((history >> from) & 0xffffn).toString(2).replaceAll('0', '').length;
  return ones(0n) * 3 + ones(16n) * 2 + ones(32n) - 64;
}
