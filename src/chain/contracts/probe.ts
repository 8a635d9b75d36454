import type { AccountId } from '../address.ts';
import { CellError } from '../boc/cells.ts';
import { type CellEntry, openEntry, type SliceEntry, type StackEntry } from '../stack/entries.ts';
import { readMsgAddress } from '../tlb/msg-address.ts';
import { readTokenContent, type TokenContent } from './token-content.ts';

/**
 * A contract that can be asked by its get-methods, as it was at one block. Who reads contracts knows only this, so that
 * the same reading serves answers from a lite server and the index.
 */
export interface ContractReader {
  readonly account: AccountId;
  /** Runs a get-method; throws NotThat when it fails or the code has none of that name. */
  run(method: string, args?: readonly StackEntry[]): Promise<MethodResult>;
  /** Another contract at the same block; throws NotThat when there is none. */
  beside(account: AccountId): Promise<ContractReader>;
}

/** A contract is not what it was taken for. */
export class InterfaceMismatch extends Error {
  override readonly name = 'NotThat';
}

/** Throws NotThat. */
export function throwMismatch(text: string): never {
  throw new InterfaceMismatch(text);
}

/** Reads cells; what cannot be read throws NotThat. */
export function mismatchOnCellError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof CellError) return throwMismatch(error.message);
    throw error;
  }
}

/** What a reading gives, or undefined where it throws NotThat. */
export async function undefinedOnMismatch<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof InterfaceMismatch) return undefined;
    throw error;
  }
}

/** What a get-method gave, read as what it should be; anything else throws NotThat. */
export class MethodResult {
  readonly #stack: readonly StackEntry[];

  constructor(stack: readonly StackEntry[]) {
    this.#stack = stack;
  }

  get size(): number {
    return this.#stack.length;
  }

  /** Refuses an answer of fewer entries. */
  atLeast(size: number): this {
    return this.size < size ? throwMismatch(`${this.size} results`) : this;
  }

  integer(index: number): bigint {
    const entry = this.#stack[index];
    return entry?.type === 'int' ? entry.value : throwMismatch('a number expected');
  }

  cell(index: number): CellEntry {
    const entry = this.#stack[index];
    return entry?.type === 'cell' ? (entry as CellEntry) : throwMismatch('a cell expected');
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
    return mismatchOnCellError(() => {
      const slice = openEntry(this.part(index));
      if (slice.bitsLeft % 8 !== 0) throwMismatch('no whole bytes');
      return slice.bytes(slice.bitsLeft / 8);
    });
  }

  /** An account, or undefined for no address. */
  address(index: number): AccountId | undefined {
    const address = mismatchOnCellError(() => readMsgAddress(openEntry(this.part(index))));
    if (address.kind === 'none') return undefined;
    if (address.kind !== 'std' || address.anycast !== undefined) return throwMismatch('an account expected');
    return { workchain: address.workchain, hash: address.hash };
  }

  /** Content of a token, with so much of every text and image in it. */
  content(index: number, maxBytes?: number): TokenContent {
    const { cells, cell } = this.cell(index);
    return readTokenContent(cells, cell, maxBytes) ?? throwMismatch('content expected');
  }
}
