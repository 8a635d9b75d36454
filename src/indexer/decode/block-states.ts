import { PrunedCellFault } from '../../chain/boc/cell-fault.ts';
import type { Cells } from '../../chain/boc/cells.ts';
import { type Account, readAccount } from '../../chain/tlb/account.ts';
import type { BlockInfo } from '../../chain/tlb/block-info.ts';
import type { StateUpdate } from '../../chain/tlb/block-state-update.ts';
import { bitOf } from '../../chain/tlb/dictionary-key.ts';
import { lookUpShardAccount } from '../../chain/tlb/shard-account.ts';
import { readShardState, splitStateParts } from '../../chain/tlb/shard-state.ts';

/** An account in the state before or after a block, as far as the block shows it. */
export type ShownAccount =
  | { readonly kind: 'hidden' }
  | { readonly kind: 'none' }
  | { readonly kind: 'shown'; readonly cell: number; readonly account: Account | undefined };

/** Finds an account by its hash. */
export type FindAccount = (hash: Buffer) => ShownAccount;

const HIDDEN: ShownAccount = Object.freeze({ kind: 'hidden' });
const NONE: ShownAccount = Object.freeze({ kind: 'none' });

/** Opens the accounts on both sides of the update that a block makes to the state of its shard. */
export function openBlockStates(
  cells: Cells,
  info: BlockInfo,
  update: StateUpdate,
): { readonly before: FindAccount; readonly after: FindAccount } {
  const after = readShardState(cells, update.new).accounts;
  return { before: openBefore(cells, info, update.old), after: (hash) => find(cells, after, hash) };
}

function openBefore(cells: Cells, { afterMerge, shard }: BlockInfo, old: number): FindAccount {
  // Nothing of it is shown when nothing of it is taken over.
  if (cells.isPruned(old)) return () => HIDDEN;
  if (!afterMerge) return openState(cells, old);
  const [left, right] = splitStateParts(cells, old)!.map((part) => openState(cells, part));
  const prefixBits = 63 - countZerosAtEnd(shard);
  return (hash) => (bitOf(hash, prefixBits) === 0 ? left! : right!)(hash);
}

function openState(cells: Cells, state: number): FindAccount {
  if (cells.isPruned(state)) return () => HIDDEN;
  const { accounts } = readShardState(cells, state);
  return (hash) => find(cells, accounts, hash);
}

function find(cells: Cells, accounts: number, hash: Buffer): ShownAccount {
  try {
    const entry = lookUpShardAccount(cells, accounts, hash);
    if (entry === undefined) return NONE;
    if (cells.isPruned(entry.account)) return HIDDEN;
    return { kind: 'shown', cell: entry.account, account: readAccount(cells, entry.account) };
  } catch (error) {
    if (error instanceof PrunedCellFault) return HIDDEN;
    throw error;
  }
}

function countZerosAtEnd(shard: bigint): number {
  return (BigInt.asUintN(64, shard) & -BigInt.asUintN(64, shard)).toString(2).length - 1;
}
