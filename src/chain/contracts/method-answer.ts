import { type CellEntry, openEntry, type SliceEntry, type StackEntry } from '../stack/stack-entry.ts';
import type { AccountId } from '../tl/names.ts';
import { readMsgAddress } from '../tlb/msg-address.ts';
import { orNotThat, refuse } from './not-that.ts';
import { readTokenContent, type TokenContent } from './token-content.ts';

/** What a get-method gave, read as what it should be; anything else throws NotThat. */
export class MethodAnswer {
  readonly #stack: readonly StackEntry[];

  constructor(stack: readonly StackEntry[]) {
    this.#stack = stack;
  }

  get size(): number {
    return this.#stack.length;
  }

  /** Refuses an answer of fewer entries. */
  atLeast(size: number): this {
    return this.size < size ? refuse(`${this.size} results`) : this;
  }

  integer(index: number): bigint {
    const entry = this.#stack[index];
    return entry?.type === 'int' ? entry.value : refuse('a number expected');
  }

  cell(index: number): CellEntry {
    const entry = this.#stack[index];
    return entry?.type === 'cell' ? (entry as CellEntry) : refuse('a cell expected');
  }

  /** A cell, or undefined for null. */
  maybeCell(index: number): CellEntry | undefined {
    return this.#stack[index]?.type === 'null' ? undefined : this.cell(index);
  }

  /** A cell, or the part of one that a slice is. */
  part(index: number): CellEntry | SliceEntry {
    const entry = this.#stack[index];
    return entry?.type === 'slice' ? entry : this.cell(index);
  }

  /** The bytes that the bits of a cell or slice fill. */
  bytes(index: number): Buffer {
    return orNotThat(() => {
      const slice = openEntry(this.part(index));
      if (slice.bitsLeft % 8 !== 0) refuse('no whole bytes');
      return slice.bytes(slice.bitsLeft / 8);
    });
  }

  /** An account, or undefined for no address. */
  address(index: number): AccountId | undefined {
    const address = orNotThat(() => readMsgAddress(openEntry(this.part(index))));
    if (address.kind === 'none') return undefined;
    if (address.kind !== 'std' || address.anycast !== undefined) return refuse('an account expected');
    return { workchain: address.workchain, hash: address.hash };
  }

  /** Content of a token, with so much of every text and image in it. */
  content(index: number, maxBytes?: number): TokenContent {
    const { cells, cell } = this.cell(index);
    return readTokenContent(cells, cell, maxBytes) ?? refuse('content expected');
  }
}
