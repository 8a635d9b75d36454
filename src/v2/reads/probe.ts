import { CellFault } from '../../chain/boc/cell-fault.ts';
import { readTokenContent, type TokenContent } from '../../chain/contracts/token-content.ts';
import { methodIdOfName } from '../../chain/stack/method-id.ts';
import {
  type CellEntry,
  openEntry,
  type SliceEntry,
  type StackEntry,
} from '../../chain/stack/stack-entry.ts';
import type { AccountId } from '../../chain/tl/names.ts';
import { readMsgAddress } from '../../chain/tlb/msg-address.ts';
import type { V2Call } from '../call.ts';
import { type AccountAt, accountAtBlock } from './account-at.ts';
import { runGetMethod } from './run-get-method.ts';

/** A contract is not what it was taken for. */
export class NotThat extends Error {
  override readonly name = 'NotThat';
}

/** What a get-method gave, read as what it should be; anything else throws NotThat. */
class ProbeAnswer {
  readonly #stack: readonly StackEntry[];

  constructor(stack: readonly StackEntry[]) {
    this.#stack = stack;
  }

  get size(): number {
    return this.#stack.length;
  }

  integer(index: number): bigint {
    const entry = this.#stack[index];
    return entry?.type === 'int' ? entry.value : refuse('a number expected');
  }

  cell(index: number): CellEntry {
    const entry = this.#stack[index];
    return entry?.type === 'cell' ? (entry as CellEntry) : refuse('a cell expected');
  }

  /** A cell, or the part of one that a slice is. */
  part(index: number): CellEntry | SliceEntry {
    const entry = this.#stack[index];
    return entry?.type === 'slice' ? entry : this.cell(index);
  }

  /** An account, or undefined for no address. */
  address(index: number): AccountId | undefined {
    const address = orNotThat(() => readMsgAddress(openEntry(this.part(index))));
    if (address.kind === 'none') return undefined;
    if (address.kind !== 'std' || address.anycast !== undefined) return refuse('an account expected');
    return { workchain: address.workchain, hash: address.hash };
  }

  content(index: number): TokenContent {
    const { cells, cell } = this.cell(index);
    return readTokenContent(cells, cell) ?? refuse('content expected');
  }
}

/** Runs a get-method that should succeed and give so much at least; throws NotThat when it does not. */
export async function probe(
  call: V2Call,
  at: AccountAt,
  method: string,
  { args = [], least = 1 }: { readonly args?: readonly StackEntry[]; readonly least?: number } = {},
): Promise<ProbeAnswer> {
  const { exitCode, stack } = await runGetMethod(call, at, methodIdOfName(method), args);
  if (exitCode !== 0) return refuse(`exit code ${exitCode}`);
  if (stack.length < least) return refuse(`${stack.length} results`);
  return new ProbeAnswer(stack);
}

/** Another account at the block and in the session of one. */
export async function accountBeside(
  call: V2Call,
  { session, block }: AccountAt,
  account: AccountId,
): Promise<AccountAt> {
  const proven = await session.run((target) => accountAtBlock(call, target, block, account));
  return { session, block, proven };
}

/** Reads cells; what cannot be read throws NotThat. */
export function orNotThat<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof CellFault) return refuse(error.message);
    throw error;
  }
}

/** Throws NotThat. */
export function refuse(text: string): never {
  throw new NotThat(text);
}
