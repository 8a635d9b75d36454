import type { AccountId } from '../address.ts';
import { CellError } from '../boc/cells.ts';
import { type CellEntry, openEntry, type SliceEntry, type StackEntry } from '../stack/entries.ts';
import { readMsgAddress } from '../tlb/msg-address.ts';
import { readTokenContent, type TokenContent } from './token-content.ts';

/**
 * A contract at one block, read by its get-methods. Readers of contracts depend only on this interface, so that
 * the same code works with lite servers and with the index.
 */
export interface ContractReader {
  readonly account: AccountId;
  /** Runs a get-method; throws InterfaceMismatch when it fails or does not exist. */
  run(method: string, args?: readonly StackEntry[]): Promise<MethodResult>;
  /** Another contract at the same block; throws InterfaceMismatch when it does not exist. */
  beside(account: AccountId): Promise<ContractReader>;
}

/** Without a stack, which takes longer than all else about it: most contracts lack most interfaces. */
export class InterfaceMismatch extends Error {
  override readonly name = 'InterfaceMismatch';

  constructor(text: string) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(text);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

export function throwMismatch(text: string): never {
  throw new InterfaceMismatch(text);
}

/** Reads cells and turns a CellError into an InterfaceMismatch. */
export function mismatchOnCellError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof CellError) return throwMismatch(error.message);
    throw error;
  }
}

/** The result of a read, or undefined on InterfaceMismatch. */
export async function undefinedOnMismatch<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof InterfaceMismatch) return undefined;
    throw error;
  }
}

/** The result of a get-method with typed access; an unexpected type throws InterfaceMismatch. */
export class MethodResult {
  readonly #stack: readonly StackEntry[];

  constructor(stack: readonly StackEntry[]) {
    this.#stack = stack;
  }

  get size(): number {
    return this.#stack.length;
  }

  /** Rejects a result with fewer entries. */
  atLeast(size: number): this {
    return this.size < size ? throwMismatch(`${this.size} results`) : this;
  }

  integer(index: number): bigint {
    const entry = this.#stack[index];
    return entry?.type === 'int' ? entry.value : throwMismatch('number expected');
  }

  cell(index: number): CellEntry {
    const entry = this.#stack[index];
    return entry?.type === 'cell' ? (entry as CellEntry) : throwMismatch('cell expected');
  }

  /** A cell, or undefined for null. */
  maybeCell(index: number): CellEntry | undefined {
    return this.#stack[index]?.type === 'null' ? undefined : this.cell(index);
  }

  part(index: number): CellEntry | SliceEntry {
    const entry = this.#stack[index];
    return entry?.type === 'slice' ? entry : this.cell(index);
  }

  bytes(index: number): Buffer {
    return mismatchOnCellError(() => {
      const slice = openEntry(this.part(index));
      if (slice.bitsLeft % 8 !== 0) throwMismatch('whole bytes expected');
      return slice.bytes(slice.bitsLeft / 8);
    });
  }

  /** An account, or undefined for addr_none. */
  address(index: number): AccountId | undefined {
    const address = mismatchOnCellError(() => readMsgAddress(openEntry(this.part(index))));
    if (address.kind === 'none') return undefined;
    if (address.kind !== 'std' || address.anycast !== undefined)
      return throwMismatch('account address expected');
    return { workchain: address.workchain, hash: address.hash };
  }

  /** An account that a contract need not have: whatever is not the address of one counts as none. */
  optionalAddress(index: number): AccountId | undefined {
    try {
      return this.address(index);
    } catch (error) {
      if (error instanceof InterfaceMismatch) return undefined;
      throw error;
    }
  }

  /** Token content; texts and images are limited to `maxBytes` each. */
  content(index: number, maxBytes?: number): TokenContent {
    const { cells, cell } = this.cell(index);
    return readTokenContent(cells, cell, maxBytes) ?? throwMismatch('content expected');
  }
}
