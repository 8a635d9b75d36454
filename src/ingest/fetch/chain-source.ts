import type { BlockId } from '../../chain/block-id.ts';
import type { CellBag } from '../../chain/boc/bag.ts';
import type { AccountCells } from '../../chain/contracts/account-cells.ts';
import type { AccountChange } from '../../index/write/decoded-seqno.ts';
import type { FetchedSeqno } from './fetch-seqnos.ts';
import type { FetchRange } from './masterchain-blocks.ts';

/** Where the blocks and states of a range come from: lite servers, which a local chain has too, or pack files. */
export interface ChainSource {
  /** Stops everything. */
  readonly signal: AbortSignal;
  /** How far a seqno is behind the head; nothing is, where the source has no head. */
  lagOf(seqno: number): number;
  /** Blocks in ascending order, ahead of the reader up to a number of bytes. All of them are proven. */
  seqnos(range: FetchRange, limits: { readonly bytes: number }): AsyncIterable<FetchedSeqno>;
  /** The zero states of all workchains, that of the masterchain first. */
  zeroStates(): Promise<readonly CellBag[]>;
  /** Code and data of accounts right after changes, by account; those that are not to be had now are left out. */
  states(
    changes: readonly AccountChange[],
    options: { readonly blockOf: (mcSeqno: number) => BlockId },
  ): Promise<ReadonlyMap<string, AccountCells>>;
  /** An account after a masterchain block, undefined if it does not exist there; rejects where that is not known. */
  account(
    block: BlockId,
    account: Buffer,
    options: { readonly timeoutMs: number },
  ): Promise<AccountCells | undefined>;
}
