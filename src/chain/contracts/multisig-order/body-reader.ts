import { CellFault } from '../../boc/cell-fault.ts';
import type { Cells } from '../../boc/cells.ts';
import type { Slice } from '../../boc/slice.ts';
import { writeBoc } from '../../boc/write-boc.ts';
import type { AccountId } from '../../tl/names.ts';
import { type MessagePart, sliceOf } from '../../tlb/message-part.ts';
import { type MsgAddress, readMsgAddress } from '../../tlb/msg-address.ts';
import { readSnake } from '../snake.ts';

// More than a snake of the deepest cells has.
const MAX_TEXT_BYTES = 256 * 1024;

/** Writes bags of cells until they become too much: many steps of an order may share one large cell. */
export class BocBudget {
  #bytesLeft: number;

  constructor(bytes: number) {
    this.#bytesLeft = bytes;
  }

  write(cells: Cells, part: MessagePart): Buffer {
    if (this.#bytesLeft <= 0) throw new CellFault('too many cells in the order');
    const source = part.whole ? { cells, roots: [part.cell] } : sliceOf(cells, part);
    const boc = writeBoc(source, { order: 'tonlib' });
    this.#bytesLeft -= boc.length;
    return boc;
  }
}

/** The account of an address, or undefined for no address. Addresses of other kinds are a fault. */
export function accountIn(address: MsgAddress): AccountId | undefined {
  if (address.kind === 'none') return undefined;
  if (address.kind !== 'std' || address.anycast !== undefined)
    throw new CellFault('an address of another kind');
  return { workchain: address.workchain, hash: address.hash };
}

/** Text in a slice and along its first references. Bytes that are no text are replaced. */
export function readText(slice: Slice): string {
  const bytes = readSnake(slice, MAX_TEXT_BYTES);
  if (bytes === undefined) throw new CellFault('a text that does not end with a byte');
  return bytes.toString('utf8');
}

/** Reads the fields of a body one after another. */
export class BodyReader {
  readonly slice: Slice;
  readonly #budget: BocBudget;

  constructor(slice: Slice, budget: BocBudget) {
    this.slice = slice;
    this.#budget = budget;
  }

  get isEmpty(): boolean {
    return this.slice.bitsLeft === 0 && this.slice.refsLeft === 0;
  }

  uint(bits: number): number {
    return this.slice.uint(bits);
  }

  queryId(): bigint {
    return this.slice.uint64();
  }

  coins(): bigint {
    return this.slice.coins();
  }

  account(): AccountId | undefined {
    return accountIn(readMsgAddress(this.slice));
  }

  text(): string {
    return readText(this.slice);
  }

  /** Another body, in the next reference. */
  next(): BodyReader {
    return new BodyReader(this.slice.refSlice(), this.#budget);
  }

  /** The bag of cells of a part of the same cells. */
  boc(part: MessagePart): Buffer {
    return this.#budget.write(this.slice.cells, part);
  }
}
