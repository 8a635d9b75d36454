import type { BlockLimits, ParamLimits } from '../../chain/tlb/config-block-limits.ts';

/** How full a block is. */
export type LoadClass = 'underload' | 'normal' | 'soft' | 'medium' | 'hard';

const CLASSES: readonly LoadClass[] = ['underload', 'normal', 'soft', 'medium', 'hard'];
const EMPTY_BLOCK_BYTES = 2000;
const TRANSACTION_BYTES = 200;
const WAITING_MESSAGE_BYTES = 300;

/** Measures a block against its limits while it is being made. Its size is an estimate, as in the node. */
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

  /** Counts messages that have yet to find their place in the block. */
  addWaiting(messages: number): void {
    this.#waiting += messages;
  }

  /** Whether there is room for messages from other accounts: all measures are below their soft limit. */
  get fitsInternal(): boolean {
    return this.#rank() < CLASSES.indexOf('soft');
  }

  /** Whether there is room for messages from outside: all measures are below the middle of soft and hard limit. */
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
